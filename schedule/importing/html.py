"""HTML, as organisers' tools leave it in descriptions, to plain text that keeps paragraphs and lists. Pure."""

import html
import re
from collections import Counter
from html.parser import HTMLParser

_PARAGRAPHS = frozenset(
    {"p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "table", "hr", "pre", "dl", "ul", "ol"}
    | {"section", "article", "figure", "header", "footer", "main"}
)
_LINES = frozenset({"div", "li", "tr", "dt", "dd", "center", "figcaption"})
_INLINE = frozenset(
    {
        "a",
        "abbr",
        "b",
        "big",
        "br",
        "cite",
        "code",
        "del",
        "em",
        "font",
        "i",
        "iframe",
        "img",
        "ins",
        "kbd",
        "mark",
        "q",
    }
    | {"s", "samp", "small", "span", "strike", "strong", "sub", "sup", "tbody", "td", "tfoot", "th", "thead", "tt", "u"}
    | {"wbr"}
)
_LISTS = ("ul", "ol")
_NEVER_OPEN = frozenset({"hr", "br", "img", "wbr"})
_NAMES = "|".join(sorted(_PARAGRAPHS | _LINES | _INLINE, key=lambda name: (-len(name), name)))
_TAG = rf"/?(?:{_NAMES})(?:\s[^<>]*)?/?>"
_HAS_TAG = re.compile(f"<{_TAG}", re.IGNORECASE)
# "a < b", "Vec<T>" and "<me@example.org>" are text, and so is "&copy=1" in an address.
_NO_TAG = re.compile(f"<(?!{_TAG})", re.IGNORECASE)
_NO_REFERENCE = re.compile(r"&(?!#[0-9]{1,7};|#[xX][0-9a-fA-F]{1,6};|[A-Za-z][A-Za-z0-9]{1,31};)")
_HIDDEN = (
    (re.compile("<!--"), re.compile("-->")),
    (re.compile(r"<script\b", re.IGNORECASE), re.compile(r"</script\s*>", re.IGNORECASE)),
    (re.compile(r"<style\b", re.IGNORECASE), re.compile(r"</style\s*>", re.IGNORECASE)),
)
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufeff]")
_HALF_CHARACTERS = re.compile("[\ud800-\udfff]")
_BLANK_LINE = re.compile(r"\n\s*\n")
_DEEPEST_INDENT = 3


def html_to_text(text: str) -> str:
    """Return what a reader of this HTML sees, as plain text; text without any HTML stays as it is.

    Items of lists begin with "- " or "1. "; a link's address follows its text in parentheses. Outside of
    paragraphs a line end is the author's and stays; within them it is a blank, as browsers read it.
    What is no tag or entity of HTML ("a < b", "Vec<T>", "R&D") is kept. Takes linear time.
    """
    text = clean_text(text)
    if "<" not in text and "&" not in text:
        return _tidy(text)
    for opening, closing in _HIDDEN:
        text = _drop_between(text, opening, closing)
    text = _NO_REFERENCE.sub("&amp;", text)
    if not _HAS_TAG.search(text):
        return _tidy(clean_text(html.unescape(text)))
    writer = _Writer()
    writer.feed(_NO_TAG.sub("&lt;", text))
    writer.close()
    return _tidy(clean_text("".join(writer.pieces)))


