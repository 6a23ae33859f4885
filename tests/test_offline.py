"""What a browser is told to keep of an event, and how an event looks as an app."""

import json
import re
from io import BytesIO
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from PIL import Image

from conference.page_cache import find_release, pages
from schedule import offline
from tests.factories import make_event, make_room, make_session, make_speaker, make_track

pytestmark = pytest.mark.django_db


@pytest.fixture
def reef():
    """Two days, a room, a track, two people of one company, and drafts that nobody may know of."""
    event = make_event(slug="reef", name="Reef", hue=262)
    room, track = make_room(event, "Lagoon"), make_track(event, "Knots")
    ada, bob = (make_speaker(event, name, affiliation="Shipyard") for name in ("Ada Byron", "Bob Cook"))
    make_session(event, "Ropes", "2030-05-06 09:00", people=[ada], room=room, track=track)
    make_session(event, "Sails", "2030-05-07 09:00", people=[bob], room=room)
    make_session(event, "Called off", "2030-05-07 10:00", status="cancelled")
    hidden = {"room": make_room(event, "Cave"), "track": make_track(event, "Treasure")}
    make_session(event, "Secret", "2030-05-08 09:00", people=[make_speaker(event, "Eve")], status="draft", **hidden)
    return event


def ask(client, path: str = "/reef/offline.json") -> dict:
    return client.get(path).json()


def without_numbers(addresses: list[str]) -> list[str]:
    return [re.sub(r"/\d+-", "/n-", address) for address in addresses]


def test_every_public_page_is_listed_and_the_most_wanted_first(client, reef):
    reef.refresh_from_db()
    answer = ask(client)
    assert without_numbers(answer.pop("addresses")) == [
        "/reef/",
        "/reef/grid/",
        "/reef/my/",
        "/reef/?day=2030-05-06",
        "/reef/?day=2030-05-07",
        "/reef/grid/?day=2030-05-06",
        "/reef/grid/?day=2030-05-07",
        "/reef/speakers/",
        "/reef/programme/",
        "/reef/changes/",
        "/reef/sessions/n-ropes/",
        "/reef/sessions/n-sails/",
        "/reef/sessions/n-called-off/",
        "/reef/rooms/lagoon/",
        "/reef/tracks/knots/",
        "/reef/speakers/n-ada-byron/",
        "/reef/speakers/n-bob-cook/",
        "/reef/affiliations/shipyard/",
        "/reef/rooms/lagoon/screen/",
    ]
    files = answer.pop("files")
    assert {"/static/conference/site.css", "/static/conference/plenary.js", "/static/django_htmx/htmx-2.min.js"} <= {
        *files
    }
    assert "/static/conference/embed.js" not in files
    assert answer == {
        "version": reef.programme_stamp,
        "release": find_release(),
        "as_of": reef.programme_changed_at.isoformat(),
        "needed": ["/reef/", "/reef/grid/", "/reef/my/"],
        "pictures": [],
    }


def test_every_listed_address_is_a_page_or_a_file_and_none_is_a_redirect(client, reef):
    answer = ask(client)
    assert {path: client.get(path).status_code for path in answer["addresses"]} == dict.fromkeys(
        answer["addresses"], 200
    )


def test_each_language_lists_its_own_pages(client, reef):
    plain, french = ask(client)["addresses"], ask(client, "/fr/reef/offline.json")["addresses"]
    assert french == [f"/fr{address}" for address in plain]


def test_a_large_programme_is_cut_where_it_is_wanted_least(client, reef, monkeypatch):
    everything = ask(client)["addresses"]
    monkeypatch.setattr(offline, "MOST_ADDRESSES", 5)
    assert ask(client)["addresses"] == everything[:5]


def give_photo(event, name: str, size: int) -> None:
    person = event.speakers.get(name=name)
    person.photo.save(f"{person.slug}.jpg", ContentFile(b"x" * size))


def test_photos_of_public_speakers_are_listed_in_their_order(client, reef):
    for name in ("Bob Cook", "Ada Byron", "Eve"):
        give_photo(reef, name, 10)
    assert ask(client)["pictures"] == ["/media/speakers/ada-byron.jpg", "/media/speakers/bob-cook.jpg"]
    assert ask(client, "/fr/reef/offline.json")["pictures"] == ask(client)["pictures"]


@pytest.mark.parametrize(
    ("bounds", "names"),
    [
        ({}, ["ada", "bob", "cleo"]),
        ({"MOST_PICTURES": 2}, ["ada", "bob"]),
        ({"LARGEST_PICTURE": 20}, ["ada", "cleo"]),
        # What is too much is left out, and what still fits behind it is not.
        ({"MOST_PICTURE_BYTES": 35}, ["ada", "cleo"]),
        ({"MOST_PICTURE_BYTES": 45}, ["ada", "bob"]),
    ],
)
def test_photos_are_bounded_in_number_in_size_and_in_sum(client, reef, monkeypatch, bounds, names):
    for name, size in (("ada", 10), ("bob", 30), ("cleo", 20)):
        make_session(reef, people=[make_speaker(reef, name)])
        give_photo(reef, name, size)
    for bound, value in bounds.items():
        monkeypatch.setattr(offline, bound, value)
    assert ask(client)["pictures"] == [f"/media/speakers/{name}.jpg" for name in names]


