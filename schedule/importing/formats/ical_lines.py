"""The lines of an iCalendar text: unfolded, with their numbers, put into components. Pure.

Done here and not by the library, so that every line has a role, every problem a line, and a broken event
breaks no other.
"""

import re
from collections import Counter
from dataclasses import dataclass, field

from schedule.importing.document import ReadOptions
from schedule.importing.formats.entries import Notes

_PROPERTY = re.compile(r"([A-Za-z][A-Za-z0-9-]*)[;:]")
_BOUND = re.compile(r"(BEGIN|END):[ \t]*([A-Za-z0-9-]+)[ \t]*", re.IGNORECASE)
_TEXTS = frozenset({"SUMMARY", "DESCRIPTION", "LOCATION", "COMMENT"})
# RFC 5545, 7986 and 9073, as far as they stand in events.
_KNOWN = _TEXTS | {
    "ATTACH", "ATTENDEE", "CALSCALE", "CATEGORIES", "CLASS", "COLOR", "COMPLETED", "CONFERENCE", "CONTACT", "CREATED",
    "DTEND", "DTSTAMP", "DTSTART", "DUE", "DURATION", "EXDATE", "EXRULE", "FREEBUSY", "GEO", "IMAGE", "LAST-MODIFIED",
    "LINK", "METHOD", "NAME", "ORGANIZER", "PERCENT-COMPLETE", "PRIORITY", "PRODID", "RDATE", "RECURRENCE-ID",
    "REFRESH-INTERVAL", "RELATED-TO", "REQUEST-STATUS", "RESOURCES", "RRULE", "SEQUENCE", "SOURCE", "STATUS",
    "STYLED-DESCRIPTION", "TRANSP", "TZID", "TZNAME", "TZOFFSETFROM", "TZOFFSETTO", "TZURL", "UID", "URL", "VERSION",
}  # fmt: skip
_ESCAPED = re.compile(r"\\([\\;,nN])")
_DEEPEST = 10
# Inside an event or beside it, and nothing of a programme.
_SILENT = frozenset({"VTIMEZONE", "VALARM", "STANDARD", "DAYLIGHT"})


@dataclass(slots=True)
class Line:
    """An unfolded line: its name in capitals, the number of its first physical line and how many it has."""

    name: str
    number: int
    count: int
    text: str

    @property
    def value(self) -> str:
        """What follows the first colon; only for properties without quoted parameters."""
        return self.text.partition(":")[2].strip()


@dataclass(slots=True)
class Component:
    """A component with its own lines; `first` and `last` are the numbers of its BEGIN and END."""

    name: str
    first: int
    last: int = 0
    lines: list[Line] = field(default_factory=list)

    def find(self, name: str) -> Line | None:
        return next((line for line in self.lines if line.name == name), None)


@dataclass(slots=True)
class Calendar:
    """A text as components: the calendar's own properties, events, zones; and a role for each physical line."""

    properties: list[Line]
    events: list[Component]
    zones: list[Component]
    roles: list[str | None]
    is_cut: bool = False

    def find(self, name: str) -> Line | None:
        return next((line for line in self.properties if line.name == name and line.value), None)

    def find_all(self, name: str) -> list[Line]:
        return [line for line in self.properties if line.name == name and line.value]

    def claim(self, role: str, first: int, last: int) -> None:
        self.roles[first - 1 : last] = [role if now != "blank" else now for now in self.roles[first - 1 : last]]


def unfold(notes: Notes) -> list[Line]:
    """Return the lines without those that are blank, each with its continuations.

    A line that is no property continues a text before it, whose line end was not escaped; elsewhere it
    keeps the name "".
    """
    unfolded: list[Line] = []
    pieces: list[str] = []
    for number, line in enumerate(notes.lines, start=1):
        if not line.strip():
            continue
        if line[0] in " \t" and unfolded:
            pieces.append(line[1:])
        elif (name := _find_name(line)) or not (unfolded and unfolded[-1].name in _TEXTS):
            _finish(unfolded, pieces)
            unfolded.append(Line(name, number, 1, ""))
            pieces = [line]
        else:
            notes.warn("This line is no property of iCalendar; it is read as a part of the text before it.", number)
            pieces.append(f"\\n{line}")
        unfolded[-1].count = number - unfolded[-1].number + 1
    _finish(unfolded, pieces)
    return unfolded


def _finish(unfolded: list[Line], pieces: list[str]) -> None:
    if unfolded:
        unfolded[-1].text = "".join(pieces).strip()


def _find_name(line: str) -> str:
    """Return the name of the property that a line begins with, "" if it is text: "Note: bring a rope"."""
    if bound := _BOUND.fullmatch(line.strip()):
        return bound[1].upper()
    found = _PROPERTY.match(line)
    name = found[1] if found else ""
    is_property = name.upper() in _KNOWN or name.upper().startswith("X-") or (name and name == name.upper())
    return name.upper() if is_property and name.upper() not in ("BEGIN", "END") else ""


