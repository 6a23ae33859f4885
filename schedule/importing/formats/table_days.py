"""The dates of a whole table: which of two numbers is the day, and which year, as all rows together tell. Pure."""

from collections.abc import Iterable, Sized
from dataclasses import dataclass, field
from datetime import date

from schedule.importing.dates import WEEKDAYS
from schedule.importing.formats.entries import Notes
from schedule.importing.formats.table_cells import Day

# A leap year that is used only to see whether a day without year can exist at all.
_ANY_YEAR = 2000


@dataclass(slots=True)
class Calendar:
    """How the dates of a table are to be read. `lines` are those of dates that were already complained of."""

    notes: Notes
    order: str = ""
    year: int | None = None
    complained: set[Day] = field(default_factory=set)

    def find(self, day: Day, year: int | None = None) -> date | None:
        """Return the date that `day` is, None where it is none. `year` is the row's own."""
        year = day.year or year or self.year
        found = day.readings(year) if year else {}
        by_weekday = next((value for value in found.values() if value.weekday() == day.weekday), None)
        return found.get(self.order) or by_weekday or next(iter(found.values()), None)

    def resolve(self, day: Day, line: int, year: int | None = None) -> date | None:
        """Return what `find` does, and warn of a date that does not exist or is of another weekday."""
        value = self.find(day, year)
        if value is None and (day.year is not None or year or self.year):
            self.notes.warn("The date does not exist in any calendar; the session is not scheduled.", line)
        if value and day.weekday not in (None, value.weekday()) and day not in self.complained:
            self.complained.add(day)
            told, real = WEEKDAYS[day.weekday], WEEKDAYS[value.weekday()]
            self.notes.warn(f"{value:%Y-%m-%d} is a {real}, not a {told}; the date is believed.", line)
        return value


def settle_days(notes: Notes, days: Iterable[tuple[Day, int, int | None]], stated_years: set[int]) -> Calendar:
    """Return how to read the dates of a table; where nothing decides, note an error that says what to write.

    `days` come with their line and their row's own year. `stated_years` are those that header and heading tell.
    """
    days = list(days)
    calendar = Calendar(notes, year=_settle_year(notes, days, stated_years))
    evidence = set()
    undecided: list[tuple[dict[str, date], Day, int]] = []
    for day, line, own_year in days:
        year = own_year or calendar.year
        found = day.readings(year or _ANY_YEAR)
        if day.order or not found:
            continue
        if len(found) > 1 and (day.year or year):
            found = {o: value for o, value in found.items() if value.weekday() == day.weekday} or found
        if len(found) == 1:
            evidence.update(found)
        else:
            undecided.append((found, day, line))
    if len(evidence) == 1:
        calendar.order = evidence.pop()
    elif undecided:
        found, _, line = undecided[0]
        dmy, mdy = found["dmy"], found["mdy"]
        why = "the rows write both orders" if evidence else "no row decides it"
        notes.error(
            f"The date can be {dmy.day} {dmy:%B} or {mdy.day} {mdy:%B}, and {why}{_and_others(undecided)}. "
            f"Write the dates as {dmy:%Y-%m-%d}.",
            line,
        )
    return calendar


def _settle_year(notes: Notes, days: list[tuple[Day, int, int | None]], stated_years: set[int]) -> int | None:
    """Return the year of dates that lack one: the only one that other dates, else header and heading, tell."""
    lacking = [line for day, line, own_year in days if day.year is None and own_year is None]
    if not lacking:
        return None
    years = {day.year for day, _, _ in days if day.year} or stated_years
    if len(years) == 1:
        year = next(iter(years))
        notes.warn(
            f"The date has no year; it is read as of {year}, as the rest says{_and_others(lacking)}.", lacking[0]
        )
        return year
    several = f"; the table speaks of {', '.join(map(str, sorted(years)[:4]))}" if years else ""
    notes.error(
        f"The date has no year{_and_others(lacking)}{several}. Write the dates with it, best as 2031-05-14, or "
        "add a column “Year”.",
        lacking[0],
    )
    return None


def _and_others(alike: Sized) -> str:
    """Say how many dates beside the first are alike."""
    count = len(alike) - 1
    return f" (as with {count} more {'date' if count == 1 else 'dates'})" if count else ""
