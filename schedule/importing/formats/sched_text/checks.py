"""What only the whole text can tell: dates against the head, files against the field that announces them."""

import re
from bisect import bisect_left
from datetime import date, timedelta

from schedule.importing.dates import parse_stated_days, parse_stated_year
from schedule.importing.document import EventEntry, SessionEntry
from schedule.importing.formats.sched_text.blocks import Page
from schedule.importing.formats.sched_text.fields import SLIDES
from schedule.importing.formats.sched_text.ranges import read_day
from schedule.importing.formats.sched_text.reading import Reading
from schedule.importing.formats.sched_text.sessions import seems_to_name_somebody
from schedule.importing.zones import OFFSETS

_SHOWN = 10
_ENOUGH = 2


def check_stated_dates(reading: Reading, event: EventEntry, sessions: list[SessionEntry]) -> bool:
    """Compare the dates in the head with those of the sessions, which count; return whether all days are here."""
    days = sorted({session.start.date() for session in sessions if session.start})
    line = event.stated_dates_line
    if not days or line is None:
        return True
    _check_year(reading, event, sessions)
    stated = parse_stated_days(event.stated_dates, days[0].year)
    if stated is None:
        return True
    first, last = stated
    missing = [day for day in _days_between(first, last) if day not in days]
    if missing:
        message = f"The stated dates cover {first} to {last}, this text holds {_list_days(days)}:"
        reading.warn(f"{message} read as a part of the schedule.", line)
    if strangers := [day for day in days if not first <= day <= last]:
        reading.warn(f"Sessions on {_list_days(strangers)} are outside the stated dates.", line)
    return not missing


def _check_year(reading: Reading, event: EventEntry, sessions: list[SessionEntry]) -> None:
    """Warn of a stated year that no session has; the weekdays printed in the ranges prove who is right."""
    stated = parse_stated_year(event.stated_dates)
    dated = [session for session in sessions if session.start]
    years = sorted({session.start.year for session in dated if session.start})
    if stated is None or stated in years or event.stated_dates_line is None:
        return
    first = dated[0]
    day = first.start.date()
    message = f"The stated dates say {stated}, but every session's time says {' or '.join(map(str, years))}, and"
    message += f" {day} is a {day:%A} as printed (line {_range_line(reading, first)}"
    if (other := _same_day(day, stated)) is not None:
        message += f"; {other} is a {other:%A}"
    reading.warn(f"{message}); {years[0]} is used.", event.stated_dates_line)


def _range_line(reading: Reading, session: SessionEntry) -> int:
    return next(n for n in range(session.line, len(reading.roles) + 1) if reading.roles[n - 1] == "range")


def _same_day(day: date, year: int) -> date | None:
    try:
        return day.replace(year=year)
    except ValueError:
        return None


def _days_between(first: date, last: date) -> list[date]:
    return [first + timedelta(days=n) for n in range((last - first).days + 1)]


def _list_days(days: list[date]) -> str:
    return str(days[0]) if len(days) == 1 else f"{len(days)} days from {days[0]} to {days[-1]}"


def check_zone(reading: Reading, event: EventEntry, sessions: list[SessionEntry]) -> None:
    """Warn when the head names one zone, and no session is in it, or when it gives that zone another offset."""
    line = event.zone_label_line
    name = re.sub(r" ?\(.*", "", event.zone_label)
    label = name if name.isupper() else "".join(word[0] for word in name.split())
    if not line or not re.fullmatch(r"[A-Z]{2,5}", label):
        return
    labels = sorted({session.zone_label for session in sessions if session.zone_label})
    if labels and label not in labels:
        message = f"The head says that times are in {label}, beside the sessions stands {', '.join(labels)}."
        reading.warn(message, line)
    stated = re.search(r"([+-]) ?(\d{1,2})(?::?(\d{2}))?\b", event.zone_label)
    if stated and label in OFFSETS:
        hours = (int(stated[2]) + int(stated[3] or 0) / 60) * (-1 if stated[1] == "-" else 1)
        if hours not in OFFSETS[label]:
            message = f"The head gives {label} {hours:+g} hours to UTC, but it has {OFFSETS[label][0]:+g}."
            reading.warn(f"{message} The name counts.", line)


def check_days(reading: Reading, sessions: list[SessionEntry]) -> None:
    """Warn of a day heading that contradicts the date of a session under it; it has no year and is no source."""
    days = [number for number, role in enumerate(reading.roles, start=1) if role == "day"]
    warned: set[int] = set()
    for session in sessions:
        n = bisect_left(days, session.line)
        if not n or not session.start or days[n - 1] in warned:
            continue
        weekday, month, day = read_day(reading.fold(days[n - 1]))
        start = session.start
        if (weekday, month, day) != (f"{start:%A}", start.month, start.day):
            warned.add(days[n - 1])
            message = f"Under this day stands a session of {start:%A}, {start:%Y-%m-%d} (line {session.line});"
            reading.warn(f"{message} the session's own date is used.", days[n - 1])


def check_lone_headings(reading: Reading, page: Page) -> None:
    """Say how many times of day have no session, which a page shows for sessions that it hides."""
    own = {block.heading for block in page.blocks}
    lone = [n for n, role in enumerate(reading.roles, start=1) if role == "heading" and n not in own]
    if len(lone) == 1:
        reading.warn("A time without a session: nothing is imported for it.", lone[0])
    elif lone:
        shown = ", ".join(str(number) for number in lone[:_SHOWN]) + (" …" if len(lone) > _SHOWN else "")
        reading.warn(f"{len(lone)} times without a session (lines {shown}): nothing is imported for them.", lone[0])


def check_names(reading: Reading, sessions: list[SessionEntry]) -> None:
    """Refuse a text whose titles name people while no session has any: their names were lost on the way."""
    if any(session.people for session in sessions) or "people heading" in reading.roles:
        return
    naming = [session for session in sessions if seems_to_name_somebody(reading.one_line(session.line))]
    if len(naming) >= _ENOUGH and not reading.has_errors:
        message = f'{len(naming)} titles name people, but nobody stands under "Speakers" in the whole text.'
        reading.error(f"{message} Save the page of the full schedule with all its details.", naming[0].line)


def check_materials(reading: Reading, sessions: list[SessionEntry]) -> None:
    """Warn where files and the field "Slides Attached" disagree, in a text that uses the field at all."""
    if not any(SLIDES in session.fields for session in sessions):
        return
    for session in sessions:
        is_announced = session.fields.get(SLIDES, "No").casefold() not in ("no", "false")
        if session.materials and not is_announced:
            reading.warn(f'A file without the field "{SLIDES}"; it is imported.', session.materials[0].line)
        elif is_announced and not session.materials:
            reading.warn(f'"{SLIDES} {session.fields[SLIDES]}", but this session has no file.', session.line)
