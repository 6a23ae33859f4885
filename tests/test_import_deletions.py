"""Whom and what a person deleted here: they stay away until somebody asks for them."""

import pytest

from schedule.importing import ImportOptions, import_schedule
from schedule.importing.history import bury, roll_back_run
from schedule.models import ImportRun, Session, SessionSpeaker
from speakers.models import Speaker
from tests.test_import import pause, schedule, talk

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
