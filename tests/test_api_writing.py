"""Writing over HTTP: with a token, by whoever knows the present state, every write in the history."""

import pytest

from conference.models import Room
from schedule.models import Session, SessionChange
from speakers.models import Speaker
from tests.admin_pages import columns_of, version_of
from tests.api_requests import Organiser, history, make_token
from tests.factories import make_event, make_room, make_session, make_speaker, make_track

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return make_event(slug="tides")


@pytest.fixture
def desk(client, event):
    return Organiser(client, event)


def fault(response) -> tuple:
    return response.status_code, response.json()


# Sessions


def test_a_session_is_created_whole(desk, event):
    room, track = make_room(event, "Pier"), make_track(event, "Boats")
    ada, bo = make_speaker(event, "Ada"), make_speaker(event, "Bo")
    sent = {
        "title": "Über Wasser",
        "kind": "panel",
        "start": "2030-05-06T08:00:00Z",
        "end": "2030-05-06T10:45:00+02:00",
        "room": "pier",
        "track": "boats",
        "speakers": [{"id": bo.pk}, {"id": ada.pk, "role": "moderator"}],
        "abstract": "One.\n\nTwo <b>.",
        "fields": {"Größe": "M"},
    }
    answer = desk.post("sessions/", sent)
    session = Session.objects.get()
    assert (answer.status_code, answer["Location"]) == (201, f"http://testserver{desk.base}sessions/{session.pk}/")
    assert (session.title, session.kind, session.room, session.track, session.fields, session.abstract) == (
        "Über Wasser", "panel", room, track, {"Größe": "M"}, "One.\n\nTwo <b>.",
    )  # fmt: skip
    people = [(link.speaker, link.role) for link in session.session_speakers.in_order()]
    assert people == [(bo, "speaker"), (ada, "moderator")]
    assert answer.json() == desk.get(f"sessions/{session.pk}/").json()
    assert answer.json()["start"] == "2030-05-06T10:00:00+02:00"


def test_a_change_of_part_leaves_the_rest(desk, event):
    session = make_session(event, "A", "2030-05-06 10:00", people=[make_speaker(event)], level="Expert")
    before = columns_of(session)
    assert desk.change("PATCH", f"sessions/{session.pk}/", {"title": "B"}).status_code == 200
    changed = {name for name, value in columns_of(session).items() if value != before[name]}
    assert changed == {"title", "title_key", "search_text"}
    assert session.session_speakers.count() == 1


def test_put_replaces_what_it_does_not_say_by_the_usual(desk, event):
    session = make_session(
        event, "A", "2030-05-06 10:00", room=make_room(event), people=[make_speaker(event)], level="Expert"
    )
    answer = desk.change("PUT", f"sessions/{session.pk}/", {"title": "A"}).json()
    assert {name: answer[name] for name in ("title", "start", "end", "room", "speakers", "level", "uid")} == {
        "title": "A", "start": None, "end": None, "room": None, "speakers": [], "level": "", "uid": str(session.uid),
    }  # fmt: skip


@pytest.mark.parametrize("name", ["sessions", "speakers", "rooms", "tracks"])
def test_what_was_read_can_be_sent_back_and_changes_nothing(desk, event, name):
    room, track = make_room(event, floor="1"), make_track(event, hue=9)
    person = make_speaker(event, links="https://example.org/a", aliases="Adele")
    session = make_session(event, "A", "2030-05-06 10:00", room=room, track=track, people=[person])
    row = {"sessions": session, "speakers": person, "rooms": room, "tracks": track}[name]
    before = columns_of(row)
    read = desk.get(f"{name}/{row.pk}/")
    for _ in range(2):
        answer = desk.send("PUT", f"{name}/{row.pk}/", read.json(), if_match=read["ETag"])
        assert (answer.status_code, answer.json(), answer["ETag"]) == (200, read.json(), read["ETag"])
    assert (columns_of(row), version_of(event), history()) == (before, 0, [])


