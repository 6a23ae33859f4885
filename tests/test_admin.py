"""The admin's pages and forms: complete, quick, and a form that nobody touched changes nothing."""

from datetime import UTC, datetime
from urllib.parse import urlencode

import pytest
from django.contrib.contenttypes.models import ContentType
from django.core.files.uploadedfile import SimpleUploadedFile

from conference.models import Event, Room, Track
from schedule.models import Session, SessionSpeaker
from speakers.models import Speaker
from tests.admin_pages import LISTS, SESSIONS, address_of, columns_of, faults_of, fill, read, send, version_of
from tests.browser_form import find_attribute
from tests.factories import make_event, make_material, make_room, make_session, make_speaker, make_track

pytestmark = pytest.mark.django_db


# Pages


# Each page with the literal number of its queries, {} for the id of its row.
PAGES = [
    (Event, "", 5),
    (Event, "add/", 2),
    (Event, "{}/change/", 3),
    (Room, "", 6),
    (Room, "add/?event={event}", 3),
    (Room, "{}/change/", 5),
    (Track, "", 6),
    (Track, "add/?event={event}", 3),
    (Track, "{}/change/", 5),
    (Speaker, "", 6),
    (Speaker, "add/?event={event}", 3),
    (Speaker, "{}/change/", 5),
    (Session, "", 12),
    (Session, "?event__id__exact={event}", 12),
    (Session, "?q=session", 12),
    (Session, "add/?event={event}", 3),
    (Session, "{}/change/", 10),
]


@pytest.mark.parametrize("number", [3, 40])
def test_every_page_takes_the_same_few_queries_for_few_and_many_rows(admin_client, django_assert_num_queries, number):
    event = make_event()
    fill(event, number)
    for _ in range(number - 1):
        make_session(make_event(), start="2030-05-06 10:00")
    ContentType.objects.get_for_models(*LISTS)
    for model, page, queries in PAGES:
        address = LISTS[model] + page.format(model.objects.order_by("id").first().pk, event=event.pk)
        with django_assert_num_queries(queries, info=address):
            response = admin_client.get(address)
        assert response.status_code == 200


@pytest.mark.parametrize("page", ["", "add/"])
@pytest.mark.parametrize("model", LISTS)
def test_pages_stand_also_without_any_row(admin_client, model, page):
    response = admin_client.get(LISTS[model] + page, follow=True)
    assert response.status_code == 200


@pytest.mark.parametrize("model", LISTS)
def test_history_and_deletion_of_every_row_have_a_page(admin_client, model):
    fill(make_event(), 1)
    row = model.objects.get()
    pages = [admin_client.get(f"{LISTS[model]}{row.pk}/{page}/") for page in ("history", "delete")]
    assert [response.status_code for response in pages] == [200, 200]


@pytest.mark.parametrize("model", LISTS)
def test_nobody_without_an_account_gets_in(client, model):
    response = client.get(LISTS[model])
    assert (response.status_code, response.url) == (302, f"/admin/login/?next={LISTS[model]}")


# A form that nobody touched


@pytest.fixture(params=["UTC", "Asia/Tokyo", "America/Los_Angeles"])
def server_zone(request, settings):
    """The zone of the server, which must not matter."""
    settings.TIME_ZONE = request.param
    return request.param


def a_full_session(event: Event, **values) -> Session:
    session = make_session(
        event,
        "Low Water: “What Remains?”",
        "2030-05-06 10:00",
        room=make_room(event),
        track=make_track(event, hue=0),
        kind="panel",
        abstract="One line.\n\n- a list\n- of two\n\n<b>Not bold</b> & “quoted”",
        level="Beginner",
        language="Deutsch",
        status="cancelled",
        status_note="The boat is late",
        stream_url="https://example.org/stream?a=1&b=2",
        recording_url="http://example.org/recording",
        fields={"Größe": "M", "Lines": "a\nb"},
        people=[make_speaker(event), make_speaker(event)],
        source_key="k",
        source_values={"title": "Low Water"},
    )
    make_material(session, url="https://example.org/slides")
    Session.objects.filter(pk=session.pk).update(**values)
    return session


@pytest.mark.usefixtures("server_zone")
@pytest.mark.parametrize("zone", ["Europe/Berlin", "Asia/Kolkata", "America/St_Johns", "UTC"])
def test_a_session_that_is_opened_and_saved_stays_as_it_was(admin_client, zone):
    event = make_event(timezone=zone)
    session = a_full_session(event)
    before = columns_of(session)
    assert send(admin_client, address_of(session), Session).status_code == 302
    assert (columns_of(session), version_of(event)) == (before, 0)


