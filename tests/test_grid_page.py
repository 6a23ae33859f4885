"""The grid's page: its address, what it keeps, what it shows without script."""

import re
from html import unescape

import pytest
from django.utils.html import strip_tags

from schedule.models import Session
from tests.factories import make_event, make_room, make_session, make_speaker, make_track

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    """Two days in two rooms: a plenary, two parallel talks, coffee in the foyer, a cancelled talk, a night swim."""
    event = make_event(name="Reef Days", slug="reef")
    aula, boat, foyer = (
        make_room(event, "Aula", floor="Ground floor"),
        make_room(event, "Boat"),
        make_room(event, "Foyer"),
    )
    sea, land = make_track(event, "Sea"), make_track(event, "Land & Sky", hue=90)
    ana = make_speaker(event, "Ana Núñez", affiliation="Coral Lab")
    make_session(event, "Opening", "2030-05-06 09:00", kind="keynote", track=sea, people=[ana])
    make_session(event, "Tides", "2030-05-06 09:30", room=aula, track=sea, people=[ana])
    make_session(event, "Sand", "2030-05-06 09:30", room=boat, track=land)
    make_session(event, "Coffee", "2030-05-06 10:00", kind="break", room=foyer)
    make_session(event, "Shells", "2030-05-06 10:30", 10, room=aula, track=sea, status=Session.Status.CANCELLED)
    make_session(event, "Night swim", "2030-05-06 23:30", 60, room=boat, kind="social")
    make_session(event, "Closing", "2030-05-07 15:00", room=aula, track=land)
    make_session(event, "Surprise")
    return event


def words(html: str) -> str:
    return re.sub(r"\s+", " ", unescape(strip_tags(html))).strip()


def links(response) -> list[str]:
    """The words of every block's link, as a screen reader has them."""
    html = response.content.decode()
    blocks = re.findall(r'<li class="block.*?<a [^>]*>(.*?)</a></li>', html, re.DOTALL)
    return [words(re.sub(r'<span [^>]*aria-hidden="true">.*?</span>', "", block)) for block in blocks]


def classes(response) -> dict[str, set[str]]:
    html = response.content.decode()
    found = re.findall(r'<li class="(block[^"]*)".*?<h4 class="title">(.*?)</h4>', html, re.DOTALL)
    return {title: set(names.split()) for names, title in found}


def test_every_block_is_a_link_that_says_track_time_title_length_room_and_people(client, event):
    assert links(client.get("/reef/grid/?day=2030-05-06")) == [
        "Sea 09:00 to 09:30 Opening, 30 min, All rooms Ana Núñez · Coral Lab",
        "Sea 09:30 to 10:00 Tides, 30 min, Aula Ana Núñez · Coral Lab",
        "Land & Sky 09:30 to 10:00 Sand, 30 min, Boat",
        "10:00 to 10:30 Coffee, 30 min, Foyer",
        "Sea 10:30 to 10:40 Cancelled Shells, 10 min, Aula",
        "23:30 to 00:30 (next day) Night swim, 60 min, Boat",
    ]


def test_heads_name_rooms_with_floor_and_count_and_lead_to_their_pages(client, event):
    html = client.get("/reef/grid/?day=2030-05-06").content.decode()
    heads = re.findall(r'<li style="--column: \d">(.*?)</li>', html)
    assert [words(head) for head in heads] == ["Aula Ground floor 2 sessions", "Boat 2 sessions"]
    assert re.findall(r'href="([^"]*)"', "".join(heads)) == ["/reef/rooms/aula/", "/reef/rooms/boat/"]


def test_each_day_is_a_named_region_under_its_heading_and_sessions_without_a_time_come_last(client, event):
    html = client.get("/reef/grid/").content.decode()
    assert re.findall(r'role="region" tabindex="0" aria-label="([^"]*)"', html) == [
        "Monday 6 May, by time and room",
        "Tuesday 7 May, by time and room",
    ]
    assert re.findall(r"<h2>([^<]*)</h2>", html)[-3:] == ["Monday 6 May", "Tuesday 7 May", "Time to be announced"]
    assert html.index("Closing") < html.index("Surprise")


def test_what_does_not_match_stays_in_place_as_paper(client, event):
    response = client.get("/reef/grid/?track=land-sky&day=2030-05-06")
    assert {title for title, names in classes(response).items() if "is-out" in names} == {
        *("Opening", "Tides", "Coffee", "Shells", "Night swim")
    }
    assert "1 of 6 sessions" in words(response.content.decode())


def test_the_room_facet_chooses_columns_and_makes_no_plenary_a_mismatch(client, event):
    response = client.get("/reef/grid/?room=aula&day=2030-05-06")
    assert {title: "is-out" in names for title, names in classes(response).items()} == {
        "Opening": False,
        "Tides": False,
        "Coffee": False,
        "Shells": False,
    }
    assert "Rooms 1 of 2" in words(response.content.decode())


