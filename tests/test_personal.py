"""Personal schedules on the server: secret links, merging, feed, sharing; secrets reach nobody else."""

import json
import logging
import os
import re
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from io import StringIO
from itertools import permutations
from pathlib import Path

import pytest
import time_machine
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar

from conference.logs import HideSecrets
from conference.models import Event
from conference.network import find_address
from conference.page_cache import pages
from schedule.agenda import build_agenda
from schedule.importing import import_schedule
from schedule.importing.history import roll_back_run
from schedule.models import ImportRun, PersonalSchedule, Star
from schedule.personal.demand import find_demand
from schedule.personal.merging import Mark, merge_marks, read_marks, to_milliseconds
from schedule.personal.plan import build_plan
from schedule.personal.tokens import FEED, SHARE, derive, hash_token, is_token, make_secret
from schedule.personal.views import titles_of
from tests.factories import make_event, make_room, make_session
from tests.test_import import pause, schedule, talk

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parent.parent
NOW = datetime(2030, 5, 1, 12, tzinfo=UTC)
# Of devices whose clocks are right, some seconds ago.
T = to_milliseconds(datetime.now(UTC)) - 10_000


@pytest.fixture(autouse=True)
def fresh_limits():
    cache.clear()


@pytest.fixture
def reef():
    event = make_event(slug="reef")
    hall = make_room(event, "Hall")
    make_session(event, "Ropes", "2030-05-06 09:00", 60, room=hall)
    make_session(event, "Knots", "2030-05-06 09:30", 60, room=make_room(event, "Cove"))
    make_session(event, "Sails", "2030-05-06 11:00", 30, room=hall)
    make_session(event, "Secret", "2030-05-06 12:00", status="draft")
    return event


def uid(event, title: str) -> str:
    return str(event.sessions.get(title=title).uid)


def post(client, url: str, changes: list) -> dict:
    response = client.post(url, json.dumps({"changes": changes}), content_type="application/json")
    assert response.status_code in (200, 201), response.content
    return response.json()


def path_of(url: str) -> str:
    return url.removeprefix("http://testserver")


def starred(event, answer: dict) -> list[str]:
    by_uid = {str(session.uid): session.title for session in event.sessions.all()}
    return sorted(by_uid[uid] for uid, is_starred, _at in answer["stars"] if is_starred)


# Merging


UIDS = st.sampled_from(["a", "b", "c"])
MARKS = st.dictionaries(
    UIDS, st.builds(Mark, st.booleans(), st.integers(0, 3).map(lambda n: NOW + timedelta(seconds=n)))
)


@given(st.lists(MARKS, min_size=2, max_size=4))
def test_devices_may_meet_in_any_order_and_any_number_of_times(devices):
    ends = set()
    for order in permutations(devices):
        known: dict[str, Mark] = {}
        for told in (*order, order[0]):
            known |= merge_marks(known, told)
        ends.add(json.dumps({key: (m.is_starred, str(m.changed_at)) for key, m in sorted(known.items())}))
    assert len(ends) == 1


def test_a_later_change_wins_and_no_change_of_another_session_is_lost():
    earlier, later = NOW, NOW + timedelta(seconds=1)
    known = {"a": Mark(True, earlier), "b": Mark(True, later)}
    told = {"a": Mark(False, later), "b": Mark(False, earlier), "c": Mark(True, earlier)}
    assert merge_marks(known, told) == {"a": Mark(False, later), "c": Mark(True, earlier)}


def test_a_clock_that_runs_ahead_does_not_win_for_ever():
    key = "0" * 36
    marks = read_marks([[key, True, to_milliseconds(NOW) + 10**9]], NOW)
    assert marks == {key: Mark(True, NOW + timedelta(minutes=5))}


@pytest.mark.parametrize(
    "change",
    [
        *([], "x", None, ["a", True, 1], ["0" * 36, 1, 1], ["0" * 36, True, True]),
        *(["0" * 36, True, number] for number in (-1, 1.5, 10**15)),
    ],
)
def test_what_is_no_change_is_refused(change):
    with pytest.raises(ValueError, match="a change is"):
        read_marks([change], NOW)


