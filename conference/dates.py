"""Days in words, in the order that each language has them. Pure but for the active language."""

from datetime import date, datetime, timedelta, timezone, tzinfo

from django.utils.formats import date_format
from django.utils.translation import pgettext

EN_DASH = "–"
# Years in which every zone can be reckoned with; a date in another one is a slip.
POSSIBLE_YEARS = range(1900, 2200)
# The same, in whatever zone one looks.
NEAR_YEARS = range(POSSIBLE_YEARS.start - 1, POSSIBLE_YEARS.stop + 1)


def write_instant(moment: datetime) -> str:
    """Return an aware moment in ISO 8601, the same instant, with an offset of whole minutes.

    Before 1972 zones had offsets such as +00:09:21, which neither RFC 3339 nor XML Schema knows.
    """
    minutes = moment.utcoffset() // timedelta(minutes=1)
    return moment.astimezone(timezone(timedelta(minutes=minutes))).isoformat()


def find_year(moment: datetime, zone: tzinfo) -> int:
    """Return the year of a moment on the clocks of `zone`, in which a naive one is given already."""
    is_as_given = moment.tzinfo is None or moment.year not in NEAR_YEARS
    return moment.year if is_as_given else moment.astimezone(zone).year


def format_day(day: date, form: str) -> str:
    """Return a day in words.

    `form` is one of "full" (8 April 2026), "long" (Wednesday 8 April), "medium" (Wed 8 April), "brief" (Wed 8 Apr),
    "short" (Wed 8), "weekday" (Wed), "month" (8 April), "number" (8).
    """
    # Format characters are Django's: l D weekday, j day, F M month, Y year; a backslash keeps a letter.
    patterns = {
        "full": pgettext("date format", "j F Y"),
        "long": pgettext("date format", "l j F"),
        "medium": pgettext("date format", "D j F"),
        "brief": pgettext("date format", "D j M"),
        "short": pgettext("date format", "D j"),
        "weekday": pgettext("date format", "D"),
        "month": pgettext("date format", "j F"),
        "number": pgettext("date format", "j"),
    }
    return date_format(day, patterns[form])


def format_dates(first: date, last: date) -> str:
    """Return a range of days in words: "7–8 April 2026", "30 April – 2 May 2026", "8 April 2026"."""
    if first == last:
        return format_day(first, "full")
    if (first.year, first.month) == (last.year, last.month):
        return f"{format_day(first, 'number')}{EN_DASH}{format_day(last, 'full')}"
    return f"{format_day(first, 'month' if first.year == last.year else 'full')} {EN_DASH} {format_day(last, 'full')}"
