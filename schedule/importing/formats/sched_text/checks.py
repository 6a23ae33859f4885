"""What only the whole text can tell: dates against the head, files against the field that announces them."""

import re
from datetime import date, timedelta

from schedule.importing.dates import parse_stated_days, parse_stated_year
from schedule.importing.document import EventEntry, SessionEntry
from schedule.importing.formats.sched_text.fields import SLIDES
from schedule.importing.formats.sched_text.reading import Reading


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
    """Warn when the head names one zone by its abbreviation, and no session is in it."""
    found = re.match(r"([A-Z]{2,5})\b", event.zone_label)
    labels = sorted({session.zone_label for session in sessions if session.zone_label})
    if found and event.zone_label_line and labels and found[1] not in labels:
        message = f"The head says that times are in {found[1]}, beside the sessions stands {', '.join(labels)}."
        reading.warn(message, event.zone_label_line)


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
