"""What a source loses, what people delete, and taking an import back."""

import json

import pytest

from conference.models import Event, Room, Track
from schedule.importing import ImportOptions, import_schedule
from schedule.importing.history import bury, roll_back_run
from schedule.models import ImportRun, Material, Session, SessionSpeaker, Tombstone
from speakers.models import Speaker
from tests.test_import import pause, schedule, talk
from tests.test_import_seeds import dump_database

pytestmark = pytest.mark.django_db

NEXT_DAY = pause(day="Thursday June 5, 2031")
BOTH = (talk(), talk("Waves", "Bo Lima", start="12:00", end="12:30"), NEXT_DAY)
PART = "\n\narrow_back View All Dates"


def count_rows() -> dict[str, int]:
    models = (Event, Room, Track, Speaker, Session, SessionSpeaker, Material)
    return {model.__name__: model.objects.count() for model in models}


# Gone from the source


def test_what_a_whole_source_lacks_now_is_flagged_and_listed_and_stays_public(client):
    import_schedule([schedule(*BOTH)])
    report = import_schedule([schedule(BOTH[0], NEXT_DAY)])
    assert report.events[0].gone == ["Waves"]
    assert list(Session.objects.exclude(kind="break").order_by("title").values_list("title", "is_gone", "status")) == [
        ("Tides", False, "confirmed"),
        ("Waves", True, "confirmed"),
    ]
    assert "Waves" in client.get("/reef-days-2031/").content.decode()


def test_with_cancel_missing_it_is_cancelled_and_comes_back_with_the_source():
    import_schedule([schedule(*BOTH)])
    import_schedule([schedule(BOTH[0], NEXT_DAY)], options=ImportOptions(cancel_missing=True))
    assert Session.objects.get(title="Waves").status == "cancelled"
    import_schedule([schedule(*BOTH)])
    assert [(s.is_gone, s.status) for s in Session.objects.filter(title="Waves")] == [(False, "confirmed")]


def test_what_is_cancelled_is_listed_as_such_and_not_as_still_on_the_programme():
    import_schedule([schedule(*BOTH)])
    for _run in range(2):
        report = import_schedule([schedule(BOTH[0], NEXT_DAY)], options=ImportOptions(cancel_missing=True))
        assert (report.events[0].gone, report.events[0].cancelled) == ([], ["Waves"])
        assert "  no longer in the source, and cancelled:\n    Waves" in report.render()


def test_a_report_counts_every_kind_of_row_in_one_order_whatever_happened():
    for sources in ([schedule(*BOTH)], [schedule(BOTH[0], NEXT_DAY)], [schedule(pause())]):
        report = import_schedule(sources, options=ImportOptions(cancel_missing=True))
        counts = json.loads(report.to_json())["events"][0]["counts"]
        assert list(counts) == ["rooms", "tracks", "speakers", "speaker slots", "materials", "sessions"]
        assert {tuple(outcomes) for outcomes in counts.values()} == {
            ("created", "updated", "unchanged", "left alone", "removed")
        }


def test_a_part_of_a_schedule_says_nothing_of_what_it_lacks():
    import_schedule([schedule(*BOTH)])
    head = schedule().data.decode().split("\n\nGet help")[0]
    report = import_schedule([schedule(BOTH[0], head=head + PART)])
    assert (report.events[0].gone, Session.objects.filter(is_gone=True).count()) == ([], 0)


# Deleted by hand


def test_a_session_deleted_by_hand_stays_deleted_until_it_is_restored():
    import_schedule([schedule(*BOTH)])
    bury(Session.objects.filter(title="Waves"))
    for _run in range(2):
        report = import_schedule([schedule(*BOTH)])
        assert (report.events[0].buried, report.has_changes) == (["Waves"], False)
        assert list(Session.objects.values_list("title", flat=True)) == ["Tides", "Coffee"]
    import_schedule([schedule(*BOTH)], options=ImportOptions(restore=True))
    assert (Session.objects.count(), Tombstone.objects.count()) == (3, 0)


def test_deleting_in_the_admin_is_deleting_by_hand(admin_client):
    import_schedule([schedule(*BOTH[:2])])
    waves, tides = Session.objects.get(title="Waves"), Session.objects.get(title="Tides")
    admin_client.post(f"/admin/schedule/session/{waves.pk}/delete/", {"post": "yes"})
    admin_client.post(
        "/admin/schedule/session/", {"action": "delete_selected", "_selected_action": [tides.pk], "post": "yes"}
    )
    assert (Session.objects.count(), sorted(Tombstone.objects.values_list("title", flat=True))) == (
        0,
        ["Tides", "Waves"],
    )


