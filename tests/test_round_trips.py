"""Every public file of the schedule, imported into an empty event, gives the same programme."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.db import transaction
from django.test import Client
from hypothesis import HealthCheck, Phase, given, settings

from conference.models import Event
from schedule.importing import Source, import_schedule
from schedule.models import SessionSpeaker
from tests.factories import make_event, make_material, make_room, make_session, make_speaker, make_track
from tests.programmes import make_programme, programme_of, programmes

pytestmark = pytest.mark.django_db

FIXTURES = Path(__file__).parent.parent / "fixtures" / "schedules"
ENDINGS = ["ics", "xml", "json", "csv", "xlsx"]


def public_programme_of(event) -> list[dict]:
    """What the public is told: not how else an organiser knows people to be spelled."""
    told = programme_of(event)
    for person in (person for session in told for person in session["people"]):
        person.pop("alias_list")
    return told


def copy_by(event, ending: str):
    """Import the file of an event into an empty one, and return that."""
    response = Client().get(f"/{event.slug}/schedule.{ending}", headers={"host": "localhost"})
    assert response.status_code == 200
    copy = make_event(timezone=event.timezone, start_date=event.start_date, end_date=event.end_date)
    import_schedule([Source(f"schedule.{ending}", response.content)], event_slug=copy.slug)
    return copy


def assert_equal_by(event, ending: str):
    assert public_programme_of(copy_by(event, ending)) == public_programme_of(event)


@pytest.fixture(params=ENDINGS)
def ending(request):
    return request.param


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.txt")), ids=lambda path: path.stem)
def test_a_whole_schedule_is_the_same(path, ending):
    report = import_schedule([Source(path.name, path.read_bytes())])
    assert_equal_by(Event.objects.get(slug=report.events[0].slug), ending)


def test_everything_that_a_session_can_say_is_kept(ending):
    event = make_event(venue="Harbour Hall", day_change_hour=5)
    people = [make_speaker(event, name) for name in ("Ada Byron", "Bob Stone", "Cy Reed")]
    people[0].position, people[0].affiliation, people[0].headline = "Countess", "Ockham", "of Lovelace"
    people[0].bio, people[0].is_bio_cut = "Builds engines.\n\nAnd bridges", True
    people[0].save()
    session = make_session(
        event, "Ropes", "2030-05-06 09:00", people=people, kind="sponsored-keynote", language="Português", level="Any",
        fields={"Mast height": "5 m", "": "two\nlines", "Company": "Sea"}, room=make_room(event, "Pier, Süd"),
        track=make_track(event, "Boats; Nets & Co"), abstract="One.\n\n<b>Two</b> \\n ;,",
        stream_url="https://example.org/live", recording_url="https://example.org/seen",
    )  # fmt: skip
    SessionSpeaker.objects.filter(session=session, speaker=people[1]).update(role="moderator")
    make_material(session, "Notes of all", "", url="https://example.org/notes")
    make_material(session, "Known by name", "pdf")
    make_session(event, "Knots", "2030-05-06 09:00", 26 * 60, status="cancelled", people=people[:1])
    make_session(event, "After midnight", "2030-05-07 03:30", kind="social")
    assert_equal_by(event, ending)


def test_an_uploaded_file_becomes_a_link_to_where_it_lies(ending):
    event = make_event()
    make_material(make_session(event, "Ropes", "2030-05-06 09:00"), "a", "pdf", file="materials/a.pdf")
    copy = copy_by(event, ending)
    assert [session["materials"] for session in programme_of(copy)] == [
        [("a", "pdf", "http://localhost/media/materials/a.pdf")]
    ]


def test_a_session_without_a_time_is_kept(ending):
    event = make_event()
    make_session(event, "Ropes", "2030-05-06 09:00")
    make_session(event, "Some day", kind="workshop", abstract='When there is wind.\n\n"Or", at least; \\n calm.')
    copy = copy_by(event, ending)
    assert sorted(copy.sessions.values_list("title", "start", "kind", "abstract")) == [
        ("Ropes", datetime(2030, 5, 6, 7, tzinfo=UTC), "talk", ""),
        ("Some day", None, "workshop", 'When there is wind.\n\n"Or", at least; \\n calm.'),
    ]


@pytest.mark.parametrize("word", ["=knot ", "  knot", "knot\n\n", "漁網、"])
def test_what_is_too_long_for_a_cell_of_a_table_is_kept(word, ending):
    event = make_event()
    text = f"{word * 20_000}."
    make_session(event, "Ropes", "2030-05-06 09:00", abstract=text.strip(), fields={"Notes": text})
    assert_equal_by(event, ending)


@pytest.mark.parametrize("start", ["2030-03-31 01:30", "2030-10-27 01:30"])
def test_a_clock_change_is_kept(start, ending):
    event = make_event(start_date="2030-03-01", end_date="2030-12-01")
    make_session(event, "Before", start, 60)
    session = make_session(event, "After", start, 60)
    session.start, session.end = session.end, session.end + timedelta(seconds=90)
    session.save()
    assert_equal_by(event, ending)


@settings(
    max_examples=20,
    deadline=None,
    # An import for each step of shrinking takes longer than reading what was found.
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(programmes())
def test_any_programme_is_the_same(ending, drawn):
    with transaction.atomic():
        try:
            assert_equal_by(make_programme(drawn), ending)
        finally:
            transaction.set_rollback(True)
