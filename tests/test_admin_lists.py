"""The admin's ways: which event, finding and filtering, actions, and the way to the site."""

from datetime import timedelta
from urllib.parse import urlencode

import pytest

from conference.models import Event, Room, Track
from schedule.models import Material, Session, SessionSpeaker
from speakers.models import Speaker
from tests.admin_pages import (
    EVENTS,
    LISTS,
    ROOMS,
    SESSIONS,
    SPEAKERS,
    TRACKS,
    address_of,
    columns_of,
    faults_of,
    fill,
    listed,
    send,
    version_of,
    words_after,
)
from tests.factories import make_event, make_material, make_room, make_session, make_speaker, make_track

pytestmark = pytest.mark.django_db


# Which event


@pytest.mark.parametrize("model", [Room, Track, Speaker, Session])
def test_to_add_a_row_one_first_says_to_which_event(admin_client, model):
    first, second = make_event(name="Ebb"), make_event(name="Flow")
    response = admin_client.get(f"{LISTS[model]}add/?_popup=1")
    assert response.context["choices"] == [
        (first, f"?_popup=1&event={first.pk}"),
        (second, f"?_popup=1&event={second.pk}"),
    ]
    assert {f'href="?_popup=1&amp;event={event.pk}"' in response.content.decode() for event in (first, second)} == {
        True
    }


@pytest.mark.parametrize("model", [Room, Track, Speaker, Session])
def test_with_one_event_the_form_comes_at_once(admin_client, model):
    event = make_event()
    response = admin_client.get(f"{LISTS[model]}add/?_popup=1")
    assert (response.status_code, response.url) == (302, f"{LISTS[model]}add/?_popup=1&event={event.pk}")


@pytest.mark.parametrize("model", [Room, Track, Speaker, Session])
def test_without_an_event_one_is_made_first(admin_client, model):
    response = admin_client.get(f"{LISTS[model]}add/")
    assert (response.status_code, response.url) == (302, f"{EVENTS}add/")


def test_from_a_list_of_one_event_a_row_is_added_to_that_event(admin_client):
    make_event()
    event = make_event()
    query = urlencode({"_changelist_filters": f"event__id__exact={event.pk}"})
    send(admin_client, f"{ROOMS}add/?{query}", Room, name="Pier")
    assert Room.objects.get().event == event


@pytest.mark.parametrize("event_id", ["0", "x", "-1", "٣", "9" * 30, ""])
def test_an_event_that_is_not_there_is_asked_for_again(admin_client, event_id):
    make_event()
    make_event()
    response = admin_client.get(f"{SESSIONS}add/?{urlencode({'event': event_id})}")
    assert (response.status_code, len(response.context["choices"])) == (200, 2)


@pytest.mark.parametrize(
    ("model", "values", "derived"),
    [
        (Room, {"name": "Öre Pier"}, {"slug": "ore-pier", "position": 1}),
        (Track, {"name": "Öre & Pier"}, {"slug": "ore-pier", "position": 1, "code": "ÖP"}),
        (Speaker, {"name": "Bo Öre"}, {"slug": "bo-ore", "sort_name": "Öre, Bo"}),
        (Session, {"title": "Öre"}, {"title_key": "ore", "kind": "talk", "status": "confirmed"}),
    ],
)
def test_a_row_is_added_with_its_name_alone(admin_client, model, values, derived):
    event = make_event()
    response = send(admin_client, f"{LISTS[model]}add/?event={event.pk}", model, **values)
    assert response.status_code == 302
    row = model.objects.get()
    assert (row.event, {name: getattr(row, name) for name in derived}, version_of(event)) == (event, derived, 1)


def test_a_room_of_the_same_name_is_refused_with_words(admin_client):
    event = make_event()
    make_room(event, "Öre Pier")
    response = send(admin_client, f"{ROOMS}add/?event={event.pk}", Room, name="ORE  PIER")
    assert faults_of(response) == {"__all__": ["The event has one of this name."]}


@pytest.mark.parametrize("model", [Room, Track, Speaker])
@pytest.mark.parametrize("name", ["\u200b", "\u3164"])
def test_a_name_without_anything_to_see_is_refused_with_words(admin_client, model, name):
    event = make_event()
    response = send(admin_client, f"{LISTS[model]}add/?event={event.pk}", model, name=name)
    assert faults_of(response) == {"name": ["A name needs at least one visible character."]}


@pytest.mark.parametrize("model", [Room, Track, Speaker])
def test_a_name_that_folding_makes_very_long_is_saved(admin_client, model):
    event = make_event()
    assert send(admin_client, f"{LISTS[model]}add/?event={event.pk}", model, name="ﷺ" * 200).status_code == 302
    assert model.objects.get().name == "ﷺ" * 200


def test_further_fields_left_empty_are_none(admin_client):
    session = make_session(make_event(), fields={"Size": "M"})
    assert send(admin_client, address_of(session), Session, fields="").status_code == 302
    assert columns_of(session)["fields"] == {}


# Finding