def test_people_are_put_in_the_order_of_the_list(desk, event):
    ada, bo, cy = (make_speaker(event, name) for name in ("Ada", "Bo", "Cy"))
    session = make_session(event, people=[ada, bo])
    people = [{"id": cy.pk}, {"id": ada.pk, "role": "chair"}]
    answer = desk.change("PATCH", f"sessions/{session.pk}/", {"speakers": people})
    assert [(person["id"], person["role"]) for person in answer.json()["speakers"]] == [
        (cy.pk, "speaker"),
        (ada.pk, "chair"),
    ]


def test_a_session_is_cancelled_with_a_note_and_stays(desk, event):
    session = make_session(event, "A", "2030-05-06 10:00")
    for _ in range(2):
        answer = desk.post(f"sessions/{session.pk}/cancel/", {"note": "The boat is late"})
        assert (answer.status_code, answer.json()["status"], answer.json()["status_note"]) == (
            200, "cancelled", "The boat is late",
        )  # fmt: skip
    assert list(SessionChange.objects.values_list("kind", "title")) == [("cancelled", "A")]
    assert desk.send("DELETE", f"sessions/{session.pk}/", if_match="*").status_code == 405


def test_a_cancelled_session_keeps_its_note_where_none_is_sent(desk, event):
    session = make_session(event, status_note="The boat is late")
    assert desk.post(f"sessions/{session.pk}/cancel/", {}).json()["status_note"] == "The boat is late"


@pytest.mark.parametrize("name", ["speakers", "sessions"])
def test_what_searches_a_list_has_no_say_in_one_row(desk, event, name):
    row = {"speakers": make_speaker(event, "Ada Byron"), "sessions": make_session(event, "Ropes")}[name]
    field = {"speakers": "name", "sessions": "title"}[name]
    answers = [
        desk.send("PATCH", f"{name}/{row.pk}/?q=Nobody", {field: "New"}, if_match="*"),
        desk.post(f"{name}/?q=Nobody", {field: "Other"}),
    ]
    assert [(answer.status_code, answer.json()[field]) for answer in answers] == [(200, "New"), (201, "Other")]


# What follows from a write


def test_every_write_is_in_the_history_with_the_tokens_name(client, event):
    desk = Organiser(client, event, make_token(event, name="Front desk"))
    pk = desk.post("rooms/", {"name": "Pier"}).json()["id"]
    desk.change("PATCH", f"rooms/{pk}/", {"name": "Quay", "capacity": 9})
    desk.change("DELETE", f"rooms/{pk}/")
    said = [entry[2:] for entry in history()]
    assert said == [
        (1, "API token “Front desk”"),
        (2, "API token “Front desk”: name, capacity"),
        (3, "API token “Front desk”"),
    ]
    assert {entry[0] for entry in history()} == {"ada"}


def test_what_attendees_must_know_is_a_change_of_the_programme(desk, event):
    make_room(event, "Quay")
    session = make_session(event, "A", "2030-05-06 10:00", room=make_room(event, "Pier"))
    moved = {"start": "2030-05-06T11:00:00+02:00", "end": "2030-05-06T11:30:00+02:00", "room": "quay", "title": "B"}
    desk.change("PATCH", f"sessions/{session.pk}/", moved)
    changes = SessionChange.objects.order_by("id").values_list("kind", "programme_version")
    assert list(changes) == [("moved", 1), ("room", 1), ("renamed", 1)]


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("rooms", {"name": "Pier"}),
        ("tracks", {"name": "Boats"}),
        ("speakers", {"name": "Ada"}),
        ("sessions", {"title": "A"}),
    ],
)
def test_a_new_row_is_one_more_version_of_the_programme(desk, event, name, sent):
    assert desk.post(f"{name}/", sent).status_code == 201
    assert version_of(event) == 1


def test_speakers_links_are_a_list(desk, event):
    links = ["https://example.org/a", "https://example.org/b"]
    answer = desk.post("speakers/", {"name": "Jan van Lunteren", "links": links}).json()
    assert (answer["links"], answer["sort_name"]) == (links, "van Lunteren, Jan")
    assert Speaker.objects.get().links == "https://example.org/a\nhttps://example.org/b"


