"""A day as rooms × time: an agenda's day in; columns, blocks, folds and marks of the axis out. Pure."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, tzinfo
from itertools import groupby

from schedule.agenda import Day, Row, make_anchor
from schedule.timescale import Mark, Place, TimeScale, end_of, overlap, start_of

# From this many minutes on there is room for a time with a title below, or for two lines (look.md §7).
TALL = 14
SHORT = 9
# On paper, a longer day has no room for the words at every quarter.
LONG_DAY = 900
# The least width of a lane, when sessions stand side by side, in that of a column.
WIDTH_OF_LANE = 0.75


@dataclass(frozen=True, slots=True)
class Column:
    """One room (None: sessions without one) and the most sessions that stand side by side in it."""

    room: object | None
    session_count: int
    lanes: int = 1

    @property
    def weight(self) -> float:
        """Its least width, in that of an ordinary column."""
        return max(1, self.lanes * WIDTH_OF_LANE)


@dataclass(frozen=True, slots=True)
class Block:
    """One session in the grid: from `column` on over `span` columns, in lane `lane` of `lanes` there.

    `is_in_fold`: a break with nothing beside it, whose time is folded; `is_cut`: it goes on after the day's end;
    `is_placeless`: nobody has said yet where.
    """

    row: Row
    column: int
    span: int
    place: Place
    size: Place
    lane: int = 0
    lanes: int = 1
    is_in_fold: bool = False
    is_cut: bool = False
    is_placeless: bool = False

    @property
    def variant(self) -> str:
        """What there is room for: everything ("tall"), time and title ("short"), or one line ("brief")."""
        if self.size.minutes >= TALL:
            return "tall"
        return "short" if self.size.minutes >= SHORT else "brief"


@dataclass(frozen=True, slots=True)
class Fold:
    """Folded time that no break fills. `start` and `end` are in the viewing's zone.

    `is_labelled` unless a break that goes on into open time stands in it.
    """

    start: datetime
    end: datetime
    minutes: int
    place: Place
    lines: int
    is_labelled: bool = True


@dataclass(frozen=True, slots=True)
class Moment:
    """The blocks that begin at one time, by column: the grid is read aloud moment by moment."""

    start: datetime
    start_offset: int
    blocks: list[Block]

    @property
    def anchor(self) -> str:
        return make_anchor(self.start)

    @property
    def place(self) -> Place:
        return self.blocks[0].place


@dataclass(frozen=True, slots=True)
class GridDay:
    """One day, laid out. `size` is its whole length."""

    date: date
    columns: list[Column]
    moments: list[Moment]
    folds: list[Fold]
    marks: list[Mark]
    size: Place

    @property
    def is_long(self) -> bool:
        return self.size.minutes > LONG_DAY

    @property
    def blocks(self) -> list[Block]:
        return [block for moment in self.moments for block in moment.blocks]


def find_rooms(rows: Iterable[Row]) -> list:
    """Return the rooms in which `rows` hold more than breaks, in the organiser's order."""
    rooms = {row.session.room.pk: row.session.room for row in rows if row.session.room and not row.session.is_break}
    return sorted(rooms.values(), key=lambda room: (room.position, room.pk))


def build_grid_day(day: Day, room_slugs: Collection[str] = ()) -> GridDay | None:
    """Lay `day` out in the rooms with these slugs, all that it uses when there are none; None if nothing is left.

    Sessions without a room span all columns where nothing else runs; else their place is not known yet, and
    they stand in a last column. Breaks span what is free. A room that holds breaks only is no column.
    """
    rows = [row for slot in day.slots for row in slot.rows]
    rooms = find_rooms(rows)
    shown = [room for room in rooms if room.slug in room_slugs] if room_slugs else rooms
    crowd = _Crowd.of(rows, rooms, shown)
    if not crowd.rows or (room_slugs and not shown):
        return None
    scale = TimeScale.of(crowd.rows)
    blocks = _place_all(crowd, scale)
    zone = rows[0].viewing.zone
    return GridDay(
        day.date,
        _build_columns(shown, blocks),
        _build_moments(blocks),
        _build_folds(scale, blocks, zone),
        scale.build_marks(zone),
        scale.size,
    )


@dataclass(frozen=True, slots=True)
class _Crowd:
    """The rows of a day by where they belong: in a column, over all of them, in the last; breaks where is room."""

    rooms: list
    in_rooms: list[Row]
    everywhere: list[Row]
    placeless: list[Row]
    breaks: list[Row]

    @classmethod
    def of(cls, rows: list[Row], rooms: list, shown: list) -> "_Crowd":
        """Sort the rows of a day whose columns are `rooms`, of which those in `shown` are wanted."""
        columns, wanted = {room.pk for room in rooms}, {room.pk for room in shown}
        crowd = cls(shown, [], [], [], [])
        in_columns = [row for row in rows if _has_column(row, columns)]
        roomless = [row for row in rows if not row.session.is_break and not _has_column(row, columns)]
        # A registration desk beside the talks is in nobody's way; of the rest, two at once can't both have all rooms.
        alone = [row for row in roomless if not _has_beside(row, in_columns)]
        for row in rows:
            if _has_column(row, columns):
                if row.session.room.pk in wanted:
                    crowd.in_rooms.append(row)
            elif row.session.is_break:
                crowd.breaks.append(row)
            elif row in alone and not _has_beside(row, alone):
                crowd.everywhere.append(row)
            elif len(wanted) == len(columns):
                crowd.placeless.append(row)
        return crowd

    @property
    def rows(self) -> list[Row]:
        return [*self.in_rooms, *self.everywhere, *self.placeless, *self.breaks]