# Secrets


def test_a_secret_has_192_bits_and_what_is_derived_of_it_leads_nowhere_else():
    secret = make_secret()
    tokens = {secret, derive(secret, FEED), derive(secret, SHARE)}
    assert (len(tokens), all(map(is_token, tokens))) == (3, True)
    assert [is_token(text) for text in ("", "short", secret + "x", secret[:-1] + "/")] == [False] * 4


def test_only_hashes_are_stored(client, reef):
    answer = post(client, "/reef/my/keep/", [[uid(reef, "Ropes"), True, T]])
    tokens = [answer["secret"], answer["feed"].split("/")[-1].removesuffix(".ics"), answer["share"].split("/")[-2]]
    kept = PersonalSchedule.objects.get()
    stored = json.dumps([str(value) for value in kept.__dict__.values()])
    assert [token in stored for token in tokens] == [False, False, False]


def test_a_list_is_looked_up_by_its_hash_so_that_the_time_it_takes_tells_nothing(client, reef):
    answer = post(client, "/reef/my/keep/", [])
    with CaptureQueriesContext(connection) as queries:
        for door in ("url", "feed", "share"):
            client.get(path_of(answer[door]))
    asked = " ".join(query["sql"] for query in queries)
    tokens = {"secret_hash": answer["secret"], "feed_hash": derive(answer["secret"], FEED),
              "share_hash": derive(answer["secret"], SHARE)}  # fmt: skip
    assert [token in asked for token in tokens.values()] == [False] * 3
    assert [f"\"{door}\" = '{hash_token(token)}'" in asked for door, token in tokens.items()] == [True] * 3


def test_each_door_opens_only_its_own_part(client, reef):
    answer = post(client, "/reef/my/keep/", [])
    doors = {name: path_of(answer[name]) for name in ("url", "feed", "share")}
    assert [client.get(path).status_code for path in doors.values()] == [200, 200, 200]
    feed, share = (doors[name].rstrip("/").split("/")[-1].removesuffix(".ics") for name in ("feed", "share"))
    wrong = [f"/reef/my/{feed}/", f"/reef/my/{share}/", f"/reef/my/feed/{share}.ics", f"/reef/my/shared/{feed}/",
             f"/reef/my/feed/{answer['secret']}.ics", f"/reef/my/{make_secret()}/", "/reef/my/nonsense/"]  # fmt: skip
    assert [client.get(path).status_code for path in wrong] == [404] * len(wrong)


def test_a_secret_opens_only_at_its_own_event(client, reef):
    make_event(slug="other")
    answer = post(client, "/reef/my/keep/", [])
    assert client.get(f"/other/my/{answer['secret']}/").status_code == 404


def test_a_wrong_a_revoked_and_a_deleted_secret_get_the_same_answer(client, reef):
    revoked, deleted = (post(client, "/reef/my/keep/", []) for _ in range(2))
    renewed = client.post(path_of(revoked["url"]), {"action": "renew"})
    client.post(path_of(deleted["url"]), {"action": "delete"})
    assert client.get(renewed.headers["Location"]).status_code == 200
    answers = [client.get(path) for path in (f"/reef/my/{'x' * 32}/", path_of(revoked["url"]), path_of(deleted["url"]))]
    assert {answer.status_code for answer in answers} == {404}
    assert {answer.headers["Referrer-Policy"] for answer in answers} == {"no-referrer"}
    assert {answer.headers["Cache-Control"] for answer in answers} == {"private, no-store"}
    bodies = {re.sub(r"/my/[A-Za-z0-9_-]{32}/", "/my/…/", answer.content.decode()) for answer in answers}
    assert len(bodies) == 1
    assert [client.get(path_of(revoked[door])).status_code for door in ("feed", "share")] == [404, 404]


