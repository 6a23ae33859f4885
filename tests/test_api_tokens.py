"""Tokens: made in the admin by whoever may change the event, shown once, good for one event and a time."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.core.cache import cache

from conference.api.limits import PerAddress
from conference.tokens import ApiToken, hash_token
from tests.api_requests import Organiser, make_token
from tests.factories import make_event, make_room, make_session, make_speaker, make_track

pytestmark = pytest.mark.django_db
TOKENS = "/admin/conference/apitoken/"


@pytest.fixture
def event():
    return make_event(slug="tides")


def add_token(client, event, **values):
    form = {"event": event.pk, "name": "Desk", "expires_at_0": "2099-01-01", "expires_at_1": "00:00:00"} | values
    return client.post(f"{TOKENS}add/", form)


@pytest.fixture
def editor(client, django_user_model):
    """Return how to log in somebody of the staff with the rights of these names."""

    def log_in(*rights: str):
        user = django_user_model.objects.create_user("bo", is_staff=True)
        user.user_permissions.set(Permission.objects.filter(codename__in=rights))
        client.force_login(user)
        return user

    return log_in


# In the admin


def test_a_token_is_shown_once_and_kept_as_a_hash(admin_client, event):
    answer = add_token(admin_client, event)
    secret, token = answer.context["secret"], ApiToken.objects.get()
    assert (answer.status_code, answer.content.decode().count(secret)) == (200, 1)
    assert ("no-store" in answer["Cache-Control"], answer["Referrer-Policy"]) == (True, "no-referrer")
    assert (token.token_hash, len(secret) > 40) == (hash_token(secret), True)
    pages = [admin_client.get(path).content.decode() for path in (TOKENS, f"{TOKENS}{token.pk}/change/", "/admin/")]
    assert [(secret in page, token.token_hash in page) for page in pages] == [(False, False)] * 3
    assert secret not in str(list(LogEntry.objects.values()))


def test_a_new_token_opens_its_event(admin_client, client, event):
    secret = add_token(admin_client, event).context["secret"]
    assert Organiser(client, event, secret).post("rooms/", {"name": "Pier"}).status_code == 201


def test_whoever_may_change_events_makes_and_revokes_tokens(client, editor, event):
    user = editor("change_event")
    add_token(client, event)
    token = ApiToken.objects.get()
    assert (token.created_by, client.get(TOKENS).status_code) == (user, 200)
    answer = client.post(TOKENS, {"action": "revoke", "_selected_action": [token.pk]}, follow=True)
    token.refresh_from_db()
    assert token.revoked_at is not None
    assert [str(message) for message in answer.context["messages"]] == ["1 token is revoked."]


def test_who_may_not_change_events_has_nothing_to_do_with_tokens(client, editor, event):
    make_token(event)
    editor("view_event", "add_apitoken", "change_apitoken", "delete_apitoken", "view_apitoken")
    pk = ApiToken.objects.get().pk
    paths = [TOKENS, f"{TOKENS}add/", f"{TOKENS}{pk}/change/", f"{TOKENS}{pk}/delete/"]
    assert [client.get(path).status_code for path in paths] == [403] * 4
    assert (add_token(client, event).status_code, ApiToken.objects.count()) == (403, 1)


def test_a_token_is_never_moved_to_another_event(admin_client, event):
    make_token(event)
    token = ApiToken.objects.get()
    form = {"event": make_event().pk, "name": "New", "expires_at_0": "2099-01-01", "expires_at_1": "00:00:00"}
    assert admin_client.post(f"{TOKENS}{token.pk}/change/", form).status_code == 302
    token.refresh_from_db()
    assert (token.event, token.name) == (event, "New")


def test_a_token_that_is_expired_from_the_start_is_refused(admin_client, event):
    answer = add_token(admin_client, event, expires_at_0="2001-01-01")
    assert (list(answer.context["adminform"].form.errors), ApiToken.objects.count()) == (["expires_at"], 0)


# What opens, and what does not

HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    "header",
    ["Bearer", "Bearer ", "Bearer none", "Bearer \xe9", "Basic YTpi", "Token x", "Bearer a b", "x"],
)
@pytest.mark.parametrize("method", ["get", "post"])
def test_what_is_no_token_is_refused(client, event, header, method):
    answer = getattr(client, method)("/api/v1/events/tides/rooms/", headers={"authorization": header})
    assert (answer.status_code, answer["WWW-Authenticate"], list(answer.json())) == (401, "Bearer", ["detail"])


@pytest.mark.parametrize("change", ["expired", "revoked", "deleted", "maker gone", "maker without rights"])
def test_a_token_that_was_good_is_refused(client, event, django_user_model, change):
    user = django_user_model.objects.create_user("cy", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=("change_event", "add_room")))
    desk = Organiser(client, event, make_token(event, user))
    assert desk.post("rooms/", {"name": "Pier"}).status_code == 201
    now = datetime.now(UTC)
    {
        "expired": lambda: ApiToken.objects.update(expires_at=now - HOUR),
        "revoked": lambda: ApiToken.objects.update(revoked_at=now),
        "deleted": lambda: ApiToken.objects.all().delete(),
        "maker gone": lambda: django_user_model.objects.update(is_active=False),
        "maker without rights": lambda: user.user_permissions.clear(),
    }[change]()
    answers = [desk.post("rooms/", {"name": "Quay"}), desk.get("rooms/"), desk.get("rooms/?drafts=1")]
    assert [answer.status_code for answer in answers] == [401] * 3
    assert [room.name for room in event.rooms.all()] == ["Pier"]


@pytest.mark.parametrize(
    ("right", "allowed"),
    [
        ("view_event", set()),
        ("add_room", {"add a room"}),
        ("delete_room", {"delete a room"}),
        ("change_session", {"change a session", "cancel a session", "read drafts", "read the programme"}),
        ("view_session", {"read drafts", "read the programme"}),
        ("add_importrun", {"import"}),
        ("add_material", {"add a material"}),
    ],
)
def test_a_token_may_do_what_its_maker_may(client, event, django_user_model, right, allowed):
    user = django_user_model.objects.create_user("cy", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=("change_event", right)))
    desk = Organiser(client, event, make_token(event, user))
    session, room = make_session(event, "Knots", "2030-05-06 10:00"), make_room(event)
    answers = {
        "add a room": desk.post("rooms/", {"name": "Pier"}),
        "delete a room": desk.send("DELETE", f"rooms/{room.pk}/"),
        "change a session": desk.send("PATCH", f"sessions/{session.pk}/", {"title": "Bends"}),
        "cancel a session": desk.post(f"sessions/{session.pk}/cancel/", {}),
        "add a material": desk.post(f"sessions/{session.pk}/materials/", {"name": "Slides"}),
        "read drafts": desk.get("sessions/?drafts=1"),
        "read the programme": desk.get("programme/?drafts=1"),
        "import": desk.post("imports/", {"text": "nothing"}),
    }
    assert {name for name, answer in answers.items() if answer.status_code != 403} == allowed
    refused = [answer.json() for answer in answers.values() if answer.status_code == 403]
    assert refused == [{"detail": "Whoever made this token may not do this."}] * len(refused)


def test_writing_without_a_token_is_refused_before_anything_is_looked_up(client, event):
    answers = [
        client.post(f"/api/v1/events/{slug}/{name}/", {}, "application/json")
        for slug in ("tides", "none")
        for name in ("sessions", "speakers", "rooms", "tracks", "imports")
    ]
    assert {(answer.status_code, answer.content) for answer in answers} == {
        (401, b'{"detail":"This needs a token of the event."}')
    }


def test_a_token_of_another_event_writes_nothing_and_learns_nothing(client, event):
    hidden = make_event(is_public=False)
    room = make_room(event)
    secret = make_token(make_event())
    seen = set()
    for slug in ("tides", hidden.slug, "none"):
        path, headers = f"/api/v1/events/{slug}/rooms/", {"authorization": f"Bearer {secret}", "if-match": "*"}
        for answer in (
            client.post(path, {"name": "A"}, "application/json", headers=headers),
            client.patch(f"{path}{room.pk}/", {"name": "A"}, "application/json", headers=headers),
            client.delete(f"{path}{room.pk}/", headers=headers),
            client.get(f"{path}?drafts=1", headers=headers),
        ):
            seen.add((answer.status_code, answer.content))
    assert seen == {(403, b'{"detail":"This token is for another event."}')}


def test_rows_of_other_events_are_not_found_with_a_good_token(client, event):
    other = make_event()
    room, track, person = make_room(other), make_track(other), make_speaker(other)
    session = make_session(other)
    desk = Organiser(client, event)
    paths = [f"rooms/{room.pk}/", f"tracks/{track.pk}/", f"speakers/{person.pk}/", f"sessions/{session.pk}/"]
    answers = [desk.send("PATCH", path, {}, if_match="*").status_code for path in paths]
    answers += [desk.get(f"{path}?drafts=1").status_code for path in paths]
    answers.append(desk.post(f"sessions/{session.pk}/cancel/", {}).status_code)
    answers.append(desk.post(f"sessions/{session.pk}/materials/", {"name": "A"}).status_code)
    assert answers == [404] * 10


# Drafts


def test_drafts_are_seen_with_a_token_where_asked_for(client, event):
    make_session(event, "Open", people=[make_speaker(event, "Ada")])
    draft = make_session(event, "Secret", status="draft", people=[make_speaker(event, "Bo")])
    desk = Organiser(client, event)

    def titles(query: str = "") -> list[str]:
        return [row["title"] for row in desk.get(f"sessions/{query}").json()["results"]]

    assert (titles(), titles("?drafts=0"), titles("?drafts=1")) == (["Open"], ["Open"], ["Open", "Secret"])
    assert [desk.get(f"sessions/{draft.pk}/{query}").status_code for query in ("", "?drafts=1")] == [404, 200]
    assert [row["name"] for row in desk.get("speakers/?drafts=1").json()["results"]] == ["Ada", "Bo"]
    whole = desk.get("programme/?drafts=1").json()
    assert [len(whole[part]) for part in ("sessions", "speakers")] == [2, 2]


def test_an_event_that_is_a_draft_is_opened_by_its_token_only(client):
    event = make_event(is_public=False)
    make_room(event, "Pier")
    desk = Organiser(client, event)
    assert [desk.get(f"rooms/{query}").status_code for query in ("", "?drafts=1")] == [404, 200]
    assert desk.post("sessions/", {"title": "A"}).status_code == 201


@pytest.mark.parametrize("slug", ["tides", "hidden", "none"])
def test_drafts_are_never_for_everybody(client, event, slug):
    make_event(slug="hidden", is_public=False)
    for name in ("sessions", "speakers", "rooms", "tracks", "changes", "programme"):
        answer = client.get(f"/api/v1/events/{slug}/{name}/?drafts=1")
        assert (answer.status_code, answer.content) == (401, b'{"detail":"This needs a token of the event."}')


def test_an_answer_with_a_token_is_kept_by_nobody_else(client, event):
    answers = [Organiser(client, event).get("rooms/"), client.get("/api/v1/events/tides/rooms/")]
    assert [answer["Cache-Control"] for answer in answers] == ["private, no-cache", "no-cache"]


def test_the_last_use_is_noted_to_the_minute(client, event):
    desk = Organiser(client, event)
    desk.get("rooms/")
    first = ApiToken.objects.get().last_used
    desk.get("rooms/")
    assert (first is not None, ApiToken.objects.get().last_used) == (True, first)


# Limits


@pytest.fixture
def limits(settings):
    cache.clear()
    settings.API_REQUESTS_PER_ADDRESS, settings.API_REQUESTS_PER_TOKEN = 3, 2
    yield
    cache.clear()


def test_each_address_may_ask_so_often_a_minute(client, event, limits):
    answers = [client.get("/api/v1/events/") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert 0 < int(answers[-1]["Retry-After"]) <= 60
    assert client.get("/api/v1/events/", REMOTE_ADDR="192.0.2.1").status_code == 200


def test_each_token_may_ask_so_often_a_minute(client, event, limits):
    desk, door = Organiser(client, event), Organiser(client, event, make_token(event, name="Door"))
    assert [desk.get("rooms/").status_code for _ in range(3)] == [200, 200, 429]
    assert door.get("rooms/").status_code == 200
    assert client.get("/api/v1/events/").status_code == 200


@pytest.mark.parametrize("headers", [{"authorization": "Bearer none"}, {}])
def test_guesses_are_counted_too(client, event, limits, headers):
    answers = [client.post("/api/v1/events/tides/rooms/", headers=headers).status_code for _ in range(4)]
    assert answers == [401, 401, 401, 429]


def test_a_limit_of_0_is_none(client, limits, settings):
    settings.API_REQUESTS_PER_ADDRESS = 0
    assert {client.get("/api/v1/events/").status_code for _ in range(5)} == {200}
    assert PerAddress().rate is None
