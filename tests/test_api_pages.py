"""Lists of the API: whole pages, every row once, and the same few queries for any number."""

import pytest

from schedule.models import Session
from tests.api_requests import address_of, read_all
from tests.factories import make_event, make_material, make_room, make_session, make_speaker, make_track

pytestmark = pytest.mark.django_db


def test_pages_hold_every_row_once_also_when_many_begin_at_the_same_time(client):
    event = make_event()
    rooms = [make_room(event) for _ in range(3)]
    expected = []
    for hour in (10, 11):
        for room in rooms:
            expected += [make_session(event, start=f"2030-05-06 {hour}:00", room=room).pk for _ in range(4)]
    expected += [make_session(event).pk for _ in range(4)]
    for size in (1, 3, 5, 50):
        assert [row["id"] for row in read_all(client, address_of(event, page_size=size))] == expected


def test_people_of_one_name_are_on_one_page_only(client):
    event = make_event()
    people = [make_speaker(event, "Ada Winter") for _ in range(7)]
    make_session(event, people=people[::-1])
    assert [row["id"] for row in read_all(client, address_of(event, "speakers", page_size=2))] == [
        person.pk for person in people
    ]


def test_a_page_has_50_rows_and_at_most_500(client):
    event = make_event()
    Session.objects.bulk_create(Session(event=event, title="A", title_key="a") for _ in range(501))
    sizes = [len(client.get(address_of(event, **query)).json()["results"]) for query in ({}, {"page_size": 9999})]
    assert sizes == [50, 500]


def test_links_to_other_pages_keep_the_filter(client):
    event = make_event()
    room = make_room(event, "Quay")
    for hour in (10, 11, 12):
        make_session(event, start=f"2030-05-06 {hour}:00", room=room)
    page = client.get(address_of(event, room="quay", page_size=1, page=2)).json()
    assert (page["count"], page["next"], page["previous"]) == (
        3,
        f"http://testserver{address_of(event)}?page=3&page_size=1&room=quay",
        f"http://testserver{address_of(event)}?page_size=1&room=quay",
    )


@pytest.mark.parametrize("number", [2, 40])
@pytest.mark.parametrize(("name", "queries"), [("sessions", 5), ("speakers", 3), ("rooms", 3), ("tracks", 3)])
def test_a_list_takes_the_same_few_queries_for_few_and_many_rows(
    client, django_assert_num_queries, number, name, queries
):
    event = make_event()
    for _ in range(number):
        make_material(
            make_session(
                event,
                start="2030-05-06 10:00",
                room=make_room(event),
                track=make_track(event),
                people=[make_speaker(event), make_speaker(event)],
            )
        )
    with django_assert_num_queries(queries):
        response = client.get(address_of(event, name, page_size=500))
    assert len(response.json()["results"]) == (2 * number if name == "speakers" else number)


@pytest.mark.parametrize("number", [2, 40])
def test_the_list_of_events_takes_two_queries(client, django_assert_num_queries, number):
    for _ in range(number):
        make_event()
    with django_assert_num_queries(2):
        response = client.get("/api/v1/events/")
    assert response.json()["count"] == number