def test_answers_to_secret_addresses_are_nobody_elses(client, reef, settings):
    settings.KEEPS_PAGES = True
    pages.clear()
    answer = post(client, "/reef/my/keep/", [[uid(reef, "Ropes"), True, T]])
    for door in ("url", "feed", "share"):
        response = client.get(path_of(answer[door]))
        said = [response.headers[name] for name in ("Cache-Control", "Referrer-Policy", "X-Robots-Tag")]
        assert said == ["private, no-store", "no-referrer", "noindex, nofollow"]
        assert not response.cookies
    assert not pages._pages


def test_no_secret_stands_in_a_log(caplog):
    secret = make_secret()
    record = logging.LogRecord("django.request", 30, "", 1, "Not Found: %s", (f"/fr/reef/my/{secret}/edit/",), None)
    HideSecrets().filter(record)
    assert record.getMessage() == "Not Found: /fr/reef/my/…/edit/"


def test_a_choice_of_zone_tells_nobody_the_secret_of_the_list_it_leads_back_to(client, reef, settings, caplog):
    settings.KEEPS_PAGES = True
    pages.clear()
    secret_page = client.get(path_of(post(client, "/reef/my/keep/", [])["url"])).content.decode()
    (address,) = re.findall(r'href="(/reef/zones/[^"]*)"', secret_page)
    response = client.get(address)
    said = [response.headers[name] for name in ("Cache-Control", "Referrer-Policy", "X-Robots-Tag")]
    assert (response.status_code, said) == (200, ["private, no-store", "no-referrer", "noindex, nofollow"])
    assert not pages._pages
    record = logging.LogRecord("django.server", 20, "", 1, '"GET %s"', (address,), None)
    HideSecrets().filter(record)
    assert record.getMessage() == '"GET /reef/zones/?to=%2Freef%2Fmy%2F…%2F"'


# Lists


def test_two_devices_end_with_one_list(client, reef):
    first = post(client, "/reef/my/keep/", [[uid(reef, "Ropes"), True, T]])
    url = f"{path_of(first['url'])}sync/"
    joined = post(client, url, [[uid(reef, "Knots"), True, T + 1]])
    assert starred(reef, joined) == ["Knots", "Ropes"]
    post(client, url, [[uid(reef, "Sails"), True, T + 2], [uid(reef, "Ropes"), False, T + 3]])
    second = post(client, url, [[uid(reef, "Ropes"), True, T + 2]])
    assert starred(reef, second) == ["Knots", "Sails"]
    assert post(client, url, [])["stars"] == second["stars"]


def test_the_same_message_twice_is_as_once(client, reef):
    first = post(client, "/reef/my/keep/", [])
    url, changes = f"{path_of(first['url'])}sync/", [[uid(reef, "Ropes"), True, T]]
    assert post(client, url, changes) == post(client, url, changes)


@pytest.mark.parametrize(
    "body",
    ["", "{", "[]", '{"changes": 1}', '{"changes": [[1]]}', "[" * 100_000, '{"changes": ["' + "x" * 300_000 + '"]}'],
)
def test_what_can_not_be_read_is_a_clear_error_and_changes_nothing(client, reef, body):
    first = post(client, "/reef/my/keep/", [[uid(reef, "Ropes"), True, T]])
    response = client.post(f"{path_of(first['url'])}sync/", body, content_type="application/json")
    assert response.status_code == (200 if body == "" else 400)
    assert post(client, f"{path_of(first['url'])}sync/", [])["stars"] == first["stars"]


def test_sessions_that_are_not_public_or_not_there_are_left_out(client, reef):
    answer = post(client, "/reef/my/keep/", [[uid(reef, "Secret"), True, T], ["f" * 36, True, T]])
    assert answer["stars"] == []


def test_a_star_outlives_rename_move_and_deletion(client, reef):
    answer = post(client, "/reef/my/keep/", [[uid(reef, "Ropes"), True, T], [uid(reef, "Knots"), True, T]])
    ropes = reef.sessions.get(title="Ropes")
    ropes.title, ropes.start, ropes.end = "Cordage", ropes.start + timedelta(hours=3), ropes.end + timedelta(hours=3)
    ropes.save()
    reef.sessions.get(title="Knots").delete()
    html = client.get(path_of(answer["url"])).content.decode()
    assert "Cordage" in html
    assert re.search(r"No longer on the programme</h2></div>\s*<ul class=\"missing\">\s*<li>Knots</li>", html)