class _Scanner:
    """Puts lines into components."""

    def __init__(self, notes: Notes):
        self.notes = notes
        roles: list[str | None] = [None if line.strip() else "blank" for line in notes.lines]
        self.calendar = Calendar([], [], [], roles)
        self.open: list[Component] = []
        self.ignored: Counter[str] = Counter()
        self.first_ignored: dict[str, int] = {}

    def scan(self, lines: list[Line]) -> None:
        for line in lines:
            last = line.number + line.count - 1
            if line.name == "BEGIN":
                self.begin(line)
            elif line.name == "END":
                self.end(line)
            elif not self.open:
                self.calendar.claim("outside", line.number, last)
                self.notes.warn("This line stands outside of the calendar and is not read.", line.number)
            else:
                self.add(line, last)
        for name, count in self.ignored.items():
            message = f"{count} × {name} in this file: only VEVENT is read as a session."
            self.notes.warn(message, self.first_ignored[name])

    def add(self, line: Line, last: int) -> None:
        component = self.open[-1]
        component.lines.append(line)
        if component.name == "VCALENDAR":
            self.calendar.properties.append(line)
        self.calendar.claim("calendar" if component.name == "VCALENDAR" else self.role, line.number, last)
        if not line.name:
            self.notes.warn("This line is no property of iCalendar; it is not read.", line.number)
        elif component.name == "VEVENT" and line.name not in _KNOWN and not line.name.startswith("X-"):
            self.notes.warn(f"The property {line.name[:40]} is not known; it is not read.", line.number)

    @property
    def role(self) -> str:
        names = [component.name for component in self.open]
        return "event" if names[-1] == "VEVENT" else "zone" if "VTIMEZONE" in names else "component"

    def begin(self, line: Line) -> None:
        name = line.value.upper()
        if name in ("VCALENDAR", "VEVENT"):
            self.close_forgotten(line.number, keep=0 if name == "VCALENDAR" else 1)
        if len(self.open) >= _DEEPEST:
            raise self.notes.refuse(f"The components are nested more than {_DEEPEST} deep.", line.number)
        self.open.append(Component(name, line.number))
        self.calendar.claim("calendar" if name == "VCALENDAR" else self.role, line.number, line.number)
        if name.startswith("V") and name not in ("VCALENDAR", "VEVENT") and name not in _SILENT:
            self.ignored[name] += 1
            self.first_ignored.setdefault(name, line.number)

    def end(self, line: Line) -> None:
        name = line.value.upper()
        # What it may end: nothing lies deeper than an alarm in an event, or a rule in a zone.
        places = [n for n, component in enumerate(self.open) if component.name == name]
        if not places:
            self.calendar.claim("outside", line.number, line.number)
            self.notes.warn(f"Nothing of the name {name} begins before this end.", line.number)
            return
        self.close_forgotten(line.number, keep=places[-1] + 1)
        self.calendar.claim("calendar" if name == "VCALENDAR" else self.role, line.number, line.number)
        component = self.open.pop()
        component.last = line.number
        if name == "VEVENT":
            self.calendar.events.append(component)
        elif name == "VTIMEZONE":
            self.calendar.zones.append(component)

    def close_forgotten(self, number: int, keep: int) -> None:
        """Leave out what has no end before this line."""
        while len(self.open) > keep:
            component = self.open.pop()
            if component.name == "VEVENT":
                self.calendar.claim("left out", component.first, number - 1)
                message = f"This event has no END:VEVENT before line {number}; it is left out: {name_event(component)}"
                self.notes.warn(message, component.first)
            else:
                self.notes.warn(f"This {component.name[:40]} has no end before line {number}.", component.first)


def name_event(component: Component) -> str:
    """Return the summary of an event for a problem."""
    summary = component.find("SUMMARY")
    return f"“{unescape(summary.value)[:80]}”" if summary else "(without a summary)"


def unescape(text: str) -> str:
    """Return a text without the backslashes of iCalendar."""
    return _ESCAPED.sub(lambda found: "\n" if found[1] in "nN" else found[1], text)


def scan_calendar(notes: Notes, options: ReadOptions) -> Calendar:
    """Put the lines of a text into components.

    Raises ScheduleRefused for a text that is no calendar, or ends before END:VCALENDAR unless parts are allowed.
    """
    lines = unfold(notes)
    scanner = _Scanner(notes)
    if not any(line.name == "BEGIN" and line.value.upper() == "VCALENDAR" for line in lines):
        raise notes.refuse("This is no calendar: there is no line BEGIN:VCALENDAR in it.")
    scanner.scan(lines)
    if scanner.open:
        _settle_cut(notes, scanner, lines[-1].number + lines[-1].count - 1, options)
    return scanner.calendar


def _settle_cut(notes: Notes, scanner: _Scanner, last: int, options: ReadOptions) -> None:
    """The text ends before the calendar does: refuse it, or name the event that is cut."""
    event = next((component for component in scanner.open if component.name == "VEVENT"), None)
    within = f" within the event {name_event(event)} of line {event.first}" if event else ""
    message = f"The calendar breaks off in this line{within}: there is no END:VCALENDAR after it. Export it again"
    if not options.is_partial_allowed:
        raise notes.refuse(f"{message}, or import the events that are whole with --partial.", last)
    notes.warn(f"{message}.", last)
    scanner.calendar.is_cut = True
    if event:
        scanner.calendar.claim("left out", event.first, last)
