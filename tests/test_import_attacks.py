"""Faults that a hostile tester found in merging, history and formats, each kept as the right behaviour."""

import json
from io import BytesIO, StringIO

import pytest
from django.core.management import CommandError, call_command

from conference.models import Event, Room
from schedule.importing import ImportOptions, ReadOptions, ScheduleRefused, Source, import_schedule
from schedule.importing.history import bury, roll_back_run
from schedule.management.commands import import_schedule as import_command
from schedule.models import ImportRun, Session, SessionSpeaker, Tombstone
from speakers.models import Speaker
from tests.factories import make_event, make_material, make_speaker
from tests.test_import import HEAD, schedule, talk
from tests.test_import_history import BOTH, NEXT_DAY, count_rows

pytestmark = pytest.mark.django_db

OFFSETS = """Title,Start,End,Room,Status
Tides,2031-06-04T10:00:00+01:00,2031-06-04T10:30:00+01:00,Aula,cancelled
"""


def table(text: str, name: str = "t.csv") -> Source:
    return Source(name, text.encode())


def test_an_import_that_only_cancels_is_a_change_with_a_history():
    import_schedule([schedule(*BOTH)])
    version = Event.objects.get().programme_version
    report = import_schedule([schedule(BOTH[0], NEXT_DAY)], options=ImportOptions(cancel_missing=True))
    assert (report.has_changes, ImportRun.objects.count(), Event.objects.get().programme_version) == (
        True,
        2,
        version + 1,
    )
    assert roll_back_run(ImportRun.objects.first()) == []
    assert Session.objects.get(title="Waves").status == "confirmed"


def test_a_gone_session_confirmed_by_hand_is_not_cancelled_again():
    import_schedule([schedule(*BOTH)])
    for _run in range(2):
        import_schedule([schedule(BOTH[0], NEXT_DAY)], options=ImportOptions(cancel_missing=True))
        Session.objects.filter(title="Waves").update(status="confirmed")
    import_schedule([schedule(BOTH[0], NEXT_DAY)], options=ImportOptions(cancel_missing=True))
    assert Session.objects.get(title="Waves").status == "confirmed"


def test_times_with_an_offset_are_rolled_back_like_any_other():
    make_event(slug="reef", timezone="Europe/Lisbon")
    before = count_rows()
    import_schedule([table(OFFSETS)], event_slug="reef")
    assert roll_back_run(ImportRun.objects.get()) == []
    assert count_rows() == before


def test_rolling_back_names_what_can_not_be_set_back_instead_of_failing():
    import_schedule([schedule(talk(room="Aula"), NEXT_DAY)])
    import_schedule([schedule(talk(room="Boat"), NEXT_DAY)])
    Room.objects.get(name="Aula").delete()
    stays = roll_back_run(ImportRun.objects.first())
    assert "Tides: room can't be set back, it was deleted since" in stays
    assert Session.objects.get(title="Tides").room.name == "Boat"


def test_what_was_made_by_hand_on_imported_rows_is_not_rolled_back():
    import_schedule([schedule(talk())])
    session = Session.objects.get()
    make_material(session, "Slides by hand")
    SessionSpeaker.objects.create(session=session, speaker=make_speaker(session.event, "Cy Dell"))
    stays = roll_back_run(ImportRun.objects.get())
    assert "Tides stays: people or materials were added to it since" in stays
    assert (Session.objects.count(), Speaker.objects.count()) == (1, 2)


def test_a_room_given_a_floor_by_hand_is_not_rolled_back():
    import_schedule([schedule(talk())])
    Room.objects.update(floor="2")
    assert "Aquário stays: it was changed since" in roll_back_run(ImportRun.objects.get())


def test_a_format_that_does_not_know_the_status_does_not_undo_it():
    make_event(name="Reef Days 2031", slug="reef", timezone="Europe/Lisbon")
    import_schedule([table(OFFSETS)], event_slug="reef")
    import_schedule([schedule(talk(room="Aula"))], event_slug="reef")
    assert Session.objects.get().status == "cancelled"


def test_restoring_one_deleted_session_leaves_the_other_deleted_and_can_be_rolled_back():
    import_schedule([schedule(*BOTH)])
    bury(Session.objects.exclude(kind="break"))
    import_schedule([schedule(BOTH[0], NEXT_DAY)], options=ImportOptions(restore=True))
    assert list(Tombstone.objects.values_list("title", flat=True)) == ["Waves"]
    roll_back_run(ImportRun.objects.first())
    assert sorted(Tombstone.objects.values_list("title", flat=True)) == ["Tides", "Waves"]


def test_a_conflict_stays_open_until_somebody_settles_it():
    import_schedule([schedule(talk())])
    Session.objects.update(abstract="Edited here.")
    changed = schedule(talk(abstract="Changed there."))
    for _run in range(2):
        assert len(import_schedule([changed]).events[0].kept) == 1
    import_schedule([changed], options=ImportOptions(prefer_source=True))
    assert Session.objects.get().abstract == "Changed there."


