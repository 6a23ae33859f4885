"""What every answer of the API shares: one row, chosen fields, the whole programme, ETag, zones, open to all sites."""

import gzip
import re

import pytest

from schedule.models import SessionChange
from schedule.recording import record_changes
from tests.api_requests import Organiser
from tests.factories import make_event, make_material, make_room, make_session, make_speaker, make_track

pytestmark = pytest.mark.django_db
BASE = "/api/v1/events/tides/"
LISTS = ["sessions", "speakers", "rooms", "tracks", "changes"]


@pytest.fixture
def event():
    event = make_event(slug="tides")
    room, track, person = make_room(event, "Pier"), make_track(event, "Boats"), make_speaker(event, "Ada")
    session = make_session(event, "A", "2030-05-06 10:00", room=room, track=track, people=[person], abstract="a " * 600)
    make_material(session)
    with record_changes(event):
        session.start, session.end = session.start.replace(hour=9), session.end.replace(hour=10)
        session.save()
    return event


def read(client, path: str = ""):
    answer = client.get(BASE + path)
    assert answer.status_code == 200
    return answer.json()


def rows_of(client, name: str) -> list[dict]:
    return read(client, f"{name}/?page_size=500")["results"]


ADDRESSES = ["", "programme/", *(f"{name}/" for name in LISTS), *(f"{name}/ID/" for name in LISTS)]


def fill_in(event, path: str) -> str:
    """Put the id of the first row of a list where an address has ID."""
    name = path.split("/")[0]
    return path.replace("ID", str(getattr(event, name).first().pk)) if "ID" in path else path


# One row


@pytest.mark.parametrize("name", LISTS)
def test_a_row_is_told_alone_as_in_its_list(client, event, name):
    rows = rows_of(client, name)
    assert [read(client, f"{name}/{row['id']}/") for row in rows] == rows
    assert rows != []


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("pk", ["0", "-1", "x", "1.5", "9" * 17, "9" * 30, "%00", "é"])
def test_an_id_that_no_row_has_is_not_found_in_json(client, event, name, pk):
    answer = client.get(f"{BASE}{name}/{pk}/")
    assert (answer.status_code, answer["Content-Type"], list(answer.json())) == (404, "application/json", ["detail"])


@pytest.mark.parametrize("path", ["/api/v1/", "/api/v1/none/", f"{BASE}none/"])
def test_an_address_that_is_none_is_not_found_in_json(client, event, path):
    answer = client.get(path)
    assert (answer.status_code, answer.json()) == (404, {"detail": "Not found."})


def test_rows_of_other_events_and_of_drafts_are_not_found(client, event):
    other = make_event()
    theirs = make_session(other, people=[make_speaker(other)], start="2030-05-06 10:00", room=make_room(other))
    hidden = make_session(
        event, start="2030-05-06 10:00", status="draft", people=[make_speaker(event)], room=make_room(event)
    )
    paths = [
        path
        for session in (theirs, hidden)
        for path in (
            f"sessions/{session.pk}/",
            f"sessions/{session.pk}/materials/",
            f"speakers/{session.speakers.get().pk}/",
            f"rooms/{session.room.pk}/",
        )
    ]
    assert [client.get(BASE + path).status_code for path in paths] == [404] * 8


def test_what_is_a_draft_is_at_no_address(client, event):
    hidden = make_room(event, "Secret room"), make_track(event, "Secret track"), make_speaker(event, "Secret person")
    room, track, person = hidden
    make_session(event, "Secret", "2030-05-06 10:00", room=room, track=track, people=[person], status="draft")
    answers = [client.get(BASE + fill_in(event, path)) for path in ADDRESSES]
    answers += [client.get(f"{BASE}{name}/?{query}") for name in LISTS for query in ("q=secret", "room=secret-room")]
    answers.append(client.get(f"{BASE}sessions/?expand=room,track,speakers"))
    assert [answer.status_code for answer in answers] == [200] * len(answers)
    assert [answer.content.decode() for answer in answers if "secret" in answer.content.decode().lower()] == []


# Changes


def test_a_change_of_what_is_public_no_more_names_no_session(client, event):
    with record_changes(event):
        event.sessions.update(status="draft")
    assert [(row["kind"], row["session"]) for row in rows_of(client, "changes")] == [
        ("cancelled", None),
        ("moved", None),
    ]


def test_a_change_says_what_was_and_what_is_in_the_zone_asked_for(client, event):
    change, session = SessionChange.objects.get(), event.sessions.get()
    assert read(client, f"changes/{change.pk}/?tz=Asia/Tokyo") == {
        "id": change.pk,
        "kind": "moved",
        "session": session.pk,
        "uid": str(session.uid),
        "title": "A",
        "old": {"start": "2030-05-06T17:00:00+09:00", "end": "2030-05-06T17:30:00+09:00"},
        "new": {"start": "2030-05-06T18:00:00+09:00", "end": "2030-05-06T19:30:00+09:00"},
        "at": read(client, f"changes/{change.pk}/?tz=Asia/Tokyo")["at"],
        "timezone": "Asia/Tokyo",
        "programme_version": 1,
    }