def test_a_filter_without_a_match_offers_ways_out_instead_of_an_empty_grid(client, event):
    page = client.get("/reef/grid/?track=sea&q=sand&density=large").content.decode()
    assert ("No session matches all 2 filters." in page, 'class="plan"' in page) == (True, False)
    assert "/reef/grid/?density=large&amp;q=sand" in page


@pytest.mark.parametrize("view", ["", "grid/"])
def test_switching_views_keeps_filters_day_zone_and_days_and_nothing_else(client, event, view):
    query = "tz=Asia/Tokyo&days=viewer&day=2030-05-06&track=sea&q=e"
    html = client.get(f"/reef/{view}?{query}&density=large&show=overview").content.decode()
    tabs = re.search(r'<nav class="tabs".*?</nav>', html, re.DOTALL)[0]
    assert [unescape(url) for url in re.findall(r'href="([^"]*)"', tabs)] == [
        f"/reef/?{query}",
        f"/reef/grid/?{query}",
        "/reef/my/?tz=Asia/Tokyo&days=viewer",
        "/reef/speakers/?tz=Asia/Tokyo&days=viewer",
    ]


def test_from_other_pages_the_tab_leads_to_the_grid_in_the_same_zone(client, event):
    html = client.get("/reef/speakers/?tz=Asia/Tokyo").content.decode()
    assert 'href="/reef/grid/?tz=Asia/Tokyo"' in html


def test_density_and_detail_are_links_that_all_links_of_the_grid_keep(client, event):
    response = client.get("/reef/grid/?density=compact&show=overview&track=sea&tz=Asia/Tokyo")
    html = response.content.decode()
    bar = html[html.index('class="grid-bar"') : html.index('id="sessions"')]
    modes = re.findall(r'<li><a href="([^"]*)"( aria-current="true")?>(\w+)</a>', bar)
    assert [(unescape(url), bool(current), word) for url, current, word in modes] == [
        ("/reef/grid/?tz=Asia/Tokyo&show=overview&density=compact&track=sea", True, "Compact"),
        ("/reef/grid/?tz=Asia/Tokyo&show=overview&track=sea", False, "Normal"),
        ("/reef/grid/?tz=Asia/Tokyo&show=overview&density=large&track=sea", False, "Large"),
        ("/reef/grid/?tz=Asia/Tokyo&density=compact&show=overview&track=sea", True, "Overview"),
        ("/reef/grid/?tz=Asia/Tokyo&density=compact&track=sea", False, "Titles"),
    ]
    urls = [link.url for link in [*response.context["day_links"], *response.context["selection"].chips]]
    assert all("density=compact&show=overview" in url for url in urls)
    assert html.count('<input type="hidden" name="density" value="compact">') == 2
    assert 'class="wrap sessions grid-page is-compact is-overview"' in html


@pytest.mark.parametrize("query", ["density=huge", "density=", "show=x&density=%00", "density=normal&show=titles"])
def test_an_unknown_mode_is_the_usual_one(client, event, query):
    assert "grid-page is-normal is-titles" in client.get(f"/reef/grid/?{query}").content.decode()


def test_in_another_zone_axis_and_blocks_read_that_zones_clocks(client, event):
    response = client.get("/reef/grid/?tz=Asia/Tokyo&day=2030-05-06")
    html = response.content.decode()
    marks = re.findall(r'is-strong".*?<time [^>]*>([\d:]*)</time>', html)
    assert (marks, links(response)[0].split(" Opening")[0], 'data-zone="Asia/Tokyo"' in html) == (
        ["16:00", "17:30", "06:30", "07:00"],
        "Sea 16:00 to 16:30",
        True,
    )


def test_an_event_without_a_programme_or_rooms_has_a_page(client):
    event = make_event(slug="bare")
    assert "No sessions are announced yet." in client.get("/bare/grid/").content.decode()
    make_session(event, "Alone", "2030-05-06 09:00")
    page = words(client.get("/bare/grid/").content.decode())
    assert ("All rooms" in page, "Rooms 0 of 0" in page) == (True, False)
    assert client.get("/nothing/grid/").status_code == 404


def test_the_page_is_the_same_for_everybody(client, event, admin_client):
    anonymous, organiser = client.get("/reef/grid/"), admin_client.get("/reef/grid/")
    assert anonymous.content == organiser.content
    assert (anonymous.cookies, anonymous.headers.get("Vary")) == ({}, organiser.headers.get("Vary"))


@pytest.mark.parametrize("number", [2, 60])
def test_the_grid_takes_the_same_few_queries_for_few_and_many_rows(client, django_assert_num_queries, number):
    event = make_event(slug="many")
    track = make_track(event)
    for n in range(number):
        start = f"2030-05-06 {9 + n // 6:02}:{n % 6 * 10:02}"
        make_session(event, "", start, room=make_room(event), track=track, people=[make_speaker(event)])
    for query, queries in {"": 5, "?track=track&day=2030-05-06&room=room&density=large": 6}.items():
        with django_assert_num_queries(queries):
            assert client.get(f"/many/grid/{query}").status_code == 200
