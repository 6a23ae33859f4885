"""The programme as real calendars read it (RFC 5545)."""

from datetime import UTC, datetime, timedelta

import pytest
from icalendar import Calendar

from tests.factories import make_event, make_room, make_session, make_speaker, make_track

pytestmark = pytest.mark.django_db

CHANGED = datetime(2030, 1, 2, 3, 4, 5, 678_000, tzinfo=UTC)


def read_calendar(client, address: str) -> list[dict[str, object]]:
    """The entries of the calendar at `address` as plain values, without what is for our own importer alone."""
    calendar = Calendar.from_ical(client.get(address).content)
    return [
        {name.lower(): _plain(value) for name, value in entry.items() if not name.startswith("X-PLENARY")}
        for entry in calendar.walk("VEVENT")
    ]


def _plain(value):
    if hasattr(value, "cats"):
        return [str(category) for category in value.cats]
    return value.dt if hasattr(value, "dt") else str(value)


def of(event, query: str = "") -> str:
    return f"/{event.slug}/schedule.ics{query}"


def summaries(client, address: str) -> list[str]:
    return [entry["summary"] for entry in read_calendar(client, address)]


def test_a_session_is_an_entry_with_everything_a_calendar_can_hold(client):
    event = make_event(slug="tides", name="Tides, “High”", timezone="Europe/Berlin", city="Kiel", country="Germany")
    event.mark_programme_changed(CHANGED)
    session = make_session(
        event,
        "Über Wasser; Teil 1, Öre",
        "2030-05-06 10:00",
        45,
        room=make_room(event, "Pier, Süd"),
        track=make_track(event, "Boats, Nets & Co"),
        people=[make_speaker(event, "Ådne Özil", affiliation="Łódź; Works"), make_speaker(event, "Bo Tamm")],
        abstract="One.\n\nTwo \\ <b>, three; four.",
    )
    address = f"http://testserver/tides/sessions/{session.pk}-uber-wasser-teil-1-ore/"
    assert read_calendar(client, of(event)) == [
        {
            "uid": str(session.uid),
            "dtstamp": CHANGED.replace(microsecond=0),
            "last-modified": CHANGED.replace(microsecond=0),
            "sequence": "0",
            "dtstart": datetime(2030, 5, 6, 8, tzinfo=UTC),
            "dtend": datetime(2030, 5, 6, 8, 45, tzinfo=UTC),
            "summary": "Über Wasser; Teil 1, Öre",
            "location": "Pier, Süd, Kiel, Germany",
            "description": f"{address}\n\nÅdne Özil, Łódź; Works\nBo Tamm\n\nOne.\n\nTwo \\ <b>, three; four.",
            "url": address,
            "status": "CONFIRMED",
            "categories": ["Boats, Nets & Co"],
        }
    ]


def test_a_stream_stands_where_calendars_look_for_it_and_where_people_do(client):
    event = make_event()
    session = make_session(event, "A", "2030-05-06 10:00", stream_url="https://example.org/live")
    address = f"http://testserver/{event.slug}/sessions/{session.pk}-a/"
    entry = read_calendar(client, of(event))[0]
    assert (entry["conference"], entry["description"]) == (
        "https://example.org/live",
        f"{address}\nhttps://example.org/live",
    )
    assert b"CONFERENCE;FEATURE=VIDEO;LABEL=Stream;VALUE=URI:https://example.org/live" in client.get(of(event)).content


def test_a_calendar_says_whose_it_is(client):
    event = make_event(name="Tides, “High”", timezone="Asia/Kolkata")
    calendar = Calendar.from_ical(client.get(of(event)).content)
    said = {name: str(getattr(value, "td", value)) for name, value in calendar.items()}
    assert said == {
        "PRODID": "-//Plenary//Plenary//EN",
        "VERSION": "2.0",
        "X-WR-CALNAME": "Tides, “High”",
        "X-WR-TIMEZONE": "Asia/Kolkata",
        "REFRESH-INTERVAL": "1:00:00",
        "X-PUBLISHED-TTL": "PT1H",
    }


def test_times_are_utc_so_that_no_calendar_needs_to_know_the_zone(client):
    event = make_event(timezone="Europe/Berlin")
    make_session(event, start="2026-03-29 01:30", minutes=60)
    content = client.get(of(event)).content.decode()
    assert [line for line in content.split("\r\n") if line.startswith(("DTSTART", "DTEND"))] == [
        "DTSTART:20260329T003000Z",
        "DTEND:20260329T013000Z",
    ]


@pytest.mark.parametrize(
    ("values", "room", "location"),
    [
        ({"city": "Kiel", "country": "Germany", "venue": "Harbour"}, "Pier", "Pier, Harbour, Kiel, Germany"),
        ({"city": "Kiel", "country": "Germany", "venue": "Harbour"}, "", "Harbour, Kiel, Germany"),
        ({"city": "", "country": "", "venue": ""}, "Pier", "Pier"),
        ({"city": "", "country": "", "venue": "", "name": "Tides"}, "", "Tides"),
    ],
)
def test_every_entry_has_a_place_because_some_apps_refuse_those_without(client, values, room, location):
    event = make_event(**values)
    make_session(event, start="2030-05-06 10:00", room=make_room(event, room) if room else None)
    assert [entry["location"] for entry in read_calendar(client, of(event))] == [location]


def test_a_cancelled_session_is_said_to_be_cancelled_and_a_draft_is_absent(client):
    event = make_event()
    for status in ("confirmed", "cancelled", "draft"):
        make_session(event, status, "2030-05-06 10:00", status=status)
    assert [(entry["summary"], entry["status"]) for entry in read_calendar(client, of(event))] == [
        ("confirmed", "CONFIRMED"),
        ("cancelled", "CANCELLED"),
    ]


