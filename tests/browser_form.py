"""A form of a page as a browser would send it back when nobody touches it."""

from dataclasses import dataclass, field
from html.parser import HTMLParser


def read_form(html: str, form_id: str) -> dict[str, list[str]]:
    """Return what a browser sends for the untouched form `form_id`: names and values, line ends as CR LF."""
    reader = _FormReader(form_id)
    reader.feed(html)
    return {name: [value for known, value in reader.sent if known == name] for name, _value in reader.sent}


def find_attribute(html: str, element_id: str, attribute: str) -> str:
    """Return the value of `attribute` of the element with this id."""
    reader = _FormReader("")
    reader.feed(html)
    return reader.attributes[element_id][attribute]


@dataclass
class _FormReader(HTMLParser):
    form_id: str
    sent: list[tuple[str, str]] = field(default_factory=list)
    attributes: dict[str, dict] = field(default_factory=dict)
    is_inside: bool = False
    textarea: str = ""
    text: str = ""
    select: str = ""
    options: list[tuple[str, bool]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list) -> None:
        values = {name: value or "" for name, value in attrs}
        if "id" in values:
            self.attributes[values["id"]] = values
        if tag == "form":
            self.is_inside = values.get("id") == self.form_id
        elif self.is_inside and "disabled" not in values:
            self._read(tag, values, {name for name, _value in attrs})

    def _read(self, tag: str, values: dict, names: set) -> None:
        name = values.get("name", "")
        if tag == "input" and name:
            kind = values.get("type", "text")
            if kind in ("checkbox", "radio") and "checked" in names:
                self.sent.append((name, values.get("value", "on")))
            elif kind not in ("checkbox", "radio", "submit", "button", "file", "image", "reset"):
                self.sent.append((name, values.get("value", "")))
        elif tag == "textarea":
            self.textarea, self.text = name, ""
        elif tag == "select":
            self.select, self.options = name, []
        elif tag == "option" and self.select:
            self.options.append((values.get("value", ""), "selected" in names))

    def handle_data(self, data: str) -> None:
        if self.textarea:
            self.text += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.is_inside = False
        elif tag == "textarea" and self.textarea:
            # A line end right after the tag is the markup's.
            text = self.text.removeprefix("\r").removeprefix("\n").replace("\r\n", "\n").replace("\n", "\r\n")
            self.sent.append((self.textarea, text))
            self.textarea = ""
        elif tag == "select" and self.select:
            chosen = [value for value, is_selected in self.options if is_selected] or [v for v, _s in self.options[:1]]
            self.sent += [(self.select, value) for value in chosen]
            self.select = ""
