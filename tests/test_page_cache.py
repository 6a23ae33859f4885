"""Finished pages are kept by programme version and address, compressed, and answered with 304."""

import gzip

import brotli
import pytest

from conference.models import Event, Room, Track
from conference.page_cache import WEIGHT_OF_ENTRY, PageStore, pages
from schedule.models import Session, SessionChange
from speakers.models import Speaker
from tests.admin_pages import address_of, send
from tests.factories import make_event, make_room, make_session, make_speaker, make_track

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def kept_pages(settings):
    settings.KEEPS_PAGES = True
    pages.clear()


@pytest.fixture
def reef():
    event = make_event(slug="reef")
    make_session(event, "Ropes", "2030-05-06 09:00", abstract="Knots. " * 200)
    return event


def test_a_page_is_made_once_and_then_takes_one_query(client, reef, django_assert_num_queries):
    first = client.get("/reef/")
    with django_assert_num_queries(1):
        second = client.get("/reef/")
    assert (second.content, second.headers) == (first.content, first.headers)
    assert b"Ropes" in second.content


def test_a_change_of_the_programme_shows_at_once(client, reef):
    before = client.get("/reef/")
    reef.sessions.update(title="Sails")
    reef.mark_programme_changed()
    after = client.get("/reef/")
    assert (b"Sails" in before.content, b"Sails" in after.content) == (False, True)
    assert before.headers["ETag"] != after.headers["ETag"]


def test_a_client_that_has_the_page_gets_304_and_nothing_else(client, reef, django_assert_num_queries):
    etag = client.get("/reef/").headers["ETag"]
    for known in (etag, f"W/{etag}", f'"other", {etag}'):
        with django_assert_num_queries(1):
            response = client.get("/reef/", headers={"If-None-Match": known})
        assert (response.status_code, response.content, response.headers["ETag"]) == (304, b"", etag)
    assert client.get("/reef/", headers={"If-None-Match": '"other"'}).status_code == 200


@pytest.mark.parametrize(
    ("accepted", "encoding", "decode"),
    [
        ("", None, bytes),
        ("gzip, deflate", "gzip", gzip.decompress),
        ("gzip, deflate, br", "br", brotli.decompress),
        ("identity", None, bytes),
        ("br;q=0, gzip", "gzip", gzip.decompress),
        ("br; q=0.000", None, bytes),
        ("br;q=0.5, gzip;q=0", "br", brotli.decompress),
    ],
)
def test_each_client_gets_what_it_can_read(client, reef, accepted, encoding, decode):
    plain = client.get("/reef/").content
    for _time in ("made", "kept"):
        response = client.get("/reef/", headers={"Accept-Encoding": accepted})
        assert response.headers.get("Content-Encoding") == encoding
        assert decode(response.content) == plain
        assert int(response.headers["Content-Length"]) == len(response.content)
        assert "Accept-Encoding" in response.headers["Vary"]


def test_a_page_that_is_not_there_is_missing_for_whoever_has_any_page_too(client, reef):
    for path, status in (("/reef/nothing/", 404), ("/reef/sessions/999999/", 404), ("/reef/", 304)):
        assert client.get(path, headers={"If-None-Match": "*"}).status_code == status


def test_addresses_languages_and_zones_are_pages_of_their_own(client, reef):
    addresses = ["/reef/", "/fr/reef/", "/reef/?tz=Asia/Tokyo", "/reef/?q=ropes", "/reef/speakers/"]
    first = [client.get(address) for address in addresses]
    assert len({response.headers["ETag"] for response in first}) == len(addresses)
    assert [client.get(address).content for address in addresses] == [response.content for response in first]


def test_what_is_not_public_is_never_answered_from_the_store(client, reef):
    assert client.get("/reef/").status_code == 200
    reef.is_public = False
    reef.save()
    assert client.get("/reef/").status_code == 404


def test_errors_redirects_and_organisers_pages_are_not_kept(client, admin_client, reef):
    for path in ("/reef/nothing/", "/admin/login/", "/api/v1/", "/"):
        assert "ETag" not in client.get(path).headers or client.get(path).headers.get("Cache-Control") != "no-cache"
    assert pages.get("") is None
    assert not pages._pages


def test_head_is_answered_like_get(client, reef):
    got = client.get("/reef/")
    head = client.head("/reef/")
    assert (head.status_code, head.headers["ETag"], head.content) == (200, got.headers["ETag"], b"")


def test_the_store_forgets_what_was_not_asked_for_longest():
    store = PageStore(size=2 * (WEIGHT_OF_ENTRY + 5))
    for key in ("a", "b"):
        store.put(key, b"12345", {})
    store.get("a")
    store.put("c", b"12345", {})
    assert [key for key in ("a", "b", "c") if store.get(key)] == ["a", "c"]
    store.put("d", bytes(store.size), {})
    assert [key for key in ("a", "c", "d") if store.get(key)] == []


def test_pages_of_nothing_fill_the_store_too():
    store = PageStore(size=100_000)
    for number in range(1000):
        store.put(str(number), b"", {})
    assert 50 < len(store._pages) < 100


@pytest.mark.parametrize("path", ["/", "/admin/", "/nothing/", "/static/nothing.css", "/reef/", "/reef/my/"])
def test_a_host_that_is_none_of_ours_is_a_fault_of_the_request_and_keeps_no_page(client, reef, path):
    response = client.get(path, headers={"Host": "evil.example"})
    assert (response.status_code, b"evil.example" in response.content) == (400, False)
    assert not pages._pages


def test_whatever_organisers_change_in_the_admin_shows_at_once(client, admin_client, reef):
    session = reef.sessions.get()
    room, track, speaker = make_room(reef, "Hall"), make_track(reef, "Sea"), make_speaker(reef, "Ada Reef")
    changes = {"kind": "room", "event": reef, "session": session, "title": "Ropes", "at": reef.programme_changed_at}
    one, another = (SessionChange.objects.create(programme_version=1, uid=session.uid, **changes) for _ in range(2))
    shown = [client.get("/reef/").headers["ETag"]]
    news = "/admin/schedule/sessionchange/"
    for do in (
        lambda: send(admin_client, address_of(reef), Event, notice="Mind the tide."),
        lambda: send(admin_client, address_of(room), Room, floor="1st floor"),
        lambda: send(admin_client, address_of(track), Track, code="ZZ"),
        lambda: send(admin_client, address_of(speaker), Speaker, bio="Ties knots."),
        lambda: send(admin_client, address_of(session), Session, title="Sails"),
        lambda: admin_client.post(f"{news}{one.pk}/delete/", {"post": "yes"}),
        lambda: admin_client.post(news, {"action": "delete_selected", "_selected_action": another.pk, "post": "yes"}),
        lambda: admin_client.post(f"{address_of(track).removesuffix('change/')}delete/", {"post": "yes"}),
    ):
        assert do().status_code == 302
        shown.append(client.get("/reef/").headers["ETag"])
    assert len(set(shown)) == len(shown) == 9