def test_a_star_outlives_another_import_and_taking_it_back(client):
    import_schedule([schedule(talk(), pause())])
    event = Event.objects.get()
    starred_talk = uid(event, "Tides")
    kept = PersonalSchedule.objects.create(event=event, used_on=NOW, secret_hash="s", feed_hash="f", share_hash="h")
    kept.apply({starred_talk: Mark(True, NOW)}, titles_of(event))
    found = []
    import_schedule([schedule(talk(start="12:00", end="12:30"), pause())])
    found.append((uid(event, "Tides"), PersonalSchedule.objects.get().starred_uids))
    roll_back_run(ImportRun.objects.latest("pk"))
    found.append((uid(event, "Tides"), PersonalSchedule.objects.get().starred_uids))
    assert found == [(starred_talk, [starred_talk])] * 2


def test_without_script_a_list_is_made_changed_and_deleted_by_forms(client, reef):
    made = client.post("/reef/my/keep/", {"uid": [uid(reef, "Ropes")]})
    here = made.headers["Location"]
    assert "Ropes" in client.get(here).content.decode()
    assert client.get(f"{here}edit/").content.decode().count('" checked>') == 2  # and the scheme
    client.post(here, {"action": "choose", "uid": [uid(reef, "Knots"), uid(reef, "Sails")]})
    client.post(here, {"action": "remove", "uid": uid(reef, "Sails")})
    kept = PersonalSchedule.objects.get()
    assert kept.starred_uids == [uid(reef, "Knots")]
    client.post(here, {"action": "delete"})
    assert (PersonalSchedule.objects.count(), Star.objects.count()) == (0, 0)


def test_a_shared_list_is_read_and_copied_but_not_changed(client, reef):
    answer = post(client, "/reef/my/keep/", [[uid(reef, "Ropes"), True, T]])
    share = path_of(answer["share"])
    client.post(path_of(answer["url"]), {"action": "name", "name": " <Ada>\0 "})
    html = client.get(share).content.decode()
    assert "Schedule of &lt;Ada&gt;" in html
    assert answer["secret"] not in html
    copy = client.post(share)
    assert copy.headers["Location"] != path_of(answer["url"])
    client.post(copy.headers["Location"], {"action": "remove", "uid": uid(reef, "Ropes")})
    assert "Ropes" in client.get(share).content.decode()


def test_the_qr_code_leads_to_the_link(client, reef):
    segno = pytest.importorskip("segno")
    answer = post(client, "/reef/my/keep/", [])
    html = client.get(path_of(answer["url"])).content.decode()
    drawn = re.search(r'<svg[^>]*class="qr".*?<path[^>]* d="([^"]+)"', html, re.DOTALL)[1]
    expected = segno.make(answer["url"], error="m", micro=False).svg_inline(scale=4, border=2, omitsize=True)
    assert f'd="{drawn}"' in expected


# Feed


def test_the_feed_needs_no_cookie_and_holds_the_list_with_what_was_cancelled(client, reef):
    answer = post(client, "/reef/my/keep/", [[uid(reef, title), True, T] for title in ("Ropes", "Knots")])
    reef.sessions.filter(title="Knots").update(status="cancelled")
    response = Client().get(path_of(answer["feed"]))
    calendar = Calendar.from_ical(response.content)
    assert response.headers["Content-Type"] == "text/calendar; charset=utf-8"
    assert str(calendar["x-wr-calname"]) == f"My schedule: {reef.name}"
    entries = [(str(e["uid"]), str(e["summary"]), str(e["status"])) for e in calendar.walk("VEVENT")]
    assert entries == [(uid(reef, "Ropes"), "Ropes", "CONFIRMED"), (uid(reef, "Knots"), "Knots", "CANCELLED")]
    assert Client().get(path_of(answer["feed"])).content == response.content


