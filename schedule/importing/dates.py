"""The days that an organiser typed at the head of a schedule: "7-8 April, 2025"."""

import re
from datetime import date

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

_MONTH = "|".join(f"{month}|{month[:3]}" for month in MONTHS) + "|Sept"
_WEEKDAY = re.compile(rf"\b(?:{'|'.join(WEEKDAYS)}|{'|'.join(day[:3] for day in WEEKDAYS)})\b[.,]* ?", re.IGNORECASE)
_DAY = r"(?<!\d)\d{1,2}(?!\d)(?:st|nd|rd|th)?"
_SIDES = [
    rf"(?:(?P<month{n}>\b(?:{_MONTH})\b)\.? (?P<day{n}>{_DAY})"
    rf"|(?P<day{n}b>{_DAY})(?:\.? (?P<month{n}b>(?:{_MONTH})\b))?)"
    for n in (1, 2)
]
_DAYS = re.compile(rf"{_SIDES[0]}(?:,? ?(?:\d{{4}})? ?(?:-|to|and|&|through) ?{_SIDES[1]})?", re.IGNORECASE)
_AFTER_DAYS = re.compile(r"^[,. ]*(?:(?:19|20)\d\d\b)?[ ,|-]*(?:in )?")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def parse_stated_days(text: str, year: int) -> tuple[date, date] | None:
    """Return the first and the last day that `text` states, in `year`; None if it can't be read.

    The year in the text is not used: organisers copy last year's line. `year` is that of the first
    day; a last day in an earlier month belongs to the next year.
    """
    found = _find_days(_plain(text))
    if not found:
        return None
    months = [found["month1"] or found["month1b"], found["month2"] or found["month2b"]]
    days = [found["day1"] or found["day1b"], found["day2"] or found["day2b"]]
    return _make_days(months, days, year)


def parse_stated_year(text: str) -> int | None:
    """Return the year that `text` states, None if it states none."""
    found = _YEAR.search(text)
    return int(found[0]) if found else None


def mentions_days(text: str) -> bool:
    """Whether `text` states a day of a month, as the dates of an event do."""
    return parse_stated_days(text, 2000) is not None


def split_off_days(text: str) -> list[str]:
    """Return what stands before and after the stated days, without their year: mostly a place, or nothing."""
    plain = _plain(text)
    found = _find_days(plain)
    if not found:
        return []
    sides = plain[: found.start()], _AFTER_DAYS.sub("", plain[found.end() :])
    return [side for side in (part.strip(" ,|-") for part in sides) if side]


def _plain(text: str) -> str:
    return _WEEKDAY.sub("", " ".join(re.sub("[‐-―−]", "-", text).split()))


def _find_days(plain: str) -> re.Match[str] | None:
    months = ("month1", "month1b", "month2", "month2b")
    return next((found for found in _DAYS.finditer(plain) if any(found.group(*months))), None)


def _make_days(months: list[str | None], days: list[str | None], year: int) -> tuple[date, date] | None:
    first_month = _month_number(months[0] or months[1] or "")
    last_month = _month_number(months[1] or months[0] or "")
    numbers = [int(re.sub(r"\D", "", day)) for day in days if day]
    try:
        first = date(year, first_month, numbers[0])
        last = date(year + (last_month < first_month), last_month, numbers[-1])
    except ValueError:
        return None
    return (first, last) if first <= last else None


def _month_number(name: str) -> int:
    return next(n for n, month in enumerate(MONTHS, start=1) if month[:3].casefold() == name[:3].casefold())
