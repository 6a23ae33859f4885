"""The slot of a row: start and end from the cells that tell of it, in whatever columns they stand. Pure."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo

from schedule.importing.formats.entries import Notes, find_iana_zone
from schedule.importing.formats.table_cells import Clock, Day, Moment, read_duration, read_moment, read_offset
from schedule.importing.formats.table_days import Calendar
from schedule.importing.zones import OFFSETS, read_wall_clock

MOMENT_WORDS = ("start", "time", "date", "end", "end_date")
_LONG = timedelta(hours=12)
_LEFT_UNSCHEDULED = "it is read as one that is not scheduled"


@dataclass(slots=True)
class Draft:
    """What the cells of a row say of its slot. `section_day` stands above the row, `year` in a column of its own.

    `unread` are the words of cells that say something nobody can read.
    """

    line: int
    moments: dict[str, Moment] = field(default_factory=dict)
    section_day: Day | None = None
    year: int | None = None
    duration: timedelta | None = None
    zones: dict[str, str] = field(default_factory=dict)
    unread: set[str] = field(default_factory=set)

    def own_day(self) -> Day | None:
        """Return the day that the row itself gives."""
        return next((m.day for word in ("start", "time", "date") if (m := self.moments.get(word)) and m.day), None)

    def days(self) -> list[Day]:
        """Return every day that is told of, so that all rows together can settle how to read them."""
        found = [day for moment in self.moments.values() for day in (moment.day, moment.end_day) if day]
        return [*found, *([self.section_day] if self.section_day else [])]

    def lacks_day(self) -> bool:
        """Whether the row gives no day at all, so that it can take the one of a row before it."""
        return self.own_day() is None and not self.unread & {"start", "time", "date"}

    def has_clock(self) -> bool:
        return any(moment.clock for word, moment in self.moments.items() if word in ("start", "time", "date"))


@dataclass(frozen=True, slots=True)
class Slot:
    """Start and end, naive or with a zone, and the label of the zone where it has one that names no instant."""

    start: datetime
    end: datetime
    zone_label: str = ""


def read_draft(notes: Notes, line: int, get: Callable[[str], str], asides: dict[str, str]) -> Draft:
    """Read the cells of one row that tell of its slot; `asides` are the zones and units that stand in the header."""
    draft = Draft(line)
    for word in MOMENT_WORDS:
        if not (text := get(word).strip()) or text.casefold() in ("tbd", "tba", "tbc", "-", "?"):
            continue
        if moment := read_moment(text):
            draft.moments[word] = moment
            draft.zones[word] = moment.zone or get("timezone").strip() or asides.get(word, "")
        else:
            draft.unread.add(word)
    for word in sorted(draft.unread):
        # "Day: Tuesday" beside a start that has its date is no harm.
        if word not in ("date", "end_date") or draft.own_day() is None:
            what = "date" if word in ("date", "end_date") else "time"
            notes.warn(f"“{get(word).strip()[:60]}” can't be read as a {what}; write it like 2031-05-14 09:30.", line)
    if text := get("duration").strip():
        unit = asides.get("duration", "").casefold()
        draft.duration = read_duration(text, "h" if unit[:1] in ("h", "s") else "min" if unit[:1] == "m" else "")
        if draft.duration is None:
            draft.unread.add("duration")
            notes.warn(f"“{text[:60]}” can't be read as a duration; write it like 30 min or 1:30.", line)
    if (text := get("year").strip()) and re.fullmatch("[12][0-9]{3}", text):
        draft.year = int(text)
    return draft


def find_slot(notes: Notes, draft: Draft, calendar: Calendar, above: date | None) -> Slot | None:
    """Return the slot of a row; None, with a warning, where it lacks a day, a start or an end.

    `above` is the day of a row that gives none. An end of day that is before the start is of the next day.
    """
    moments = draft.moments
    told = next((word for word in ("start", "time", "date") if word in moments and moments[word].clock), "")
    if not told:
        if not draft.unread & set(MOMENT_WORDS):
            notes.warn(f"The session has no time; {_LEFT_UNSCHEDULED}.", draft.line)
        return None
    own = draft.own_day()
    day = calendar.resolve(own, draft.line, draft.year) if own else above
    if day is None and draft.lacks_day():
        notes.warn(f"The session has a time and no date; {_LEFT_UNSCHEDULED}.", draft.line)
    if day is None:
        return None
    _check_days_agree(notes, draft, calendar, day)
    clock = moments[told].clock
    start = _at(day, clock)
    if start is None:
        notes.warn("The date is beyond every calendar.", draft.line)
        return None
    end = _find_end(notes, draft, calendar, told, start)
    return _place_in_zone(notes, draft, told, start, end) if end else None


def _at(day: date, clock: Clock) -> datetime | None:
    try:
        return datetime.combine(day, time()) + clock.since_midnight
    except OverflowError:
        return None


def _check_days_agree(notes: Notes, draft: Draft, calendar: Calendar, day: date) -> None:
    beside = draft.moments.get("date")
    if beside and beside.day and beside.day != draft.own_day():
        other = calendar.resolve(beside.day, draft.line, draft.year)
        if other and other != day:
            notes.warn(f"The row gives two dates, {day} and {other}; {day} beside the time is believed.", draft.line)


def _find_end(notes: Notes, draft: Draft, calendar: Calendar, told: str, start: datetime) -> datetime | None:
    """Return the end as wall-clock time, from the end's own cell, a range, or the duration."""
    stated, moments = None, draft.moments
    ending = moments.get("end")
    day, clock = (ending.day, ending.clock) if ending else (None, None)
    if clock is None:
        day, clock = day or moments[told].end_day, moments[told].end_clock
    if day is None and (separate := moments.get("end_date")):
        day = separate.day
    if clock:
        end_day = calendar.resolve(day, draft.line, draft.year) if day else None
        stated = _at(end_day or start.date(), clock)
        if stated and stated < start and end_day is None and clock.offset is None:
            stated = _next_day(notes, draft, start, stated)
    try:
        by_duration = start + draft.duration if draft.duration else None
    except OverflowError:
        by_duration = None
    if stated and by_duration and stated != by_duration and not clock.offset:
        notes.warn("The duration does not fit the end; the end is believed.", draft.line)
    end = stated or by_duration
    if end is None:
        notes.warn(
            f"The session has a start and no end; {_LEFT_UNSCHEDULED}. Give it an end or a duration.", draft.line
        )
    return end


