"""The import as a whole: one transaction, hand edits kept, clear refusals, and its command."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from conference.models import Event, Room
from schedule.importing import ScheduleRefused, Source, import_schedule, importer
from schedule.models import Material, Session
from speakers.models import Speaker
from tests.factories import make_event, make_session

pytestmark = pytest.mark.django_db

SCHEDULES = Path(__file__).parent.parent / "fixtures" / "schedules"

HEAD = """Reef Days 2031: Full Schedule

4-5 June, 2031
Lisbon, Portugal
View More Details & Registration
Note: The schedule is subject to change.

You must be registered for Reef Days 2031 to participate in the sessions.

This schedule is automatically displayed in WEST (UTC/GMT +1)."""

TALK = """{start} WEST

{title} - {name}, Coral Lab

{day} {start} - {end} WEST

{room}

{abstract}

Speakers

{name}

Diver, Coral Lab

Tide tables pdf

{day} {start} - {end} WEST
{room}

{track}

Audience Level Any
Slides Attached Yes"""

BREAK = """{start} WEST

Break: {title}

{day} {start} - {end} WEST

{day} {start} - {end} WEST

Breaks"""


def talk(title="Tides", name="Ana Reis", **values) -> tuple[str, str]:
    values = {
        "day": "Wednesday June 4, 2031", "start": "10:00", "end": "10:30", "room": "Aquário", "track": "Sea",
        "abstract": "How water moves.",
    } | values  # fmt: skip
    return values["start"], TALK.format(title=title, name=name, **values)


def pause(title="Coffee", start="11:00", end="11:30", day="Wednesday June 4, 2031") -> tuple[str, str]:
    return start, BREAK.format(title=title, start=start, end=end, day=day)


def schedule(*sessions: tuple[str, str], head: str = HEAD, name: str = "reef.txt") -> Source:
    """A whole schedule of the given sessions, with its index and its last line."""
    parts = [head, *(text for _, text in sessions), *(f"{start} WEST" for start, _ in sessions)]
    return Source(name, "\n\n".join([*parts, "Get help with the event"]).encode())


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("import_schedule", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


# Meeting the database


def test_a_schedule_becomes_rows():
    report = import_schedule([schedule(talk(), pause())])
    assert report.problems == [p for p in report.problems if "stated dates" in p.message]
    session, coffee = Session.objects.with_people().order_by("start")
    assert (session.title, session.kind, session.room.name, session.track.name, session.level, session.abstract) == (
        "Tides", "talk", "Aquário", "Sea", "Any", "How water moves.",
    )  # fmt: skip
    assert session.start.isoformat() == "2031-06-04T09:00:00+00:00"
    assert [(link.role, link.speaker.name, link.speaker.position, link.speaker.affiliation)
            for link in session.session_speakers.all()] == [("speaker", "Ana Reis", "Diver", "Coral Lab")]  # fmt: skip
    assert [(m.name, m.file_type) for m in session.materials.all()] == [("Tide tables", "pdf")]
    assert (coffee.title, coffee.kind, coffee.room, coffee.track.name) == ("Coffee", "break", None, "Breaks")
    assert Event.objects.get().timezone == "Europe/Lisbon"


def test_the_same_text_gives_the_same_uid_in_an_empty_database():
    import_schedule([schedule(talk())])
    uid = Session.objects.get().uid
    Event.objects.all().delete()
    import_schedule([schedule(talk())])
    assert Session.objects.get().uid == uid


def test_what_the_source_changes_is_taken_over_where_nobody_edited():
    import_schedule([schedule(talk())])
    uid = Session.objects.get().uid
    import_schedule([schedule(talk(abstract="Why water moves.", room="Auditório", end="10:45"))])
    session = Session.objects.select_related("room").get()
    assert (session.uid, session.abstract, session.room.name, session.end.isoformat()) == (
        uid, "Why water moves.", "Auditório", "2031-06-04T09:45:00+00:00",
    )  # fmt: skip


def test_what_was_typed_by_hand_stays_and_the_report_says_so():
    import_schedule([schedule(talk())])
    Session.objects.update(abstract="Edited here.")
    Speaker.objects.update(bio="Written here.")
    report = import_schedule([schedule(talk(abstract="Changed there."))])
    assert (Session.objects.get().abstract, Speaker.objects.get().bio) == ("Edited here.", "Written here.")
    assert report.events[0].kept == [
        "Tides: abstract: here “Edited here.”, the source said “How water moves.” and now says “Changed there.”"
    ]


def test_a_session_renamed_by_hand_is_found_again():
    import_schedule([schedule(talk(), talk("Waves", start="12:00", end="12:30"))])
    session = Session.objects.get(title="Tides")
    session.title = "Tides and moons"
    session.save()
    import_schedule([schedule(talk(), talk("Waves", start="12:00", end="12:30"))])
    assert sorted(Session.objects.values_list("title", flat=True)) == ["Tides and moons", "Waves"]


def test_a_person_renamed_by_hand_is_found_again():
    import_schedule([schedule(talk())])
    person = Speaker.objects.get()
    person.name = "Ana Maria Reis"
    person.save()
    import_schedule([schedule(talk())])
    assert list(Speaker.objects.values_list("name", flat=True)) == ["Ana Maria Reis"]


def test_a_session_that_moved_in_a_whole_schedule_keeps_its_uid():
    import_schedule([schedule(talk(), pause())])
    uid = Session.objects.get(title="Tides").uid
    import_schedule([schedule(pause(), talk(start="12:00", end="12:30"))])
    session = Session.objects.get(title="Tides")
    assert (Session.objects.count(), session.uid, session.start.isoformat()) == (2, uid, "2031-06-04T11:00:00+00:00")


def test_the_next_days_coffee_of_a_partial_export_is_no_moved_coffee():
    part = HEAD + "\n\narrow_back View All Dates"
    import_schedule([schedule(pause(), head=part)])
    import_schedule([schedule(pause(day="Thursday June 5, 2031"), head=part)])
    assert Session.objects.filter(title="Coffee").count() == 2


def test_a_material_deleted_by_hand_stays_deleted():
    import_schedule([schedule(talk())])
    Material.objects.all().delete()
    import_schedule([schedule(talk())])
    assert Material.objects.count() == 0


def test_people_taken_off_by_hand_stay_off():
    import_schedule([schedule(talk())])
    Session.objects.get().session_speakers.all().delete()
    import_schedule([schedule(talk())])
    assert Session.objects.get().session_speakers.count() == 0


def test_an_order_of_rooms_made_by_hand_is_kept():
    first, second = talk("Early", room="Zoo"), talk("Late", room="Aula", start="12:00", end="12:30")
    import_schedule([schedule(first, second)])
    assert list(Room.objects.order_by("position").values_list("name", flat=True)) == ["Zoo", "Aula"]
    Room.objects.filter(name="Zoo").update(position=9)
    import_schedule([schedule(first, second, talk("Last", room="Beach", start="15:00", end="16:00"))])
    assert list(Room.objects.order_by("position").values_list("name", flat=True)) == ["Aula", "Zoo", "Beach"]


def test_names_of_rooms_and_tracks_are_compared_blind_to_case_and_accents():
    import_schedule([schedule(talk(room="Aquário"), talk("Waves", start="12:00", end="12:30", room="AQUARIO"))])
    assert Room.objects.count() == 1


def test_several_events_can_go_in_one_call():
    other = schedule(talk(), head=HEAD.replace("Reef Days", "Dune Days"), name="dune.txt")
    report = import_schedule([schedule(talk()), other])
    assert [event.slug for event in report.events] == ["reef-days-2031", "dune-days-2031"]
    assert [session.event.name for session in Session.objects.select_related("event").order_by("id")] == [
        "Reef Days 2031",
        "Dune Days 2031",
    ]


def test_a_named_event_takes_the_sessions_whatever_the_text_calls_it():
    event = make_event(name="Ours", slug="ours", timezone="Atlantic/Azores")
    import_schedule([schedule(talk())], event_slug="ours")
    session = Session.objects.get()
    assert (session.event_id, session.start.isoformat()) == (event.pk, "2031-06-04T10:00:00+00:00")
    event.refresh_from_db()
    assert event.name == "Ours"


def test_a_slug_that_is_a_page_of_the_site_is_never_given_to_an_event():
    head = HEAD.replace("Reef Days 2031", "Admin")
    assert import_schedule([schedule(talk(), head=head)]).events[0].slug == "admin-event"
    with pytest.raises(ScheduleRefused, match="is the address of another page"):
        import_schedule([schedule(talk())], event_slug="api")


def test_the_report_names_the_links_whose_addresses_only_a_person_can_add():
    report = import_schedule([schedule(talk())])
    assert report.events[0].missing == ["“View More Details & Registration”", "“Get help with the event”"]
    Event.objects.update(registration_url="https://reef.example/r", help_url="https://reef.example/h")
    assert import_schedule([schedule(talk())]).events[0].missing == []


def test_an_event_can_have_its_own_words_for_kinds():
    event = make_event(
        name="Reef Days 2031", slug="reef", timezone="Europe/Lisbon", kind_prefixes="Masterclass = workshop"
    )
    import_schedule([schedule(talk("Masterclass: Diving"))])
    assert list(Session.objects.values_list("title", "kind")) == [("Diving", "workshop")]
    Event.objects.filter(pk=event.pk).update(kind_prefixes="Masterclass = seminar")
    with pytest.raises(ScheduleRefused, match="reads a prefix as seminar, which is no kind"):
        import_schedule([schedule(talk("Masterclass: Diving"))])


# Zones


def test_a_zone_given_by_hand_settles_a_schedule_without_a_known_place():
    head = HEAD.replace("Lisbon, Portugal", "Atlantis, Nowhere")
    with pytest.raises(ScheduleRefused, match="no time zone is known for Atlantis, Nowhere; give it with --timezone"):
        import_schedule([schedule(talk(), head=head)])
    import_schedule([schedule(talk(), head=head)], timezone="Atlantic/Azores")
    assert Session.objects.get().start.isoformat() == "2031-06-04T10:00:00+00:00"


def test_a_label_that_does_not_fit_the_place_is_a_warning_and_the_place_decides():
    head = HEAD.replace("Lisbon, Portugal", "Amsterdam, Netherlands")
    report = import_schedule([schedule(talk(), head=head)])
    assert Session.objects.get().start.isoformat() == "2031-06-04T08:00:00+00:00"
    assert [p.message for p in report.problems if "printed as" in p.message] == [
        "times are printed as WEST, but Europe/Amsterdam has CEST then and is used"
    ]


def test_an_unknown_zone_name_is_refused():
    with pytest.raises(ScheduleRefused, match="'Europe/Atlantis' is not a time zone"):
        import_schedule([schedule(talk())], timezone="Europe/Atlantis")


# All or nothing


def test_a_failure_half_way_leaves_the_database_as_it_was(monkeypatch):
    def fail(*args, **kwargs):
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(importer.EventImporter, "write_materials", fail)
    with pytest.raises(RuntimeError):
        import_schedule([schedule(talk())])
    assert (Event.objects.count(), Session.objects.count(), Speaker.objects.count()) == (0, 0, 0)


def test_one_bad_file_of_two_means_that_nothing_is_written():
    with pytest.raises(ScheduleRefused) as refusal:
        import_schedule([schedule(talk()), Source("bad.txt", b"hello")])
    assert [problem.source for problem in refusal.value.problems] == ["bad.txt"]
    assert Event.objects.count() == 0


def test_a_value_too_long_for_its_column_is_refused_with_its_line():
    with pytest.raises(ScheduleRefused) as refusal:
        import_schedule([schedule(talk("T" * 401))])
    (problem,) = refusal.value.problems
    assert (problem.source, problem.line, Event.objects.count()) == ("reef.txt", 14, 0)
    assert "400" in problem.message


def test_a_dry_run_reports_the_same_and_writes_nothing():
    report = import_schedule([schedule(talk())], is_dry_run=True)
    assert (report.events[0].counts["sessions"]["created"], Event.objects.count()) == (1, 0)
    assert report.render().endswith("Dry run: nothing was written.")


def test_a_dry_run_says_a_time_that_changes_as_a_time():
    import_schedule([schedule(talk())])
    report = import_schedule([schedule(talk(end="10:45"))], is_dry_run=True)
    assert report.events[0].diff == ["~ session Tides: end: 2031-06-04 09:30 UTC → 2031-06-04 09:45 UTC"]


@pytest.mark.parametrize("number", [3, 60])
def test_an_unchanged_import_takes_the_same_statements_for_few_and_many_sessions(django_assert_num_queries, number):
    times = [
        (f"{8 + n // 6:02}:{n % 6 * 10:02}", f"{8 + (n + 1) // 6:02}:{(n + 1) % 6 * 10:02}") for n in range(number)
    ]
    source = schedule(*(talk(f"Talk {n}", f"Ana R{n}", start=s, end=e) for n, (s, e) in enumerate(times)))
    import_schedule([source])
    with django_assert_num_queries(18):
        import_schedule([source])


# The command


def test_the_command_prints_the_report(tmp_path):
    path = tmp_path / "reef.txt"
    path.write_bytes(schedule(talk(), pause()).data)
    lines = run(str(path)).splitlines()
    assert lines[1:9] == [
        "  2 sessions, 1 speaker: 2 created",
        "  all 52 lines accounted for",
        "",
        "Reef Days 2031 · 4–5 June 2031 · Europe/Lisbon · /reef-days-2031/ · event created",
        "                    created    updated  unchanged      total",
        "  rooms                   1          0          0          1",
        "  tracks                  2          0          0          2",
        "  speakers                1          0          0          1",
    ]
    assert lines[-1] == "Imported."


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"   \n\n", "empty"),
        (b"Dear all,\n\nlunch is at noon.\n", "not a schedule"),
        (b"\x89PNG\r\n\x1a\n" + bytes(200), "picture|binary|not text"),
        (b"%PDF-1.7 \x00\x01", "PDF|not text"),
    ],
)
def test_what_is_no_schedule_is_refused_in_a_sentence(tmp_path, content, words):
    path = tmp_path / "bad.txt"
    path.write_bytes(content)
    with pytest.raises(CommandError, match=rf"(?i)bad\.txt.*({words})") as error:
        run(str(path))
    assert str(error.value).endswith("Nothing was written.")
    assert error.value.returncode == 1


def test_a_missing_file_a_directory_and_a_forbidden_file_are_refused_in_a_line(tmp_path, monkeypatch):
    with pytest.raises(CommandError, match="No such file"):
        run(str(tmp_path / "none.txt"))
    with pytest.raises(CommandError, match="Is a directory"):
        run(str(tmp_path))

    def forbid(self, mode):
        raise PermissionError(13, "Permission denied")

    (tmp_path / "secret.txt").write_bytes(b"x")
    monkeypatch.setattr(Path, "open", forbid)
    with pytest.raises(CommandError, match=r"secret\.txt: Permission denied"):
        run(str(tmp_path / "secret.txt"))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_the_encodings_that_editors_write_are_read(encoding):
    import_schedule([Source("reef.txt", schedule(talk()).data.decode().encode(encoding))])
    assert Room.objects.get().name == "Aquário"


def test_a_text_cut_off_anywhere_is_refused():
    data = schedule(talk(), pause()).data.decode()
    for end in range(len(data)):
        with pytest.raises(ScheduleRefused):
            import_schedule([Source("cut.txt", data[:end].encode())])
    assert Event.objects.count() == 0


# The demo's schedules


def test_the_demo_schedules_import_with_every_line_accounted_for():
    report = import_schedule([Source(path.name, path.read_bytes()) for path in sorted(SCHEDULES.glob("*.txt"))])
    assert [(event.slug, event.counts["sessions"]["created"], event.counts["speakers"]["created"])
            for event in report.events] == [
        ("northern-lights-web-conference-2026", 42, 30),
        ("pytorch-conference-europe-2026", 41, 59),
    ]  # fmt: skip
    assert [file.document.unclaimed_lines for file in report.files] == [[], [], []]


def test_the_demo_event_shows_what_the_format_can_say():
    import_schedule([Source("n.txt", (SCHEDULES / "northern-lights-2026.txt").read_bytes())])
    sessions = Session.objects.all()
    assert sessions.filter(kind="break", room=None).count() == 10
    assert sessions.filter(room=None, speakers__isnull=False).distinct().count() == 2
    assert sessions.filter(session_speakers__role="moderator").count() == 1
    over_midnight = [
        s for s in sessions if s.start.astimezone(s.event.zone).date() != s.end.astimezone(s.event.zone).date()
    ]
    assert len(over_midnight) == 1


def test_rows_keep_what_the_source_said_as_plain_values():
    import_schedule([schedule(talk())])
    values = Session.objects.get().source_values
    assert json.loads(json.dumps(values)) == values
    assert (values["title"], values["times"]) == ("Tides", ["2031-06-04T09:00:00+00:00", "2031-06-04T09:30:00+00:00"])


def test_an_import_meets_sessions_that_were_made_by_hand():
    event = make_event(name="Reef Days 2031", slug="reef", timezone="Europe/Lisbon")
    made = make_session(event, "Tides", "2031-06-04 10:00", room=Room.objects.create(event=event, name="Aquário"))
    import_schedule([schedule(talk())])
    assert [(s.pk, s.abstract) for s in Session.objects.all()] == [(made.pk, "How water moves.")]
    assert connection.in_atomic_block
