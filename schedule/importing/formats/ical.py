"""iCalendar: Sched's all.ics, pretalx's, and what calendar programs export. One VEVENT is one session."""

import re
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

import icalendar

from conference.text import matching_key
from schedule.importing.document import EventEntry, ReadOptions, ScheduleDocument, SessionEntry
from schedule.importing.formats.entries import (
    PART_OF_TRACK,
    Notes,
    add_field,
    find_iana_zone,
    find_known_tracks,
    make_material,
    read_address,
    read_kind,
    read_line,
    read_room,
    set_times,
    settle_break,
    split_track,
)
from schedule.importing.formats.exact import read_further_session, read_session_facts
from schedule.importing.formats.ical_lines import Calendar, Component, Line, name_event, scan_calendar, unescape
from schedule.importing.formats.ical_places import Places, find_places
from schedule.importing.formats.ical_zones import UNIVERSAL, Zones
from schedule.importing.html import clean_text, html_to_text

FORMAT = "icalendar"
DEFAULTS = ReadOptions()
# Properties of our own exports (formats/exact.py): of an event what it has no place for and where in DESCRIPTION
# the abstract begins, of the calendar a session that can be no event.
EXACTLY = "X-PLENARY-EXACTLY"
ABSTRACT_AT = "X-PLENARY-ABSTRACT-AT"
FURTHER = "X-PLENARY-SESSION"
_HEAD = 20
_READ = frozenset(
    {
        "DTSTART",
        "DTEND",
        "DURATION",
        "SUMMARY",
        "DESCRIPTION",
        "LOCATION",
        "CATEGORIES",
        "UID",
        "STATUS",
        "URL",
        "CLASS",
    }
    | {"SEQUENCE", "RECURRENCE-ID", "ATTACH", "CONFERENCE", "X-ALT-DESC", EXACTLY, ABSTRACT_AT}
)
_ROLES = {
    "SUMMARY": "title", "DTSTART": "time", "DTEND": "time", "DURATION": "time", "DESCRIPTION": "abstract",
    "X-ALT-DESC": "abstract", "LOCATION": "room", "CATEGORIES": "track", "UID": "id", "STATUS": "status",
    "CLASS": "status", "URL": "link", "ATTACH": "link", "CONFERENCE": "link", EXACTLY: "fields",
    ABSTRACT_AT: "abstract",
}  # fmt: skip
_REPEATING = ("RRULE", "RDATE", "EXRULE")
_STATUS = {"": "confirmed", "confirmed": "confirmed", "tentative": "draft", "cancelled": "cancelled"}
_SCHED = re.compile(r"\bsched\.(?:com|org)\b", re.IGNORECASE)
_SCHED_NAME = re.compile(r"-//Sched\.(?:com|org) ([^/]+)//", re.IGNORECASE)
_ZONE = re.compile(r";TZID=(\"[^\"]*\"|[^;:\"]*)", re.IGNORECASE)
_LONG_WORD = 5


def recognises(text: str) -> bool:
    """Whether a calendar begins near the top of `text`."""
    return any(line.strip("\ufeff \t\r").upper() == "BEGIN:VCALENDAR" for line in text.split("\n", _HEAD)[:_HEAD])