def _next_day(notes: Notes, draft: Draft, start: datetime, end: datetime) -> datetime | None:
    try:
        end += timedelta(days=1)
    except OverflowError:
        return None
    if end - start > _LONG:
        message = (
            f"The session ends at {end:%H:%M}, before it starts at {start:%H:%M}; its end is read as of the next day"
        )
        notes.warn(f"{message}. If that is wrong, write times of 24 hours.", draft.line)
    return end


def _place_in_zone(notes: Notes, draft: Draft, told: str, start: datetime, end: datetime) -> Slot | None:
    """Make instants of the times where the table tells their zone; check that the end is after the start."""
    moments = draft.moments
    clock = moments[told].clock
    ending = moments.get("end")
    end_clock = ending.clock if ending and ending.clock else moments[told].end_clock
    zone, label = find_zone(draft.zones.get(told, ""))
    if draft.zones.get(told) and not zone and not label:
        notes.warn(f"“{draft.zones[told][:60]}” is no time zone that is known; the event's is taken.", draft.line)
    try:
        start, fault = _localize(start, clock.offset or zone)
        end, end_fault = _localize(end, (end_clock and end_clock.offset) or clock.offset or zone)
    except (OverflowError, ValueError):
        notes.warn("The date is beyond every calendar.", draft.line)
        return None
    if start.tzinfo is None and end.tzinfo is not None:
        start = start.replace(tzinfo=end.tzinfo)
    for message in dict.fromkeys((fault, end_fault)):
        if message:
            notes.warn(f"{message[:1].upper()}{message[1:]}.", draft.line)
    if end <= start:
        how = "when" if end == start else "before"
        notes.warn(f"The session ends {how} it starts; {_LEFT_UNSCHEDULED}. Correct its end.", draft.line)
        return None
    return Slot(start, end, label if start.tzinfo is None else "")


def _localize(value: datetime, zone: tzinfo | None) -> tuple[datetime, str]:
    if isinstance(zone, ZoneInfo):
        instant = read_wall_clock(value, zone)
        return instant.value, instant.fault
    if zone:
        # Whether the calendar reaches that far in UTC shows only when it is asked.
        value.replace(tzinfo=zone).astimezone(UTC)
    return value.replace(tzinfo=zone), ""


def find_zone(text: str) -> tuple[tzinfo | None, str]:
    """Return the zone that a cell or header tells ("Europe/Berlin", "UTC+2"), or the label ("CEST") it prints."""
    text = text.strip(" ()[]")
    if "/" in text and (name := find_iana_zone(text)):
        return ZoneInfo(name), ""
    if offset := read_offset(text):
        return offset, ""
    return None, text.upper() if text.upper() in OFFSETS else ""
