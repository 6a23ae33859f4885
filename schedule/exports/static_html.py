"""A page of ours as one that needs no server: what asks for one is left out, links lead to files. Pure."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import escape
from html.parser import HTMLParser

_VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"})
_BLANK_LINES = re.compile(r"\n\s*\n")
# What does nothing without script or server: stars, filters, menus.
_LIVE = frozenset({"script", "noscript", "template", "form", "button", "fieldset"})
_LIVE_ATTRIBUTES = frozenset({"hidden", "popover"})
_LIVE_CLASSES = frozenset({"search", "files", "zone", "filter-link", "facets", "modes"})
_LIVE_RELATIONS = frozenset({"manifest", "canonical", "alternate"})
_LIVE_METAS = ("og:", "twitter:", "htmx-", "robots")
_ADDRESSES = {"a": "href", "link": "href", "img": "src"}
# Of these, nothing is shown when nothing is in them.
_EMPTY_DROPPED = frozenset({"li", "ul", "nav"})


@dataclass
class _Element:
    name: str
    attributes: dict[str, str | None]
    children: list = field(default_factory=list)

    def write(self) -> str:
        attributes = "".join(
            f" {name}" if value is None else f' {name}="{escape(value)}"'
            for name, value in self.attributes.items()
            if not name.startswith("hx-")
        )
        if self.name in _VOID:
            return f"<{self.name}{attributes}>"
        return f"<{self.name}{attributes}>{_write_all(self.children)}</{self.name}>"


def write_static(page: str, find_target: Callable[[str], str | None]) -> str:
    """Return `page` (HTML) without what needs a server.

    `find_target` returns where an address leads from there, None where to nothing: such a link is left out.
    """
    builder = _Builder()
    builder.feed(page)
    builder.close()
    kept = _keep(builder.root.children, find_target)
    # A place may have gone with what stood there.
    places = {f"#{name}" for name in _find_ids(kept)}
    kept = _keep(kept, lambda address: None if address.startswith("#") and address not in places else address)
    return _BLANK_LINES.sub("\n", f"<!doctype html>\n{_write_all(kept)}\n")


class _Builder(HTMLParser):
    """Makes a tree of a page. Ours close every element, so that nothing has to be guessed."""

    def __init__(self):
        super().__init__(convert_charrefs=False)
        self.root = _Element("", {})
        self.open = [self.root]

    def handle_starttag(self, name: str, attributes: list) -> None:
        element = _Element(name, dict(attributes))
        self.open[-1].children.append(element)
        if name not in _VOID:
            self.open.append(element)

    def handle_startendtag(self, name: str, attributes: list) -> None:
        self.open[-1].children.append(_Element(name, dict(attributes)))

    def handle_endtag(self, name: str) -> None:
        if name not in _VOID:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)

    def handle_entityref(self, name: str) -> None:
        self.open[-1].children.append(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.open[-1].children.append(f"&#{name};")


def _keep(children: list, find_target: Callable[[str], str | None]) -> list:
    kept = []
    for child in children:
        if isinstance(child, str):
            kept.append(child)
        elif not _is_live(child) and _lead(child, find_target):
            had_any = bool(child.children)
            child.children = _keep(child.children, find_target)
            if child.name not in _EMPTY_DROPPED or not had_any or _write_all(child.children).strip():
                kept.append(child)
    return kept


def _is_live(element: _Element) -> bool:
    attributes = element.attributes
    classes = (attributes.get("class") or "").split()
    return (
        element.name in _LIVE
        or not _LIVE_ATTRIBUTES.isdisjoint(attributes)
        or not _LIVE_CLASSES.isdisjoint(classes)
        or (element.name == "link" and attributes.get("rel") in _LIVE_RELATIONS)
        or (element.name == "meta" and _name_meta(attributes).startswith(_LIVE_METAS))
    )


def _name_meta(attributes: dict[str, str | None]) -> str:
    return attributes.get("property") or attributes.get("name") or ""


def _find_ids(children: list) -> Iterator[str | None]:
    for child in children:
        if isinstance(child, _Element):
            yield child.attributes.get("id")
            yield from _find_ids(child.children)


def _lead(element: _Element, find_target: Callable[[str], str | None]) -> bool:
    """Let an address lead to where it stands now; return whether it leads anywhere."""
    name = _ADDRESSES.get(element.name)
    address = element.attributes.get(name) if name else None
    if not address:
        return True
    target = find_target(address)
    if target is None:
        return False
    element.attributes[name] = target
    return True


def _write_all(children: list) -> str:
    return "".join(child if isinstance(child, str) else child.write() for child in children)
