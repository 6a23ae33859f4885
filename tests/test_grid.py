"""The grid: columns, blocks at true length, lanes, folds and marks; and its page. The layout is pure."""

from datetime import UTC, datetime, timedelta
from itertools import count, pairwise
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conference.viewing import Viewing
from schedule.agenda import build_agenda
from schedule.grid import build_grid_day, find_rooms
from schedule.templatetags.measures import as_columns, as_length, as_top, as_tracks
from schedule.timescale import Place, TimeScale

BERLIN = ZoneInfo("Europe/Berlin")
AULA, BOAT, CELLAR, FOYER = (
    SimpleNamespace(pk=n, position=n, name=name, slug=name.lower())
    for n, name in enumerate(("Aula", "Boat", "Cellar", "Foyer"), start=1)
)
_ids = count(1)


def a_session(title: str, start: str, end: str, room=None, is_break: bool = False):
    """A session with wall-clock times of Berlin, "09:00" on 6 May 2030 or "2030-05-07 01:00", or with an offset."""
    return SimpleNamespace(
        pk=next(_ids), title=title, start=_instant(start), end=_instant(end), room=room, is_break=is_break
    )


def a_break(title: str, start: str, end: str, room=None):
    return a_session(title, start, end, room, is_break=True)


def _instant(text: str) -> datetime:
    moment = datetime.fromisoformat(text if "-" in text else f"2030-05-06 {text}")
    return (moment if moment.tzinfo else moment.replace(tzinfo=BERLIN)).astimezone(UTC)


def lay_out(*sessions, rooms=(), zone: ZoneInfo = BERLIN):
    """The grid of the one day that `sessions` are on, in the order a queryset gives them."""
    in_order = sorted(sessions, key=lambda s: (s.start, s.room.position if s.room else 0, s.pk))
    (day,) = build_agenda(in_order, Viewing(BERLIN, 4, zone)).days
    return build_grid_day(day, rooms)


def places(grid) -> list:
    """Every block as (title, column, span, minutes above, lines above, minutes, lines)."""
    return [
        (b.row.session.title, b.column, b.span, b.place.minutes, b.place.lines, b.size.minutes, b.size.lines)
        for b in grid.blocks
    ]


def lanes(grid) -> dict[str, tuple[int, int]]:
    return {block.row.session.title: (block.lane, block.lanes) for block in grid.blocks}


def names(grid) -> list[str]:
    return [column.room.name if column.room else "" for column in grid.columns]


# Lengths and columns


def test_a_block_stands_in_the_column_of_its_room_and_is_as_long_as_its_session():
    grid = lay_out(
        a_session("Opening", "09:00", "09:10", AULA),
        a_session("Tides", "09:10", "09:35", AULA),
        a_session("Sand", "09:20", "10:00", BOAT),
    )
    assert names(grid) == ["Aula", "Boat"]
    assert [column.session_count for column in grid.columns] == [2, 1]
    assert places(grid) == [
        ("Opening", 0, 1, 0, 0, 10, 0),
        ("Tides", 0, 1, 10, 0, 25, 0),
        ("Sand", 1, 1, 20, 0, 40, 0),
    ]
    assert grid.size == Place(60, 0)


def test_columns_follow_the_organisers_order_of_rooms():
    grid = lay_out(a_session("A", "09:00", "10:00", CELLAR), a_session("B", "09:00", "10:00", AULA))
    assert names(grid) == ["Aula", "Cellar"]


@pytest.mark.parametrize(
    ("minutes", "variant"), [(1, "brief"), (8, "brief"), (9, "short"), (13, "short"), (14, "tall"), (90, "tall")]
)
def test_what_a_block_has_room_for_follows_from_its_length(minutes, variant):
    end = f"{9 + minutes // 60:02}:{minutes % 60:02}"
    assert [block.variant for block in lay_out(a_session("A", "09:00", end, AULA)).blocks] == [variant]


def test_sessions_at_once_in_one_room_stand_side_by_side_in_as_few_lanes_as_they_need():
    grid = lay_out(
        a_session("One", "09:00", "10:00", AULA),
        a_session("Two", "09:15", "09:30", AULA),
        a_session("Three", "09:30", "09:45", AULA),
        a_session("Four", "09:35", "10:15", AULA),
        a_session("Alone", "10:15", "10:30", AULA),
    )
    assert lanes(grid) == {"One": (0, 3), "Two": (1, 3), "Three": (1, 3), "Four": (2, 3), "Alone": (0, 1)}
    assert [(column.lanes, column.weight) for column in grid.columns] == [(3, 2.25)]


