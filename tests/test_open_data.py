"""What machines find in and beside the pages: changes, JSON-LD, sitemaps, robots.txt."""

import html
import json
import re

import feedparser
import pytest
from lxml import etree

from schedule.recording import record_changes
from tests.factories import make_event, make_room, make_session, make_speaker, make_track

pytestmark = pytest.mark.django_db


@pytest.fixture
def tides():
    """An event in Berlin with one session in a room, and a draft."""
    event = make_event(slug="tides", name="Tides", venue="Harbour Hall", city="Kiel", country="Germany")
    make_session(event, "Knots", "2030-05-06 10:00", room=make_room(event, "Pier"))
    make_session(event, "Secret", "2030-05-06 10:00", status="draft", room=make_room(event, "Cave"))
    return event


def change(event, session, **values):
    with record_changes(event):
        for name, value in values.items():
            setattr(session, name, value)
        session.save()


def change_everything(event):
    """Move Knots to another day and room, rename and cancel it; add Bends; publish nothing of the draft."""
    session = event.sessions.get(title="Knots")
    later = make_session(event, "Later", "2030-05-07 11:00")
    start, end = later.start, later.end
    later.delete()
    change(event, session, start=start, end=end)
    change(event, session, room=make_room(event, "Quay"))
    change(event, session, title="Bends & <knots>")
    change(event, session, status="cancelled")
    with record_changes(event):
        make_session(event, "Ropes", "2030-05-06 12:00")
    return session


# Changes


def read_news(client, path: str) -> list[tuple[str, ...]]:
    page = etree.HTML(client.get(path).content.decode())
    return [
        tuple(" ".join("".join(part.itertext()).split()) for part in item.xpath("div/p"))
        for item in page.xpath("//ul[@class='news']/li")
    ]


def test_the_page_of_changes_says_what_is_otherwise_the_latest_first(client, tides):
    change_everything(tides)
    assert read_news(client, "/tides/changes/") == [
        ("Added", "Ropes", "Mon 6 May, 12:00"),
        ("Cancelled", "Bends & <knots>", "Tue 7 May, 11:00"),
        ("Renamed", "Bends & <knots>", "now “Bends & <knots>”, was “Knots”"),
        ("Room changed", "Knots", "now Quay, was Pier"),
        ("Moved", "Knots", "now Tue 7 May, 11:00, was Mon 6 May, 10:00"),
    ]
    assert read_news(client, "/tides/changes/?tz=Asia/Tokyo")[-1][2] == "now Tue 7 May, 18:00, was Mon 6 May, 17:00"
    assert read_news(client, "/fr/tides/changes/")[-1][0] == "Nouvel horaire"


def test_without_changes_the_page_says_so(client, tides):
    assert "Nothing has changed since the programme was published." in client.get("/tides/changes/").content.decode()


def test_the_feed_says_the_same_and_feed_readers_take_it(client, tides):
    session = change_everything(tides)
    tides.refresh_from_db()
    response = client.get("/tides/changes.atom")
    assert response.headers["Content-Type"] == "application/atom+xml; charset=utf-8"
    feed = feedparser.parse(response.content)
    assert (feed.bozo, feed.version, feed.feed.title) == (0, "atom10", "Changes: Tides")
    assert [(entry.title, html.unescape(entry.get("summary", ""))) for entry in feed.entries] == [
        ("Added: Ropes", "Mon 6 May, 12:00"),
        ("Cancelled: Bends & <knots>", "Tue 7 May, 11:00"),
        ("Renamed: Bends & <knots>", "now “Bends & <knots>”, was “Knots”"),
        ("Room changed: Knots", "now Quay, was Pier"),
        ("Moved: Knots", "now Tue 7 May, 11:00, was Mon 6 May, 10:00"),
    ]
    assert len({entry.id for entry in feed.entries}) == 5
    assert feed.entries[1].link == f"http://testserver{session.get_absolute_url()}"
    rfc_3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
    assert all(rfc_3339.fullmatch(entry.updated) for entry in (feed.feed, *feed.entries))
    assert client.get("/tides/changes.atom").content == response.content


def test_a_feed_without_changes_is_valid_and_one_with_odd_titles_too(client, tides):
    assert feedparser.parse(client.get("/tides/changes.atom").content).bozo == 0
    change(tides, tides.sessions.get(title="Knots"), title="\x07\x1b[31m ]]> & \ufffe")
    feed = feedparser.parse(client.get("/tides/changes.atom").content)
    assert (feed.bozo, feed.entries[0].title) == (0, "Renamed: [31m ]]> &")


def test_what_became_a_draft_is_cancelled_and_has_no_link(client, tides):
    change(tides, tides.sessions.get(title="Knots"), status="draft")
    page = client.get("/tides/changes/").content.decode()
    assert read_news(client, "/tides/changes/") == [("Cancelled", "Knots", "Mon 6 May, 10:00, Pier")]
    assert "/sessions/" not in page


@pytest.mark.parametrize("number", [1, 30])
@pytest.mark.parametrize(("path", "queries"), [("changes/", 3), ("changes.atom", 2)])
def test_changes_take_the_same_queries_for_few_and_many(
    client, tides, django_assert_num_queries, number, path, queries
):
    session = tides.sessions.get(title="Knots")
    for count in range(number):
        change(tides, session, title=f"Knots {count}")
    with django_assert_num_queries(queries):
        client.get(f"/tides/{path}")