# Lost updates


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_a_write_for_an_old_state_is_refused(desk, event, method):
    room = make_room(event, "Pier")
    path = f"rooms/{room.pk}/"
    read = desk.get(path)["ETag"]
    assert desk.send("PATCH", path, {"name": "Quay"}, if_match=read).status_code == 200
    answer = desk.send(method, path, {"name": "Dock"}, if_match=read)
    assert (answer.status_code, list(answer.json()), Room.objects.get().name) == (412, ["detail"], "Quay")


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_a_write_for_no_state_is_refused(desk, event, method):
    room = make_room(event, "Pier")
    answer = desk.send(method, f"rooms/{room.pk}/", {"name": "Dock"})
    assert (answer.status_code, list(answer.json()), Room.objects.get().name) == (428, ["detail"], "Pier")


def test_the_state_is_the_same_in_every_zone_form_and_compression(desk, event):
    session = make_session(event, "A", "2030-05-06 10:00", abstract="long " * 500, room=make_room(event))
    path = f"sessions/{session.pk}/"
    names = [
        desk.get(path, **headers | {"accept-encoding": encoding})["ETag"]
        for headers, encoding in [({}, ""), ({}, "gzip"), ({}, "br")]
    ]
    names += [desk.get(f"{path}?{query}")["ETag"] for query in ("tz=Asia/Tokyo", "fields=title", "expand=room")]
    assert len(set(names)) == 6
    assert [desk.send("PATCH", path, {"title": "A"}, if_match=name).status_code for name in names] == [200] * 6


def test_the_answer_to_a_write_names_the_new_state(desk, event):
    room = make_room(event, "Pier")
    first = desk.change("PATCH", f"rooms/{room.pk}/", {"floor": "1"})
    assert desk.send("PATCH", f"rooms/{room.pk}/", {"floor": "2"}, if_match=first["ETag"]).status_code == 200


def test_weak_names_and_other_words_are_no_state(desk, event):
    path = f"rooms/{make_room(event).pk}/"
    name = desk.get(path)["ETag"]
    answers = [desk.send("PATCH", path, {}, if_match=sent).status_code for sent in (f"W/{name}", "x", '""', "*")]
    assert answers == [412, 400, 412, 200]


def test_cancelling_needs_no_state_and_heeds_one(desk, event):
    session = make_session(event)
    path = f"sessions/{session.pk}/cancel/"
    assert desk.post(path, {}, if_match='"old"').status_code == 412
    assert desk.post(path, {}).status_code == 200


# Faults


@pytest.mark.parametrize(
    ("sent", "fields"),
    [
        ({}, ["title"]),
        ({"title": ""}, ["title"]),
        ({"title": "­"}, ["title"]),
        ({"title": 7}, ["title"]),
        ({"title": "x" * 401}, ["title"]),
        ({"title": "A\0"}, ["title"]),
        ({"title": "A", "kind": "feast"}, ["kind"]),
        ({"title": "A", "start": "2030-05-06T10:00:00"}, ["start"]),
        ({"title": "A", "start": "tomorrow"}, ["start"]),
        ({"title": "A", "start": "0001-01-01T00:00:00Z"}, ["start"]),
        ({"title": "A", "start": "2030-05-06T10:00:00Z"}, ["start"]),
        ({"title": "A", "start": "2030-05-06T10:00:00Z", "end": "2030-05-06T09:00:00Z"}, ["end"]),
        ({"title": "A", "room": "none"}, ["room"]),
        ({"title": "A", "room": ["pier"]}, ["room"]),
        ({"title": "A", "room": "theirs"}, ["room"]),
        ({"title": "A", "track": "theirs"}, ["track"]),
        ({"title": "A", "speakers": [{"id": 10**17}]}, ["speakers"]),
        ({"title": "A", "speakers": [{"id": "x"}]}, ["speakers"]),
        ({"title": "A", "speakers": [{"role": "chair"}]}, ["speakers"]),
        ({"title": "A", "speakers": "Ada"}, ["speakers"]),
        ({"title": "A", "stream_url": "javascript:alert(1)"}, ["stream_url"]),
        ({"title": "A", "fields": {"a": 1}}, ["fields"]),
        ({"title": "A", "fields": ["a"]}, ["fields"]),
        ([], ["non_field_errors"]),
        (None, ["non_field_errors"]),
    ],
)
def test_a_fault_names_its_field_and_nothing_is_written(desk, sent, fields):
    other = make_event()
    make_room(other, "Theirs"), make_track(other, "Theirs")
    answer = desk.post("sessions/", sent)
    assert (answer.status_code, list(answer.json())) == (400, fields)
    assert (Session.objects.count(), history()) == (0, [])


