"""`export_schedule`: the programme as text, from which an empty event becomes equal."""

from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from hypothesis import HealthCheck, given, settings

from schedule.exports.sched_text import write_sched_text
from schedule.importing import Source, import_schedule
from schedule.models import Session, SessionSpeaker
from tests.factories import make_event, make_material, make_room, make_session, make_speaker, make_track
from tests.programmes import make_programme, programme_of, programmes, sessions_of

pytestmark = pytest.mark.django_db

FIXTURES = Path(__file__).parent.parent / "fixtures" / "schedules"


def export(event) -> str:
    return write_sched_text(event, sessions_of(event)).text


def copy_by_text(event):
    """Import the exported text of an event into an empty one, and return that."""
    copy = make_event(timezone=event.timezone, start_date=event.start_date, end_date=event.end_date)
    import_schedule([Source("export.txt", export(event).encode())], event_slug=copy.slug)
    return copy


def assert_equal_by_text(event):
    assert programme_of(copy_by_text(event)) == programme_of(event)


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.txt")), ids=lambda path: path.stem)
def test_a_schedule_imported_exported_and_imported_into_an_empty_event_is_the_same(path):
    report = import_schedule([Source(path.name, path.read_bytes())])
    event = make_event().__class__.objects.get(slug=report.events[0].slug)
    assert_equal_by_text(event)


def test_the_text_is_that_of_a_sched_page():
    event = make_event(name="Harbour Days", start_date="2030-05-06", end_date="2030-05-06")
    ada = make_speaker(event, "Ada Byron", headline="Engineer, Sea Co", affiliation="Sea Co", position="Engineer")
    ada.bio = "Builds engines.\n\nAnd bridges."
    ada.save()
    session = make_session(
        event, "Engines", "2030-05-06 09:00", people=[ada], room=make_room(event, "Hall"), abstract="Of steam.",
        track=make_track(event, "Machines"), level="Any", kind="keynote", fields={"Slides Attached": "Yes"},
    )  # fmt: skip
    make_material(session, "engines", "pdf")
    expected = """\
Harbour Days: Full Schedule
6 May 2030
Berlin, Germany

Exactly {"timezone": "Europe/Berlin", "start_date": "2030-05-06", "end_date": "2030-05-06", "stated_dates": ""}

09:00 CEST

Keynote: Engines - Ada Byron, Sea Co

Monday May 6, 2030 09:00 - 09:30 CEST

Hall

Of steam.

Speakers

Ada Byron

Engineer, Sea Co

Builds engines.

And bridges.

engines pdf

Monday May 6, 2030 09:00 - 09:30 CEST
Hall

Machines

Audience Level Any
Slides Attached Yes

09:00 CEST

Get help with the event
"""
    assert export(event) == expected


@pytest.mark.parametrize(
    "title",
    [
        "09:00 CEST",
        "Speakers",
        "Keynote: of the seas",
        "Monday May 6, 2030 09:00 - 09:30 CEST",
        "Monday, May 6",
        "Ropes - Ada Byron, Sea Co",
        "Lunch",
        "Get help with the event",
        'Exactly {"title": "no"}',
        "\u202eropes\u202c",
        "Rope\u00adwalk",
        "绳索 🪢",
    ],
)
def test_a_title_that_looks_like_something_else_stays_a_title(title):
    event = make_event()
    ada = make_speaker(event, "Ada Byron", headline="Engineer, Sea Co", affiliation="Sea Co", position="Engineer")
    make_session(event, title, "2030-05-06 09:00", people=[ada])
    make_session(event, title, "2030-05-06 11:00")
    assert_equal_by_text(event)


@pytest.mark.parametrize(
    "abstract",
    [
        "Agenda\n\n09:00 CEST\n\nRopes\n\nMonday May 6, 2030 09:00 - 09:30 CEST\n\nKnots",
        "Speakers\n\nAda Byron\n\nEngineer, Sea Co",
        "First\n\n\n\n  - indented\r\n\tand tabbed",
        "Hall",
        "knots.pdf pdf",
        "\x01\x02\x1f\x85\u2028 controls",
        "avatar for Bob Stone",
        "Get help with the event",
    ],
)
def test_an_abstract_that_looks_like_something_else_stays_an_abstract(abstract):
    event = make_event()
    room = make_room(event, "Hall")
    ada = make_speaker(event, "Ada Byron", bio=abstract, is_bio_cut=True)
    make_session(event, "Ropes", "2030-05-06 09:00", room=room, abstract=abstract)
    make_session(event, "Knots", "2030-05-06 10:00", people=[ada], abstract=abstract)
    assert_equal_by_text(event)


