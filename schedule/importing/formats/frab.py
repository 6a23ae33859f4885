"""What frab, pretalx and c3voc tools say of a conference, whichever way it is written (XML, JSON). Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from urllib.parse import urljoin

from conference.dates import POSSIBLE_YEARS
from conference.text import make_slug, matching_key
from schedule.importing.document import EventEntry, PersonEntry, ReadOptions, ScheduleDocument, SessionEntry
from schedule.importing.formats.entries import (
    Notes,
    add_field,
    find_iana_zone,
    is_web_address,
    make_material,
    read_address,
    read_kind,
    read_line,
    read_room,
    set_times,
    settle_break,
)
from schedule.importing.formats.exact import read_further_session, read_session_facts
from schedule.importing.html import clean_text, html_to_text
from schedule.importing.titles import Kind

# Type of an event → kind. What is not here is kept as a field.
_KINDS = {
    "lecture": Kind.TALK, "talk": Kind.TALK, "presentation": Kind.TALK, "vortrag": Kind.TALK,
    "workshop": Kind.WORKSHOP, "podium": Kind.PANEL, "panel": Kind.PANEL, "panel discussion": Kind.PANEL,
    "podiumsdiskussion": Kind.PANEL, "discussion": Kind.PANEL, "lightning talk": Kind.LIGHTNING_TALK,
    "lightningtalk": Kind.LIGHTNING_TALK, "keynote": Kind.KEYNOTE, "tutorial": Kind.TUTORIAL, "break": Kind.BREAK,
    "pause": Kind.BREAK, "social": Kind.SOCIAL, "social event": Kind.SOCIAL, "party": Kind.SOCIAL,
    "concert": Kind.SOCIAL, "djset": Kind.SOCIAL, "other": Kind.OTHER, "meeting": Kind.OTHER, "film": Kind.OTHER,
    "movie": Kind.OTHER, "performance": Kind.OTHER, "theater": Kind.OTHER, "contest": Kind.OTHER, "game": Kind.OTHER,
    "podcast": Kind.OTHER, "bof": Kind.OTHER, "poster": Kind.OTHER, "demo": Kind.OTHER,
}  # fmt: skip
_CLOCK = re.compile(r"([0-9]{1,2}):([0-9]{2})(?::[0-9]{2})?")
_DURATION = re.compile(r"(?:([0-9]{1,3}):)?([0-9]{1,3}):([0-9]{1,2})")
_MINUTES = re.compile(r"[0-9]{1,4}")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_USUAL_DAY_CHANGE = 4
_LATEST_DAY_CHANGE = 12
_YES = ("true", "1", "yes")


@dataclass(slots=True)
class RawPerson:
    name: str
    line: int
    id: str = ""
    bio: str = ""


@dataclass(slots=True)
class RawLink:
    name: str
    address: str
    line: int


@dataclass(slots=True)
class RawDay:
    """A day as written. `day` counts from 1 in the file's order."""

    line: int
    date: str = ""
    start: str = ""
    end: str = ""


@dataclass(slots=True)
class RawEvent:
    """An event as written, all of it text. `place` is its path in a JSON file, for problems; `outer_room` is
    the room whose list it stands in; the text "exact" holds facts (formats/exact.py)."""

    line: int
    day: RawDay
    place: str = ""
    outer_room: str = ""
    texts: dict[str, str] = field(default_factory=dict)
    people: list[RawPerson] = field(default_factory=list)
    links: list[RawLink] = field(default_factory=list)

    def get(self, name: str) -> str:
        return self.texts.get(name, "").strip()


@dataclass(slots=True)
class RawConference:
    """A conference as written: title, acronym, start, end, days, time_zone_name, base_url, url.

    `further` are sessions told by facts alone (formats/exact.py), each with its line.
    """

    line: int
    texts: dict[str, str] = field(default_factory=dict)
    days: list[RawDay] = field(default_factory=list)
    events: list[RawEvent] = field(default_factory=list)
    further: list[tuple[str, int]] = field(default_factory=list)
    is_cut: bool = False

    def get(self, name: str) -> str:
        return self.texts.get(name, "").strip()

    @property
    def namespace(self) -> str:
        """What tells the ids of this conference from those of another."""
        return clean_text(self.get("acronym")) or make_slug(read_line(self.get("title")))


def build_document(notes: Notes, raw: RawConference, format_name: str, options: ReadOptions) -> ScheduleDocument:
    """Return the document of a conference. An event that can't be read is left out, with a problem.

    Raises ScheduleRefused if there is no event that can be read, or for the errors that `notes` holds already.
    """
    event, has_all_days = _read_conference(notes, raw)
    day_change = event.day_change_hour or 0
    roles: list[str | None] = []
    sessions: list[SessionEntry] = []
    for raw_event in raw.events:
        session = _EventReader(notes, raw, raw_event, options).read(day_change)
        roles.append("session" if session else "left out")
        if session:
            sessions.append(session)
    for said, line in raw.further:
        session = read_further_session(notes, said, line)
        roles.append("session" if session else "left out")
        sessions += [session] if session else []
    _drop_repeated_ids(notes, sessions)
    notes.check(sessions)
    is_whole = has_all_days and not raw.is_cut and "left out" not in roles
    return ScheduleDocument(notes.source, format_name, event, sessions, roles, notes.problems, is_whole, unit="entry")


