"""Dates, times of day and durations as people write them into cells, in four languages. Pure, no clock.

A cell is read as tokens, and only if they are all of it: what is half understood is not understood.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, timedelta, timezone

from conference.text import matching_key
from schedule.importing.zones import OFFSETS

_MONTHS = (
    "january jan januar janner janvier janv enero ene", "february feb februar fevrier fevr fev febrero",
    "march mar marz mrz mars marzo", "april apr avril avr abril abr", "may mai mayo", "june jun juni juin junio",
    "july jul juli juillet juil julio", "august aug aout agosto ago",
    "september sep sept septembre septiembre set setiembre", "october oct oktober okt octobre octubre",
    "november nov novembre noviembre", "december dec dezember dez decembre diciembre dic",
)  # fmt: skip
_WEEKDAYS = (
    "monday mon montag mo lundi lun lunes lu", "tuesday tue tues dienstag di mardi mar martes ma",
    "wednesday wed weds mittwoch mi mercredi mer miercoles mie", "thursday thu thur thurs donnerstag do jeudi jeu"
    " jueves jue",
    "friday fri freitag fr vendredi ven viernes vie", "saturday sat samstag sonnabend sa samedi sam sabado sab",
    "sunday sun sonntag so dimanche dim domingo dom",
)  # fmt: skip
MONTH_NUMBERS = {name: number for number, names in enumerate(_MONTHS, start=1) for name in names.split()}
WEEKDAY_NUMBERS = {name: number for number, names in enumerate(_WEEKDAYS) for name in names.split()}


def _any_of(words) -> str:
    return "|".join(sorted((re.escape(word) for word in words), key=len, reverse=True))


_MONTH = rf"(?P<month>{_any_of(MONTH_NUMBERS)})(?![a-z])"
_ANY_MONTH = rf"(?:{_any_of(MONTH_NUMBERS)})(?![a-z])"
_HALF = r"(?: ?(?P<half>[ap])\.? ?m\b\.?)?"
_CLOCK = (
    r"(?P<hour>\d{1,2})(?: ?(?:uhr|h)(?![a-z])(?: ?(?P<minute>\d\d)(?!\d))?"
    r"|[:.](?P<minute2>\d\d)(?::(?P<second>\d\d)(?:[.,]\d{1,9})?)?)?(?!\d)"
    rf"{_HALF}(?: ?(?:uhr|hrs?|h)\b)?"
)
_OFFSET = r"(?P<sign>[+-])(?P<hours>\d{1,2})(?::?(?P<minutes>\d\d))?(?!\d)"
_STAMP_CLOCK = r"(?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,]\d{1,9})?)?"
_STAMP_DAY = r"(?P<year>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)"
_DAY_MONTH = (
    rf"(?P<d>\d{{1,2}})(?:st|nd|rd|th|er|º|ª|o|\.)?[ -]?(?:of |de )?{_MONTH}\.?"
    r"(?:[ ,-]{0,2}(?:del? )?(?P<year>\d{4}|(?<=-)\d\d)(?![\d:]))?"
)
# In "mar. 8 avril" and "Mar 08/04/2031" the word is a weekday.
_MONTH_DAY = (
    rf"{_MONTH}\.?[ -](?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?![/.:-]?\d|[a-z]|\.? ?(?:de )?{_ANY_MONTH})"
    r"(?:,? ?(?P<year>\d{4})(?![\d:]))?"
)
# In the order in which they are tried at a place.
_TOKENS = [
    (name, re.compile(pattern))
    for name, pattern in (
        ("stamp", rf"{_STAMP_DAY}t{_STAMP_CLOCK}(?P<utc>z\b)?(?:{_OFFSET})?"),
        ("stamp", rf"{_STAMP_DAY} (?=\d\d:\d\d:\d\d){_STAMP_CLOCK}(?P<utc>z\b)?(?: ?{_OFFSET})?"),
        ("iso", r"(?P<year>\d{4})(?P<by>[-/.])(?P<m>\d{1,2})(?P=by)(?P<d>\d{1,2})(?!\d)"),
        ("numeric", r"(?P<a>\d{1,2})(?P<by>[-/.])(?P<b>\d{1,2})(?P=by) ?(?P<year>\d{4}|\d\d)(?![\d:])"),
        ("named", _DAY_MONTH),
        ("named", _MONTH_DAY),
        ("numeric", r"(?P<a>\d{1,2})(?P<by>/)(?P<b>\d{1,2})(?![\d/])(?P<year>)"),
        ("numeric", r"(?P<a>\d{1,2})(?P<by>\.) ?(?P<b>\d{1,2})\.(?!\d)(?P<year>)"),
        ("weekday", rf"(?P<weekday>{_any_of(WEEKDAY_NUMBERS)})(?![a-z])\.?"),
        ("military", r"(?P<hour>[01]\d|2[0-3])(?P<minute>[0-5]\d)(?![\d:.])(?: ?(?:uhr|hrs?|h)\b)?"),
        ("clock", _CLOCK),
        ("noon", r"noon\b"),
        ("zone", rf"(?:utc|gmt) ?{_OFFSET}"),
        ("zone", rf"(?P<label>{_any_of(label.lower() for label in OFFSETS)})\b"),
        ("offset", r"\+(?P<hours>\d\d):?(?P<minutes>\d\d)(?!\d)"),
        ("filler", r"(?:at|um|on|am|from|von|de|el|le|the|den|des|a las|las|ab|kl)\b\.?"),
        ("to", r"[-−→~>]+|(?:to|bis|until|till|a|al|hasta|jusqu'a)\b(?: las?\b)?"),
        ("filler", r"[ ,;()\[\]|@]+"),
    )
]
_LONGEST_MOMENT = 120
_MINUTES = re.compile(r"(?P<n>\d{1,4})(?:[.,]0+)? ?(?:'|m|min|mins|minutes?|minuten|minutos?)?\.?")
_HOURS = re.compile(r"(?P<n>\d{1,2}(?:[.,]\d{1,2})?) ?(?:h|hrs?|hours?|std|stunden?|heures?|horas?)\.?")
_HOURS_AND_MINUTES = re.compile(
    r"(?P<h>\d{1,2}) ?(?::|h|hrs?|hours?|std\.?|stunden?|heures?|horas?),? ?(?:and |und |et |y )?"
    r"(?P<m>\d{1,2}) ?(?::00|'|m|min|mins|minutes?|minuten|minutos?)?\.?"
)
_ISO_DURATION = re.compile(r"pt(?:(?P<h>\d{1,2})h)?(?:(?P<m>\d{1,4})m)?")
# "Duration: 2" may be hours; nothing on a programme lasts 4 minutes or 5 hours and is written so.
_FEWEST_BARE_MINUTES = 5
_LONGEST_DURATION = timedelta(days=3)


@dataclass(frozen=True, slots=True)
class Day:
    """A date as written. Without `order` ("dmy", "mdy") the two numbers may be day and month either way."""

    numbers: tuple[int, int]
    order: str = ""
    year: int | None = None
    weekday: int | None = None

    def readings(self, year: int) -> dict[str, date]:
        """Return the dates that this can be, by the order of its numbers."""
        found = {}
        for order in (self.order,) if self.order else ("dmy", "mdy"):
            day, month = self.numbers if order == "dmy" else self.numbers[::-1]
            try:
                found[order] = date(year if self.year is None else self.year, month, day)
            except ValueError:
                continue
        return found


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day, as time since midnight; `offset` only where the cell gives one. `half` is "a", "p" or ""."""

    since_midnight: timedelta
    offset: timezone | None = None
    half: str = ""
    is_bare: bool = False