def test_sixty_days_after_the_event_the_feed_still_tells_what_was_moved_and_cancelled(client, reef):
    with time_machine.travel(datetime(2030, 5, 6, 7, tzinfo=UTC), tick=False):
        chosen = [[uid(reef, title), True, to_milliseconds(datetime.now(UTC))] for title in ("Ropes", "Knots", "Sails")]
        feed = path_of(post(client, "/reef/my/keep/", chosen)["feed"])
    moved = reef.sessions.get(title="Ropes")
    moved.start, moved.end = moved.start + timedelta(days=1), moved.end + timedelta(days=1)
    moved.save()
    reef.sessions.filter(title="Knots").update(status="cancelled")
    with time_machine.travel(datetime(2030, 7, 6, 12, tzinfo=UTC), tick=False):
        call_command("prune_personal_schedules", verbosity=0, stdout=StringIO())
        stranger = Client()
        response = stranger.get(feed)
    entries = [(str(e["summary"]), e["dtstart"].dt, str(e["status"])) for e in
               Calendar.from_ical(response.content).walk("VEVENT")]  # fmt: skip
    assert entries == [
        ("Knots", datetime(2030, 5, 6, 7, 30, tzinfo=UTC), "CANCELLED"),
        ("Sails", datetime(2030, 5, 6, 9, tzinfo=UTC), "CONFIRMED"),
        ("Ropes", datetime(2030, 5, 7, 7, tzinfo=UTC), "CONFIRMED"),
    ]
    assert (response.status_code, dict(stranger.cookies), dict(response.cookies)) == (200, {}, {})


def test_an_empty_feed_is_valid_and_named(client, reef):
    answer = post(client, "/reef/my/keep/", [])
    calendar = Calendar.from_ical(client.get(path_of(answer["feed"])).content)
    assert (str(calendar["x-wr-calname"]), calendar.walk("VEVENT")) == (f"My schedule: {reef.name}", [])


@pytest.mark.parametrize(
    ("alarm", "minutes"),
    [
        ("10", 10),
        ("", None),
        ("0", None),
        ("999", None),
        ("x", None),
        ("²", None),
        ("0100000", None),
        ("0100" + "0" * 5000, None),
    ],
)
def test_reminders_come_as_long_before_as_was_chosen(client, reef, alarm, minutes):
    answer = post(client, "/reef/my/keep/", [[uid(reef, "Ropes"), True, T]])
    calendar = Calendar.from_ical(client.get(path_of(answer["feed"]), {"alarm": alarm}).content)
    found = [alarm["trigger"].dt for alarm in calendar.walk("VALARM")]
    assert found == ([-timedelta(minutes=minutes)] if minutes else [])


# The day


def plan(event, *titles: str) -> list[tuple]:
    sessions = event.sessions.filter(title__in=titles).select_related("room").in_order()
    (day,) = build_plan(build_agenda(sessions, event.viewing))
    return [
        (
            entry.row.session.title,
            entry.gap and entry.gap.minutes,
            entry.rush and entry.rush.minutes,
            [(overlap.first.session.title, overlap.minutes) for overlap in entry.overlaps],
        )
        for entry in day.entries
    ]


def test_a_day_shows_overlaps_free_time_and_short_ways(reef):
    make_session(reef, "Keels", "2030-05-06 11:35", 30, room=reef.rooms.get(slug="cove"))
    assert plan(reef, "Ropes", "Knots", "Sails", "Keels") == [
        ("Ropes", None, None, []),
        ("Knots", None, None, [("Ropes", 30)]),
        ("Sails", 30, None, []),
        ("Keels", None, 5, []),
    ]


def test_the_seat_of_a_cancelled_session_is_free(reef):
    reef.sessions.filter(title="Ropes").update(status="cancelled")
    assert plan(reef, "Ropes", "Knots") == [("Ropes", None, None, []), ("Knots", None, None, [])]


# Demand


def make_lists(event, number: int, *titles: str) -> None:
    for _ in range(number):
        kept, _secret = PersonalSchedule.start(event, date(2030, 5, 6))
        kept.apply({uid(event, title): Mark(True, NOW) for title in titles}, titles_of(event))