def _drop_repeated_ids(notes: Notes, sessions: list[SessionEntry]) -> None:
    seen: dict[str, SessionEntry] = {}
    for session in sessions:
        first = seen.setdefault(session.source_id, session) if session.source_id else session
        if first is not session:
            kind, _, own = session.source_id.partition(":")
            message = (
                f"The {kind} “{own[:80]}” is that of “{first.title}” already (line {first.line}); it is ignored here."
            )
            notes.warn(message, session.line)
            session.source_id = ""


# The conference


def _read_conference(notes: Notes, raw: RawConference) -> tuple[EventEntry, bool]:
    """Read the head; the second value tells whether all its days are in the file."""
    event = EventEntry(name=read_line(raw.get("title")))
    for name in ("url", "base_url"):
        if address := read_address(notes, raw.get(name), "the conference", raw.line):
            event.website_url = address
    if zone := raw.get("time_zone_name"):
        event.timezone = find_iana_zone(zone)
        if not event.timezone:
            notes.warn(f"“{zone[:60]}” is no time zone such as Europe/Berlin; it is not used.", raw.line)
    days = [found for day in raw.days if (found := _read_date(day.date or day.start))]
    stated = [_read_date(raw.get(name)) for name in ("start", "end")]
    count = int(raw.get("days")) if _MINUTES.fullmatch(raw.get("days")) else len(raw.days)
    # Where a day is missing, or none has a date, the head knows better; else it is often a day off.
    if len(days) < count or not days:
        days += [day for day in stated if day]
    if days:
        event.start_date, event.end_date = min(days), max(days)
    event.day_change_hour = _find_day_change(raw.days)
    has_all_days = len(raw.days) >= count
    if not has_all_days:
        message = f"The file has {len(raw.days)} of {count} days; what is missing from it is not taken as gone."
        notes.warn(message, raw.line)
    return event, has_all_days


def _read_date(text: str) -> date | None:
    """Return the day that a text begins with; None for none, or one in a year of no conference."""
    try:
        day = date.fromisoformat(text.strip()[:10])
    except ValueError:
        return None
    return day if day.year in POSSIBLE_YEARS else None


def _find_day_change(days: Iterable[RawDay]) -> int | None:
    """Return the hour at which days change, from their bounds: after the last one's end, before the next's start.

    Of several such hours the one nearest to four o'clock; None where no day says when it starts, or they overlap.
    """
    bounds = [(_read_instant(day.start), _read_instant(day.end)) for day in days]
    starts = [start.hour for start, _ in bounds if start]
    ends = [end.hour + (end.minute > 0) for start, end in bounds if start and end and end.date() > start.date()]
    latest, earliest = max(ends, default=0), min(starts, default=_LATEST_DAY_CHANGE + 1)
    if earliest > _LATEST_DAY_CHANGE or latest > earliest:
        return None
    return min(max(_USUAL_DAY_CHANGE, latest), earliest)


def _read_instant(text: str) -> datetime | None:
    """Return the time that `text` is, with its offset if it has one; None if it is none, or a day only."""
    text = text.strip()
    if _DAY.fullmatch(text):
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


# Events