# JSON-LD


def read_json_ld(client, path: str) -> dict | None:
    found = re.search('<script type="application/ld\\+json">(.*?)</script>', client.get(path).content.decode())
    return json.loads(found[1]) if found else None


PLACE = {
    "@type": "Place",
    "name": "Harbour Hall",
    "address": {"@type": "PostalAddress", "addressLocality": "Kiel", "addressCountry": "Germany"},
}


def test_the_schedule_says_what_the_event_is_and_what_its_parts_are(client, tides):
    make_session(tides, "Lunch", "2030-05-06 12:00", kind="break")
    session = tides.sessions.get(title="Knots")
    assert read_json_ld(client, "/tides/") == {
        "@context": "https://schema.org",
        "@type": "Event",
        "name": "Tides",
        "url": "http://testserver/tides/",
        "startDate": "2030-05-06",
        "endDate": "2030-05-07",
        "eventStatus": "https://schema.org/EventScheduled",
        "eventAttendanceMode": "https://schema.org/OfflineEventAttendanceMode",
        "location": PLACE,
        "subEvent": [
            {
                "@type": "Event",
                "name": "Knots",
                "url": f"http://testserver/tides/sessions/{session.pk}-knots/",
                "startDate": "2030-05-06T10:00:00+02:00",
                "endDate": "2030-05-06T10:30:00+02:00",
                "eventStatus": "https://schema.org/EventScheduled",
                "location": {"@type": "Place", "name": "Pier"},
            }
        ],
    }
    assert read_json_ld(client, "/tides/?q=knots") is None


def test_a_session_says_everything_also_that_it_was_moved(client, tides):
    ada = make_speaker(tides, "Ada Byron", affiliation="Sea Co", position="Engineer")
    session = make_session(
        tides, "Ropes </script>", "2030-05-06 11:00", people=[ada], abstract="Of <b>rope</b>.",
        stream_url="https://example.org/live",
    )  # fmt: skip
    change(tides, session, start=session.start.replace(minute=5))
    said = read_json_ld(client, session.get_absolute_url())
    assert said == {
        "@context": "https://schema.org",
        "@type": "Event",
        "name": "Ropes </script>",
        "url": f"http://testserver{session.get_absolute_url()}",
        "startDate": "2030-05-06T11:05:00+02:00",
        "endDate": "2030-05-06T11:30:00+02:00",
        "eventStatus": "https://schema.org/EventRescheduled",
        "previousStartDate": "2030-05-06T11:00:00+02:00",
        "eventAttendanceMode": "https://schema.org/MixedEventAttendanceMode",
        "location": [PLACE, {"@type": "VirtualLocation", "url": "https://example.org/live"}],
        "superEvent": {
            "@type": "Event",
            "name": "Tides",
            "url": "http://testserver/tides/",
            "startDate": "2030-05-06",
            "endDate": "2030-05-07",
            "location": PLACE,
        },
        "performer": [
            {
                "@type": "Person",
                "name": "Ada Byron",
                "url": f"http://testserver{ada.get_absolute_url()}",
                "jobTitle": "Engineer",
                "affiliation": {"@type": "Organization", "name": "Sea Co"},
            }
        ],
        "inLanguage": "en",
        "description": "Of <b>rope</b>.",
    }
    change(tides, session, status="cancelled")
    assert read_json_ld(client, session.get_absolute_url())["eventStatus"] == "https://schema.org/EventCancelled"


# Sitemaps and robots.txt


def locations(client, path: str) -> list[str]:
    root = etree.fromstring(client.get(path).content)
    return [element.text for element in root.iter("{*}loc")]


def test_the_sitemap_leads_to_every_public_page_and_to_nothing_else(client, tides):
    make_event(is_public=False, slug="hidden")
    make_session(tides, "Ropes", "2030-05-06 11:00", track=make_track(tides, "Nets"), people=[make_speaker(tides)])
    assert locations(client, "/sitemap.xml") == ["http://testserver/tides/sitemap.xml"]
    found = locations(client, "/tides/sitemap.xml")
    assert [re.sub(r"/\d+-[^/]+", "/n", address.removeprefix("http://testserver")) for address in found] == [
        "/tides/",
        "/tides/grid/",
        "/tides/speakers/",
        "/tides/programme/",
        "/tides/changes/",
        "/tides/sessions/n/",
        "/tides/sessions/n/",
        "/tides/rooms/pier/",
        "/tides/tracks/nets/",
        "/tides/speakers/n/",
    ]
    assert {client.get(address).status_code for address in found} == {200}
    assert client.get("/hidden/sitemap.xml").status_code == 404


def test_each_page_of_the_sitemap_says_when_it_changed(client, tides):
    root = etree.fromstring(client.get("/tides/sitemap.xml").content)
    days = {element.text for element in root.iter("{*}lastmod")}
    tides.refresh_from_db()
    assert days == {tides.programme_changed_at.date().isoformat()}


def test_robots_may_read_everything_but_what_is_one_persons(client):
    assert client.get("/robots.txt").content.decode() == (
        "User-agent: *\nDisallow: /admin/\nDisallow: /*/my/\nDisallow: /*/zones/\n\n"
        "Sitemap: http://testserver/sitemap.xml\n"
    )