@dataclass(slots=True)
class Moment:
    """What a cell says: a day, a time, or both; of a range also where it ends. `zone` is a label ("CEST")."""

    day: Day | None = None
    clock: Clock | None = None
    end_day: Day | None = None
    end_clock: Clock | None = None
    zone: str = ""


@dataclass(slots=True)
class _Side:
    day: Day | None = None
    clock: Clock | None = None
    weekday: int | None = None


def read_moment(text: str) -> Moment | None:
    """Return what a cell with a date, a time, a range or several of them says; None if it can't be read."""
    if len(text) > _LONGEST_MOMENT:
        return None
    moment, sides = Moment(), [_Side()]
    for name, found in _tokenize(matching_key(text)):
        if name == "to":
            sides.append(_Side())
        elif name == "zone":
            moment.zone = moment.zone or found[0].upper().replace(" ", "")
        elif name != "filler" and not _add_to_side(sides[-1], name, found):
            return None
    return _join_sides(moment, sides)


def _tokenize(text: str) -> Iterator[tuple[str, re.Match[str] | None]]:
    """Yield the tokens of `text`; at what is none, one that belongs nowhere."""
    position = 0
    while position < len(text):
        name, found = next(
            ((n, m) for n, p in _TOKENS if (m := p.match(text, position)) and m.end() > position), ("", None)
        )
        yield name, found
        if found is None:
            return
        position = found.end()


def _add_to_side(side: _Side, name: str, found: re.Match[str] | None) -> bool:
    """Take a token into a side of a range; return False if there is no place for it."""
    if found is None:
        return False
    if name == "weekday":
        side.weekday, was = WEEKDAY_NUMBERS[found["weekday"]], side.weekday
        return was is None
    if name == "offset":
        if side.clock is None or side.clock.offset:
            return False
        side.clock = replace(side.clock, offset=_offset("+", found["hours"], found["minutes"]))
        return side.clock.offset is not None
    if name in ("stamp", "iso", "named", "numeric"):
        if side.day:
            return False
        side.day = _make_day(name, found)
        if name != "stamp":
            return True
    if side.clock:
        return False
    side.clock = Clock(timedelta(hours=12)) if name == "noon" else _make_clock(name, found)
    return side.clock is not None