def parse(text: str, source: str, options: ReadOptions = DEFAULTS) -> ScheduleDocument:
    """Read a calendar. Times with a zone are instants, others are of the event's clock.

    An event that can't be read is left out with a warning, and then the document is no longer whole.
    Raises ScheduleRefused for what is no calendar, for events that repeat, and for a text that was cut;
    where parts are allowed, those events are left out instead.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    notes = Notes(source, text.removesuffix("\n").split("\n"))
    calendar = scan_calendar(notes, options)
    found = _read_components(notes, calendar, options)
    reader = _Reader(notes, calendar, found, options)
    sessions = [session for event in found if (session := reader.read(event))]
    for line in calendar.find_all(FURTHER):
        further = read_further_session(notes, line.value, line.number)
        sessions += [further] if further else []
        calendar.claim("session" if further else "left out", line.number, line.number + line.count - 1)
    _settle_ids(notes, calendar, sessions, found)
    notes.check(sessions)
    event = _read_calendar(notes, calendar, reader)
    is_whole = "left out" not in calendar.roles and not calendar.is_cut
    return ScheduleDocument(source, FORMAT, event, sessions, calendar.roles, notes.problems, is_whole)


# Components


@dataclass(slots=True)
class _Event:
    """An event, read by the library, and where it stands. `zones` are the TZIDs by property."""

    component: Component
    values: icalendar.Event
    zones: dict[str, str]
    line: int

    def text(self, name: str) -> str:
        """Return a property as text, "" if it is missing or broken; of several the first that says something."""
        values = self.values.get(name, "")
        for value in values if isinstance(values, list) else [values]:
            if said := _to_text(value).strip():
                return said
        return ""

    def moment(self, name: str) -> object:
        """Return a property's date, datetime or timedelta; None if it is missing, "" if it can't be read."""
        value = self.values.get(name)
        try:
            return getattr(value[0] if isinstance(value, list) else value, "dt", None if value is None else "")
        except icalendar.error.BrokenCalendarProperty:
            return ""

    @property
    def categories(self) -> list[str]:
        value = self.values.get("CATEGORIES", [])
        lists = value if isinstance(value, list) else [value]
        words = [word for one in lists for word in getattr(one, "cats", [one])]
        return [line for word in words if (line := read_line(_to_text(word)))]


def _to_text(value: object) -> str:
    return str(value) if isinstance(value, str) else ""


def _read_components(notes: Notes, calendar: Calendar, options: ReadOptions) -> list[_Event]:
    """Let the library read each event by itself; those that repeat are refused by name."""
    found = []
    for component in calendar.events:
        title = component.find("SUMMARY")
        if repeating := next((line for line in component.lines if line.name in _REPEATING), None):
            message = f"The event {name_event(component)} repeats ({repeating.name}), which a session can't."
            if options.is_partial_allowed:
                notes.warn(f"{message} It is left out.", repeating.number)
                calendar.claim("left out", component.first, component.last)
            else:
                what = "Write its dates as events of their own, or leave it out with --partial."
                notes.error(f"{message} {what}", repeating.number)
            continue
        found.append(_read_component(component, title.number if title else component.first))
        for line in component.lines:
            calendar.claim(_ROLES.get(line.name, "other"), line.number, line.number + line.count - 1)
    return found


def _read_component(component: Component, line: int) -> _Event:
    zones: dict[str, str] = {}
    texts = [_take_zone(line, zones) for line in component.lines if line.name in _READ]
    try:
        values = icalendar.Event.from_ical("\r\n".join(["BEGIN:VEVENT", *texts, "END:VEVENT", ""]))
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError):
        values = icalendar.Event()
    return _Event(component, values if isinstance(values, icalendar.Event) else icalendar.Event(), zones, line)


def _take_zone(line: Line, zones: dict[str, str]) -> str:
    """Take the TZID off a time: the library keeps zones of one file for the next."""
    if line.name not in ("DTSTART", "DTEND", "RECURRENCE-ID"):
        return line.text
    found = _ZONE.search(line.text)
    if not found:
        return line.text
    zones.setdefault(line.name, found[1].strip('" '))
    return line.text[: found.start()] + line.text[found.end() :]


# Sessions


@dataclass(slots=True)
class _Reader:
    """Reads events; `places` and `tracks` are what only all of them together can tell."""

    notes: Notes
    calendar: Calendar
    events: list[_Event]
    options: ReadOptions
    places: Places = field(init=False)
    tracks: frozenset[str] = field(init=False)
    is_sched: bool = field(init=False)
    is_shouted: bool = field(init=False)
    zones: Zones = field(init=False)

    def __post_init__(self) -> None:
        self.zones = Zones(self.notes, self.calendar.zones)
        self.places = find_places(event.text("LOCATION") for event in self.events)
        categories = [event.categories for event in self.events]
        self.tracks = find_known_tracks(words[0] for words in categories if len(words) == 1)
        producer = self.calendar.find("PRODID")
        self.is_sched = bool(producer and _SCHED.search(producer.value))
        words = sorted({word for words in categories for word in words})
        self.is_shouted = all(word == word.upper() for word in words) and any(
            len(part) >= _LONG_WORD and part != part.lower() for word in words for part in word.split()
        )
        if self.is_shouted:
            line = next(event.component.find("CATEGORIES") for event in self.events if event.categories)
            shown = next(word for word in words if any(len(part) >= _LONG_WORD for part in word.split()))
            message = f"All categories are in capitals; they are written like “{_capitalise(shown)}”."
            self.notes.warn(message, line.number)

    def read(self, event: _Event) -> SessionEntry | None:
        """Return the session; None, with a problem, where it can't be read."""
        title = read_line(event.text("SUMMARY"))
        session = SessionEntry(title=title, line=event.line, source=self.notes.source)
        if not title:
            self.notes.warn("The event has no SUMMARY; it is left out.", event.component.first)
        if not title or not self._read_times(session, event):
            self.calendar.claim("left out", event.component.first, event.component.last)
            return None
        session.source_id = self._make_id(event)
        session.abstract = html_to_text(event.text("DESCRIPTION") or event.text("X-ALT-DESC"))
        self._read_room(session, event)
        self._read_track(session, event)
        session.kind, session.title = read_kind(title, session.track, self.options.kinds)
        settle_break(session)
        self._read_status(session, event)
        self._read_links(session, event)
        self._read_exactly(session, event)
        return session

    def _line_of(self, event: _Event, name: str) -> int:
        line = event.component.find(name)
        return line.number if line else event.line

    # Times

    def _read_times(self, session: SessionEntry, event: _Event) -> bool:
        start, end, length = (event.moment(name) for name in ("DTSTART", "DTEND", "DURATION"))
        for name, value in (("DTSTART", start), ("DTEND", end), ("DURATION", length)):
            wanted = timedelta if name == "DURATION" else date
            if (value is None and name != "DTSTART") or isinstance(value, wanted):
                continue
            said = "is missing" if value is None else "can't be read"
            self.notes.warn(f"{name} {said}; the event is left out.", self._line_of(event, name))
            return False
        if not isinstance(start, datetime) or (end is not None and not isinstance(end, datetime)):
            self._read_days(session, event, start, end)
            return True
        try:
            start = self._place(start, event, "DTSTART")
            if end is not None:
                end = self._place(end, event, "DTEND")
            elif length is not None:
                end = start + length
        except OverflowError:
            self.notes.warn("The event's times are out of the calendar; it is left out.", event.line)
            return False
        return set_times(self.notes, session, start, end)

    def _read_days(self, session: SessionEntry, event: _Event, start: date, end: date | None) -> None:
        """An event of whole days has no slot: it becomes a session that is not scheduled, its days a field."""
        first = start.date() if isinstance(start, datetime) else start
        last = end.date() if isinstance(end, datetime) else end
        # Without a time, the end is the day after the last one.
        last = last - timedelta(days=1) if last and last > first and not isinstance(end, datetime) else first
        days = f"{first}" if last == first else f"{first} to {last}"
        add_field(session, "Date", days)
        message = f"The event lasts whole days ({days}); it is read as a session without a time. Give it one."
        self.notes.warn(message, self._line_of(event, "DTSTART"))

    def _place(self, moment: datetime, event: _Event, name: str) -> datetime:
        zone_id = event.zones.get(name, "")
        if moment.tzinfo is not None or not zone_id:
            return moment
        return self.zones.place(moment, zone_id, self._line_of(event, name))

    # What else an event says

    def _make_id(self, event: _Event) -> str:
        uid = clean_text(event.text("UID"))
        if not uid:
            return ""
        changed = event.moment("RECURRENCE-ID")
        which = f"#{changed:%Y%m%dT%H%M%S}" if isinstance(changed, date) else ""
        is_sched = self.is_sched or bool(_SCHED.search(event.text("URL")))
        return f"{'sched' if is_sched else 'uid'}:{uid}{which}"

    def _read_room(self, session: SessionEntry, event: _Event) -> None:
        line = self._line_of(event, "LOCATION")
        session.room = read_room(self.notes, self.places.room_of(event.text("LOCATION")), line)
        if session.start is None and session.room:
            add_field(session, "Room", session.room)
            session.room = ""

    def _read_track(self, session: SessionEntry, event: _Event) -> None:
        words = [_capitalise(word) if self.is_shouted else word for word in event.categories]
        if words:
            session.track, part = split_track(words[0], self.tracks)
            add_field(session, PART_OF_TRACK, ", ".join(word for word in [part, *words[1:]] if word))

    def _read_status(self, session: SessionEntry, event: _Event) -> None:
        said = matching_key(event.text("STATUS"))
        if said not in _STATUS:
            written = event.text("STATUS")[:40]
            message = f"The status “{written}” is none of iCalendar; the session is read as confirmed."
            self.notes.warn(message, self._line_of(event, "STATUS"))
        session.status = _STATUS.get(said, "confirmed")
        if matching_key(event.text("CLASS")) in ("private", "confidential") and session.status == "confirmed":
            session.status = "draft"
            message = "The event is not public (CLASS), so it is read as a draft. Confirm it in the admin to show it."
            self.notes.warn(message, self._line_of(event, "CLASS"))

    def _read_links(self, session: SessionEntry, event: _Event) -> None:
        """Sched's own page of a session is no link of it; any other is."""
        lines = {name: self._line_of(event, name) for name in ("URL", "ATTACH", "CONFERENCE")}
        session.stream_url = read_address(self.notes, event.text("CONFERENCE"), "the stream", lines["CONFERENCE"])
        page = event.text("URL")
        if page and not _SCHED.search(page):
            add_field(session, "Link", read_address(self.notes, page, "the session", lines["URL"]))
        files = event.values.get("ATTACH", [])
        for value in files if isinstance(files, list) else [files]:
            if isinstance(value, str) and (address := read_address(self.notes, str(value), "a file", lines["ATTACH"])):
                session.materials.append(make_material("", address, lines["ATTACH"]))

    def _read_exactly(self, session: SessionEntry, event: _Event) -> None:
        """Take the word of our own exports; the page of a session that they link is no link of it."""
        begin = event.text(ABSTRACT_AT)
        if begin.isascii() and begin.isdigit():
            session.abstract = event.text("DESCRIPTION")[int(begin[:9]) :]
        if EXACTLY in event.values:
            read_session_facts(self.notes, session, event.text(EXACTLY), self._line_of(event, EXACTLY))


