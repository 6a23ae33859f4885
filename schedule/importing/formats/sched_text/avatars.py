"""The marks that a rendered page puts before each person: "avatar for Ada Byron", or two initials."""

import re
from dataclasses import dataclass
from itertools import compress, pairwise

from conference.text import matching_key
from schedule.importing.formats.sched_text.reading import Paragraph, fold_line
from schedule.importing.titles import looks_like_name

_AVATAR = re.compile(r"avatar for (.+)")


@dataclass(frozen=True, slots=True)
class Marked:
    """A person by their mark: its line, the name it gives, and the paragraphs under it, the first the name itself.

    `is_nameless` means that the name stands in the mark alone.
    """

    line: int
    name: str
    paragraphs: list[Paragraph]
    is_nameless: bool


def is_avatar(line: str) -> bool:
    """Whether a line stands for a picture: "avatar for Ada Byron"."""
    return line.startswith("avatar") and _AVATAR.fullmatch(fold_line(line)) is not None


def is_mark_of_person(line: str, after: str = "") -> bool:
    """Whether a line is a picture, or the initials of the name in the next line with text."""
    if len(line) != 2:
        return is_avatar(line)
    if not line.isalpha() or not line.isupper():
        return False
    words = fold_line(after).upper().split()
    return 0 < len(words) <= 5 and words[0][0] == line[0] and any(word[0] == line[1] for word in words[1:] or words)


def find_marked(paragraphs: list[Paragraph]) -> list[Marked] | None:
    """Return the people of a section, each from one mark to the next; None if there is no mark."""
    texts = [*(line for paragraph in paragraphs for line in paragraph.lines), ""]
    are_marks = [is_mark_of_person(line, after) for line, after in pairwise(texts)]
    if not any(are_marks):
        return None
    lines = [(paragraph, n) for paragraph in paragraphs for n in range(len(paragraph.lines))]
    cuts: dict[int, set[int]] = {}
    marks: set[int] = set()
    for paragraph, n in compress(lines, are_marks):
        cuts.setdefault(paragraph.line, set()).update({n, n + 1})
        marks.add(paragraph.line + n)
    parts = [part for paragraph in paragraphs for part in paragraph.cut_at(cuts.get(paragraph.line, set()))]
    starts = [n for n, part in enumerate(parts) if part.line in marks]
    ends = [*starts, len(parts)][1:]
    return [_mark(parts[start], parts[start + 1 : end]) for start, end in zip(starts, ends, strict=True)]


def _mark(mark: Paragraph, paragraphs: list[Paragraph]) -> Marked:
    """Find the name under a mark: what it says, or else what looks like a name and stands alone."""
    found = _AVATAR.fullmatch(fold_line(mark.text))
    name = found[1] if found else ""
    if not paragraphs:
        return Marked(mark.line, name or mark.text, [], is_nameless=True)
    first, rest = paragraphs[0].split(1)
    paragraphs = [first, *([rest] if rest else []), *paragraphs[1:]]
    is_same = matching_key(first.text) == matching_key(name)
    is_nameless = bool(name) and not is_same and not (rest is None and looks_like_name(first.text))
    return Marked(mark.line, name, paragraphs, is_nameless)
