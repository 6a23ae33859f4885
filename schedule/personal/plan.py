"""A personal day: what overlaps, where time is free, where the way to another room is short. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta

from schedule.agenda import Agenda, Row

SHORTEST_GAP = timedelta(minutes=20)
LONGEST_RUSH = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two sessions of one list at once, for so many minutes."""

    first: Row
    second: Row
    minutes: int


@dataclass(frozen=True, slots=True)
class Gap:
    """Free time of 20 minutes or more between two sessions."""

    start: datetime
    end: datetime
    minutes: int


@dataclass(frozen=True, slots=True)
class Rush:
    """A change of room with 10 minutes or less for it."""

    row: Row
    minutes: int


@dataclass
class Entry:
    """One session of the list and what stands before it: free time, or a way to hurry; and what it overlaps."""

    row: Row
    gap: Gap | None = None
    rush: Rush | None = None
    overlaps: list[Overlap] = field(default_factory=list)


@dataclass
class PlanDay:
    date: date
    entries: list[Entry]


def build_plan(agenda: Agenda) -> list[PlanDay]:
    """Arrange the sessions of a list, which `agenda` holds by day and time.

    A cancelled session takes no time: its seat in the day is free, and it overlaps nothing.
    """
    return [PlanDay(day.date, _plan_rows(row for slot in day.slots for row in slot.rows)) for day in agenda.days]


def _plan_rows(rows: Iterable[Row]) -> list[Entry]:
    entries: list[Entry] = []
    held: list[Row] = []
    for row in rows:
        entry = Entry(row)
        entries.append(entry)
        if row.session.is_cancelled:
            continue
        entry.overlaps = [Overlap(other, row, _minutes(min(other.end, row.end, key=_utc), row.start))
                          for other in held if _utc(other.end) > _utc(row.start)]  # fmt: skip
        if held and not entry.overlaps:
            last = max(held, key=lambda other: _utc(other.end))
            wait = _utc(row.start) - _utc(last.end)
            if wait >= SHORTEST_GAP:
                entry.gap = Gap(last.end, row.start, _minutes(row.start, last.end))
            elif wait <= LONGEST_RUSH and last.session.room_id and row.session.room_id != last.session.room_id:
                entry.rush = Rush(row, _minutes(row.start, last.end)) if row.session.room_id else None
        held.append(row)
    return entries


def _utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC)


def _minutes(later: datetime, earlier: datetime) -> int:
    return (_utc(later) - _utc(earlier)) // timedelta(minutes=1)
