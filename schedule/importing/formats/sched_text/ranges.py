"""The two kinds of line that carry a time: "Wednesday April 8, 2026 09:00 - 09:10 CEST" and "09:00 CEST"."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from schedule.importing.dates import MONTHS, WEEKDAYS

EXAMPLE = "Wednesday April 8, 2026 09:00 - 09:10 CEST"

_CLOCK = r"\d{1,2}:\d{2} ?(?:[AaPp][Mm])?"
_ZONE = r"(?P<zone>[A-Z]{2,5}|(?:UTC|GMT)?[+-]\d{1,2}(?::?\d{2})?)"
_RANGE = re.compile(
    rf"(?P<weekday>{'|'.join(WEEKDAYS)}),? (?P<month>{'|'.join(MONTHS)}) (?P<day>\d{{1,2}}), (?P<year>\d{{4}}) "
    rf"(?P<start>{_CLOCK}) ?[-–—] ?(?P<end>{_CLOCK}) ?\b{_ZONE}"
)
_HEADING = re.compile(rf"(?P<start>{_CLOCK}) ?\b{_ZONE}")


@dataclass(frozen=True, slots=True)
class TimeRange:
    """A range line, read: wall-clock times of the zone printed beside them."""

    weekday: str
    start: datetime
    end: datetime
    zone_label: str


def is_range(line: str) -> bool:
    """Whether a folded line is a date with a start, an end and a zone, possible or not."""
    return line[-1:].isalnum() and _RANGE.fullmatch(line) is not None


def is_heading(line: str) -> bool:
    """Whether a folded line is a time with a zone and nothing else."""
    return line[:1].isdecimal() and _HEADING.fullmatch(line) is not None


def read_range(line: str) -> TimeRange:
    """Read a folded range line; an end before the start is on the next day.

    Raises ValueError, with a sentence for people, for a date or time that does not exist.
    """
    found = _RANGE.fullmatch(line)
    if not found:
        raise ValueError(f'This is no time like "{EXAMPLE}".')
    try:
        day = datetime(int(found["year"]), MONTHS.index(found["month"]) + 1, int(found["day"]))
    except ValueError:
        raise ValueError(f"There is no {found['month']} {found['day']}, {found['year']}.") from None
    start, end = day + _read_clock(found["start"]), day + _read_clock(found["end"])
    if end < start:
        end += timedelta(days=1)
    return TimeRange(found["weekday"], start, end, found["zone"])


def read_heading(line: str) -> tuple[timedelta, str]:
    """Read a folded heading line as time since midnight and zone label. Raises ValueError like read_range."""
    found = _HEADING.fullmatch(line)
    if not found:
        raise ValueError("This is no time of day with its zone.")
    return _read_clock(found["start"]), found["zone"]


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
