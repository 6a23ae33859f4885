"""Days, slots, blocks and rows for the eye. Pure: sessions are plain objects here."""

from datetime import UTC, date, datetime, timedelta
from itertools import count
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest

from conference.viewing import Viewing
from schedule.agenda import (
    Neighbours,
    PeopleLine,
    build_agenda,
    find_neighbours,
    level_label,
    make_anchor,
)

BERLIN = ZoneInfo("Europe/Berlin")


def a_session(start: str = "", end: str = "", **values):
    """A session with wall-clock times of Berlin, "2030-05-06 10:00", or without a time."""
    begin, finish = (_instant(text) if text else None for text in (start, end))
    defaults = {"pk": next(_ids), "start": begin, "end": finish, "is_break": False, "track_id": None, "level": ""}
    return SimpleNamespace(**defaults | values)


_ids = count(1)


def _instant(text: str) -> datetime:
    """Read "2030-05-06 10:00", or with an offset, "2030-05-06 10:00+02:00"."""
    moment = datetime.fromisoformat(text)
    return (moment if moment.tzinfo else moment.replace(tzinfo=BERLIN)).astimezone(UTC)


def outline(agenda) -> list:
    """The days of an agenda with their slots: the wall-clock start and the sessions that begin then."""
    return [
        (str(day.date), [(f"{slot.start:%H:%M}", [row.session for row in slot.rows]) for slot in day.slots])
        for day in agenda.days
    ]


def build(*sessions, hour: int = 4, zone: ZoneInfo = BERLIN, matches=None):
    return build_agenda(sessions, Viewing(zone, hour, zone), matches)


# Days


@pytest.mark.parametrize(
    ("instant", "hour", "day"),
    [
        ("2030-05-06 04:00", 4, date(2030, 5, 6)),
        ("2030-05-06 03:59", 4, date(2030, 5, 5)),
        ("2030-05-06 00:00", 4, date(2030, 5, 5)),
        ("2030-05-06 00:00", 0, date(2030, 5, 6)),
        ("2030-05-06 23:59", 0, date(2030, 5, 6)),
        ("2030-05-06 11:59", 12, date(2030, 5, 5)),
        ("2030-01-01 01:00", 4, date(2029, 12, 31)),
        ("2026-03-29 03:00", 2, date(2026, 3, 29)),
        ("2026-03-29 01:59", 2, date(2026, 3, 28)),
        ("2026-10-25 02:30+02:00", 3, date(2026, 10, 24)),
        ("2026-10-25 02:30+01:00", 3, date(2026, 10, 24)),
        ("2026-10-25 03:00", 3, date(2026, 10, 25)),
    ],
)
def test_before_the_day_change_hour_it_is_still_the_day_before(instant, hour, day):
    assert Viewing(BERLIN, hour, BERLIN).find_day(_instant(instant)) == day


def test_sessions_stand_by_day_and_start_each_once():
    first = a_session("2030-05-06 09:00", "2030-05-06 09:30")
    beside = a_session("2030-05-06 09:00", "2030-05-06 10:00")
    party = a_session("2030-05-06 23:00", "2030-05-07 02:00")
    nightcap = a_session("2030-05-07 01:00", "2030-05-07 02:00")
    second_day = a_session("2030-05-07 09:00", "2030-05-07 10:00")
    agenda = build(first, beside, party, nightcap, second_day)
    assert outline(agenda) == [
        ("2030-05-06", [("09:00", [first, beside]), ("23:00", [party]), ("01:00", [nightcap])]),
        ("2030-05-07", [("09:00", [second_day])]),
    ]
    assert [row.session for row in agenda.rows] == [first, beside, party, nightcap, second_day]
    assert [(row.start_offset, row.end_offset) for row in agenda.rows] == [(0, 0), (0, 0), (0, 1), (1, 1), (0, 0)]
    assert [slot.start_offset for slot in agenda.slots] == [0, 0, 1, 0]