@pytest.mark.usefixtures("server_zone")
@pytest.mark.parametrize(
    ("start", "end"),
    [
        (datetime(2030, 5, 6, 8, 0, 17, tzinfo=UTC), datetime(2030, 5, 6, 8, 0, 42, 123456, tzinfo=UTC)),
        (datetime(2026, 10, 25, 0, 30, tzinfo=UTC), datetime(2026, 10, 25, 0, 45, tzinfo=UTC)),
        (datetime(2026, 10, 25, 1, 30, tzinfo=UTC), datetime(2026, 10, 25, 1, 45, tzinfo=UTC)),
        (datetime(2026, 10, 25, 0, 30, tzinfo=UTC), datetime(2026, 10, 25, 1, 30, tzinfo=UTC)),
        (None, None),
    ],
)
def test_seconds_and_both_of_two_equal_times_survive_a_form_that_nobody_touched(admin_client, start, end):
    event = make_event(timezone="Europe/Berlin")
    session = make_session(event, start="2030-05-06 10:00")
    Session.objects.filter(pk=session.pk).update(start=start, end=end)
    before = columns_of(session)
    assert send(admin_client, address_of(session), Session).status_code == 302
    assert (columns_of(session), version_of(event)) == (before, 0)


def test_an_event_a_room_a_track_and_a_person_that_are_opened_and_saved_stay_as_they_were(admin_client):
    event = make_event(
        description="One\n\ntwo <b>", notice="A\nB", website_url="https://example.org/?a=1&b=2", hue=0, venue="Pier"
    )
    rows = [
        event,
        make_room(event, "Pier “1”", slug="pier", position=7, floor="0", capacity=20, has_parallel_sessions=True),
        make_track(event, "Boats & Nets", code="BX", hue=0, position=14),
        make_track(event, "Tides", position=15),
        make_speaker(
            event,
            "Ådne van Ørst",
            aliases="A\nB",
            links="https://a.example/\nhttps://b.example/",
            bio="One\n\ntwo",
            is_bio_cut=True,
            photo=SimpleUploadedFile("ada.gif", b"GIF89a\x01\x00\x01\x00\x00\x00\x00;"),
            source_values={"bio": "One"},
        ),
    ]
    before = [columns_of(row) for row in rows]
    statuses = [send(admin_client, address_of(row), type(row)).status_code for row in rows]
    assert statuses == [302] * 5
    assert ([columns_of(row) for row in rows], version_of(event)) == (before, 0)


# Times


@pytest.mark.usefixtures("server_zone")
def test_times_are_shown_and_typed_in_the_events_zone(admin_client):
    event = make_event(timezone="Europe/Berlin")
    session = make_session(event, start="2030-05-06 10:00")
    address = address_of(session)
    form = read(admin_client, address, Session)
    assert (form["start"], form["end"]) == (["2030-05-06T10:00"], ["2030-05-06T10:30"])
    assert "Time in Europe/Berlin" in admin_client.get(address).content.decode()
    send(admin_client, address, Session, start="2030-05-06T11:00", end="2030-05-06T11:45")
    stored = columns_of(session)
    assert (stored["start"], stored["end"]) == (
        datetime(2030, 5, 6, 9, tzinfo=UTC),
        datetime(2030, 5, 6, 9, 45, tzinfo=UTC),
    )
    assert version_of(event) == 1


def test_the_list_shows_times_of_the_events_zone(admin_client, settings):
    settings.TIME_ZONE = "Asia/Tokyo"
    make_session(make_event(timezone="America/New_York"), start="2030-05-06 22:30", minutes=120)
    page = admin_client.get(SESSIONS).content.decode()
    assert 'Mon 06 May<br><span class="quiet">22:30–00:30</span>' in page


def test_a_new_session_takes_the_first_of_two_equal_times(admin_client):
    event = make_event(timezone="Europe/Berlin")
    times = {"start": "2026-10-25T02:30", "end": "2026-10-25T02:45"}
    send(admin_client, f"{SESSIONS}add/?event={event.pk}", Session, title="Low Water", **times)
    session = Session.objects.get()
    assert (session.start, session.end) == (
        datetime(2026, 10, 25, 0, 30, tzinfo=UTC),
        datetime(2026, 10, 25, 0, 45, tzinfo=UTC),
    )


def test_a_time_that_clocks_skip_is_an_error_that_names_it(admin_client):
    session = make_session(make_event(timezone="Europe/Berlin"), start="2026-03-28 10:00")
    before = columns_of(session)
    response = send(admin_client, address_of(session), Session, start="2026-03-29T02:30", end="2026-03-29T04:00")
    assert faults_of(response) == {
        "start": ["This time does not exist: clocks in Europe/Berlin skip 02:30 on 2026-03-29."]
    }
    assert columns_of(session) == before