def test_a_session_without_a_room_spans_all_of_them_when_nothing_else_runs():
    grid = lay_out(
        a_session("Plenary", "09:00", "09:30"),
        a_session("A", "09:30", "10:00", AULA),
        a_session("B", "09:30", "10:00", BOAT),
    )
    assert (names(grid), places(grid)[0][:3]) == (["Aula", "Boat"], ("Plenary", 0, 2))


def test_a_session_without_a_room_beside_others_has_no_place_yet_and_stands_in_a_last_column():
    grid = lay_out(
        a_session("Desk", "08:30", "12:00"),
        a_session("Plenary", "08:45", "09:00"),
        a_session("A", "09:00", "10:00", AULA),
        a_session("Walk", "09:30", "10:00"),
    )
    assert names(grid) == ["Aula", ""]
    assert [(title, column, span) for title, column, span, *_rest in places(grid)] == [
        ("Desk", 1, 1),
        ("Plenary", 0, 1),
        ("A", 0, 1),
        ("Walk", 1, 1),
    ]
    assert [block.row.session.title for block in grid.blocks if block.is_placeless] == ["Desk", "Walk"]
    assert lanes(grid) == {"Desk": (0, 2), "Plenary": (0, 1), "A": (0, 1), "Walk": (1, 2)}


def test_a_programme_without_rooms_has_one_column():
    grid = lay_out(a_session("A", "09:00", "09:30"), a_session("B", "09:30", "10:00"))
    assert (names(grid), [place[:3] for place in places(grid)]) == ([""], [("A", 0, 1), ("B", 0, 1)])


def test_picked_rooms_are_the_columns_and_only_what_is_in_them_or_everywhere_stays():
    sessions = [
        a_session("Plenary", "09:00", "09:30"),
        a_session("A", "09:30", "10:00", AULA),
        a_session("B", "09:30", "11:00", BOAT),
        a_session("Desk", "09:30", "11:00"),
        a_break("Coffee", "10:00", "10:30", FOYER),
        a_session("C", "10:30", "11:00", AULA),
    ]
    grid = lay_out(*sessions, rooms=["aula"])
    assert (names(grid), [block.row.session.title for block in grid.blocks]) == (
        ["Aula"],
        ["Plenary", "A", "Coffee", "C"],
    )
    assert grid.size == Place(90, 2)
    assert lay_out(*sessions, rooms=["cellar"]) is None


def test_a_room_that_holds_breaks_only_is_no_column():
    rows = build_agenda(
        [a_break("Coffee", "10:00", "10:30", FOYER), a_session("A", "10:30", "11:00", BOAT)], Viewing(BERLIN, 4, BERLIN)
    ).rows
    assert find_rooms(rows) == [BOAT]


# Folds and breaks


def test_only_time_of_twenty_minutes_and_more_without_sessions_is_folded():
    grid = lay_out(
        a_session("A", "09:00", "09:30", AULA),
        a_session("B", "09:49", "10:00", AULA),
        a_session("C", "10:20", "10:30", BOAT),
    )
    assert places(grid) == [("A", 0, 1, 0, 0, 30, 0), ("B", 0, 1, 49, 0, 11, 0), ("C", 1, 1, 60, 2, 10, 0)]
    assert [(f"{f.start:%H:%M}", f"{f.end:%H:%M}", f.minutes, f.place, f.lines) for f in grid.folds] == [
        ("10:00", "10:20", 20, Place(60, 0), 2)
    ]


def test_a_break_fills_the_fold_in_which_it_lies_over_all_columns():
    grid = lay_out(
        a_session("A", "09:00", "09:30", AULA),
        a_session("B", "09:00", "09:30", BOAT),
        a_break("Coffee", "09:35", "10:00", FOYER),
        a_session("C", "10:00", "10:30", AULA),
    )
    assert places(grid)[2] == ("Coffee", 0, 2, 30, 0, 0, 2)
    assert ([block.is_in_fold for block in grid.blocks], grid.folds) == ([False, False, True, False], [])


def test_several_breaks_share_a_fold_that_has_a_line_for_each():
    grid = lay_out(
        a_session("A", "11:30", "12:00", AULA),
        a_break("Lunch", "12:00", "13:00"),
        a_break("Vegan lunch", "12:00", "12:45", BOAT),
        a_break("Dessert", "12:45", "13:00"),
        a_session("B", "13:00", "13:30", AULA),
    )
    assert places(grid)[1:4] == [
        ("Vegan lunch", 0, 1, 30, 0, 0, 1),
        ("Lunch", 0, 1, 30, 1, 0, 1),
        ("Dessert", 0, 1, 30, 2, 0, 1),
    ]
    assert grid.size == Place(60, 3)