def test_search_needs_every_word_and_is_blind_to_case_and_accents(admin_client):
    event = make_event()
    session = make_session(event, "Über Wasser", abstract="Ein Ärgernis")
    make_session(event, "Unter Wasser")
    ada = make_speaker(event, "Ådne Özil", affiliation="Łódź Works")
    make_speaker(event, "Bo Ozon")
    room, track = make_room(event, "Öre Pier"), make_track(event, "Öre Tides")
    make_room(event, "Quay")
    make_track(event, "Sails")
    found = [
        listed(admin_client, f"{SESSIONS}?q=WASSER+uber+argernis"),
        listed(admin_client, f"{SPEAKERS}?q=ozil+lodz"),
        listed(admin_client, f"{ROOMS}?q=ORE"),
        listed(admin_client, f"{TRACKS}?q=ore+tid"),
        listed(admin_client, f"{SESSIONS}?q=uber+ebb"),
    ]
    assert found == [[session], [ada], [room], [track], []]


def test_the_list_of_sessions_is_filtered_by_everything_that_matters(admin_client):
    event = make_event()
    room, track = make_room(event), make_track(event)
    first = make_session(
        event, start="2030-05-06 10:00", room=room, track=track, kind="panel", level="Expert", status="draft"
    )
    second = make_session(event, start="2030-05-07 01:00", kind="talk", level="Beginner")
    third = make_session(event, start="2030-05-07 10:00", kind="talk", level="Beginner")
    foreign = make_session(make_event(), start="2030-05-07 10:00")
    questions = {
        f"event__id__exact={event.pk}": [first, second, third],
        "day=2030-05-06": [first, second],
        "day=2030-05-07": [third, foreign],
        f"day=2030-05-07&event__id__exact={event.pk}": [third],
        f"room__id__exact={room.pk}": [first],
        f"track__id__exact={track.pk}": [first],
        "kind__exact=talk": [second, third, foreign],
        "level=Beginner": [second, third],
        "status__exact=draft": [first],
        "status__exact=draft&day=2030-05-07": [],
    }
    assert {question: listed(admin_client, f"{SESSIONS}?{question}") for question in questions} == questions


def test_the_choices_of_a_filter_are_those_of_the_event_asked_for(admin_client):
    event, other = make_event(), make_event(timezone="Asia/Tokyo")
    rooms, tracks = [make_room(e) for e in (event, other)], [make_track(e) for e in (event, other)]
    make_session(event, start="2030-05-07 02:00", room=rooms[0])
    make_session(other, start="2030-05-08 10:00", room=rooms[1])
    choices = {}
    for spec in admin_client.get(f"{SESSIONS}?event__id__exact={event.pk}").context["cl"].filter_specs:
        if hasattr(spec, "lookup_choices"):
            choices[str(spec.title)] = list(spec.lookup_choices)
    assert (choices["day"], choices["room"], choices["track"]) == (
        [("2030-05-06", "Mon 06 May 2030")],
        [(rooms[0].pk, rooms[0].name)],
        [(tracks[0].pk, tracks[0].name)],
    )


@pytest.mark.parametrize(
    "query",
    ["day=yesterday", "day=0000-00-00", f"day={'9' * 5000}", "event__id__exact=x", "q=%00", "room__id__exact=x"],
)
def test_a_question_that_makes_no_sense_is_no_failure(admin_client, query):
    make_session(make_event(), start="2030-05-06 10:00")
    assert admin_client.get(f"{SESSIONS}?{query}", follow=True).status_code == 200


def test_sessions_stand_in_the_order_of_the_programme(admin_client):
    event = make_event()
    second, first = make_room(event, position=2), make_room(event, position=1)
    late = make_session(event, start="2030-05-06 11:00", room=first)
    in_second = make_session(event, start="2030-05-06 10:00", room=second)
    in_first = make_session(event, start="2030-05-06 10:00", room=first)
    assert listed(admin_client, f"{SESSIONS}?event__id__exact={event.pk}") == [in_first, in_second, late]


def test_lists_count_sessions(admin_client):
    event = make_event()
    ada, room, track = make_speaker(event), make_room(event), make_track(event)
    for start in ("10:00", "11:00"):
        make_session(event, start=f"2030-05-06 {start}", room=room, track=track, people=[ada, make_speaker(event)])
    rows = [listed(admin_client, LISTS[model])[0] for model in (Event, Room, Track)]
    rows += [row for row in listed(admin_client, SPEAKERS) if row == ada]
    assert [row.number_of_sessions for row in rows] == [2, 2, 2, 2]


# Actions and the programme's version


@pytest.mark.parametrize(
    ("action", "status"), [("confirm", "confirmed"), ("cancel", "cancelled"), ("withdraw", "draft")]
)
def test_an_action_gives_the_chosen_sessions_a_status_and_counts_each_event_once(admin_client, action, status):
    event, other, third = make_event(), make_event(), make_event()
    old = "draft" if status == "confirmed" else "confirmed"
    chosen = [make_session(e, status=old) for e in (event, event, other)]
    left = [make_session(e, status=old) for e in (event, third)]
    form = {"action": action, "_selected_action": [session.pk for session in chosen]}
    assert admin_client.post(SESSIONS, form).status_code == 302
    assert [columns_of(s)["status"] for s in chosen + left] == [status] * 3 + [old] * 2
    assert [version_of(e) for e in (event, other, third)] == [1, 1, 0]


