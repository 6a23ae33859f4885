"""What organisers see and change: lists, forms in the event's time, choices of one event, the programme's version."""

from datetime import UTC, datetime, timedelta
from html import unescape
from urllib.parse import urlencode

import pytest
from django.contrib.contenttypes.models import ContentType
from django.core.files.uploadedfile import SimpleUploadedFile

from conference.models import Event, Room, Track
from schedule.models import Material, Session, SessionSpeaker
from speakers.models import Speaker
from tests.browser_form import find_attribute, read_form
from tests.factories import make_event, make_material, make_room, make_session, make_speaker, make_track

pytestmark = pytest.mark.django_db

SESSIONS, SPEAKERS = "/admin/schedule/session/", "/admin/speakers/speaker/"
EVENTS, ROOMS, TRACKS = "/admin/conference/event/", "/admin/conference/room/", "/admin/conference/track/"
LISTS = {Event: EVENTS, Room: ROOMS, Track: TRACKS, Speaker: SPEAKERS, Session: SESSIONS}


def address_of(row) -> str:
    return f"{LISTS[type(row)]}{row.pk}/change/"


def read(client, address: str, model) -> dict[str, list[str]]:
    """The form at `address`, as a browser sends it back untouched."""
    html = client.get(address).content.decode()
    return read_form(html, f"{model._meta.model_name}_form")


def send(client, address: str, model, **changes):
    """Send the form at `address` back with `changes`; return the response, without following."""
    return client.post(address, read(client, address, model) | changes)


def faults_of(response) -> dict[str, list[str]]:
    """The errors that a form answers with, by field."""
    assert response.status_code == 200
    return {name: list(errors) for name, errors in response.context["adminform"].form.errors.items()}


def columns_of(row) -> dict:
    """Every stored column of `row`, as it stands in the database now."""
    return type(row).objects.filter(pk=row.pk).values().get()


def version_of(event: Event) -> int:
    return Event.objects.get(pk=event.pk).programme_version


def listed(client, address: str) -> list:
    return list(client.get(address).context["cl"].result_list)


def words_after(response, word: str) -> str:
    return unescape(response.content.decode()).partition(word)[2]


def fill(event: Event, number: int) -> None:
    """Give `event` `number` rows of everything; its first session has as many people and materials."""
    rooms = [make_room(event) for _ in range(number)]
    tracks = [make_track(event) for _ in range(number)]
    people = [make_speaker(event) for _ in range(number)]
    for n in range(number):
        make_session(
            event,
            start=f"2030-05-06 {10 + n % 8}:00",
            room=rooms[n],
            track=tracks[n],
            level=f"Level {n % 3}",
            people=people if n == 0 else [people[n]],
        )
    first = event.sessions.order_by("id").first()
    for _ in range(number):
        make_material(first)


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
