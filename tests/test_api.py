"""Reading over HTTP: the same rows and the same filter as the page, in whole pages, the same for everybody."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from schedule.models import SessionSpeaker
from tests.api_requests import address_of, read_all
from tests.factories import make_event, make_material, make_room, make_session, make_speaker, make_track

pytestmark = pytest.mark.django_db

LISTS = ["sessions", "speakers", "rooms", "tracks"]


def titles(client, event, **query) -> list[str]:
    return [row["title"] for row in read_all(client, address_of(event, **query))]


# What is said of a row


def test_a_session_is_said_whole(client):
    event = make_event(slug="tides", timezone="Europe/Berlin")
    room, track = make_room(event, "Öre Pier"), make_track(event, "Boats & Nets")
    ada = make_speaker(event, "Ådne Özil", affiliation="Pier Works")
    bo = make_speaker(event, "Bo Tamm")
    session = make_session(
        event,
        "Über Wasser",
        "2030-05-06 10:00",
        45,
        room=room,
        track=track,
        kind="panel",
        status="cancelled",
        status_note="The boat is late",
        level="Beginner",
        language="Deutsch",
        abstract="One.\n\nTwo <b>.",
        stream_url="https://example.org/stream",
        recording_url="https://example.org/recording",
        fields={"Größe": "M"},
    )
    SessionSpeaker.objects.create(session=session, speaker=ada, role="moderator", position=2)
    SessionSpeaker.objects.create(session=session, speaker=bo, position=1)
    link = make_material(session, "Slides", url="https://example.org/slides")
    known = make_material(session, "Code", "zip", position=2)
    assert client.get(address_of(event)).json() == {
        "count": 1,
        "next": None,
        "previous": None,
        "results": [
            {
                "id": session.pk,
                "uid": str(session.uid),
                "url": f"http://testserver/tides/sessions/{session.pk}-uber-wasser/",
                "title": "Über Wasser",
                "kind": "panel",
                "status": "cancelled",
                "status_note": "The boat is late",
                "availability": "",
                "start": "2030-05-06T10:00:00+02:00",
                "end": "2030-05-06T10:45:00+02:00",
                "timezone": "Europe/Berlin",
                "room": "ore-pier",
                "track": "boats-nets",
                "level": "Beginner",
                "language": "Deutsch",
                "abstract": "One.\n\nTwo <b>.",
                "speakers": [
                    {"id": bo.pk, "slug": "bo-tamm", "name": "Bo Tamm", "affiliation": "", "role": "speaker"},
                    {
                        "id": ada.pk,
                        "slug": "adne-ozil",
                        "name": "Ådne Özil",
                        "affiliation": "Pier Works",
                        "role": "moderator",
                    },
                ],
                "materials": [
                    {"id": link.pk, "name": "Slides", "file_type": "pdf", "url": "https://example.org/slides"},
                    {"id": known.pk, "name": "Code", "file_type": "zip", "url": ""},
                ],
                "stream_url": "https://example.org/stream",
                "recording_url": "https://example.org/recording",
                "fields": {"Größe": "M"},
            }
        ],
    }


def test_a_session_without_slot_room_and_track_says_null(client):
    event = make_event()
    make_session(event)
    (row,) = read_all(client, address_of(event))
    assert {name: row[name] for name in ("start", "end", "room", "track", "speakers", "materials")} == {
        "start": None,
        "end": None,
        "room": None,
        "track": None,
        "speakers": [],
        "materials": [],
    }


def test_an_uploaded_material_has_an_address_of_this_site(client):
    event = make_event()
    make_material(make_session(event), file=SimpleUploadedFile("low water.pdf", b"%PDF"))
    (row,) = read_all(client, address_of(event))
    assert [material["url"] for material in row["materials"]] == ["http://testserver/media/materials/low_water.pdf"]


@pytest.mark.parametrize(
    ("zone", "start", "said"),
    [
        ("Europe/Berlin", "2026-03-29 01:30", ["2026-03-29T01:30:00+01:00", "2026-03-29T03:30:00+02:00"]),
        ("Europe/Berlin", "2026-10-25 01:30", ["2026-10-25T01:30:00+02:00", "2026-10-25T02:30:00+02:00"]),
        ("Asia/Kolkata", "2026-10-25 01:30", ["2026-10-25T01:30:00+05:30", "2026-10-25T02:30:00+05:30"]),
        ("UTC", "2026-10-25 01:30", ["2026-10-25T01:30:00+00:00", "2026-10-25T02:30:00+00:00"]),
    ],
)
def test_times_are_local_with_the_offset_of_that_instant(client, zone, start, said):
    event = make_event(timezone=zone)
    make_session(event, start=start, minutes=60)
    (row,) = read_all(client, address_of(event))
    assert [row["start"], row["end"]] == said


def test_rooms_tracks_and_people_are_said_whole_and_in_order(client):
    event = make_event()
    second, first = make_room(event, "Quay", position=2), make_room(event, "Pier", floor="0", capacity=9, position=1)
    track = make_track(event, "Boats & Nets", hue=7)
    tamm = make_speaker(event, "Bo Tamm", bio="Sails.", links="https://example.org/bo", position="Pilot")
    alm = make_speaker(event, "Cy Alm", headline="Pilot, Pier", affiliation="Pier", is_bio_cut=True)
    make_session(event, people=[tamm, alm])
    assert read_all(client, address_of(event, "rooms")) == [
        {
            "id": first.pk,
            "slug": "pier",
            "name": "Pier",
            "position": 1,
            "floor": "0",
            "capacity": 9,
            "has_parallel_sessions": False,
        },
        {
            "id": second.pk,
            "slug": "quay",
            "name": "Quay",
            "position": 2,
            "floor": "",
            "capacity": None,
            "has_parallel_sessions": False,
        },
    ]
    assert read_all(client, address_of(event, "tracks")) == [
        {"id": track.pk, "slug": "boats-nets", "name": "Boats & Nets", "position": 1, "code": "BN", "hue": 7}
    ]
    assert read_all(client, address_of(event, "speakers")) == [
        {
            "id": alm.pk,
            "slug": "cy-alm",
            "name": "Cy Alm",
            "sort_name": "Alm, Cy",
            "headline": "Pilot, Pier",
            "position": "",
            "affiliation": "Pier",
            "bio": "",
            "is_bio_cut": True,
            "photo": None,
            "links": [],
        },
        {
            "id": tamm.pk,
            "slug": "bo-tamm",
            "name": "Bo Tamm",
            "sort_name": "Tamm, Bo",
            "headline": "",
            "position": "Pilot",
            "affiliation": "",
            "bio": "Sails.",
            "is_bio_cut": False,
            "photo": None,
            "links": ["https://example.org/bo"],
        },
    ]


def test_an_event_is_said_whole_alone_and_in_the_list(client):
    event = make_event(name="Tides", slug="tides", venue="Pier", tagline="Ebb", description="D", notice="N")
    event.mark_programme_changed()
    said = {
        "id": event.pk,
        "slug": "tides",
        "name": "Tides",
        "tagline": "Ebb",
        "description": "D",
        "start_date": "2030-05-06",
        "end_date": "2030-05-07",
        "timezone": "Europe/Berlin",
        "day_change_hour": 4,
        "city": "Berlin",
        "country": "Germany",
        "venue": "Pier",
        "notice": "N",
        "website_url": "",
        "registration_url": "",
        "help_url": "",
        "programme_version": 1,
        "programme_changed_at": event.programme_changed_at.isoformat().replace("+00:00", "Z"),
    }
    assert client.get("/api/v1/events/tides/").json() == said
    assert client.get("/api/v1/events/").json() == {"count": 1, "next": None, "previous": None, "results": [said]}


# What is public


def test_drafts_are_nowhere(client):
    event, draft = make_event(), make_event(is_public=False)
    make_session(event, "Open", people=[make_speaker(event, "Ada")])
    make_session(event, "Secret", status="draft", people=[make_speaker(event, "Bo")])
    make_session(draft, "Hidden", people=[make_speaker(draft, "Cy")])
    assert [row["slug"] for row in read_all(client, "/api/v1/events/")] == [event.slug]
    assert titles(client, event) == ["Open"]
    assert titles(client, event, q="secret") == []
    assert [row["name"] for row in read_all(client, address_of(event, "speakers"))] == ["Ada"]
    paths = [f"/api/v1/events/{draft.slug}/", *(address_of(draft, name) for name in LISTS)]
    assert [client.get(path).status_code for path in paths] == [404] * 5


@pytest.mark.parametrize("path", ["", *(f"{name}/" for name in LISTS)])
@pytest.mark.parametrize("slug", ["none", "%00", "a%2Fb", "é", "x" * 1000])
def test_an_unknown_event_is_not_found_in_json(client, path, slug):
    response = client.get(f"/api/v1/events/{slug}/{path}")
    assert response.status_code == 404
    if slug != "a%2Fb":
        assert response["Content-Type"] == "application/json"
        assert list(response.json()) == ["detail"]


@pytest.mark.parametrize("name", ["", *LISTS])
def test_every_answer_is_the_same_for_everybody_and_sets_no_cookie(client, admin_client, name):
    event = make_event()
    make_session(event, people=[make_speaker(event)])
    path = address_of(event, name) if name else f"/api/v1/events/{event.slug}/"
    answers = [visitor.get(path) for visitor in (client, admin_client)]
    assert answers[0].content == answers[1].content
    assert [(dict(answer.cookies), "cookie" in answer.get("Vary", "").lower()) for answer in answers] == [
        ({}, False)
    ] * 2


# The filter


def test_the_filter_is_the_pages(client):
    event = make_event()
    pier, quay = make_room(event, "Pier"), make_room(event, "Quay")
    boats = make_track(event, "Boats")
    ada = make_speaker(event, "Ådne Özil", affiliation="Łódź Works")
    make_session(
        event, "A", "2030-05-06 10:00", room=pier, track=boats, people=[ada], level="Expert", language="Deutsch"
    )
    make_session(event, "B", "2030-05-07 01:00", room=quay, kind="panel")
    make_material(make_session(event, "C", "2030-05-07 10:00", room=quay, abstract="Über Wasser"))
    make_session(event, "D")
    questions = {
        "": ["A", "B", "C", "D"],
        "day=2030-05-06": ["A", "B"],
        "day=2030-05-06&day=2030-05-07": ["A", "B", "C"],
        "room=quay": ["B", "C"],
        "room=quay&room=pier": ["A", "B", "C"],
        "room=quay&kind=panel": ["B"],
        "track=boats": ["A"],
        "level=expert": ["A"],
        "language=deutsch": ["A"],
        "company=lodz-works": ["A"],
        "speaker=adne-ozil": ["A"],
        "materials=yes": ["C"],
        "q=OZIL": ["A"],
        "q=wasser+uber": ["C"],
        "q=quay": ["B", "C"],
        "room=quay&day=2030-05-06&q=b": ["B"],
    }
    answers = {question: client.get(f"{address_of(event)}?{question}").json()["results"] for question in questions}
    assert {question: [row["title"] for row in rows] for question, rows in answers.items()} == questions
    pages = {question: client.get(f"/{event.slug}/?{question}").context["selection"] for question in questions}
    assert {question: page.count for question, page in pages.items()} == {
        question: len(rows) for question, rows in answers.items()
    }


@pytest.mark.parametrize(
    "question",
    [
        "track=none",
        "room=none",
        "kind=none",
        "level=none",
        "company=none",
        "language=none",
        "speaker=none",
        "day=1999-01-01",
        "day=2030-02-30",
        "day=0001-01-01",
        "day=9999-12-31",
        "day=tomorrow",
        "materials=no",
        "q=nowhere",
        "room=%00",
        "q=%2525",
        "q=_",
        "track='%20OR%201=1",
    ],
)
def test_a_value_that_the_event_does_not_have_is_an_empty_list(client, question):
    event = make_event()
    make_session(event, "A", "2030-05-06 10:00", room=make_room(event), track=make_track(event))
    response = client.get(f"{address_of(event)}?{question}")
    assert (response.status_code, response.json()) == (
        200,
        {"count": 0, "next": None, "previous": None, "results": []},
    )


def test_a_value_of_another_event_is_an_empty_list(client):
    event, other = make_event(), make_event()
    make_session(event, "A")
    make_session(other, "B", "2030-05-06 10:00", room=make_room(other, "Quay"))
    assert titles(client, event, room="quay") == []


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize(
    "question",
    [
        "page=0",
        "page=-1",
        "page=x",
        "page=%00",
        "page=" + "9" * 30,
        "page_size=0",
        "page_size=-5",
        "page_size=x",
        "page_size=" + "9" * 30,
        "page=last",
        "q=" + "%EF%B7%BA" * 100,
        "q=" + "a+" * 3000,
        "q=%00%00",
        "q=%ED%A0%80",
        "day=%FF",
        "&".join(f"room=r{n}" for n in range(500)),
        "&".join(f"day=20{n:02}-01-01" for n in range(99)),
        "format=xml",
        "cursor=1",
    ],
)
def test_weird_input_is_never_a_failure(client, name, question):
    event = make_event()
    make_session(event, people=[make_speaker(event)], room=make_room(event), start="2030-05-06 10:00")
    assert client.get(f"{address_of(event, name)}?{question}").status_code in (200, 400, 404)