def test_the_report_as_json_is_json_whatever_the_titles_hold(tmp_path):
    path = tmp_path / "reef.txt"
    path.write_bytes(schedule(talk("Zero\u200bwidth \u202e and é")).data)
    out = StringIO()
    call_command("import_schedule", str(path), "--report", "json", "--dry-run", stdout=out)
    assert json.loads(out.getvalue())["events"][0]["counts"]["sessions"] == {
        "created": 1, "updated": 0, "unchanged": 0, "left alone": 0, "removed": 0,
    }  # fmt: skip
    path.write_bytes(b"no schedule")
    out = StringIO()
    with pytest.raises(CommandError):
        call_command("import_schedule", str(path), "--report", "json", stdout=out)
    assert len(json.loads(out.getvalue())["refused"]) == 1


def test_a_preview_is_its_makers_to_apply(client, admin_client, django_user_model):
    admin_client.post("/admin/schedule/importrun/add/", {"text": schedule(talk()).data.decode()})
    run = ImportRun.objects.get(status="preview")
    django_user_model.objects.create_superuser("other", password="x")
    client.login(username="other", password="x")
    client.post(f"/admin/schedule/importrun/{run.pk}/apply/")
    assert (ImportRun.objects.get().status, Session.objects.count()) == ("preview", 0)


def test_a_partial_reading_takes_nothing_for_gone():
    rows = "Title,Start,End\nTides,2031-06-04 10:00,2031-06-04 11:00\nWaves,2031-06-04 12:00,2031-06-04 13:00\n"
    make_event(slug="reef", timezone="Europe/Lisbon")
    import_schedule([table(rows)], event_slug="reef")
    shorter = table(rows.split("Waves")[0])
    partly = ReadOptions(is_partial_allowed=True)
    report = import_schedule([shorter], event_slug="reef", reading=partly, options=ImportOptions(cancel_missing=True))
    assert (report.events[0].gone, Session.objects.filter(status="cancelled").count()) == ([], 0)


def test_a_namesakes_affiliation_edited_by_hand_makes_no_third_person():
    first, second = talk(name="Ann Lee"), talk("Waves", "Ann Lee", room="Boat")
    source = schedule(first, (second[0], second[1].replace("Coral Lab", "Other Lab")))
    import_schedule([source])
    Speaker.objects.filter(affiliation="Coral Lab").update(affiliation="Coral Laboratory")
    assert not import_schedule([source]).has_changes
    assert sorted(Speaker.objects.values_list("affiliation", flat=True)) == ["Coral Laboratory", "Other Lab"]


def test_an_older_run_rolled_back_leaves_no_hand_edits_behind_that_nobody_made():
    for abstract, level in (("A", "Any"), ("B", "Any"), ("B", "Beginner")):
        text = talk(abstract=abstract)
        import_schedule([schedule((text[0], text[1].replace("Level Any", f"Level {level}")))])
    _third, second, _first = ImportRun.objects.all()
    assert roll_back_run(second) == []
    assert Session.objects.get().abstract == "A"
    text = talk(abstract="B")
    import_schedule([schedule((text[0], text[1].replace("Level Any", "Level Beginner")))])
    assert Session.objects.get().abstract == "B"


def exactly(said: str) -> Source:
    """A schedule of one session under which stands one exact line."""
    start, text = talk()
    return schedule((start, f"{text}\nExactly {said}"))


@pytest.mark.parametrize(
    "said",
    [
        '{"people": {"Ana Reis": ["chair"]}}',
        '{"people": {"Ana Reis": null}}',
        '{"people": {"Ana Reis": "chair"}}',
        '{"people": [{"name": "A\\u0000"}]}',
        '{"materials": ["abc"]}',
        '{"materials": [{"name": 1, "type": 2, "url": 3}]}',
        '{"materials": [["", "", ""]]}',
        '{"title": "A", "title": "B"}',
        '{"abstract": "half\\u0000full"}',
        '{"fields": {"\\u0000": "x"}}',
        '{"fields": ' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"title": ' + "9" * 10_000 + "}",
    ],
)
def test_an_exact_line_that_says_what_can_not_be_is_refused_with_its_line(said):
    source = exactly(said)
    line = 1 + source.data.decode().split("\n").index(f"Exactly {said}")
    with pytest.raises(ScheduleRefused) as refused:
        import_schedule([source])
    assert [(problem.line, problem.text[:9]) for problem in refused.value.problems] == [(line, "Exactly {")]


def test_a_title_of_two_lines_in_an_exact_line_is_no_edit_by_hand_later():
    import_schedule([exactly('{"title": "Tides\\n and  ebbs"}')])
    assert Session.objects.get().source_values["title"] == "Tides and ebbs"
    report = import_schedule([schedule(talk("Tides and ebb"))])
    assert (Session.objects.get().title, report.events[0].kept) == ("Tides and ebb", [])