@dataclass(slots=True)
class _EventReader:
    """Reads one event."""

    notes: Notes
    conference: RawConference
    raw: RawEvent
    options: ReadOptions

    def read(self, day_change: int) -> SessionEntry | None:
        """Return the session; None, with a problem, where it can't be read."""
        raw = self.raw
        title = read_line(raw.get("title"))
        if not title:
            self._warn("The event has no title; it is left out.")
            return None
        session = SessionEntry(title=title, line=raw.line, source=self.notes.source)
        start = self._read_start(day_change)
        if start is None:
            return None
        try:
            length = self._read_length()
            end = start + length if length else None
        except (ValueError, OverflowError):
            self._warn(f"The duration can't be read: “{raw.get('duration')[:40]}”; the session is left out.")
            return None
        set_times(self.notes, session, start, end)
        self._read_what(session)
        self._read_links(session)
        read_session_facts(self.notes, session, self.raw.get("exact"), self.raw.line)
        return session

    def _warn(self, message: str) -> None:
        self.notes.warn(f"{self.raw.place}: {message}" if self.raw.place else message, self.raw.line)

    def _read_start(self, day_change: int) -> datetime | None:
        """Return the start: `date` with its offset is the truth, else the day and the clock."""
        raw = self.raw
        clock = _read_clock(raw.get("start"))
        start = _read_instant(raw.get("date")) or _read_instant(raw.get("start"))
        if start is None:
            day = _read_date(raw.get("date")) or _read_date(raw.day.date)
            if day is None or clock is None:
                said = ", ".join(text for text in (raw.get("date"), raw.get("start")) if text)[:60]
                self._warn(f"The event's start can't be read: “{said}”; it is left out.")
                return None
            is_next_day = clock.hour < day_change and day < date.max
            return datetime.combine(day + timedelta(days=is_next_day), clock)
        if clock and (clock.hour, clock.minute) != (start.hour, start.minute):
            self._warn(f"The event starts at {clock:%H:%M}, but its date says {start:%H:%M}, which is used.")
        return start

    def _read_length(self) -> timedelta | None:
        """Return the duration: "H:MM", "H:MM:SS", pretalx's "D:HH:MM", or minutes; None if there is none.

        Raises ValueError for what is none of them.
        """
        said = self.raw.get("duration")
        if not said:
            return None
        if _MINUTES.fullmatch(said):
            self._warn(f"The duration “{said}” is read as minutes.")
            return timedelta(minutes=int(said))
        found = _DURATION.fullmatch(said)
        if not found:
            raise ValueError(said)
        first, second, third = found.groups()
        if first is None:
            return timedelta(hours=int(second), minutes=int(third))
        # frab pads hours ("01:30:00"), pretalx does not pad days ("1:06:00").
        if len(first) == 2 or first == "0":
            return timedelta(hours=int(first), minutes=int(second), seconds=int(third))
        self._warn(f"The duration “{said}” is read as days, hours and minutes. Check the session's end.")
        return timedelta(days=int(first), hours=int(second), minutes=int(third))

    def _read_what(self, session: SessionEntry) -> None:
        raw = self.raw
        session.source_id = self._make_id()
        session.room = read_room(self.notes, raw.get("room") or raw.outer_room, raw.line)
        if raw.outer_room and matching_key(read_line(raw.outer_room)) != matching_key(session.room) and session.room:
            self._warn(f"The event stands under the room “{read_line(raw.outer_room)}”; its own is used.")
        session.track = read_line(raw.get("track"))
        session.language = read_line(raw.get("language"))
        session.abstract = _join(html_to_text(raw.get("abstract")), html_to_text(raw.get("description")))
        session.people = self._read_people()
        self._read_kind(session)
        settle_break(session)
        add_field(session, "Subtitle", read_line(raw.get("subtitle")))
        if matching_key(raw.get("do_not_record")) in _YES or matching_key(raw.get("optout")) in _YES:
            add_field(session, "Do not record", "Yes")
        add_field(session, "Recording license", read_line(raw.get("license")))

    def _make_id(self) -> str:
        """Return the event's id in all the world, else the one in its conference."""
        if guid := clean_text(self.raw.get("guid")):
            return f"guid:{guid}"
        own = clean_text(self.raw.get("id"))
        return f"id:{self.conference.namespace}:{own}" if own else ""

    def _read_kind(self, session: SessionEntry) -> None:
        """Read the kind from the title's prefix, else from the type; a type that says more stays as a field."""
        said = read_line(self.raw.get("type"))
        word = matching_key(said).replace("_", " ")
        session.kind, session.title = read_kind(session.title, word, self.options.kinds)
        if session.kind == Kind.TALK:
            session.kind = _KINDS.get(word, Kind.TALK)
        if word not in _KINDS:
            add_field(session, "Type", said)

    def _read_people(self) -> list[PersonEntry]:
        people: list[PersonEntry] = []
        for raw in self.raw.people:
            name = read_line(raw.name)
            if not name:
                self.notes.warn("A person has no name and is left out.", raw.line)
                continue
            own = clean_text(raw.id).strip()
            source_id = f"frab:{self.conference.namespace}:{own}" if own else ""
            people.append(PersonEntry(name, raw.line, source_id=source_id, bio=html_to_text(raw.bio)))
        return people

    def _read_links(self, session: SessionEntry) -> None:
        """Read links and files. One whose address can't be kept stays by its name."""
        base = self.conference.get("base_url") or self.conference.get("url")
        for link in self.raw.links:
            address = link.address.strip()
            if address.startswith("/") and is_web_address(base):
                address = _join_address(base, address)
            name = read_line(link.name)
            address = read_address(self.notes, address, f"the link “{name[:60]}”" if name else "a link", link.line)
            if address or name:
                session.materials.append(make_material(link.name, address, link.line))
        session.recording_url = read_address(self.notes, self.raw.get("recording_url"), "the recording", self.raw.line)


def _read_clock(text: str) -> time | None:
    found = _CLOCK.fullmatch(text)
    try:
        return time(int(found[1]), int(found[2])) if found else None
    except ValueError:
        return None


def _join(abstract: str, description: str) -> str:
    """Return both texts, one if the other holds it."""
    if description.startswith(abstract):
        return description
    return abstract if not description or abstract.endswith(description) else f"{abstract}\n\n{description}"


def _join_address(base: str, address: str) -> str:
    try:
        return urljoin(base, address)
    except ValueError:
        return address