def clean_text(text: str) -> str:
    """Return `text` without control characters and halves of characters, with LF line ends."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _HALF_CHARACTERS.sub("\ufffd", _CONTROLS.sub("", text))


def _drop_between(text: str, opening: re.Pattern[str], closing: re.Pattern[str]) -> str:
    """Leave out what a reader does not see. What is never closed is text."""
    kept, position = [], 0
    while begin := opening.search(text, position):
        end = closing.search(text, begin.end())
        if end is None:
            break
        kept.append(text[position : begin.start()])
        position = end.end()
    return "".join([*kept, text[position:]])


def _tidy(text: str) -> str:
    lines = [line.rstrip() for line in text.replace("\u00a0", " ").split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n").rstrip()


class _Writer(HTMLParser):
    """Collects text. Breaks wait until text follows; of those that tags and line ends ask for, the larger counts."""

    CDATA_CONTENT_ELEMENTS = ()

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self.breaks_of_tags = 0
        self.breaks_of_text = 0
        self.mark = ""
        # For each open list: its last number, None where it has bullets.
        self.lists: list[int | None] = []
        self.open: Counter[str] = Counter()
        self.link: tuple[str, int] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _PARAGRAPHS or tag in _LINES:
            self._break(2 if tag in _PARAGRAPHS and not self.lists else 1)
            self._open(tag)
        attributes = {name: value or "" for name, value in attrs}
        if tag == "br":
            self.breaks_of_tags += 1
        elif tag in _LISTS:
            self.lists.append(0 if tag == "ol" else None)
        elif tag == "li":
            self.mark = self._next_mark()
        elif tag == "a":
            self.link = (attributes.get("href", ""), len(self.pieces))
        elif tag == "img":
            self._add(attributes.get("alt", ""))
        elif tag == "iframe":
            self._add(attributes.get("src", ""))
        elif tag in ("td", "th") and self.pieces and not self.breaks_of_tags:
            self._add(" | ")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _NEVER_OPEN:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag == "br":
            self.breaks_of_tags += 1
        elif tag in _PARAGRAPHS or tag in _LINES:
            self.open[tag] = max(0, self.open[tag] - 1)
            if tag in _LISTS and self.lists:
                self.lists.pop()
                self.mark = ""
            if not self.lists:
                self.open["li"] = 0
            self._break(2 if tag in _PARAGRAPHS and not self.lists else 1)
        elif tag == "a" and self.link:
            self._end_link(*self.link)
            self.link = None

    def handle_data(self, data: str) -> None:
        if self.open["pre"]:
            self._add_lines(data, keep_blanks=True)
        elif any(self.open.values()):
            for n, paragraph in enumerate(_BLANK_LINE.split(data)):
                if n:
                    self._break(2)
                self._add(re.sub(r"\s+", " ", paragraph))
        else:
            self._add_lines(data, keep_blanks=False)

    def _open(self, tag: str) -> None:
        self.open["p"] = 0
        if tag not in _NEVER_OPEN:
            self.open[tag] += 1

    def _break(self, count: int) -> None:
        self.breaks_of_tags = max(self.breaks_of_tags, min(count, 1) if self.mark else count)

    def _next_mark(self) -> str:
        indent = "  " * min(len(self.lists) - 1, _DEEPEST_INDENT)
        if not self.lists or self.lists[-1] is None:
            return f"{indent}- "
        self.lists[-1] += 1
        return f"{indent}{self.lists[-1]}. "

    def _add_lines(self, data: str, *, keep_blanks: bool) -> None:
        for n, line in enumerate(data.split("\n")):
            self.breaks_of_text += n > 0
            self._add(line if keep_blanks else re.sub(r"\s+", " ", line))

    def _add(self, text: str) -> None:
        breaks = min(2, max(self.breaks_of_tags, self.breaks_of_text))
        if (breaks or not self.pieces) and not self.open["pre"]:
            text = text.lstrip()
        elif self.pieces and self.pieces[-1].endswith((" ", "\n")) and not self.open["pre"]:
            text = text.lstrip(" ")
        if not text.strip() and (breaks or not self.pieces or not text):
            return
        if breaks and self.pieces:
            self.pieces.append("\n" * breaks)
        self.pieces.append(self.mark + text)
        self.mark, self.breaks_of_tags, self.breaks_of_text = "", 0, 0

    def _end_link(self, address: str, first: int) -> None:
        """Write a link's address after its text, unless the text is the address."""
        text = "".join(self.pieces[first:]).strip()
        if not address.startswith(("http://", "https://", "mailto:")):
            return
        plain = re.sub("^(?:https?://|mailto:)", "", address).rstrip("/")
        if not text:
            self._add(address)
        elif plain not in text:
            self._add(f" ({address})")
