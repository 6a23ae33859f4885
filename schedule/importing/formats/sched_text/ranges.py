"""The lines that carry a time: "Wednesday April 8, 2026 09:00 - 09:10 CEST", "09:00 CEST", "Wednesday, April 8"."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache

from conference.dates import POSSIBLE_YEARS
from schedule.importing.dates import MONTHS, WEEKDAYS
from schedule.importing.zones import OFFSETS

EXAMPLE = "Wednesday April 8, 2026 09:00 - 09:10 CEST"

_CLOCK = r"\d{1,2}:\d{2}"
_HALF = r" ?[AaPp][Mm]"
# Zones without an abbreviation are printed as "+0545" or "-03"; "09:00 -10:00" is no zone.
_ZONE = r"\b[A-Z]{2,5}|\b(?:UTC|GMT)[+-]\d{1,2}(?::?\d{2})?|(?<= )[+-]\d{2}(?:\d{2})?"
_RANGE = re.compile(
    rf"(?P<weekday>{'|'.join(WEEKDAYS)}),? (?P<month>{'|'.join(MONTHS)}) (?P<day>\d{{1,2}}), (?P<year>\d{{4}}) "
    rf"(?P<start>{_CLOCK}(?P<half>{_HALF})?) ?[-–—] ?(?P<end>{_CLOCK}(?(half){_HALF}))"
    rf"(?: ?(?P<zone>{_ZONE}))?(?: (?P<room>.{{1,100}}))?"
)
_HEADING = re.compile(rf"(?P<start>{_CLOCK}(?:{_HALF})?)(?: ?(?P<zone>{_ZONE}))?")
_DAY = re.compile(rf"(?P<weekday>{'|'.join(WEEKDAYS)}), (?P<month>{'|'.join(MONTHS)}) (?P<day>\d{{1,2}})")
# Of thousands of lines few begin with one of these: a look at it spares most of the matching.
_WEEKDAY_INITIALS = frozenset(weekday[0] for weekday in WEEKDAYS)
_NO_ZONES = frozenset({"TBD", "TBA"})


@dataclass(frozen=True, slots=True)
class TimeRange:
    """A range line, read: wall-clock times of the zone printed beside them, "" if none is; the room, if it follows."""

    weekday: str
    start: datetime
    end: datetime
    zone_label: str
    room: str = ""


def is_range(line: str) -> bool:
    """Whether a folded line is a date with a start and an end, possible or not."""
    return line[:1] in _WEEKDAY_INITIALS and _match_range(line) is not None


def is_heading(line: str) -> bool:
    """Whether a folded line is a time of day, with or without its zone, and nothing else."""
    return line[:1].isdecimal() and _HEADING.fullmatch(line) is not None


def is_day(line: str) -> bool:
    """Whether a folded line is the heading of a day: "Tuesday, April 7"."""
    return line[:1] in _WEEKDAY_INITIALS and _DAY.fullmatch(line) is not None


def read_day(line: str) -> tuple[str, int, int]:
    """Return weekday, month and day of the month of a folded line for which `is_day` holds."""
    found = _DAY.fullmatch(line)
    if not found:
        raise ValueError("This is no day.")
    return found["weekday"], MONTHS.index(found["month"]) + 1, int(found["day"])


def zone_of(line: str) -> str:
    """Return the zone that a folded range or heading line prints, "" if none."""
    found = _match_range(line) or _HEADING.fullmatch(line)
    return (found["zone"] or "") if found else ""


def split_room(line: str) -> tuple[str, str]:
    """Return a folded range line without the room that may follow on it, and that room."""
    found = _match_range(line)
    if not found or not found["room"]:
        return line, ""
    return line[: found.start("room")].rstrip(), found["room"]


# Parallel sessions have one range, and one heading.
@lru_cache(maxsize=1_000)
def read_range(line: str) -> TimeRange:
    """Read a folded range line; an end before the start is on the next day.

    Raises ValueError, with a sentence for people, for a date or time that does not exist.
    """
    found = _match_range(line)
    if not found:
        raise ValueError(f'This is no time like "{EXAMPLE}".')
    try:
        day = datetime(int(found["year"]), MONTHS.index(found["month"]) + 1, int(found["day"]))
        if day.year not in POSSIBLE_YEARS:
            raise ValueError
    except ValueError:
        raise ValueError(f"There is no {found['month']} {found['day']}, {found['year']}.") from None
    start, end = day + _read_clock(found["start"]), day + _read_clock(found["end"])
    if end < start:
        end += timedelta(days=1)
    return TimeRange(found["weekday"], start, end, found["zone"] or "", found["room"] or "")


# Every range stands twice in a session, and each is asked for its parts in turn.
@lru_cache(maxsize=1_000)
def _match_range(line: str) -> re.Match[str] | None:
    """Match a range line. A room may follow only a zone that is known, and only if it is no sentence."""
    found = _RANGE.fullmatch(line) if line[:1] in _WEEKDAY_INITIALS else None
    if not found or found["zone"] in _NO_ZONES:
        return None
    if found["room"]:
        is_zone = (found["zone"] or "") in OFFSETS or (found["zone"] or "")[-1:].isdecimal()
        return found if is_zone and found["room"][-1] not in ".:!?" else None
    return found


@lru_cache(maxsize=1_000)
def read_heading(line: str) -> tuple[timedelta, str]:
    """Read a folded heading line as time since midnight and zone label. Raises ValueError like read_range."""
    found = _HEADING.fullmatch(line)
    if not found:
        raise ValueError("This is no time of day.")
    return _read_clock(found["start"]), found["zone"] or ""


def _read_clock(text: str) -> timedelta:
    """Read "09:05" or "9:05pm" ("12:05am" is five past midnight)."""
    text = text.strip()
    hours, minutes = int(text[: text.index(":")]), int(text.split(":")[1][:2])
    half = text[-2:].casefold() if text[-1] in "mM" else ""
    is_possible = minutes < 60 and (1 <= hours <= 12 if half else hours < 24)
    if not is_possible:
        raise ValueError(f"There is no time {text}.")
    if half:
        hours = hours % 12 + 12 * (half == "pm")
    return timedelta(hours=hours, minutes=minutes)