def test_changes_come_the_latest_first(client, event):
    session = event.sessions.get()
    with record_changes(event):
        session.title = "B"
        session.save()
    assert [row["kind"] for row in rows_of(client, "changes")] == ["renamed", "moved"]


# The whole programme


def test_the_programme_is_what_the_lists_and_the_event_say(client, event):
    for n in range(60):
        make_session(event, f"S{n}", "2030-05-07 10:00", people=[make_speaker(event)])
    make_session(event, "Secret", status="draft", people=[make_speaker(event)])
    parts = ("rooms", "tracks", "speakers", "sessions")
    assert read(client, "programme/") == {"event": read(client)} | {name: rows_of(client, name) for name in parts}


@pytest.mark.parametrize("number", [2, 40])
def test_the_programme_takes_the_same_few_queries_for_few_and_many_rows(client, django_assert_num_queries, number):
    event = make_event(slug="tides")
    for _ in range(number):
        people = [make_speaker(event), make_speaker(event)]
        make_material(make_session(event, start="2030-05-06 10:00", room=make_room(event), people=people))
    with django_assert_num_queries(7):
        client.get(f"{BASE}programme/")


@pytest.mark.parametrize("number", [2, 40])
def test_a_list_with_all_unfolded_takes_the_same_few_queries(client, django_assert_num_queries, number):
    event = make_event(slug="tides")
    for _ in range(number):
        people = [make_speaker(event), make_speaker(event)]
        make_session(event, start="2030-05-06 10:00", room=make_room(event), track=make_track(event), people=people)
    with django_assert_num_queries(5):
        client.get(f"{BASE}sessions/?expand=room,track,speakers&page_size=500")


@pytest.mark.parametrize("number", [2, 40])
def test_changes_take_three_queries(client, django_assert_num_queries, number):
    event = make_event(slug="tides")
    for n in range(number):
        session = make_session(event, f"S{n}")
        with record_changes(event):
            session.title += "!"
            session.save()
    with django_assert_num_queries(3):
        client.get(f"{BASE}changes/?page_size=500")


# Fields and relations


def test_only_the_fields_asked_for_are_told(client, event):
    (row,) = read(client, "sessions/?fields=title,start")["results"]
    assert row == {"title": "A", "start": "2030-05-06T11:00:00+02:00"}
    assert read(client, f"rooms/{event.rooms.get().pk}/?fields=name&fields=id") == {
        "id": event.rooms.get().pk,
        "name": "Pier",
    }
    assert read(client, "?fields=name") == {"name": event.name}


def test_relations_are_unfolded_where_asked(client, event):
    plain, whole = (rows_of(client, "sessions")[0], read(client, "sessions/?expand=speakers,room,track")["results"][0])
    (room,), (track,), (person,) = (rows_of(client, name) for name in ("rooms", "tracks", "speakers"))
    assert whole == plain | {"room": room, "track": track, "speakers": [person | {"role": "speaker"}]}
    one = read(client, "sessions/?expand=room&fields=room,track")["results"][0]
    assert one == {"room": room, "track": "boats"}


def test_a_session_without_room_has_nothing_to_unfold(client):
    make_session(make_event(slug="tides"))
    assert read(client, "sessions/?expand=room&fields=room")["results"] == [{"room": None}]


@pytest.mark.parametrize("question", ["fields=none", "fields=", "expand=none", "expand=materials", "fields=id,%00"])
def test_an_unknown_name_is_an_error_that_names_the_parameter(client, event, question):
    answer = client.get(f"{BASE}sessions/?{question}")
    assert (answer.status_code, list(answer.json())) == (400, [question.split("=")[0]])


@pytest.mark.parametrize("question", ["page=0", "page=x", "page_size=0", "page_size=1.5", "drafts=yes"])
def test_a_number_that_is_none_is_an_error_that_names_the_parameter(client, event, question):
    answer = client.get(f"{BASE}sessions/?{question}")
    assert (answer.status_code, list(answer.json())) == (400, [question.split("=")[0]])


# Zones


@pytest.mark.parametrize(
    ("question", "start", "zone"),
    [
        ("", "2030-05-06T11:00:00+02:00", "Europe/Berlin"),
        ("?tz=Asia/Kolkata", "2030-05-06T14:30:00+05:30", "Asia/Kolkata"),
        ("?tz=america/new_york", "2030-05-06T05:00:00-04:00", "America/New_York"),
        ("?tz=Mars", "2030-05-06T11:00:00+02:00", "Europe/Berlin"),
    ],
)
def test_times_are_those_of_the_zone_asked_for_and_name_it(client, event, question, start, zone):
    (row,) = read(client, f"sessions/{question}")["results"]
    assert (row["start"], row["timezone"]) == (start, zone)