def test_a_session_of_several_days_stands_on_its_first_day():
    exhibition = a_session("2030-05-06 09:00", "2030-05-08 18:00")
    agenda = build(exhibition)
    assert outline(agenda) == [("2030-05-06", [("09:00", [exhibition])])]
    assert [(row.start_offset, row.end_offset, row.minutes) for row in agenda.rows] == [(0, 2, 57 * 60)]


def test_times_are_those_of_the_zone_asked_for():
    session = a_session("2030-05-06 09:00", "2030-05-06 10:00")
    agenda = build(session, zone=ZoneInfo("America/New_York"))
    assert outline(agenda) == [("2030-05-05", [("03:00", [session])])]


def test_sessions_without_a_time_stand_apart_and_last():
    known, unknown = a_session("2030-05-06 09:00", "2030-05-06 09:30"), a_session()
    agenda = build(known, unknown)
    assert outline(agenda) == [("2030-05-06", [("09:00", [known])])]
    assert [(row.session, row.start, row.end, row.is_match) for row in agenda.unscheduled] == [
        (unknown, None, None, True)
    ]
    assert [row.session for row in agenda.rows] == [known, unknown]


def test_an_empty_programme_is_an_empty_agenda():
    agenda = build()
    assert (agenda.days, agenda.unscheduled, agenda.rows, agenda.matching_days) == ([], [], [], [])


# Clock changes


def test_when_clocks_go_forward_a_session_lasts_what_passes():
    (row,) = build(a_session("2026-03-29 01:30", "2026-03-29 03:30"), hour=0).rows
    assert (f"{row.start:%H:%M}–{row.end:%H:%M}", row.minutes) == ("01:30–03:30", 60)


def test_when_clocks_go_back_a_session_lasts_what_passes():
    (row,) = build(a_session("2026-10-25 01:30+02:00", "2026-10-25 03:30+01:00"), hour=0).rows
    assert (f"{row.start:%H:%M}–{row.end:%H:%M}", row.minutes) == ("01:30–03:30", 180)


def test_when_clocks_go_back_two_equal_times_are_two_slots_an_hour_apart():
    first = a_session("2026-10-25 02:30+02:00", "2026-10-25 02:45+02:00")
    second = a_session("2026-10-25 02:30+01:00", "2026-10-25 02:45+01:00")
    agenda = build(first, second, hour=0)
    assert outline(agenda) == [("2026-10-25", [("02:30", [first]), ("02:30", [second])])]
    assert [slot.anchor for slot in agenda.slots] == ["t-20261025T0030Z", "t-20261025T0130Z"]
    assert [slot.begins_block for slot in agenda.slots] == [True, True]


def test_an_anchor_is_the_same_in_every_zone():
    instant = _instant("2030-05-06 09:00")
    assert make_anchor(instant.astimezone(BERLIN)) == make_anchor(instant) == "t-20300506T0700Z"


# Blocks


def blocks(*sessions) -> list[tuple[bool, bool]]:
    """Per slot: whether it begins a block, and whether a pause comes before it."""
    return [(slot.begins_block, slot.follows_pause) for slot in build(*sessions).slots]


def test_the_first_slot_of_a_day_begins_a_block_without_a_pause():
    sessions = [a_session(f"2030-05-0{day} 09:00", f"2030-05-0{day} 10:00") for day in (6, 7)]
    assert blocks(*sessions) == [(True, False), (True, False)]


@pytest.mark.parametrize(("start", "is_new_block"), [("10:19", False), ("10:20", True), ("09:59", False)])
def test_twenty_free_minutes_part_the_day_into_blocks(start, is_new_block):
    first = a_session("2030-05-06 09:00", "2030-05-06 10:00")
    assert blocks(first, a_session(f"2030-05-06 {start}", "2030-05-06 11:00")) == [
        (True, False),
        (is_new_block, is_new_block),
    ]