def test_a_photo_whose_file_is_gone_is_left_out(client, reef):
    give_photo(reef, "Ada Byron", 10)
    give_photo(reef, "Bob Cook", 10)
    Path(reef.speakers.get(name="Ada Byron").photo.path).unlink()
    assert ask(client)["pictures"] == ["/media/speakers/bob-cook.jpg"]


def test_few_and_many_sessions_take_the_same_queries(client, reef, django_assert_num_queries):
    for count in (0, 12):
        for number in range(count):
            make_session(reef, f"More {number}", "2030-05-06 12:00", people=[make_speaker(reef)], room=make_room(reef))
        with django_assert_num_queries(9):
            ask(client)


def test_a_draft_event_keeps_nothing(client):
    make_event(slug="draft", is_public=False)
    found = [
        client.get(f"/draft/{name}").status_code for name in ("offline.json", "manifest.webmanifest", "icon-192.png")
    ]
    assert found == [404, 404, 404]


def test_an_unchanged_programme_is_answered_with_304_and_a_changed_one_has_another_version(client, reef, settings):
    settings.KEEPS_PAGES = True
    pages.clear()
    first = client.get("/reef/offline.json")
    known = {"If-None-Match": first.headers["ETag"]}
    assert client.get("/reef/offline.json", headers=known).status_code == 304
    reef.mark_programme_changed()
    second = client.get("/reef/offline.json", headers=known)
    assert (second.status_code, second.json()["version"] != first.json()["version"]) == (200, True)


def test_pages_say_their_own_version_and_frames_are_left_alone(client, reef):
    reef.refresh_from_db()
    html = client.get("/fr/reef/").content.decode()
    said = dict(re.findall(r'data-([a-z]+)="([^"]*)"', re.search(r'<template id="offline-words"[^>]*>', html)[0]))
    assert said == {
        "root": "/fr/reef/",
        "programme": "/fr/reef/offline.json",
        "version": reef.programme_stamp,
        "day": f"{reef.programme_changed_at.astimezone(reef.zone):%Y-%m-%d}",
        "zone": "Europe/Berlin",
        "worker": "/sw.js",
    }
    assert '<link rel="manifest" href="/fr/reef/manifest.webmanifest">' in html
    for path in ("/reef/embed/", "/nothing-here/"):
        html = client.get(path).content.decode()
        assert ("offline-words" in html, 'rel="manifest"' in html) == (False, False)


def test_the_worker_is_asked_for_each_time_and_knows_the_site(client, settings):
    response = client.get("/sw.js")
    assert response.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert response.headers["Cache-Control"] == "no-cache"
    first, _rest = response.content.decode().split("\n", 1)
    site = json.loads(first.removeprefix("const SITE = ").removesuffix(";"))
    assert {"admin", "api", "media", "sw.js"} <= set(site.pop("reserved"))
    assert site == {"release": find_release(), "languages": ["en", "fr", "de", "es", "ar"], "files": "/static/",
                    "pictures": "/media/"}  # fmt: skip


def test_switched_off_the_worker_forgets_everything_and_pages_register_none(client, reef, settings):
    settings.SERVICE_WORKER = False
    script = client.get("/sw.js").content.decode()
    words = ("caches.delete", "unregister()", "skipWaiting()", '"fetch"', "caches.open")
    assert [word in script for word in words] == [True, True, True, False, False]
    assert "data-worker" not in client.get("/reef/").content.decode()


def test_the_manifest_of_an_event_is_in_its_language_and_colours(client, reef):
    response = client.get("/fr/reef/manifest.webmanifest")
    assert response.headers["Content-Type"] == "application/manifest+json"
    icons = [
        {
            "src": f"/fr/reef/icon-{name}{size}.png",
            "sizes": f"{size}x{size}",
            "type": "image/png",
            "purpose": purpose,
        }
        for name, purpose in (("", "any"), ("maskable-", "maskable"))
        for size in (192, 512)
    ]
    assert response.json() == {
        "id": "/reef/",
        "name": "Reef",
        "short_name": "Reef",
        "lang": "fr",
        "start_url": "/fr/reef/",
        "scope": "/fr/reef/",
        "display": "standalone",
        "theme_color": "#111d36",
        "background_color": "#fcfdfe",
        "icons": icons,
    }


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("PyTorch Conference Europe 2026", "PyTorch Conference"),
        ("Northern Lights, Web Conference", "Northern Lights, Web"),
        ("Donaudampfschifffahrtsgesellschaft", "Donaudampfschifffahrtsge"),
    ],
)
def test_under_an_icon_a_long_name_ends_at_a_word(client, name, short):
    make_event(slug="long", name=name)
    assert ask(client, "/long/manifest.webmanifest")["short_name"] == short


@pytest.mark.parametrize("size", [192, 512])
@pytest.mark.parametrize(("name", "corner"), [("icon", (0, 0, 0, 0)), ("icon-maskable", (17, 29, 54, 255))])
def test_icons_are_drawn_in_the_events_colours(client, reef, name, corner, size):
    response = client.get(f"/reef/{name}-{size}.png")
    image = Image.open(BytesIO(response.content))
    middle = image.getpixel((size // 2, size // 2))
    assert (response.headers["Content-Type"], image.size, image.getpixel((0, 0))) == ("image/png", (size, size), corner)
    assert middle == (144, 186, 255, 255)


def test_icons_come_in_two_sizes(client, reef):
    assert [client.get(f"/reef/icon-{size}.png").status_code for size in (0, 64, 193, 99999)] == [404] * 4