def _make_day(name: str, found: re.Match[str]) -> Day:
    year = int(found["year"]) if found["year"] else None
    if year is not None and len(found["year"]) == 2:
        year += 2000
    if name in ("stamp", "iso"):
        return Day((int(found["d"]), int(found["m"])), "dmy", year)
    if name == "named":
        return Day((int(found["d"]), MONTH_NUMBERS[found["month"]]), "dmy", year)
    numbers = int(found["a"]), int(found["b"])
    # With points it is day and month wherever people write so; with strokes it depends on the country.
    order = "dmy" if numbers[0] == numbers[1] or (found["by"] == "." and numbers[1] <= 12) else ""
    return Day(numbers, order, year)


def _make_clock(name: str, found: re.Match[str]) -> Clock | None:
    groups = found.groupdict()
    hour, written = int(groups["hour"]), groups["minute"] or groups.get("minute2")
    minute, second, half = int(written or 0), int(groups.get("second") or 0), groups.get("half") or ""
    if minute > 59 or second > 59 or hour > 24 or (hour == 24 and (minute or second)) or (half and not 1 <= hour <= 12):
        return None
    offset = UTC if groups.get("utc") else _offset(groups.get("sign"), groups.get("hours"), groups.get("minutes"))
    if groups.get("sign") and offset is None:
        return None
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    is_bare = name == "clock" and found[0].strip().isdigit()
    return Clock(timedelta(hours=hour, minutes=minute, seconds=second), offset, half, is_bare)


def _offset(sign: str | None, hours: str | None, minutes: str | None) -> timezone | None:
    if not sign or not hours or int(hours) > 14 or int(minutes or 0) > 59:
        return None
    ahead = timedelta(hours=int(hours), minutes=int(minutes or 0))
    return timezone(ahead if sign == "+" else -ahead)


def read_offset(text: str) -> timezone | None:
    """Return the offset that "UTC", "Z", "UTC+2" or "+02:00" mean; None for other labels."""
    found = re.fullmatch(rf"(?:utc|gmt)? ?{_OFFSET}", text.strip().casefold())
    if found:
        return _offset(found["sign"], found["hours"], found["minutes"])
    return UTC if text.strip().casefold() in ("utc", "z") else None


def _join_sides(moment: Moment, sides: list[_Side]) -> Moment | None:
    """Make one moment of what stands before and after "to"; a dash may also stand between a date and its time."""
    if len(sides) > 1 and sides[0].clock is None and sides[1].day is None and sides[1].clock:
        second = sides.pop(1)
        sides[0].clock, sides[0].weekday = second.clock, sides[0].weekday if second.weekday is None else second.weekday
    for side in sides:
        if side.day and side.weekday is not None:
            side.day = replace(side.day, weekday=side.weekday)
    if len(sides) > 2 or (len(sides) == 2 and not (sides[0].clock and sides[1].clock)):
        return None
    first, last = sides[0], sides[-1]
    if (first.day is None and first.clock is None) or (first.clock and first.clock.is_bare and len(sides) == 1):
        return None
    moment.day, moment.clock = first.day, first.clock
    if len(sides) == 2:
        moment.end_day, moment.end_clock = last.day, last.clock
        moment.clock = _share_half(first.clock, last.clock)
    return moment


def _share_half(start: Clock, end: Clock) -> Clock:
    """Read "10:00 - 11:30 am" and "11 - 1 pm": the start is in the end's half of the day, or in the one before."""
    twelve = timedelta(hours=12)
    if not end.half or start.half or start.since_midnight > twelve:
        return start
    morning = start.since_midnight % twelve
    candidates = [value for value in (morning, morning + twelve) if value < end.since_midnight]
    return replace(start, since_midnight=max(candidates, default=morning + twelve), half=end.half, is_bare=False)


def read_duration(text: str, unit: str = "") -> timedelta | None:
    """Return a duration: "30 min", "0:30", "1h", "1,5 Std"; a bare number is minutes, unless `unit` is "h"."""
    key = matching_key(text)[:60]
    if unit == "h" and re.fullmatch(r"\d{1,2}([.,]\d{1,2})?", key):
        key += " h"
    if found := _MINUTES.fullmatch(key):
        is_bare = key.replace(".", "").replace(",", "").isdigit()
        minutes = int(found["n"])
        return _check_duration(minutes if not is_bare or unit or minutes >= _FEWEST_BARE_MINUTES else 0)
    if found := _HOURS.fullmatch(key):
        return _check_duration(round(float(found["n"].replace(",", ".")) * 60))
    if found := _HOURS_AND_MINUTES.fullmatch(key) or _ISO_DURATION.fullmatch(key):
        return _check_duration(int(found["h"] or 0) * 60 + int(found["m"] or 0))
    return None


def _check_duration(minutes: int) -> timedelta | None:
    duration = timedelta(minutes=minutes)
    return duration if timedelta() < duration <= _LONGEST_DURATION else None
