"""The head of the page: the event, its stated dates and place, the zone, and whether this is all of it."""

import re
from dataclasses import dataclass, field

from conference.text import matching_key
from schedule.importing.dates import mentions_days, split_off_days
from schedule.importing.document import EventEntry
from schedule.importing.formats.sched_text.blocks import TITLE_ENDING
from schedule.importing.formats.sched_text.exact_lines import is_exact, read_exact_event
from schedule.importing.formats.sched_text.places import read_place
from schedule.importing.formats.sched_text.ranges import is_day, is_heading
from schedule.importing.formats.sched_text.reading import Reading

NOT_UNDERSTOOD = "This line of the head was not understood; nothing of it is imported."

_NAME = re.compile(rf"(.+){TITLE_ENDING}")
_NOTICE = re.compile(r"(?:Please )?Note: (?!This schedule is automatically)(.+)")
_REGISTERED_FOR = re.compile(r"You must (?:also )?be registered for (.{1,300}?) to participate")
_ENDED = re.compile(r"(?!This event\b)(.{1,100}?) has ended\b.*")
_ZONE = re.compile(r"(?:Please note: )?This schedule is automatically displayed in (.+?\)|[^.]+)\.(?: To see .*)?")
_LINK = re.compile(r"(?:View|Learn) More\b.*\bRegist\w+.*")
_NAVIGATION = re.compile(r"(?:arrow_back )?View All Dates|(?:.+ )?\[?clear filter\]?")
# What every page says, whatever its event is.
_NOISE = re.compile(
    r"Loading\.\.\.|Attending this event\?|This event has ended\b.*|Log in to bookmark .*|Sign up or log in .*"
    r"|IMPORTANT NOTE: .*|In-Person(?: Only)?|Virtual(?: Only)?|Hybrid|In-Person (?:and|&|\+) Virtual",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Header:
    """The event, and whether the page says that it shows only a part of its schedule."""

    event: EventEntry = field(default_factory=EventEntry)
    is_part: bool = False
    registered_for: str = ""
    ended: str = ""
    exact: int | None = None
    first_line: int | None = None


def read_header(reading: Reading, end: int, is_rendered: bool) -> Header:
    """Read the lines before the first session; each is tried as every part of a header that is still missing."""
    header = Header()
    first = next(reading.numbers(1, end), None)
    for number in reading.numbers(1, end):
        role = _read_line(reading, header, number)
        if role:
            reading.claim(role, number)
        elif is_rendered and number == first:
            header.first_line = number
        else:
            reading.warn(NOT_UNDERSTOOD, number)
    if is_rendered:
        _settle_name(reading, header)
    else:
        _check_name(reading, header)
    if header.exact:
        read_exact_event(reading, header.exact, header.event)
    return header


def _read_line(reading: Reading, header: Header, number: int) -> str | None:
    """Store what one line of the head says; return its role, None if it says nothing known."""
    event, line, text = header.event, reading.fold(number), reading.one_line(number)
    if is_heading(line):
        return "heading"
    if is_day(line):
        return "day"
    if is_exact(line) and not header.exact:
        header.exact = number
        return "field"
    if _NAVIGATION.fullmatch(line):
        header.is_part = True
        return "navigation"
    if (found := _NAME.fullmatch(text)) and not event.name:
        event.name = found[1].strip()
        return "event name"
    if named := _REGISTERED_FOR.search(text):
        header.registered_for = named[1]
        return "notice"
    if _NOISE.fullmatch(line):
        return "noise"
    if (found := _ENDED.fullmatch(text)) and not header.ended:
        header.ended = found[1]
        return "notice"
    return _read_zone_or_notice(event, text, number) or _read_dates_or_place(event, text, number)


def _read_zone_or_notice(event: EventEntry, text: str, number: int) -> str | None:
    if (found := _ZONE.fullmatch(text)) and not event.zone_label:
        event.zone_label, event.zone_label_line = found[1], number
        return "zone"
    if (found := _NOTICE.fullmatch(text)) and not event.notice:
        event.notice = found[1]
        return "notice"
    if _LINK.fullmatch(text) and not event.registration_label:
        event.registration_label = text
        return "link"
    return None


def _read_dates_or_place(event: EventEntry, text: str, number: int) -> str | None:
    if not event.stated_dates and len(text) <= 100 and mentions_days(text):
        event.stated_dates, event.stated_dates_line = text, number
        any(_read_place(event, side) for side in split_off_days(text))
        return "stated dates"
    return "place" if _read_place(event, text) else None


def _read_place(event: EventEntry, text: str) -> bool:
    place = read_place(text) if not event.city else None
    if place:
        event.city, event.country = place
    return place is not None


def _settle_name(reading: Reading, header: Header) -> None:
    """Name the event of a rendered page: who must be registered for it, that it has ended, or else its first line."""
    event, first = header.event, header.first_line
    event.name = event.name or header.registered_for or header.ended
    if first and not event.name:
        event.name = reading.one_line(first)
        reading.claim("event name", first)
        reading.warn("The name of the event is taken from the first line, since no other place names it.", first)
    elif first:
        reading.warn(NOT_UNDERSTOOD, first)


def _check_name(reading: Reading, header: Header) -> None:
    named, printed = header.registered_for, header.event.name
    number = next((n for n, role in enumerate(reading.roles, start=1) if role == "event name"), 1)
    if not printed:
        header.event.name = named
        reading.warn(f'The text does not begin with the event\'s name and "{TITLE_ENDING}".', number)
    elif named and matching_key(named) != matching_key(printed):
        reading.warn(f'The event is "{printed}" here and "{named}" further down; the first is used.', number)