def test_nobody_is_free_while_a_longer_session_goes_on():
    long, short = a_session("2030-05-06 09:00", "2030-05-06 12:00"), a_session("2030-05-06 09:00", "2030-05-06 09:30")
    middle = a_session("2030-05-06 10:00", "2030-05-06 10:10")
    late = a_session("2030-05-06 11:30", "2030-05-06 12:10")
    assert blocks(long, short, middle, late) == [(True, False), (False, False), (False, False)]


def test_after_a_break_a_block_begins_without_a_second_dash():
    first = a_session("2030-05-06 09:00", "2030-05-06 10:00")
    tea = a_session("2030-05-06 10:00", "2030-05-06 10:30", is_break=True)
    second = a_session("2030-05-06 10:30", "2030-05-06 11:00")
    assert blocks(first, tea, second) == [(True, False), (False, False), (True, False)]


def test_a_free_hour_before_a_break_is_a_pause_too():
    first = a_session("2030-05-06 09:00", "2030-05-06 10:00")
    tea = a_session("2030-05-06 11:00", "2030-05-06 11:30", is_break=True)
    assert blocks(first, tea) == [(True, False), (False, True)]


def test_a_break_beside_a_session_does_not_make_the_slot_a_break():
    tea = a_session("2030-05-06 10:00", "2030-05-06 10:30", is_break=True)
    talk = a_session("2030-05-06 10:00", "2030-05-06 10:30")
    (slot,) = build(tea, talk).slots
    assert (slot.is_break, [r.session for r in slot.breaks], [r.session for r in slot.sessions]) == (
        False,
        [tea],
        [talk],
    )
    assert [row.session for row in slot.bars] == [talk]
    (lonely,) = build(tea).slots
    assert (lonely.is_break, lonely.bars, lonely.sessions) == (True, [], [])


# The filter's answer


def test_what_the_filter_leaves_out_stays_in_the_agenda_as_no_match():
    kept = a_session("2030-05-06 09:00", "2030-05-06 09:30")
    tea = a_session("2030-05-06 09:00", "2030-05-06 09:30", is_break=True)
    out = a_session("2030-05-07 09:00", "2030-05-07 09:30")
    unknown = a_session()
    agenda = build(kept, tea, out, unknown, matches=frozenset([kept.pk]))
    assert [row.is_match for row in agenda.rows] == [True, False, False, False]
    first, second = agenda.slots
    assert ([row.session for row in first.sessions], first.breaks, first.has_match) == ([kept], [], True)
    assert (second.sessions, second.has_match) == ([], False)
    assert [str(day.date) for day in agenda.matching_days] == ["2030-05-06"]
    assert [day.matching_slots for day in agenda.days] == [[first], []]


def test_a_filter_without_a_match_differs_from_no_filter():
    session = a_session("2030-05-06 09:00", "2030-05-06 09:30")
    assert [row.is_match for row in build(session, matches=frozenset()).rows] == [False]
    assert [row.is_match for row in build(session, matches=None).rows] == [True]


# Bars of the rail


def test_up_to_six_bars_stand_in_room_order():
    sessions = [a_session("2030-05-06 09:00", "2030-05-06 09:30", track_id=n % 2) for n in range(6)]
    (slot,) = build(*sessions).slots
    assert [row.session for row in slot.bars] == sessions


def test_over_six_the_bars_are_six_shared_out_by_track():
    sessions = [a_session("2030-05-06 09:00", "2030-05-06 09:30", track_id=n % 2 or None) for n in range(12)]
    (slot,) = build(*sessions).slots
    assert [row.session.track_id for row in slot.bars] == [None, None, None, 1, 1, 1]
    (slot,) = build(*sessions, matches={s.pk for s in sessions if s.track_id}).slots
    assert [row.session.track_id for row in slot.bars] == [1, 1, 1, None, None, None]
    (slot,) = build(*sessions[:7], matches={sessions[1].pk}).slots
    assert [row.is_match for row in slot.bars] == [True, False, False, False, False, False]


# People and levels


def people_line(*people) -> PeopleLine:
    links = [SimpleNamespace(speaker=SimpleNamespace(name=name, affiliation=place)) for name, place in people]
    return PeopleLine.of(SimpleNamespace(session_speakers=SimpleNamespace(all=lambda: links)))