def test_a_break_beside_a_session_takes_the_columns_that_are_free_at_true_length():
    grid = lay_out(
        a_session("A", "09:00", "09:30", AULA),
        a_session("B", "09:00", "10:30", BOAT),
        a_session("C", "09:00", "09:30", CELLAR),
        a_break("Coffee", "09:30", "09:45"),
    )
    assert places(grid)[-1] == ("Coffee", 0, 1, 30, 0, 15, 0)


def test_a_break_that_finds_no_column_free_stands_in_the_last():
    grid = lay_out(a_session("A", "09:00", "10:00", AULA), a_break("Coffee", "09:30", "09:45"))
    assert (names(grid), places(grid)[-1][:3]) == (["Aula", ""], ("Coffee", 1, 1))


def test_a_break_that_runs_on_into_open_time_crosses_the_fold_and_leaves_it_without_words():
    grid = lay_out(
        a_session("A", "09:00", "09:30", AULA),
        a_break("Brunch", "09:30", "10:30"),
        a_session("B", "10:00", "10:30", BOAT),
    )
    assert places(grid)[1] == ("Brunch", 0, 1, 30, 0, 30, 2)
    assert [fold.is_labelled for fold in grid.folds] == [False]


# Time


def test_the_axis_marks_quarters_hours_and_the_edges_of_open_time_and_leaves_out_words_that_would_touch():
    grid = lay_out(a_session("A", "08:50", "09:36", AULA), a_session("B", "10:30", "10:35", AULA))
    assert [(f"{m.time:%H:%M}", m.place, m.is_strong, m.is_labelled, m.is_line) for m in grid.marks] == [
        ("08:50", Place(0), True, True, False),
        ("09:00", Place(10), True, True, True),
        ("09:15", Place(25), False, True, True),
        ("09:30", Place(40), False, False, True),
        ("09:36", Place(46), False, True, False),
        ("10:30", Place(46, 2), True, True, False),
        ("10:35", Place(51, 2), False, False, False),
    ]


def test_a_clock_change_lengthens_nothing_and_the_axis_says_what_the_clock_on_the_wall_says():
    grid = lay_out(
        a_session("Night", "2026-10-25 01:30", "2026-10-25 02:30+01:00", AULA),
        a_session("Dawn", "2026-10-25 02:30+01:00", "2026-10-25 03:00", BOAT),
    )
    assert places(grid) == [("Night", 0, 1, 0, 0, 120, 0), ("Dawn", 1, 1, 120, 0, 30, 0)]
    assert [f"{mark.time:%H:%M}" for mark in grid.marks] == [
        *("01:30", "01:45", "02:00", "02:15", "02:30", "02:45", "02:00", "02:15", "02:30", "02:45", "03:00")
    ]


def test_in_another_zone_the_axis_reads_that_zones_clocks():
    grid = lay_out(a_session("A", "09:05", "09:35", AULA), zone=ZoneInfo("Asia/Kathmandu"))
    assert [f"{mark.time:%H:%M}" for mark in grid.marks] == ["12:50", "13:00", "13:15", "13:20"]


def test_a_session_over_midnight_stands_whole_under_the_day_on_which_it_begins():
    grid = lay_out(a_session("A", "20:00", "23:00", AULA), a_session("Party", "22:00", "2030-05-07 05:00", BOAT))
    assert places(grid)[1] == ("Party", 1, 1, 120, 0, 420, 0)
    assert [(b.row.end_offset, b.is_cut) for b in grid.blocks] == [(0, False), (1, False)]


def test_what_goes_on_for_days_is_cut_after_a_day():
    grid = lay_out(a_session("Arcade", "10:00", "2030-05-08 10:00", AULA), a_session("A", "11:00", "11:30", BOAT))
    assert places(grid)[0] == ("Arcade", 0, 1, 0, 0, 24 * 60, 0)
    assert ([block.is_cut for block in grid.blocks], grid.is_long) == ([True, False], True)


def test_moments_go_by_time_and_their_blocks_by_column():
    grid = lay_out(
        a_session("Late", "10:00", "10:30", AULA),
        a_session("Walk", "09:00", "10:30"),
        a_session("B", "09:00", "10:00", BOAT),
        a_session("A", "09:00", "10:00", AULA),
    )
    assert [(f"{m.start:%H:%M}", m.anchor, [b.row.session.title for b in m.blocks]) for m in grid.moments] == [
        ("09:00", "t-20300506T0700Z", ["A", "B", "Walk"]),
        ("10:00", "t-20300506T0800Z", ["Late"]),
    ]