def test_what_a_sched_page_never_says_is_kept():
    event = make_event()
    people = [make_speaker(event, name) for name in ("Ada Byron", "Bob Stone", "Cy Reed")]
    people[0].aliases = "Countess of Lovelace"
    people[0].position, people[0].affiliation, people[0].headline = "Countess", "Ockham", "of Lovelace"
    people[0].save()
    session = make_session(
        event, "Ropes", "2030-05-06 09:00", people=people, status="cancelled", kind="other", language="Português",
        fields={"Mast height": "5 m", "": "two\nlines", "Company": "Sea"},
        stream_url="https://example.org/live", recording_url="https://example.org/seen",
    )  # fmt: skip
    SessionSpeaker.objects.filter(session=session, speaker=people[1]).update(role="moderator")
    make_material(session, "Notes of all", "", url="https://example.org/notes")
    assert_equal_by_text(event)


@pytest.mark.parametrize(
    ("zone", "start", "minutes"),
    [
        ("Europe/Berlin", "2030-03-31 01:30", 60),
        ("Europe/Berlin", "2030-10-27 02:30", 30),
        ("Europe/Berlin", "2030-10-27 01:30", 180),
        ("Asia/Kathmandu", "2030-05-06 23:30", 60),
        ("Australia/Lord_Howe", "2030-04-07 01:30", 60),
        ("America/Sao_Paulo", "2030-05-06 00:00", 24 * 60),
        ("Pacific/Kiritimati", "2030-05-06 09:00", 60 * 50),
    ],
)
def test_every_instant_and_every_length_is_kept(zone, start, minutes):
    event = make_event(timezone=zone, start_date="2030-03-01", end_date="2030-12-01")
    local = datetime.fromisoformat(start).replace(tzinfo=ZoneInfo(zone))
    for fold in (0, 1):
        begin = local.replace(fold=fold).astimezone(UTC)
        session = Session(
            event=event, title=f"Ropes {fold}", start=begin, end=begin + timedelta(minutes=minutes, seconds=7 * fold)
        )
        session.full_clean()
        session.save()
    assert_equal_by_text(event)


def test_the_events_own_words_for_kinds_change_nothing():
    event = make_event(kind_prefixes="Masterclass = workshop")
    make_session(event, "Masterclass: ropes", "2030-05-06 09:00")
    text = export(event)
    other = make_event(kind_prefixes="Masterclass = workshop")
    for copy in (make_event(), other):
        import_schedule([Source("export.txt", text.encode())], event_slug=copy.slug)
        assert programme_of(copy) == programme_of(event)


def test_what_the_text_has_no_place_for_is_said():
    event = make_event()
    ann, namesake = make_speaker(event, "Ann Lee"), make_speaker(event, "Ann Lee")
    session = make_session(event, "Ropes", "2030-05-06 09:00", people=[ann], status="cancelled", status_note="Ill.")
    make_session(event, "Knots", "2030-05-06 10:00", people=[namesake])
    make_session(event, "Knots", "2030-05-06 10:00")
    make_session(event, "Some day")
    make_material(session, "a", "pdf", file="materials/a.pdf")
    assert write_sched_text(event, sessions_of(event)).losses == [
        "“Some day” has no time that the format can say: left out",
        "“Ropes”: the note beside “Cancelled” is left out",
        "1 uploaded files are named, but not in the text",
        "“Knots” stands twice at one time in one room: one session when imported",
        "“Ann Lee” and “Ann Lee” are read as one person when imported",
    ]


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(programmes())
def test_any_programme_is_equal_after_a_way_through_the_text(db, drawn):
    with transaction.atomic():
        try:
            event = make_programme(drawn)
            assert_equal_by_text(event)
        finally:
            transaction.set_rollback(True)


# The command


def test_the_command_writes_a_file_that_imports(tmp_path):
    event = make_event(slug="harbour")
    make_session(event, "Ropes", "2030-05-06 09:00")
    make_session(event, "Secret", "2030-05-06 10:00", status="draft")
    path = tmp_path / "harbour.txt"
    call_command("export_schedule", "harbour", output=str(path))
    copy = make_event()
    import_schedule([Source("harbour.txt", path.read_bytes())], event_slug=copy.slug)
    assert [session.title for session in copy.sessions.all()] == ["Ropes"]


def test_the_command_writes_to_standard_output_and_says_losses_on_standard_error(capsysbinary):
    event = make_event(slug="harbour")
    make_session(event, "Ropes", "2030-05-06 09:00")
    make_session(event, "Some day")
    errors = StringIO()
    call_command("export_schedule", "harbour", stderr=errors)
    assert capsysbinary.readouterr().out.decode() == export(event)
    assert errors.getvalue() == "“Some day” has no time that the format can say: left out\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "there is no event 'nowhere'; there are: harbour"),
        (["harbour"], "Harbour: no session has a time, and the text format has no place for one without"),
    ],
)
def test_the_command_says_what_stands_in_the_way(arguments, message):
    make_event(slug="harbour", name="Harbour")
    with pytest.raises(CommandError) as raised:
        call_command("export_schedule", *arguments)
    assert str(raised.value) == message