@pytest.mark.parametrize(
    ("people", "line"),
    [
        ([], PeopleLine([], "", 0)),
        ([("Ada", "Sea")], PeopleLine([("Ada", "")], "Sea", 0)),
        ([("Ada", "")], PeopleLine([("Ada", "")], "", 0)),
        ([("Ada", "Sea"), ("Bo", "Sea")], PeopleLine([("Ada", ""), ("Bo", "")], "Sea", 0)),
        ([("Ada", "Sea"), ("Bo", "Ice")], PeopleLine([("Ada", "Sea"), ("Bo", "Ice")], "", 0)),
        ([("Ada", "Sea"), ("Bo", "")], PeopleLine([("Ada", "Sea"), ("Bo", "")], "", 0)),
        ([(n, "Sea") for n in "ABCD"], PeopleLine([(n, "") for n in "ABCD"], "Sea", 0)),
        ([(n, "Sea") for n in "ABCDE"], PeopleLine([(n, "") for n in "ABC"], "Sea", 2)),
        (
            [(n, "Sea") for n in "ABCDE"] + [("F", "Ice")],
            PeopleLine([(n, "Sea") for n in "ABC"], "", 3),
        ),
    ],
)
def test_a_shared_company_is_said_once_and_over_four_people_are_three_and_a_number(people, line):
    assert people_line(*people) == line


@pytest.mark.parametrize(
    ("level", "label"), [("Any", "All levels"), ("ALL", "All levels"), ("Beginner", "Beginner"), ("", "")]
)
def test_any_level_is_said_as_all_levels(level, label):
    assert level_label(level) == label
    (row,) = build(a_session(level=level)).rows
    assert row.level_label == label


# Neighbours


def place(pk: int, start: str, end: str, room_id: int | None):
    return SimpleNamespace(
        pk=pk, start=_instant(f"2030-05-06 {start}"), end=_instant(f"2030-05-06 {end}"), room_id=room_id
    )


def test_neighbours_are_before_and_after_in_the_programme_and_in_the_room_and_at_the_same_time():
    programme = [
        place(1, "09:00", "10:00", 1),
        place(2, "09:00", "10:30", 2),
        place(3, "10:00", "11:00", 1),
        place(4, "10:00", "10:30", 2),
        place(5, "11:00", "12:00", 2),
        place(6, "11:00", "12:00", 1),
    ]
    assert find_neighbours(programme, programme[2]) == Neighbours(2, 4, 1, 6, [2, 4])
    assert find_neighbours(programme, programme[0]) == Neighbours(None, 2, None, 3, [2])
    assert find_neighbours(programme, programme[5]) == Neighbours(5, None, 3, None, [5])
    assert find_neighbours(programme, programme[2]).ids == {1, 2, 4, 6}


def test_sessions_that_only_touch_are_not_at_the_same_time():
    first, second = place(1, "09:00", "10:00", 1), place(2, "10:00", "11:00", 2)
    assert (find_neighbours([first, second], first).parallel, find_neighbours([first, second], second).parallel) == (
        [],
        [],
    )


def test_a_session_for_all_rooms_has_no_room_of_its_own_to_follow_in():
    programme = [place(1, "09:00", "09:30", None), place(2, "10:00", "11:00", 1), place(3, "11:00", "12:00", None)]
    assert find_neighbours(programme, programme[2]) == Neighbours(2, None, None, None, [])


def test_a_session_without_a_time_has_no_neighbours():
    programme = [place(1, "09:00", "10:00", None)]
    alone = SimpleNamespace(pk=9, start=None, end=None, room_id=None)
    assert find_neighbours(programme, alone) == Neighbours(None, None, None, None, [])


def test_a_length_is_in_whole_minutes():
    session = a_session("2030-05-06 09:00", "2030-05-06 09:30")
    session.end += timedelta(seconds=29)
    assert [row.minutes for row in build(session).rows] == [30]