# What holds of every day


@st.composite
def days(draw) -> list:
    """Sessions and breaks of one day: in three rooms, a foyer or none, from 04:00 on, of 1 min to 30 h."""
    sessions = []
    for number in range(draw(st.integers(1, 14))):
        start = _instant("04:00") + timedelta(minutes=draw(st.integers(0, 60 * 23)))
        minutes = draw(st.one_of(st.integers(1, 120), st.integers(120, 1800)))
        session = a_session(f"S{number}", "09:00", "10:00", draw(st.sampled_from([AULA, BOAT, CELLAR, FOYER, None])))
        session.is_break = session.room is FOYER or draw(st.booleans())
        session.start, session.end = start, start + timedelta(minutes=minutes)
        sessions.append(session)
    return sessions


@given(days())
def test_every_session_of_a_day_stands_exactly_once_in_order_of_time_then_column(sessions):
    grid = lay_out(*sessions)
    assert sorted(block.row.session.pk for block in grid.blocks) == sorted(s.pk for s in sessions)
    order = [(block.row.start.astimezone(UTC), block.column, block.lane) for block in grid.blocks]
    assert order == sorted(order)


def _area(block) -> tuple[float, float, float, float]:
    """Left, right, top and bottom of a block, where a column is one wide and a line counts as 10 minutes."""
    left = block.column + block.span * block.lane / block.lanes
    top = block.place.minutes + 10 * block.place.lines
    return left, left + block.span / block.lanes, top, top + block.size.minutes + 10 * block.size.lines


@given(days())
def test_no_block_lies_over_another(sessions):
    areas = [_area(block) for block in lay_out(*sessions).blocks]
    tiny = 1e-6
    over = [
        (one, other)
        for number, one in enumerate(areas)
        for other in areas[number + 1 :]
        if one[0] < other[1] - tiny and other[0] < one[1] - tiny
        and one[2] < other[3] - tiny and other[2] < one[3] - tiny
    ]  # fmt: skip
    assert over == []


@given(days())
def test_a_session_is_as_high_as_it_is_long_and_only_breaks_are_folded(sessions):
    grid = lay_out(*sessions)
    wrong = [
        block
        for block in grid.blocks
        if not block.row.session.is_break
        and not block.is_cut
        and (abs(block.size.minutes - block.row.minutes) > 1e-6 or abs(block.size.lines) > 1e-6)
    ]
    assert wrong == []
    assert all(block.row.session.is_break for block in grid.blocks if block.is_in_fold)


@given(days())
def test_the_time_scale_has_no_gaps_and_no_two_folds_or_open_stretches_in_a_row(sessions):
    rows = build_agenda(sessions, Viewing(BERLIN, 4, BERLIN)).rows
    stretches = TimeScale.of(rows).stretches
    assert [(one.end, one.find_place(one.end)) for one in stretches[:-1]] == [
        (other.start, other.place) for other in stretches[1:]
    ]
    assert [bool(one.lines) for one in stretches] == [
        bool(stretches[0].lines) ^ bool(number % 2) for number in range(len(stretches))
    ]
    assert all(fold.minutes >= 20 for fold in stretches if fold.lines)


@given(days())
def test_the_axis_only_goes_down(sessions):
    marks = lay_out(*sessions).marks
    assert all(
        one.place.minutes <= other.place.minutes and one.place.lines <= other.place.lines
        for one, other in pairwise(marks)
    )


# Measures


def test_measures_are_plain_numbers_in_every_language(settings):
    settings.LANGUAGE_CODE = "de"
    assert (as_top(Place(12.5, 2)), as_length(Place(90, 1 / 3))) == (
        "--at: 12.5; --above: 2",
        "--for: 90; --lines: 0.33",
    )
    grid = lay_out(
        *(a_session(f"S{n}", "09:00", "10:00", AULA) for n in range(3)), a_session("B", "09:00", "10:00", BOAT)
    )
    assert [as_columns(block) for block in grid.blocks] == [
        "--column: 0; --span: 1; --lane: 0; --lanes: 3",
        "--column: 0; --span: 1; --lane: 1; --lanes: 3",
        "--column: 0; --span: 1; --lane: 2; --lanes: 3",
        "--column: 1; --span: 1",
    ]
    assert as_tracks(grid) == (
        "--columns: 2; --weight: 3.25; "
        "--tracks: minmax(calc(var(--least) * 2.25), 1fr) minmax(calc(var(--least) * 1), 1fr)"
    )