@pytest.mark.parametrize("model", [Room, Track, Speaker, Session])
def test_deleting_rows_counts_one_change_of_their_events(admin_client, model):
    event, other = make_event(), make_event()
    make = {Room: make_room, Track: make_track, Speaker: make_speaker, Session: make_session}[model]
    one, *several = [make(e) for e in (event, event, event, other)]
    admin_client.post(f"{LISTS[model]}{one.pk}/delete/", {"post": "yes"})
    assert [version_of(e) for e in (event, other)] == [1, 0]
    form = {"action": "delete_selected", "_selected_action": [row.pk for row in several], "post": "yes"}
    admin_client.post(LISTS[model], form)
    assert ([version_of(e) for e in (event, other)], model.objects.count()) == ([2, 1], 0)


def test_a_room_with_sessions_is_not_deleted_and_the_page_says_why(admin_client):
    event = make_event()
    session = make_session(event, "Low Water", "2030-05-06 10:00", room=make_room(event))
    address = f"{ROOMS}{session.room_id}/delete/"
    assert "Low Water" in words_after(admin_client.get(address), "would require deleting the following protected")
    admin_client.post(address, {"post": "yes"})
    assert (Room.objects.count(), version_of(event)) == (1, 0)


def test_an_event_is_deleted_with_everything_of_it(admin_client):
    event = make_event()
    fill(event, 2)
    assert admin_client.post(f"{EVENTS}{event.pk}/delete/", {"post": "yes"}).status_code == 302
    assert [model.objects.count() for model in [*LISTS, SessionSpeaker, Material]] == [0] * 7


def test_each_saved_change_counts_one_of_its_event_alone(admin_client):
    event, other = make_event(), make_event()
    session = make_session(event)
    changes = [
        (session, {"title": "High Water"}),
        (make_room(event), {"name": "Pier"}),
        (make_track(event), {"hue": "7"}),
        (make_speaker(event), {"bio": "Sails."}),
        (event, {"notice": "Bring a coat."}),
    ]
    versions = []
    for row, change in changes:
        assert send(admin_client, address_of(row), type(row), **change).status_code == 302
        versions.append(version_of(event))
    assert (versions, version_of(other)) == ([1, 2, 3, 4, 5], 0)


def test_a_changed_person_or_material_of_a_session_counts_too(admin_client):
    event = make_event()
    session = make_session(event, people=[make_speaker(event)])
    make_material(session)
    versions = []
    for change in ({"session_speakers-0-role": "chair"}, {"materials-0-name": "Code"}, {"materials-0-DELETE": "on"}):
        assert send(admin_client, address_of(session), Session, **change).status_code == 302
        versions.append(version_of(event))
    assert versions == [1, 2, 3]
    assert (SessionSpeaker.objects.get().role, Material.objects.count()) == ("chair", 0)


def test_the_order_of_rooms_is_changed_in_the_list(admin_client):
    event = make_event()
    rooms = [make_room(event) for _ in range(3)]
    form = {"form-TOTAL_FORMS": "3", "form-INITIAL_FORMS": "3", "_save": "Save"}
    for n, (room, position) in enumerate(zip(rooms, (3, 2, 1), strict=True)):
        form |= {f"form-{n}-id": str(room.pk), f"form-{n}-position": str(position)}
    assert admin_client.post(ROOMS, form).status_code == 302
    assert list(event.rooms.order_by("position")) == rooms[::-1]
    assert version_of(event) > 0


def test_an_event_that_is_added_counts_as_changed_once(admin_client):
    values = {"name": "Tides", "slug": "tides", "start_date": "2030-05-06", "end_date": "2030-05-07"}
    send(admin_client, f"{EVENTS}add/", Event, timezone="Europe/Berlin", **values)
    event = Event.objects.get()
    assert (event.name, event.programme_version) == ("Tides", 1)


# The way to the site


def test_only_what_is_public_links_to_the_site(admin_client):
    event, draft = make_event(), make_event(is_public=False)
    ada, bo = make_speaker(event), make_speaker(event)
    shown = make_session(event, people=[ada], status="cancelled")
    rows = [event, make_room(event), make_track(event), shown, ada]
    hidden_rows = [draft, make_room(draft), make_track(draft), make_session(draft), make_session(event, status="draft")]
    hidden_rows += [bo, make_speaker(draft)]

    def link_of(row):
        response = admin_client.get(address_of(row))
        return response.context["absolute_url"] if response.context["has_absolute_url"] else None

    assert [link_of(row) for row in rows] == [row.get_absolute_url() for row in rows]
    assert [link_of(row) for row in hidden_rows] == [None] * 7


def test_a_duration_over_a_clock_change_is_typed_by_the_clock(admin_client):
    session = make_session(make_event(timezone="Europe/Berlin"), start="2026-03-28 10:00")
    send(admin_client, address_of(session), Session, start="2026-03-29T01:30", end="2026-03-29T03:30")
    session.refresh_from_db()
    assert session.duration == timedelta(hours=1)