def test_organisers_see_counts_and_clashes_but_never_of_fewer_than_five(reef):
    make_lists(reef, 5, "Ropes", "Knots")
    make_lists(reef, 2, "Ropes")
    make_lists(reef, 4, "Sails")
    demand, clashes = find_demand(reef)
    assert [(one.session.title, one.count) for one in demand] == [("Ropes", 7), ("Knots", 5), ("Sails", None)]
    assert [(clash.first.title, clash.second.title, clash.count) for clash in clashes] in (
        [("Ropes", "Knots", 5)],
        [("Knots", "Ropes", 5)],
    )


def test_the_page_of_demand_shows_no_list_and_lets_nobody_change_one(admin_client, reef):
    make_lists(reef, 5, "Ropes")
    make_lists(reef, 1, "Sails")
    html = admin_client.get("/admin/schedule/personalschedule/?event=reef").content.decode()
    assert re.search(r"<td>5</td><td><a [^>]*>Ropes</a>", html)
    assert re.search(r"<td>fewer than 5</td><td><a [^>]*>Sails</a>", html)
    assert "Secret" not in html
    pk = PersonalSchedule.objects.first().pk
    for path in ("add/", f"{pk}/change/", f"{pk}/delete/"):
        assert admin_client.post(f"/admin/schedule/personalschedule/{path}").status_code == 403


# Limits, age, many at once


def test_too_many_new_lists_are_told_when_to_come_back(client, reef, monkeypatch):
    for _ in range(600):
        cache.add("limit-new-lists-127.0.0.1", 0, 60)
        cache.incr("limit-new-lists-127.0.0.1")
    response = client.post("/reef/my/keep/")
    assert (response.status_code, response.headers["Retry-After"]) == (429, "60")


def test_copies_of_shared_lists_count_as_new_ones(client, reef):
    shared = path_of(post(client, "/reef/my/keep/", [])["share"])
    cache.set("limit-new-lists-127.0.0.1", 600, 60)
    response = client.post(shared)
    assert (response.status_code, response.headers["Retry-After"], PersonalSchedule.objects.count()) == (429, "60", 1)
    assert client.get(shared).status_code == 200


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, "203.0.113.7", "127.0.0.1"),
        (1, "203.0.113.7", "203.0.113.7"),
        # What a client writes itself stands further left.
        (1, "198.51.100.1, 203.0.113.7", "203.0.113.7"),
        (2, "198.51.100.1, 203.0.113.7, 10.0.0.2", "203.0.113.7"),
        (2, "203.0.113.7", "127.0.0.1"),
        # Of IPv6 everybody has a whole network.
        (1, "198.51.100.1, 2001:DB8::0007", "2001:db8::/64"),
        (1, "::ffff:203.0.113.7", "203.0.113.7"),
        (1, "198.51.100.1, unknown", "127.0.0.1"),
        (1, "198.51.100.1,", "127.0.0.1"),
        (1, "", "127.0.0.1"),
        (1, None, "127.0.0.1"),
    ],
)
def test_an_address_is_what_the_outermost_trusted_proxy_saw(rf, settings, proxies, forwarded, address):
    settings.TRUSTED_PROXIES = proxies
    headers = {} if forwarded is None else {"X-Forwarded-For": forwarded}
    assert find_address(rf.get("/", headers=headers)) == address


def test_behind_a_proxy_each_client_has_its_own_limit_and_a_made_up_address_is_no_way_around(client, reef, settings):
    settings.TRUSTED_PROXIES = 1
    cache.set("limit-new-lists-203.0.113.7", 600, 60)
    tried = ["203.0.113.7", "198.51.100.1, 203.0.113.7", "203.0.113.8"]
    answers = [client.post("/reef/my/keep/", headers={"X-Forwarded-For": said}).status_code for said in tried]
    assert answers == [429, 429, 302]