# Renamed, moved, ambiguous


def test_a_near_title_at_the_same_time_with_the_same_people_is_asked_about_and_keeps_its_uid():
    import_schedule([schedule(*BOTH)])
    uid = Session.objects.get(title="Waves").uid
    report = import_schedule([schedule(BOTH[0], talk("Waves!!", "Bo Lima", start="12:00", end="12:30"))])
    assert Session.objects.get(title="Waves!!").uid == uid
    assert ["retitled?" in problem.message for problem in report.problems if "title" in problem.message] == [True]


def test_a_session_with_two_candidates_is_left_alone_and_both_are_named():
    twice = (talk(room="Aula"), talk(room="Boat"))
    import_schedule([schedule(*twice)])
    report = import_schedule([schedule(talk(room="Cave"), pause())])
    (problem,) = [problem for problem in report.problems if "left alone" in problem.message]
    ids = Session.objects.filter(title="Tides").values_list("pk", flat=True)
    assert (len(ids), all(f"id {pk}," in problem.message for pk in ids)) == (2, True)
    assert report.events[0].counts["sessions"]["left alone"] == 1


def test_with_prefer_source_the_source_wins_what_both_changed():
    import_schedule([schedule(talk())])
    Session.objects.update(abstract="Edited here.")
    import_schedule([schedule(talk(abstract="Changed there."))], options=ImportOptions(prefer_source=True))
    assert Session.objects.get().abstract == "Changed there."


def test_a_dry_run_tells_field_by_field_what_would_change():
    import_schedule([schedule(talk())])
    report = import_schedule([schedule(talk(abstract="Changed there."), pause())], is_dry_run=True)
    assert report.events[0].diff == [
        "+ track: Breaks",
        "+ session: Coffee",
        "~ session Tides: abstract: “How water moves.” → “Changed there.”",
    ]


def test_a_dry_run_calls_rooms_and_tracks_by_their_names():
    import_schedule([schedule(talk())])
    report = import_schedule([schedule(talk(room="Lagoon", track="Ocean"))], is_dry_run=True)
    assert report.events[0].diff == [
        "+ room: Lagoon",
        "+ track: Ocean",
        "~ session Tides: room: “Aquário” → “Lagoon”",
        "~ session Tides: track: “Sea” → “Ocean”",
    ]


# History


def test_each_run_is_remembered_with_who_what_and_the_hash_of_its_files(admin_user):
    source = schedule(talk())
    import_schedule([source], user=admin_user)
    import_schedule([source], user=admin_user)
    (run,) = ImportRun.objects.all()
    assert (run.event.name, run.user, run.status, [s["name"] for s in run.sources], len(run.sources[0]["sha256"])) == (
        "Reef Days 2031",
        admin_user,
        "applied",
        ["reef.txt"],
        64,
    )
    assert "Imported." in run.report


def test_rolling_back_the_first_import_leaves_nothing():
    import_schedule([schedule(*BOTH)])
    assert roll_back_run(ImportRun.objects.get()) == []
    assert count_rows() == dict.fromkeys(count_rows(), 0)
    assert ImportRun.objects.get().status == "rolled-back"


def test_rolling_back_a_second_import_gives_the_database_of_the_first():
    import_schedule([schedule(*BOTH)])
    before = dump_database()
    other = talk("Waves", "Cy Dell", start="12:30", end="13:00", room="Beach", abstract="Other.")
    import_schedule([schedule(talk(abstract="New."), other, pause())])
    assert roll_back_run(ImportRun.objects.first()) == []
    assert dump_database() == before


def test_what_was_edited_since_stays_and_is_named():
    import_schedule([schedule(talk())])
    import_schedule([schedule(talk(abstract="New."), talk("Waves", "Bo Lima", start="12:00", end="12:30"))])
    Session.objects.filter(title="Tides").update(abstract="Edited since.")
    Session.objects.filter(title="Waves").update(level="Advanced")
    assert roll_back_run(ImportRun.objects.first()) == [
        "Tides: abstract was changed since and stays",
        "Waves stays: it was changed since",
        "Bo Lima stays: sessions use it",
    ]
    assert Session.objects.get(title="Tides").abstract == "Edited since."


def test_a_run_is_rolled_back_once():
    import_schedule([schedule(talk())])
    run = ImportRun.objects.get()
    roll_back_run(run)
    with pytest.raises(ValueError, match="not applied"):
        roll_back_run(ImportRun.objects.get())
