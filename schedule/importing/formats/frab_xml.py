"""schedule.xml, as frab, pretalx, OSEM and the tools of c3voc write it."""

import html
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from schedule.importing.document import ReadOptions, ScheduleDocument
from schedule.importing.formats.entries import Notes
from schedule.importing.formats.frab import RawConference, RawDay, RawEvent, RawLink, RawPerson, build_document

FORMAT = "frab-xml"
# The processing instruction in which our own exports say what schedule.xml has no place for (formats/exact.py).
INSTRUCTION = "plenary"
DEFAULTS = ReadOptions()
_DEEPEST = 50
_MAY_HOLD_MARKUP = frozenset({"title", "subtitle", "abstract", "description"})
_BREAKS_OFF = frozenset(
    expat.errors.codes[message]
    for message in (
        expat.errors.XML_ERROR_NO_ELEMENTS,
        expat.errors.XML_ERROR_UNCLOSED_TOKEN,
        expat.errors.XML_ERROR_PARTIAL_CHAR,
        expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
    )
)


@dataclass(slots=True)
class Element:
    """An element, the line it begins on, and its text without that of the elements in it."""

    name: str
    line: int
    attributes: dict[str, str]
    children: list["Element"] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    is_closed: bool = False

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def all(self, name: str) -> Iterator["Element"]:
        return (child for child in self.children if child.name == name)

    def within(self, outer: str, name: str) -> Iterator["Element"]:
        """Yield the elements `name` in the elements `outer`."""
        return (child for element in self.all(outer) for child in element.all(name))

    def texts(self) -> dict[str, str]:
        """Return the text of each child by name; of several the first that has one."""
        found: dict[str, str] = {}
        for child in self.children:
            if child.text.strip():
                found.setdefault(child.name, child.text)
        return found


def recognises(text: str) -> bool:
    """Whether `text` is XML with a schedule in it, and not of a dialect that knows neither conference nor event."""
    is_xml = text.lstrip("\ufeff \t\r\n").startswith("<")
    return is_xml and "<schedule" in text and ("<conference" in text or "<event" in text)