@pytest.mark.parametrize("way", ["form", "exchange"])
def test_changes_of_a_list_have_a_limit_of_their_own(client, reef, way):
    here = path_of(post(client, "/reef/my/keep/", [[uid(reef, "Ropes"), True, T]])["url"])
    cache.set("limit-exchanges-127.0.0.1", 3000, 60)
    response = client.post(here, {"action": "delete"}) if way == "form" else client.post(f"{here}sync/")
    assert (response.status_code, response.headers["Retry-After"]) == (429, "60")
    assert (client.get(here).status_code, PersonalSchedule.objects.count()) == (200, 1)


def test_a_form_of_many_sessions_is_written_at_once(client, reef, django_assert_max_num_queries):
    for number in range(40):
        make_session(reef, f"Talk {number}", "2030-05-07 09:00")
    chosen = [str(session.uid) for session in reef.sessions.all()]
    with django_assert_max_num_queries(12):
        made = client.post("/reef/my/keep/", {"uid": [*chosen, "x", "\0"]})
    kept = PersonalSchedule.objects.get()
    assert len(kept.starred_uids) == 43
    with django_assert_max_num_queries(14):
        client.post(made.headers["Location"], {"action": "choose", "uid": chosen[:2]})
    assert sorted(PersonalSchedule.objects.get().starred_uids) == sorted(chosen[:2])


def test_unused_lists_are_forgotten_ninety_days_after_the_event(reef):
    old, _ = PersonalSchedule.start(reef, date(2030, 5, 6))
    used, _ = PersonalSchedule.start(reef, date(2030, 8, 1))
    assert list(PersonalSchedule.objects.unused(date(2030, 8, 4))) == []
    assert list(PersonalSchedule.objects.unused(date(2030, 8, 5))) == [old]
    assert used in PersonalSchedule.objects.unused(date(2030, 10, 30))


# Real threads on a real file: the database of the tests is in memory, where SQLite locks otherwise.
FIFTY_AT_ONCE = """
import json, threading
import django
django.setup()
from django.core.management import call_command
from django.db import connection
from django.test import Client
from schedule.models import PersonalSchedule
from tests.factories import make_event, make_session

call_command("migrate", verbosity=0)
event = make_event(slug="reef")
sessions = [make_session(event, f"Session {n}", "2030-05-06 09:00") for n in range(50)]
client = lambda: Client(SERVER_NAME="localhost")
post = lambda url, changes: client().post(url, json.dumps({"changes": changes}), content_type="application/json")
secret = post("/reef/my/keep/", []).json()["secret"]
answers = []

def star(session):
    answers.append(post(f"/reef/my/{secret}/sync/", [[str(session.uid), True, 1]]).status_code)
    connection.close()

threads = [threading.Thread(target=star, args=[session]) for session in sessions]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(json.dumps([sorted(set(answers)), len(answers), len(PersonalSchedule.objects.get().starred_uids)]))
"""


def test_fifty_devices_at_once_lose_no_star_and_see_no_error(tmp_path):
    environment = os.environ | {
        "DATABASE_URL": f"sqlite:///{tmp_path}/stars.sqlite3",
        "DJANGO_SETTINGS_MODULE": "conference.settings",
    }
    command = [sys.executable, "-W", "ignore:No directory at", "-c", FIFTY_AT_ONCE]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[[200], 50, 50]\n", "")


@pytest.mark.parametrize(("fetched", "is_kept"), [("2030-08-01", True), ("2030-09-01", False)])
def test_a_list_that_only_a_calendar_reads_is_in_use_until_ninety_days_after_the_event(client, reef, fetched, is_kept):
    with time_machine.travel(datetime(2030, 5, 1, 12, tzinfo=UTC), tick=False):
        answer = post(client, "/reef/my/keep/", [])
    with time_machine.travel(f"{fetched} 12:00", tick=False):
        assert client.get(path_of(answer["feed"])).status_code == 200
    # Ninety days after the event and a week: without the calendar it would be forgotten now.
    unused = PersonalSchedule.objects.unused(date(2030, 8, 12))
    assert unused.exists() is not is_kept