def _has_beside(row: Row, others: list[Row]) -> bool:
    return any(other is not row and overlap(row, other) for other in others)


def _has_column(row: Row, columns: set[int]) -> bool:
    return row.session.room is not None and row.session.room.pk in columns


def _place_all(crowd: _Crowd, scale: TimeScale) -> list[Block]:
    """Return a block for every row: breaks in folds, then columns, then what spans them, then the rest."""
    width = max(1, len(crowd.rooms))
    blocks = _place_in_folds([row for row in crowd.rows if row.session.is_break], scale, width)
    folded = {id(block.row) for block in blocks}
    if not crowd.rooms:
        return blocks + _place_in_lanes([row for row in crowd.rows if id(row) not in folded], scale, 0)
    in_rooms, breaks = ([row for row in rows if id(row) not in folded] for rows in (crowd.in_rooms, crowd.breaks))
    for column, room in enumerate(crowd.rooms):
        blocks += _place_in_lanes([row for row in in_rooms if row.session.room.pk == room.pk], scale, column)
    solid = [*in_rooms, *crowd.everywhere, *crowd.placeless]
    free = [row for row in breaks if not _has_beside(row, solid)]
    blocks += _place_in_lanes([*crowd.everywhere, *free], scale, 0, width)
    placeless = list(crowd.placeless)
    for row in breaks:
        if row in free:
            continue
        column, span = _find_free_run(row, blocks, len(crowd.rooms))
        if span:
            blocks += _place_in_lanes([row], scale, column, span)
        else:
            placeless.append(row)
    last = _place_in_lanes(placeless, scale, len(crowd.rooms))
    return blocks + [replace(block, is_placeless=True) for block in last]


def _place_in_folds(breaks: list[Row], scale: TimeScale, width: int) -> list[Block]:
    """Share every fold out equally among the breaks in it: true lengths are what a fold gives up.

    Where a break goes on into open time, the others stand beside it as in open time.
    """
    blocks = []
    for fold in scale.folds:
        if any(fold.meets(row) and not fold.holds(row) for row in breaks):
            continue
        inside = sorted((row for row in breaks if fold.holds(row)), key=lambda row: (start_of(row), end_of(row)))
        for number, row in enumerate(inside):
            share = fold.lines / len(inside)
            place = Place(fold.place.minutes, fold.place.lines + number * share)
            blocks.append(Block(row, 0, width, place, Place(0, share), is_in_fold=True))
    return blocks


def _place_in_lanes(rows: list[Row], scale: TimeScale, column: int, span: int = 1) -> list[Block]:
    """Place rows in one column, those that run at the same time side by side in as few lanes as they need."""
    blocks = []
    for group in _cluster(sorted(rows, key=start_of)):
        busy_until: list[datetime] = []
        lanes = []
        for row in group:
            lane = next((n for n, end in enumerate(busy_until) if end <= start_of(row)), len(busy_until))
            busy_until[lane : lane + 1] = [end_of(row)]
            lanes.append(lane)
        for row, lane in zip(group, lanes, strict=True):
            place, size = scale.measure(row)
            is_cut = end_of(row) > scale.end
            blocks.append(Block(row, column, span, place, size, lane, len(busy_until), is_cut=is_cut))
    return blocks


def _cluster(rows: list[Row]) -> Iterable[list[Row]]:
    """Part rows (by start) wherever everything before has ended."""
    group: list[Row] = []
    for row in rows:
        if group and start_of(row) >= max(map(end_of, group)):
            yield group
            group = []
        group.append(row)
    if group:
        yield group


def _find_free_run(row: Row, blocks: list[Block], width: int) -> tuple[int, int]:
    """Return (column, span) of the widest run of columns in which nothing else runs during `row`; span 0: none."""
    beside = [block for block in blocks if overlap(block.row, row)]
    taken = {column for block in beside for column in range(block.column, block.column + block.span)}
    best = (0, 0)
    for is_taken, group in groupby(range(width), key=taken.__contains__):
        run = list(group)
        if not is_taken and len(run) > best[1]:
            best = (run[0], len(run))
    return best


def _build_columns(rooms: list, blocks: list[Block]) -> list[Column]:
    """Return the columns of these rooms, and one without a room where any block needs it."""
    has_last = not rooms or any(block.column == len(rooms) for block in blocks)
    columns = []
    for index, room in enumerate([*rooms, None] if has_last else rooms):
        here = [block for block in blocks if block.column == index and block.span == 1 and not block.is_in_fold]
        count = sum(1 for block in here if not block.row.session.is_break)
        columns.append(Column(room, count, max((block.lanes for block in here), default=1)))
    return columns


def _build_moments(blocks: list[Block]) -> list[Moment]:
    ordered = sorted(blocks, key=lambda block: (start_of(block.row), block.column, block.lane))
    groups = [list(group) for _instant, group in groupby(ordered, key=lambda block: start_of(block.row))]
    return [Moment(group[0].row.start, group[0].row.start_offset, group) for group in groups]


def _build_folds(scale: TimeScale, blocks: list[Block], zone: tzinfo) -> list[Fold]:
    folds = []
    for fold in scale.folds:
        breaks = [block for block in blocks if fold.meets(block.row)]
        if not any(block.is_in_fold for block in breaks):
            start, end = fold.start.astimezone(zone), fold.end.astimezone(zone)
            folds.append(Fold(start, end, round(fold.minutes), fold.place, fold.lines, not breaks))
    return folds