def test_a_person_without_an_id_is_nobody_in_a_change_too(desk, event):
    session = make_session(event)
    answer = desk.change("PATCH", f"sessions/{session.pk}/", {"speakers": [{"role": "chair"}]})
    assert fault(answer) == (400, {"speakers": ["Name each by id."]})


def test_people_of_another_event_and_people_twice_are_no_cast(desk, event):
    ada, other = make_speaker(event), make_speaker(make_event())
    for people in ([other.pk], [ada.pk, ada.pk]):
        answer = desk.post("sessions/", {"title": "A", "speakers": [{"id": pk} for pk in people]})
        assert (answer.status_code, list(answer.json())) == (400, ["speakers"])


@pytest.mark.parametrize(
    ("name", "sent", "field"),
    [
        ("rooms", {"name": "PIER"}, "name"),
        ("rooms", {"name": "Dock", "slug": "pier"}, "slug"),
        ("rooms", {"name": "Dock", "slug": "a b"}, "slug"),
        ("rooms", {"name": "Dock", "capacity": 0}, "capacity"),
        ("rooms", {"name": "Dock", "has_parallel_sessions": "yes"}, "has_parallel_sessions"),
        ("tracks", {"name": "Nets", "code": "BO"}, "code"),
        ("tracks", {"name": "Nets", "hue": 360}, "hue"),
        ("speakers", {"name": "Ada", "links": ["ftp:x"]}, "links"),
        ("speakers", {"name": " "}, "name"),
    ],
)
def test_what_the_model_refuses_names_its_field(desk, event, name, sent, field):
    make_room(event, "Pier"), make_track(event, "Boats", code="BO")
    answer = desk.post(f"{name}/", sent)
    assert (answer.status_code, list(answer.json())) == (400, [field])


@pytest.mark.parametrize("name", ["rooms", "tracks", "speakers"])
def test_what_sessions_need_is_not_deleted(desk, event, name):
    room, track, person = make_room(event), make_track(event), make_speaker(event)
    make_session(event, start="2030-05-06 10:00", room=room, track=track, people=[person], status="draft")
    row = {"rooms": room, "tracks": track, "speakers": person}[name]
    answer = desk.change("DELETE", f"{name}/{row.pk}/")
    assert (answer.status_code, list(answer.json())) == (409, ["detail"])
    assert columns_of(row)["name"] == row.name
    assert (version_of(event), history()) == (0, [])


@pytest.mark.parametrize(
    ("body", "content_type", "status"),
    [
        (b"{", "application/json", 400),
        (b"\xff", "application/json", 400),
        (b'{"name": NaN}', "application/json", 400),
        (b"[" * 100_000, "application/json", 400),
        (b'{"name": "A"}', "text/plain", 415),
        (b"name=A", "application/x-www-form-urlencoded", 415),
        (b'{"name": "' + b"x" * 1024 * 1024 + b'"}', "application/json", 413),
    ],
)
def test_what_can_not_be_read_is_said_in_json(client, event, body, content_type, status):
    headers = {"authorization": f"Bearer {make_token(event)}"}
    answer = client.post(f"/api/v1/events/{event.slug}/rooms/", body, content_type, headers=headers)
    assert (answer.status_code, answer["Content-Type"], list(answer.json())) == (
        status, "application/json", ["detail"],
    )  # fmt: skip