def test_a_session_without_a_time_is_absent(client):
    event = make_event()
    make_session(event, "A", "2030-05-06 10:00")
    unscheduled = make_session(event, "B")
    assert summaries(client, of(event)) == ["A"]
    assert client.get(f"/{event.slug}/sessions/{unscheduled.pk}.ics").status_code == 404


def test_the_filter_of_the_page_applies_and_the_order_is_the_programmes(client):
    event = make_event()
    second, first = make_room(event, "Quay", position=2), make_room(event, "Pier", position=1)
    make_session(event, "C", "2030-05-07 10:00", room=first)
    make_session(event, "B", "2030-05-06 10:00", room=second)
    make_session(event, "A", "2030-05-06 10:00", room=first)
    questions = {
        "": ["A", "B", "C"],
        "?room=pier": ["A", "C"],
        "?room=pier&day=2030-05-06": ["A"],
        "?q=quay": ["B"],
        "?room=none": [],
    }
    assert {question: summaries(client, of(event, question)) for question in questions} == questions


def test_one_session_is_a_calendar_of_one_entry_the_same_as_in_the_whole(client):
    event = make_event()
    make_session(event, "A", "2030-05-06 09:00")
    session = make_session(event, "B", "2030-05-06 10:00")
    alone = read_calendar(client, f"/{event.slug}/sessions/{session.pk}.ics")
    assert alone == read_calendar(client, of(event))[1:]


def test_drafts_and_events_that_are_not_public_have_no_calendar(client):
    event, draft = make_event(), make_event(is_public=False)
    session = make_session(event, start="2030-05-06 10:00", status="draft")
    hidden = make_session(draft, start="2030-05-06 10:00")
    paths = [f"/{event.slug}/sessions/{session.pk}.ics", f"/{draft.slug}/sessions/{hidden.pk}.ics", of(draft)]
    assert [client.get(path).status_code for path in paths] == [404] * 3


def test_the_same_data_gives_the_same_bytes_and_a_change_another_stamp(client):
    event = make_event()
    make_session(event, start="2030-05-06 10:00")
    event.mark_programme_changed(CHANGED)
    first, second = client.get(of(event)).content, client.get(of(event)).content
    assert first == second
    event.mark_programme_changed(CHANGED + timedelta(days=1))
    assert first.replace(b":20300102T030405Z", b":20300103T030405Z") == client.get(of(event)).content


def test_the_uid_stays_when_everything_else_changes(client):
    event = make_event()
    session = make_session(event, "A", "2030-05-06 10:00")
    before = [entry["uid"] for entry in read_calendar(client, of(event))]
    session.title, session.start = "B", session.start + timedelta(minutes=5)
    session.save()
    assert [entry["uid"] for entry in read_calendar(client, of(event))] == before == [str(session.uid)]


def test_lines_end_in_cr_lf_and_have_at_most_75_octets(client):
    event = make_event(name="Ö" * 150)
    make_session(
        event,
        "海" * 300,
        "2030-05-06 10:00",
        abstract="🌊 wave " * 500 + "\r\nnext\n" + "x" * 2000,
        people=[make_speaker(event, "Å" * 190)],
    )
    content = client.get(of(event)).content
    lines = content.split(b"\r\n")
    assert (lines[-1], b"\n" in b"".join(lines), b"\r" in b"".join(lines)) == (b"", False, False)
    assert max(len(line) for line in lines) <= 75
    # Folded between characters, never within one.
    assert [line.decode() for line in lines]
    assert summaries(client, of(event)) == ["海" * 300]


@pytest.mark.parametrize("title", ["A\nATTENDEE:mailto:x@example.org", "A\r\nEND:VEVENT\r\nBEGIN:VEVENT", "A\rB"])
def test_a_title_cannot_add_lines_of_its_own(client, title):
    event = make_event()
    make_session(event, title, "2030-05-06 10:00")
    content = client.get(of(event)).content.decode()
    names = [line.partition(":")[0] for line in content.split("\r\n") if not line.startswith(" ")]
    assert sorted(names) == sorted(
        [
            *("BEGIN", "VERSION", "PRODID", "X-WR-CALNAME", "X-WR-TIMEZONE", "X-PUBLISHED-TTL"),
            *("REFRESH-INTERVAL;VALUE=DURATION", "BEGIN", "SUMMARY", "DTSTART", "DTEND", "DTSTAMP", "UID", "SEQUENCE"),
            *("LAST-MODIFIED", "DESCRIPTION", "LOCATION", "STATUS", "URL", "X-PLENARY-EXACTLY", "END", "END", ""),
        ]
    )


def test_a_calendar_is_served_as_one_under_the_events_name(client):
    event = make_event(slug="tides-2030")
    response = client.get(of(event))
    assert (response["Content-Type"], response["Content-Disposition"]) == (
        "text/calendar; charset=utf-8",
        'inline; filename="tides-2030.ics"',
    )
    assert dict(response.cookies) == {}


@pytest.mark.parametrize("number", [2, 40])
def test_a_calendar_takes_the_same_five_queries_for_few_and_many_sessions(client, django_assert_num_queries, number):
    event = make_event()
    room, track = make_room(event), make_track(event)
    for _ in range(number):
        make_session(event, start="2030-05-06 10:00", room=room, track=track, people=[make_speaker(event)])
    with django_assert_num_queries(5):
        client.get(of(event))