def rows(number: int, column: str, name: str = "{n}") -> Source:
    lines = [f"Talk {n},2031-06-04 10:00,2031-06-04 10:30,{name.format(n=n)}" for n in range(number)]
    return table("\n".join([f"Title,Start,End,{column}", *lines, ""]))


def test_a_schedule_with_more_rooms_than_a_query_may_name_is_imported_again_without_a_change():
    make_event(slug="reef", timezone="Europe/Lisbon")
    import_schedule([rows(1_100, "Room", "Room {n}")], event_slug="reef")
    report = import_schedule([rows(1_100, "Room", "Room {n}")], event_slug="reef")
    assert (report.has_changes, Room.objects.count()) == (False, 1_100)


def test_more_tracks_than_a_programme_has_are_refused_with_the_line_of_the_first_that_is_too_many():
    make_event(slug="reef", timezone="Europe/Lisbon")
    with pytest.raises(ScheduleRefused) as refused:
        import_schedule([rows(1_001, "Track", "T{n:04}")], event_slug="reef")
    assert [(str(p).split("\n")[0]) for p in refused.value.problems] == [
        "t.csv:1002: 1,001 tracks, and 1,000 are the most: is this one a track?"
    ]
    report = import_schedule([rows(1_000, "Track", "T{n:04}")], event_slug="reef")
    assert report.events[0].counts["tracks"]["created"] == 1_000


def test_an_event_that_can_not_be_kept_is_refused_with_its_files_and_no_wrong_line():
    sources = [schedule(talk(), head=HEAD.replace("Reef Days 2031", "Reef" * 60), name=name) for name in "ab"]
    with pytest.raises(ScheduleRefused) as refused:
        import_schedule(sources)
    (problem,) = refused.value.problems
    assert (problem.source, problem.line, problem.message.split(";")[0]) == (
        "a, b", None, "name: Ensure this value has at most 200 characters (it has 240).",
    )  # fmt: skip


def test_a_session_of_many_days_is_imported_with_a_warning():
    report = import_schedule([exactly('{"end": "2041-06-04T10:30:00+01:00"}')])
    assert report.problems[-1].message == "the session lasts 3653 days: see whether its end is right"


def test_standard_input_that_is_too_large_is_refused_like_a_file(monkeypatch):
    class Stdin:
        buffer = BytesIO(b"x" * 200)

    monkeypatch.setattr("sys.stdin", Stdin)
    monkeypatch.setattr(import_command, "LARGEST_FILE", 100)
    with pytest.raises(CommandError, match=r"standard input: larger than .* Nothing was written"):
        call_command("import_schedule", "-", stdout=StringIO())


def test_an_event_that_is_not_there_is_refused_with_what_to_do():
    with pytest.raises(ScheduleRefused, match="there is no event 'reef', and the source names none: add it in the"):
        import_schedule([rows(1, "Room")], event_slug="reef")
    import_schedule([schedule(talk())])
    with pytest.raises(ScheduleRefused, match="give --event reef-days-2031, or add the other one in the admin first"):
        import_schedule([schedule(talk())], event_slug="copy")


YEARS = {
    "calendar": (
        "BEGIN:VCALENDAR\nX-WR-CALNAME:Reef\nBEGIN:VEVENT\nUID:1\nSUMMARY:Tides\nDTSTART:{year}0604T000000Z\n"
        "DTEND:{year}0604T010000Z\nEND:VEVENT\nEND:VCALENDAR\n"
    ),
    "table": "Title,Start,End\nTides,{year}-06-04 00:00,{year}-06-04 01:00\n",
    "frab": (
        "<schedule><conference><title>Reef</title></conference><day date='2031-06-04'><room name='A'><event id='1'>"
        "<title>Tides</title><date>{year}-06-04T00:00:00+00:00</date><duration>01:00</duration></event></room></day>"
        "</schedule>"
    ),
}


@pytest.mark.parametrize("year", ["0001", "1899", "9999"])
@pytest.mark.parametrize("text", YEARS.values(), ids=YEARS)
def test_a_session_in_a_year_of_no_conference_is_refused_with_its_line(text, year):
    make_event(slug="reef", timezone="Europe/Lisbon")
    with pytest.raises(ScheduleRefused) as refused:
        import_schedule([table(text.format(year=year), "t")], event_slug="reef")
    (problem,) = refused.value.problems
    assert (problem.message, problem.text, problem.line is not None) == (
        f"the session is in the year {int(year)}, which is a slip; correct it", "Tides", True,
    )  # fmt: skip


def test_days_stated_in_a_year_of_no_conference_are_none():
    text = YEARS["frab"].format(year=2031).replace("</title></conf", "</title><start>0001-01-01</start></conf")
    text = text.replace("date='2031-06-04'", "date='9999-06-04'")
    make_event(slug="reef", timezone="Europe/Lisbon", start_date="2031-06-04", end_date="2031-06-04")
    import_schedule([table(text, "t.xml")], event_slug="reef")
    event = Event.objects.get()
    assert (str(event.start_date), str(event.end_date)) == ("2031-06-04", "2031-06-04")
