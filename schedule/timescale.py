"""Where a moment stands in a day drawn to scale: open time in minutes, empty time folded. Pure, without pixels.

A place is the minutes of open time above it and the lines of folded time above it; what a minute and a line
measure is the stylesheet's (density, phone, paper). Every instant here is in UTC: a clock change moves nothing.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from schedule.agenda import SHORTEST_PAUSE, Row

MINUTE = timedelta(minutes=1)
QUARTER = 15
# Two marks closer than this would print their times over each other.
NEAREST_MARKS = 7
# A fold is two lines high, and has one for every break in it.
FEWEST_LINES = 2
# What runs on for days is cut: the next noon is not part of today.
LONGEST_DAY = timedelta(hours=24)
SHOWN_OF_LAST = timedelta(hours=1)


def start_of(row: Row) -> datetime:
    return row.start.astimezone(UTC)


def end_of(row: Row) -> datetime:
    return row.end.astimezone(UTC)


def overlap(one: Row, other: Row) -> bool:
    return start_of(one) < end_of(other) and start_of(other) < end_of(one)


@dataclass(frozen=True, slots=True)
class Place:
    """How far down the day: `minutes` of open time and `lines` of folded time lie above."""

    minutes: float
    lines: float = 0

    def __sub__(self, other: "Place") -> "Place":
        return Place(self.minutes - other.minutes, self.lines - other.lines)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of the day, open or folded to `lines`; `place` is its top."""

    start: datetime
    end: datetime
    place: Place
    lines: int = 0

    @property
    def minutes(self) -> float:
        return (self.end - self.start) / MINUTE

    def find_place(self, instant: datetime) -> Place:
        passed = (instant - self.start) / MINUTE
        if self.lines:
            return Place(self.place.minutes, self.place.lines + self.lines * passed / self.minutes)
        return Place(self.place.minutes + passed, self.place.lines)

    def meets(self, row: Row) -> bool:
        return start_of(row) < self.end and self.start < end_of(row)

    def holds(self, row: Row) -> bool:
        return self.start <= start_of(row) and end_of(row) <= self.end


@dataclass(frozen=True, slots=True)
class Mark:
    """A time on the axis, in the viewing's zone: a hairline at quarters, in words unless another is too near."""

    time: datetime
    place: Place
    is_strong: bool = False
    is_labelled: bool = True
    is_line: bool = True


@dataclass(frozen=True, slots=True)
class TimeScale:
    """The stretches from the first start to the last end, in order and without gaps."""

    stretches: list[Stretch]

    @classmethod
    def of(cls, rows: list[Row]) -> "TimeScale":
        """Fold the time of 20 min and more in which of `rows` (not empty) only breaks run, or nothing at all."""
        end = _find_end(rows)
        breaks = [row for row in rows if row.session.is_break]
        stretches: list[Stretch] = []
        place = Place(0)
        for begin, finish, is_folded in _part(min(map(start_of, rows)), end, _merge_busy(rows, end)):
            stretch = Stretch(begin, finish, place)
            if is_folded:
                inside = sum(1 for row in breaks if stretch.holds(row))
                stretch = Stretch(begin, finish, place, max(FEWEST_LINES, inside))
            stretches.append(stretch)
            place = stretch.find_place(finish)
        return cls(stretches)

    @property
    def end(self) -> datetime:
        return self.stretches[-1].end

    @property
    def size(self) -> Place:
        return self.stretches[-1].find_place(self.end)

    @property
    def folds(self) -> list[Stretch]:
        return [stretch for stretch in self.stretches if stretch.lines]

    def measure(self, row: Row) -> tuple[Place, Place]:
        """Return where `row` has its top and how long it is, up to the end of the day."""
        start, end = start_of(row), min(end_of(row), self.end)
        top = next(stretch for stretch in self.stretches if start < stretch.end).find_place(start)
        bottom = next(stretch for stretch in self.stretches if end <= stretch.end).find_place(end)
        return top, bottom - top

    def build_marks(self, zone: tzinfo) -> list[Mark]:
        """Mark the quarters of open time by the clock on the wall, and where open time begins and ends."""
        marks = []
        for stretch in self.stretches:
            if stretch.lines:
                continue
            marks.append(Mark(stretch.start.astimezone(zone), stretch.place, is_strong=True, is_line=False))
            for instant in _find_quarters(stretch, zone):
                local = instant.astimezone(zone)
                distance = min(instant - stretch.start, stretch.end - instant) / MINUTE
                is_labelled = distance >= NEAREST_MARKS
                marks.append(Mark(local, stretch.find_place(instant), local.minute == 0, is_labelled))
            bottom = stretch.find_place(stretch.end)
            is_labelled = stretch.minutes >= NEAREST_MARKS
            marks.append(Mark(stretch.end.astimezone(zone), bottom, is_labelled=is_labelled, is_line=False))
        return marks


def _find_end(rows: list[Row]) -> datetime:
    starts = [start_of(row) for row in rows]
    limit = max(min(starts) + LONGEST_DAY, max(starts) + SHOWN_OF_LAST)
    return min(limit, max(end_of(row) for row in rows))


def _merge_busy(rows: list[Row], end: datetime) -> list[tuple[datetime, datetime]]:
    """Return the times in which any session but a break runs, merged, in order, up to `end`."""
    merged: list[tuple[datetime, datetime]] = []
    for row in sorted((row for row in rows if not row.session.is_break), key=start_of):
        begin, finish = start_of(row), min(end_of(row), end)
        if merged and begin <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(finish, merged[-1][1]))
        else:
            merged.append((begin, finish))
    return merged


def _part(
    start: datetime, end: datetime, busy: list[tuple[datetime, datetime]]
) -> Iterable[tuple[datetime, datetime, bool]]:
    """Part the time from `start` to `end` into (start, end, is folded); short pauses belong to open time."""
    opened = edge = start
    for begin, finish in [*busy, (end, end)]:
        if begin - edge >= SHORTEST_PAUSE:
            if opened < edge:
                yield opened, edge, False
            yield edge, begin, True
            opened = begin
        edge = finish
    if opened < end:
        yield opened, end, False


def _find_quarters(stretch: Stretch, zone: tzinfo) -> Iterable[datetime]:
    local = stretch.start.astimezone(zone)
    past = timedelta(minutes=local.minute % QUARTER, seconds=local.second, microseconds=local.microsecond)
    instant = stretch.start - past + QUARTER * MINUTE
    while instant < stretch.end:
        yield instant
        instant += QUARTER * MINUTE
