"""Days in words, in the order that each language has them. Pure but for the active language."""

from datetime import date

from django.utils.formats import date_format
from django.utils.translation import pgettext

EN_DASH = "–"
# Years in which every zone can be reckoned with; a date in another one is a slip.
POSSIBLE_YEARS = range(1900, 2200)


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