# ETag


@pytest.mark.parametrize("path", ADDRESSES)
@pytest.mark.parametrize("encoding", ["identity", "gzip", "br"])
def test_every_answer_has_a_strong_name_and_is_not_sent_again(client, event, path, encoding):
    path = BASE + fill_in(event, path)
    headers = {"accept-encoding": encoding}
    first = client.get(path, headers=headers)
    assert re.fullmatch(r'"[0-9a-z.-]+"', first["ETag"])
    again = client.get(path, headers=headers | {"if-none-match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])


@pytest.mark.parametrize("path", ADDRESSES)
def test_another_content_has_another_name(client, event, path):
    path = BASE + fill_in(event, path)
    before = client.get(path)["ETag"]
    event.name = "Ebb"
    event.save()
    for row in (event.rooms.get(), event.tracks.get(), event.speakers.get()):
        row.name += "!"
        row.slug = ""
        row.save()
    event.changes.update(title="B")
    answer = client.get(path, headers={"if-none-match": before})
    assert (answer.status_code, answer["ETag"] == before) == (200, False)


def test_each_encoding_has_its_own_name_and_the_same_content(client, event):
    plain, packed = (client.get(f"{BASE}sessions/", headers={"accept-encoding": name}) for name in ("", "gzip"))
    assert plain["ETag"] != packed["ETag"]
    assert (packed["Content-Encoding"], gzip.decompress(packed.content)) == ("gzip", plain.content)
    assert [int(answer["Content-Length"]) for answer in (plain, packed)] == [len(plain.content), len(packed.content)]
    assert "Accept-Encoding" in packed["Vary"]


def test_head_is_get_without_content(client, event):
    get, head = client.get(f"{BASE}sessions/"), client.head(f"{BASE}sessions/")
    assert (head.status_code, head.content, head["ETag"]) == (200, b"", get["ETag"])


# Form


@pytest.mark.parametrize("accepted", ["text/html,*/*;q=0.8", "text/html", "application/xml", "", "x"])
def test_answers_are_json_whatever_is_asked_for(client, event, accepted):
    answer = client.get(f"{BASE}sessions/", headers={"accept": accepted})
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")


def test_texts_are_plain(client):
    make_session(make_event(slug="tides"), "<b>A</b>", abstract="One & <two>")
    (row,) = read(client, "sessions/?fields=title,abstract")["results"]
    assert row == {"title": "<b>A</b>", "abstract": "One & <two>"}


@pytest.mark.parametrize(
    ("method", "path"),
    [("DELETE", "sessions/ID/"), ("POST", "changes/"), ("PUT", "changes/ID/"), ("POST", ""), ("TRACE", ""),
     ("OPTIONS", "rooms/"), ("PATCH", "programme/"), ("GET", "imports/"), ("PUT", "rooms/")],
)  # fmt: skip
def test_a_method_that_is_none_is_refused_and_says_which_there_are(client, event, method, path):
    answer = client.generic(method, BASE + fill_in(event, path))
    assert (answer.status_code, list(answer.json()), method in answer["Allow"]) == (405, ["detail"], False)


def test_people_are_searched_as_on_their_page(client, event):
    make_session(event, people=[make_speaker(event, "Ådne Özil", affiliation="Łódź Works")])
    found = [[row["name"] for row in read(client, f"speakers/?q={q}")["results"]] for q in ("ozil lodz", "none", "")]
    assert found == [["Ådne Özil"], [], ["Ada", "Ådne Özil"]]


# Other sites


@pytest.mark.parametrize("path", [f"{BASE}sessions/", f"{BASE}none/", "/api/v1/schema/"])
def test_pages_of_any_site_may_read(client, event, path):
    answer = client.get(path, headers={"origin": "https://example.org"})
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer


def test_also_304_is_for_pages_of_any_site(client, event):
    name = client.get(f"{BASE}rooms/")["ETag"]
    answer = client.get(f"{BASE}rooms/", headers={"if-none-match": name})
    assert (answer.status_code, answer["Access-Control-Allow-Origin"]) == (304, "*")


def test_browsers_that_ask_first_hear_that_they_may_read_and_not_write(client, event):
    asked = {"origin": "https://example.org", "access-control-request-method": "PATCH"}
    answer = client.options(f"{BASE}rooms/", headers=asked)
    assert (answer.status_code, answer["Access-Control-Allow-Methods"], answer["Access-Control-Allow-Headers"]) == (
        204, "GET, HEAD", "Accept, If-None-Match",
    )  # fmt: skip


def test_other_pages_are_not_for_other_sites(client, event):
    assert "Access-Control-Allow-Origin" not in client.get("/tides/")


def test_organisers_read_as_everybody_does(client, event):
    for path in ADDRESSES:
        path = fill_in(event, path)
        assert Organiser(client, event).get(path).content == client.get(BASE + path).content