def parse(text: str, source: str, options: ReadOptions = DEFAULTS) -> ScheduleDocument:
    """Read schedule.xml. Times are instants where the file gives offsets.

    An event that can't be read is left out with a warning, and then the document is no longer whole.
    Raises ScheduleRefused for XML that is broken, or cut unless parts are allowed, and for any DOCTYPE:
    a schedule needs none, and entities in it can blow up or read other files.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    notes = Notes(source, text.split("\n"))
    root, is_cut = _read_elements(notes, text, options)
    if root is None or root.name != "schedule":
        line = root.line if root else None
        raise notes.refuse("This is no schedule.xml: its outermost element is not <schedule>.", line)
    return build_document(notes, _read_schedule(notes, root, is_cut), FORMAT, options)


# Elements


class _Builder:
    """Builds the tree; it has no recursion, so that depth is only a number."""

    def __init__(self, notes: Notes):
        self.notes = notes
        self.root: Element | None = None
        self.open: list[Element] = []
        # Texts with markup in them: it is kept as HTML for the text's reader.
        self.markup_depth = 0
        # Whatever the declaration says, it is UTF-8 that is fed.
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.add_text
        self.parser.StartDoctypeDeclHandler = self.refuse_doctype
        self.parser.ProcessingInstructionHandler = self.add_instruction

    def start(self, name: str, attributes: dict[str, str]) -> None:
        line = self.parser.CurrentLineNumber
        if self.open and self.open[-1].name in _MAY_HOLD_MARKUP:
            self.markup_depth += 1
            address = f' href="{html.escape(attributes["href"])}"' if "href" in attributes else ""
            self.open[-1].pieces.append(f"<{name.rpartition(':')[2]}{address}>")
            return
        if len(self.open) >= _DEEPEST:
            raise self.notes.refuse(f"The elements are nested more than {_DEEPEST} deep. This is no schedule.", line)
        element = Element(name.rpartition(":")[2], line, attributes)
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def end(self, name: str) -> None:
        if self.markup_depth:
            self.markup_depth -= 1
            self.open[-1].pieces.append(f"</{name.rpartition(':')[2]}>")
        else:
            self.open.pop().is_closed = True

    def add_text(self, text: str) -> None:
        self.open[-1].pieces.append(text)

    def add_instruction(self, target: str, said: str) -> None:
        """Keep one of our own as a child of the element it stands in."""
        if target == INSTRUCTION and self.open and not self.markup_depth:
            line = self.parser.CurrentLineNumber
            self.open[-1].children.append(Element(f"?{INSTRUCTION}", line, {}, pieces=[said], is_closed=True))

    def refuse_doctype(self, *declaration: object) -> None:
        message = "The file has a DOCTYPE, which is not read: it could name other files. Delete it and import again."
        raise self.notes.refuse(message, self.parser.CurrentLineNumber)


def _read_elements(notes: Notes, text: str, options: ReadOptions) -> tuple[Element | None, bool]:
    """Return the outermost element, and whether the file was cut before its end."""
    builder = _Builder(notes)
    # White space before the XML declaration is an error to expat; within the first tag's line it is none.
    before = text[: len(text) - len(text.lstrip())]
    if before and text.startswith("<?xml", len(before)):
        declaration, end, rest = text[len(before) :].partition("?>")
        text = declaration + before + end + rest
    try:
        builder.parser.Parse(text.encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        line = min(error.lineno, len(notes.lines))
        if error.code in _BREAKS_OFF:
            line = notes.last_line
            message = "The XML breaks off in this line. Save the whole file again"
        else:
            message = f"The XML is damaged here ({expat.errors.messages[error.code]}). Correct it"
        if not options.is_partial_allowed:
            raise notes.refuse(f"{message}, or import what stands before with --partial.", line) from error
        _name_what_is_cut(notes, builder, message, line)
        return builder.root, True
    return builder.root, False


def _name_what_is_cut(notes: Notes, builder: _Builder, message: str, line: int) -> None:
    notes.warn(f"{message}; only what stands before is read.", line)
    for element in builder.open:
        if element.name == "event":
            title = element.texts().get("title", "").strip() or "(before its title)"
            notes.warn(f"This event is cut off and left out: {title[:100]}", element.line)


# The schedule


def _read_schedule(notes: Notes, root: Element, is_cut: bool) -> RawConference:
    head = next(root.all("conference"), None)
    texts = head.texts() if head else {}
    if not texts.get("title") and head is None:
        notes.warn("The file has no <conference>, so it does not name its event.", root.line)
    conference = RawConference(head.line if head else root.line, texts, is_cut=is_cut)
    conference.further = [(element.text, element.line) for element in root.all(f"?{INSTRUCTION}")]
    for element in root.all("day"):
        attributes = element.attributes
        day = RawDay(element.line, *(attributes.get(name, "") for name in ("date", "start", "end")))
        conference.days.append(day)
        for room in element.all("room"):
            name = room.attributes.get("name", "")
            conference.events += [_read_event(event, day, name) for event in room.all("event") if event.is_closed]
        conference.events += [_read_event(event, day, "") for event in element.all("event") if event.is_closed]
    return conference


def _read_event(element: Element, day: RawDay, room: str) -> RawEvent:
    texts = {**element.attributes, **element.texts()}
    for name in ("guid", "id"):
        texts[name] = element.attributes.get(name) or texts.get(name, "")
    for recording in element.all("recording"):
        inner = recording.texts()
        texts |= {"optout": inner.get("optout", ""), "license": inner.get("license", "")}
        texts["recording_url"] = inner.get("url") or inner.get("link") or ""
    texts["exact"] = texts.pop(f"?{INSTRUCTION}", "")
    texts["recording_url"] = texts.get("recording_url") or texts.get("video_download_url", "")
    people = [
        RawPerson(person.text, person.line, person.attributes.get("id") or person.attributes.get("code", ""))
        for person in element.within("persons", "person")
    ]
    links = [
        RawLink(link.text, link.attributes.get("href") or link.attributes.get("url", ""), link.line)
        for outer, name in (("links", "link"), ("attachments", "attachment"))
        for link in element.within(outer, name)
    ]
    return RawEvent(element.line, day, "", room, texts, people, links)