def _capitalise(text: str) -> str:
    return re.sub(r"[^\W\d_]+(?:['’][^\W\d_]+)*", lambda word: word[0].capitalize(), text)


def _settle_ids(notes: Notes, calendar: Calendar, sessions: list[SessionEntry], events: list[_Event]) -> None:
    """Of events with one UID, keep the latest revision; where none is later, keep all, the first with the id."""
    by_line = {event.line: event for event in events}
    revisions = {event.line: _to_number(event.values.get("SEQUENCE")) for event in events}
    by_id: dict[str, SessionEntry] = {}
    dropped: set[int] = set()
    for session in sessions:
        known = by_id.setdefault(session.source_id, session) if session.source_id else session
        if known is session:
            continue
        older, newer = sorted((known, session), key=lambda one: revisions[one.line])
        if revisions[older.line] < revisions[newer.line]:
            notes.warn(f"Line {newer.line} has a later revision of this event (SEQUENCE), which is used.", older.line)
            dropped.add(older.line)
            by_id[session.source_id] = newer
        else:
            message = f"The UID is that of “{known.title}” in line {known.line} already; it is ignored here."
            notes.warn(message, session.line)
            session.source_id = ""
    for line in dropped:
        calendar.claim("older revision", by_line[line].component.first, by_line[line].component.last)
    sessions[:] = [session for session in sessions if session.line not in dropped]


def _to_number(value: object) -> int:
    return int(value) if isinstance(value, int) else 0


# The calendar


def _read_calendar(notes: Notes, calendar: Calendar, reader: _Reader) -> EventEntry:
    event = EventEntry(city=reader.places.city, country=reader.places.country)
    name, producer, zone = (calendar.find(name) for name in ("X-WR-CALNAME", "PRODID", "X-WR-TIMEZONE"))
    event.name = read_line(unescape(name.value)) if name else ""
    spelled = _SCHED_NAME.search(producer.value) if producer else None
    # Sched calls the calendar "harbourdays2031" and itself "Sched.com Harbour Days 2031".
    if spelled and matching_key(spelled[1]).replace(" ", "") in ("", matching_key(event.name).replace(" ", "")):
        event.name = read_line(spelled[1])
    if zone and zone.value not in UNIVERSAL:
        event.timezone = find_iana_zone(zone.value)
        if not event.timezone:
            notes.warn(f"“{zone.value[:60]}” is no time zone such as Europe/Berlin; it is not used.", zone.number)
    if not event.timezone:
        event.timezone = reader.zones.common_zone
    if address := calendar.find("URL"):
        event.website_url = read_address(notes, address.value, "the calendar", address.number)
    return event
