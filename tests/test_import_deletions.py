"""Whom and what a person deleted here: they stay away until somebody asks for them."""

import pytest

from schedule.importing import ImportOptions, Source, import_schedule
from schedule.importing.history import bury, roll_back_run
from schedule.models import ImportRun, Session, SessionSpeaker, Tombstone
from speakers.models import Speaker
from tests.factories import make_event
from tests.test_import import HEAD, pause, schedule, talk

pytestmark = pytest.mark.django_db

WAVES = talk("Waves", "Bo Lima", start="12:00", end="12:30")
RESTORE = ImportOptions(restore=True)


def delete_person(name: str) -> None:
    SessionSpeaker.objects.filter(speaker__name=name).delete()
    Speaker.objects.get(name=name).delete()


def cast() -> list[tuple[str, list[str]]]:
    """Every session by start with its people, and last the people without one."""
    sessions = Session.objects.with_people().in_order()
    found = [(s.title, [link.speaker.name for link in s.session_speakers.all()]) for s in sessions]
    return [*found, ("", list(Speaker.objects.filter(sessions=None).values_list("name", flat=True)))]


# People


def test_a_person_deleted_by_hand_stays_deleted_until_they_are_restored():
    source = schedule(talk(), WAVES)
    import_schedule([source])
    delete_person("Ana Reis")
    for _run in range(3):
        report = import_schedule([source])
        assert (report.has_changes, report.events[0].kept) == (False, [])
        assert cast() == [("Tides", []), ("Waves", ["Bo Lima"]), ("", [])]
    import_schedule([source], options=RESTORE)
    assert cast() == [("Tides", ["Ana Reis"]), ("Waves", ["Bo Lima"]), ("", [])]
    assert not import_schedule([source]).has_changes


def test_a_person_deleted_by_hand_comes_back_with_another_session_only_and_the_report_says_so():
    import_schedule([schedule(talk(), WAVES)])
    delete_person("Ana Reis")
    source = schedule(talk(), WAVES, talk("Sand", start="15:00", end="15:30"))
    report = import_schedule([source])
    assert [(p.message, p.line, p.text) for p in report.problems if "deleted" in p.message] == [
        ("Ana Reis was deleted here, and is added again for another session", 24, "Ana Reis")
    ]
    assert cast() == [("Tides", []), ("Waves", ["Bo Lima"]), ("Sand", ["Ana Reis"]), ("", [])]
    again = import_schedule([source])
    assert (again.has_changes, again.events[0].kept, [p for p in again.problems if "deleted" in p.message]) == (
        False,
        [],
        [],
    )


def test_who_speaks_in_deleted_sessions_only_is_not_created():
    source = schedule(talk(), WAVES)
    import_schedule([source])
    bury(Session.objects.filter(title="Tides"))
    Speaker.objects.get(name="Ana Reis").delete()
    assert not import_schedule([source]).has_changes
    assert cast() == [("Waves", ["Bo Lima"]), ("", [])]
    import_schedule([source], options=RESTORE)
    assert cast() == [("Tides", ["Ana Reis"]), ("Waves", ["Bo Lima"]), ("", [])]


def test_who_the_source_adds_to_a_list_edited_by_hand_is_a_conflict_until_it_is_settled():
    import_schedule([schedule(talk(), WAVES)])
    SessionSpeaker.objects.filter(speaker__name="Ana Reis").delete()
    changed = schedule(talk(name="Cy Dell"), WAVES)
    for _run in range(2):
        assert import_schedule([changed]).events[0].kept == ["Tides: people"]
        assert cast() == [("Tides", []), ("Waves", ["Bo Lima"]), ("", ["Ana Reis"])]
    import_schedule([changed], options=ImportOptions(prefer_source=True))
    assert cast() == [("Tides", ["Cy Dell"]), ("Waves", ["Bo Lima"]), ("", ["Ana Reis"])]
    assert not import_schedule([changed]).has_changes


def test_restoring_a_person_can_be_rolled_back():
    source = schedule(talk(), pause())
    import_schedule([source])
    delete_person("Ana Reis")
    import_schedule([source], options=RESTORE)
    assert roll_back_run(ImportRun.objects.first()) == []
    assert cast() == [("Tides", []), ("Coffee", []), ("", [])]
    assert not import_schedule([source]).has_changes


# Sessions


def titles() -> list[tuple[str, str]]:
    return [(s.title, f"{s.start:%H:%M}") for s in Session.objects.in_order()]


@pytest.mark.parametrize("moved", [{"start": "15:00", "end": "15:30"}, {"room": "Beach"}])
def test_a_session_deleted_by_hand_stays_deleted_when_the_source_moves_it(moved):
    import_schedule([schedule(talk(), WAVES)])
    bury(Session.objects.filter(title="Tides"))
    source = schedule(talk(**moved), WAVES)
    for _run in range(2):
        report = import_schedule([source])
        assert (report.events[0].buried, report.has_changes, titles()) == (["Tides"], False, [("Waves", "11:00")])
    import_schedule([source], options=RESTORE)
    assert sorted(title for title, _start in titles()) == ["Tides", "Waves"]
    assert (Tombstone.objects.count(), import_schedule([source]).has_changes) == (0, False)


def test_a_title_that_a_deleted_session_shares_with_another_is_not_taken_for_the_deleted_one():
    early, late = talk("A|B"), talk("A|B", start="15:00", end="15:30")
    import_schedule([schedule(early, late)])
    bury(Session.objects.filter(title="A|B", start__hour=9))
    report = import_schedule([schedule(early, talk("A|B", start="16:00", end="16:30"))])
    assert (report.events[0].buried, titles()) == (["A|B"], [("A|B", "15:00")])


def test_two_sessions_of_which_one_may_be_the_deleted_one_are_added_and_reported():
    import_schedule([schedule(talk(), WAVES)])
    bury(Session.objects.filter(title="Tides"))
    source = schedule(talk(start="15:00", end="15:30"), talk(start="16:00", end="16:30"), WAVES)
    report = import_schedule([source])
    assert [(p.message, p.line) for p in report.problems if "deleted" in p.message] == [
        ("one of these may be “Tides”, which was deleted here; added as new ones", 14),
        ("one of these may be “Tides”, which was deleted here; added as new ones", 40),
    ]
    assert titles() == [("Waves", "11:00"), ("Tides", "14:00"), ("Tides", "15:00")]
    assert not import_schedule([source]).has_changes


def test_the_next_days_coffee_of_a_partial_export_is_no_deleted_coffee():
    part = HEAD + "\n\narrow_back View All Dates"
    import_schedule([schedule(pause(), head=part)])
    bury(Session.objects.all())
    import_schedule([schedule(pause(day="Thursday June 5, 2031"), head=part)])
    assert [str(s.start.date()) for s in Session.objects.all()] == ["2031-06-05"]


def test_another_id_with_the_title_of_a_deleted_session_is_another_session():
    event = make_event(slug="reef", timezone="Europe/Lisbon")
    rows = "Title,Start,End,ID\n{},2031-06-04 {}:00,2031-06-04 {}:30,{}\n"
    import_schedule([Source("t.csv", rows.format("Tides", 10, 10, "a1").encode())], event_slug="reef")
    bury(Session.objects.all())
    import_schedule([Source("t.csv", rows.format("Tides", 12, 12, "a1").encode())], event_slug="reef")
    assert event.sessions.count() == 0
    import_schedule([Source("t.csv", rows.format("Tides", 13, 13, "b2").encode())], event_slug="reef")
    assert titles() == [("Tides", "12:00")]
