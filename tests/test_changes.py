"""What changed for attendees: found between two states, written by every way to change sessions, said in the list."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from uuid import UUID

import pytest
from django.utils.html import strip_tags

from conference.models import Event
from schedule.changes import Change, ChangeKind, Seen, find_changes
from schedule.importing import ImportOptions, import_schedule
from schedule.importing.history import roll_back_run
from schedule.models import ImportRun, Session, SessionChange
from tests.admin_pages import SESSIONS, address_of, send
from tests.factories import make_event, make_room, make_session
from tests.test_import import pause, schedule, talk

UID = UUID(int=1)
TEN, ELEVEN, NOON = (datetime(2030, 5, 6, hour, tzinfo=UTC) for hour in (10, 11, 12))
NEXT_DAY = pause(day="Thursday June 5, 2031")


def seen(**values) -> dict[UUID, Seen]:
    defaults = {"pk": 1, "uid": UID, "title": "Tides", "is_cancelled": False}
    defaults |= {"start": TEN, "end": ELEVEN, "room_id": 1, "room": "Aula"}
    one = Seen(**defaults | values)
    return {one.uid: one}


OTHER = {UUID(int=2): Seen(2, UUID(int=2), "Other", False)}
AT_TEN = {"start": "2030-05-06T10:00:00+00:00", "end": "2030-05-06T11:00:00+00:00"}
AT_ELEVEN = {"start": "2030-05-06T11:00:00+00:00", "end": "2030-05-06T12:00:00+00:00"}


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (seen(), seen(), []),
        (seen(), seen(room="Aula Magna"), []),
        (seen(), seen(title="TIDES"), [("renamed", {"title": "Tides"}, {"title": "TIDES"})]),
        ({}, seen(), []),
        (OTHER, OTHER | seen(), [("added", {}, AT_TEN | {"room": "Aula"})]),
        (OTHER, OTHER | seen(is_cancelled=True), []),
        (seen(), seen(start=ELEVEN, end=NOON), [("moved", AT_TEN, AT_ELEVEN)]),
        (seen(), seen(start=None, end=None), [("moved", AT_TEN, {"start": None, "end": None})]),
        (seen(), seen(room_id=2, room="Boat"), [("room", {"room": "Aula"}, {"room": "Boat"})]),
        (seen(), seen(room_id=None, room=""), [("room", {"room": "Aula"}, {"room": ""})]),
        (seen(), seen(title="Ebb"), [("renamed", {"title": "Tides"}, {"title": "Ebb"})]),
        (seen(), seen(is_cancelled=True), [("cancelled", {}, AT_TEN)]),
        (seen(is_cancelled=True), seen(), [("restored", {}, AT_TEN)]),
        (seen(), {}, [("cancelled", AT_TEN | {"room": "Aula"}, {})]),
        (seen(is_cancelled=True), {}, []),
        (
            seen(is_cancelled=True),
            seen(start=ELEVEN, end=NOON, room_id=2, room="Boat"),
            [("restored", {}, AT_ELEVEN), ("moved", AT_TEN, AT_ELEVEN), ("room", {"room": "Aula"}, {"room": "Boat"})],
        ),
    ],
)
def test_two_states_differ_by_what_an_attendee_would_notice(before, after, expected):
    pk = 1 if UID in after else None
    title = (after | before if UID not in after else after).get(UID, seen()[UID]).title
    assert find_changes(before, after) == [Change(ChangeKind(k), UID, pk, title, old, new) for k, old, new in expected]


# Every way to change sessions


@pytest.fixture
def event(db):
    event = make_event(slug="reef", programme_changed_at=datetime.now(UTC))
    make_session(event, "Tides", "2030-05-06 10:00", room=make_room(event, "Aula"))
    make_session(event, "Sand", "2030-05-06 10:00", room=make_room(event, "Boat"))
    make_session(event, "Plan", "2030-05-06 12:00", status=Session.Status.DRAFT)
    return event


def news() -> list[tuple]:
    """Every change there is, the oldest first."""
    return [(c.kind, c.title, c.old, c.new) for c in SessionChange.objects.order_by("id")]


def test_a_form_writes_what_it_changed_with_the_version_that_has_it(admin_client, event):
    session = Session.objects.get(title="Tides")
    boat = event.rooms.get(name="Boat")
    send(admin_client, address_of(session), Session, room=[str(boat.pk)], title=["Ebb"])
    assert news() == [
        ("room", "Ebb", {"room": "Aula"}, {"room": "Boat"}),
        ("renamed", "Ebb", {"title": "Tides"}, {"title": "Ebb"}),
    ]
    change = SessionChange.objects.first()
    version = Event.objects.get(pk=event.pk).programme_version
    assert (change.session, change.uid, change.programme_version) == (session, session.uid, version)


def test_a_form_that_changes_nothing_writes_nothing(admin_client, event):
    send(admin_client, address_of(Session.objects.get(title="Tides")), Session)
    assert news() == []


@pytest.mark.parametrize(
    ("action", "title", "kind"),
    [("confirm", "Plan", "added"), ("cancel", "Tides", "cancelled"), ("withdraw", "Tides", "cancelled"),
     ("delete_selected", "Tides", "cancelled"), ("confirm", "Tides", None), ("withdraw", "Plan", None)],
)  # fmt: skip
def test_an_action_on_a_list_writes_what_attendees_notice(admin_client, event, action, title, kind):
    pk = Session.objects.get(title=title).pk
    admin_client.post(SESSIONS, {"action": action, "_selected_action": [pk], "post": "yes"})
    assert [(c.kind, c.title) for c in SessionChange.objects.all()] == ([(kind, title)] if kind else [])


def test_a_deleted_session_is_remembered_without_it(admin_client, event):
    session = Session.objects.get(title="Tides")
    admin_client.post(f"{SESSIONS}{session.pk}/delete/", {"post": "yes"})
    assert [(c.kind, c.title, c.session, c.uid) for c in SessionChange.objects.all()] == [
        ("cancelled", "Tides", None, session.uid)
    ]


def test_a_draft_event_has_no_news(admin_client, event):
    Event.objects.filter(pk=event.pk).update(is_public=False)
    send(admin_client, address_of(Session.objects.get(title="Tides")), Session, title=["Ebb"])
    assert news() == []


def test_organisers_look_changes_up_and_add_none(admin_client, event):
    for title in ("Tides", "Sand"):
        send(admin_client, address_of(Session.objects.get(title=title)), Session, title=[f"{title} 2"])
    page = "/admin/schedule/sessionchange/"
    response = admin_client.get(page)
    found = [(change.kind, change.title) for change in response.context["cl"].result_list]
    assert found == [("renamed", "Sand 2"), ("renamed", "Tides 2")]
    assert admin_client.get(f"{page}add/").status_code == 403
    admin_client.post(f"/admin/conference/event/{event.pk}/delete/", {"post": "yes"})
    assert (Event.objects.count(), SessionChange.objects.count()) == (0, 0)


@pytest.mark.django_db
def test_an_import_writes_what_it_changed_and_rolling_back_what_that_changes():
    both = (talk(), talk("Waves", "Bo Lima", start="12:00", end="12:30"), NEXT_DAY)
    import_schedule([schedule(*both)])
    assert news() == []
    import_schedule([schedule(*both)])
    assert news() == []
    later = (talk(start="10:15", end="10:45"), talk("Shore", "Cy Dahl", start="14:00", end="14:30"), NEXT_DAY)
    import_schedule([schedule(*later)], is_dry_run=True, options=ImportOptions(cancel_missing=True))
    assert news() == []
    import_schedule([schedule(*later)], options=ImportOptions(cancel_missing=True))
    first = [
        ("moved", "Tides", {"start": "2031-06-04T09:00:00+00:00", "end": "2031-06-04T09:30:00+00:00"},
         {"start": "2031-06-04T09:15:00+00:00", "end": "2031-06-04T09:45:00+00:00"}),
        ("cancelled", "Waves", {}, {"start": "2031-06-04T11:00:00+00:00", "end": "2031-06-04T11:30:00+00:00"}),
        ("added", "Shore", {}, {"start": "2031-06-04T13:00:00+00:00", "end": "2031-06-04T13:30:00+00:00",
                                "room": "Aquário"}),
    ]  # fmt: skip
    assert sorted(news(), key=str) == sorted(first, key=str)
    roll_back_run(ImportRun.objects.first())
    back = [(c.kind, c.title) for c in SessionChange.objects.order_by("id")[3:]]
    assert sorted(back) == [("cancelled", "Shore"), ("moved", "Tides"), ("restored", "Waves")]


# In the list


def states(client, path: str = "/reef/") -> list[str]:
    html = client.get(path).content.decode()
    lines = re.findall(r'<p class="state.*?</p>', html, re.DOTALL)
    return [re.sub(r"\s+", " ", unescape(strip_tags(line.replace("<s>", "~").replace("</s>", "~")))) for line in lines]


def change(event: Event, title: str = "Tides", at: timedelta = timedelta(), **values) -> None:
    session = Session.objects.get(title=title)
    before = {"start": session.start.isoformat(), "end": session.end.isoformat()}
    old, kind = ({"room": session.room.name}, "room") if "room" in values else (before, "moved")
    for name, value in values.items():
        setattr(session, name, value)
    session.save()
    SessionChange.objects.create(event=event, session=session, uid=session.uid, title=title, kind=kind, old=old,
                                 at=datetime.now(UTC) + at, programme_version=1)  # fmt: skip


def test_a_session_says_where_and_when_it_was(client, event):
    change(event, room=event.rooms.get(name="Boat"))
    change(event, start=datetime(2030, 5, 6, 9, tzinfo=UTC), end=datetime(2030, 5, 6, 10, tzinfo=UTC))
    change(event, "Sand", start=datetime(2030, 5, 7, 9, tzinfo=UTC), end=datetime(2030, 5, 7, 10, tzinfo=UTC))
    expected = [
        "Moved now 11:00, was ~10:00~",
        "Room changed now Boat, was ~Aula~",
        "Moved now Tue 7 May, 11:00, was ~Mon 6 May, 10:00~",
    ]
    assert states(client) == expected
    assert states(client, Session.objects.get(title="Sand").get_absolute_url())[:1] == expected[2:]
    assert states(client, "/reef/?tz=Asia/Tokyo")[0] == "Moved now 18:00, was ~17:00~"


def test_only_the_last_change_of_a_kind_is_said_and_none_that_was_taken_back(client, event):
    aula, boat, deck = event.rooms.get(name="Aula"), event.rooms.get(name="Boat"), make_room(event, "Deck")
    change(event, room=boat)
    change(event, room=deck)
    assert states(client) == ["Room changed now Deck, was ~Boat~"]
    session = Session.objects.get(title="Tides")
    session.room = boat
    session.save()
    assert states(client) == []
    change(event, room=aula)
    assert states(client) == ["Room changed now Aula, was ~Boat~"]


@pytest.mark.parametrize(("days", "age", "count"), [(3, 2, 1), (3, 4, 0), (7, 4, 1), (0, 0, 0)])
def test_a_change_is_said_for_as_long_as_the_organiser_wants(client, event, days, age, count):
    change(event, room=event.rooms.get(name="Boat"), at=-timedelta(days=age))
    Event.objects.filter(pk=event.pk).update(show_changes_days=days, programme_changed_at=datetime.now(UTC))
    assert len(states(client)) == count


def test_a_cancelled_session_says_only_that(client, event):
    change(event, room=event.rooms.get(name="Boat"))
    Session.objects.filter(title="Tides").update(status="cancelled", status_note="Ill.", availability="full")
    assert states(client) == ["Cancelled Ill."]


def test_full_and_sign_up_stand_above_the_title_and_in_the_api(client, event):
    Session.objects.filter(title="Tides").update(availability="full")
    Session.objects.filter(title="Sand").update(availability="sign-up")
    assert states(client) == ["Full", "Sign-up"]
    said = client.get("/api/v1/events/reef/sessions/").json()["results"]
    assert [(session["title"], session["availability"]) for session in said] == [("Tides", "full"), ("Sand", "sign-up")]