@pytest.mark.parametrize("typed", ["2026-03-08T02:30", "2026-11-01T01:30"])
def test_a_time_that_is_odd_in_the_servers_zone_only_is_a_time_like_any_other(admin_client, settings, typed):
    settings.TIME_ZONE = "America/Los_Angeles"
    session = make_session(make_event(timezone="UTC"), start="2026-01-01 10:00")
    send(admin_client, address_of(session), Session, start=typed, end="2026-12-01T10:00")
    assert columns_of(session)["start"] == datetime.fromisoformat(typed).replace(tzinfo=UTC)


@pytest.mark.parametrize("start", ["0001-01-01T00:00", "0203-05-06T10:00", "9999-12-31T23:59"])
def test_a_year_half_typed_is_an_error(admin_client, start):
    session = make_session(make_event(), start="2030-05-06 10:00")
    response = send(admin_client, address_of(session), Session, start=start)
    assert faults_of(response) == {"start": ["This year is far from now."]}


@pytest.mark.parametrize("start", ["soon", "2030-13-01T10:00", "٣"])
def test_what_is_no_time_is_an_error(admin_client, start):
    session = make_session(make_event(), start="2030-05-06 10:00")
    response = send(admin_client, address_of(session), Session, start=start)
    assert list(faults_of(response)) == ["start"]


def test_the_words_of_a_constraint_reach_the_form(admin_client):
    session = make_session(make_event(), start="2030-05-06 10:00")
    response = send(admin_client, address_of(session), Session, end="2030-05-06T09:00")
    assert faults_of(response) == {"__all__": ["The end is not after the start."]}


# One event's own rows


def offers(client, address: str, element_id: str, term: str = "") -> list[str]:
    """What the search field `element_id` of the form at `address` offers for `term`."""
    html = client.get(address).content.decode()
    source = find_attribute(html, element_id, "data-ajax--url")
    names = {"app_label": "data-app-label", "model_name": "data-model-name", "field_name": "data-field-name"}
    query = {name: find_attribute(html, element_id, attribute) for name, attribute in names.items()}
    response = client.get(f"{source}&{urlencode({**query, 'term': term})}")
    return [row["text"] for row in response.json()["results"]]


@pytest.mark.parametrize("is_new", [False, True])
@pytest.mark.parametrize(
    ("make", "element_id"),
    [
        (make_room, "id_room"),
        (make_track, "id_track"),
        (make_speaker, "id_session_speakers-__prefix__-speaker"),
    ],
)
def test_rooms_tracks_and_people_offered_are_the_events_own(admin_client, make, element_id, is_new):
    event, other = make_event(), make_event()
    for owner, name in ((event, "Öresund Pier"), (event, "Quay"), (other, "Öresund Yard")):
        make(owner, name)
    address = f"{SESSIONS}add/?event={event.pk}" if is_new else address_of(make_session(event))
    assert sorted(offers(admin_client, address, element_id)) == ["Quay", "Öresund Pier"]
    assert offers(admin_client, address, element_id, "PIER oresund") == ["Öresund Pier"]
    assert offers(admin_client, address, element_id, "yard") == []


@pytest.mark.parametrize(("make", "field"), [(make_room, "room"), (make_track, "track")])
def test_a_room_or_track_of_another_event_is_refused(admin_client, make, field):
    event = make_event()
    session, foreign = make_session(event, start="2030-05-06 10:00"), make(make_event())
    before = columns_of(session)
    response = send(admin_client, address_of(session), Session, **{field: str(foreign.pk)})
    assert faults_of(response) == {field: ["Select a valid choice. That choice is not one of the available choices."]}
    assert (columns_of(session), version_of(event)) == (before, 0)


def test_a_person_of_another_event_is_refused(admin_client):
    session, foreign = make_session(make_event()), make_speaker(make_event())
    person = {"session_speakers-TOTAL_FORMS": "1", "session_speakers-0-position": "1"}
    person |= {"session_speakers-0-speaker": str(foreign.pk), "session_speakers-0-role": "speaker"}
    response = send(admin_client, address_of(session), Session, **person)
    assert response.status_code == 200
    assert not SessionSpeaker.objects.exists()


def test_the_event_of_a_row_never_changes_whatever_is_sent(admin_client):
    event, other = make_event(), make_event()
    room = make_room(event, "Pier")
    address = address_of(room)
    form = read(admin_client, address, Room) | {"name": "Quay", "event": str(other.pk), "event_id": str(other.pk)}
    assert admin_client.post(f"{address}?event={other.pk}", form).status_code == 302
    room.refresh_from_db()
    assert (room.event, room.name) == (event, "Quay")
