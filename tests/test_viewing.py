"""Time zones: whose clocks and whose days a page shows, and that every address keeps them."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.http import QueryDict

from conference.viewing import Viewing
from conference.zones import ZONE_NAMES, list_zones
from schedule.agenda import build_agenda
from schedule.models import Session
from tests.factories import make_event, make_room, make_session, make_speaker

pytestmark = pytest.mark.django_db


def view(event, query: str) -> Viewing:
    return Viewing.of(event, QueryDict(query))


def outline(event, query: str) -> list[tuple]:
    """Day, clock, days after, length and the event's own clock of every session."""
    agenda = build_agenda(event.sessions.in_order(), view(event, query))
    return [
        (
            str(day.date), row.session.title, f"{row.start:%H:%M}", row.start_offset, row.minutes,
            f"{row.event_times[0]:%H:%M}" if row.event_times else "",
        )
        for day in agenda.days for slot in day.slots for row in slot.rows
    ]  # fmt: skip


def main_of(client, url: str) -> str:
    html = client.get(url).content.decode()
    return " ".join(re.sub(r"<[^>]+>", " ", html[html.index("<main") : html.index("</main>")]).split())


# What an address asks for


@pytest.mark.parametrize(
    ("query", "zone", "has_viewer_days", "unknown", "parameters"),
    [
        ("", "Europe/Berlin", False, "", {}),
        ("tz=Europe/Berlin&days=viewer", "Europe/Berlin", False, "", {}),
        ("tz=Asia/Tokyo", "Asia/Tokyo", False, "", {"tz": "Asia/Tokyo"}),
        ("tz=asia/tokyo&days=viewer", "Asia/Tokyo", True, "", {"tz": "Asia/Tokyo", "days": "viewer"}),
        ("tz=America/New York&days=x", "America/New_York", False, "", {"tz": "America/New_York"}),
        ("tz=Asia/Calcutta", "Asia/Kolkata", False, "", {"tz": "Asia/Kolkata"}),
        ("tz=UTC", "UTC", False, "", {"tz": "UTC"}),
        ("tz=nonsense&days=viewer", "Europe/Berlin", False, "nonsense", {}),
        ("tz=../../etc/passwd", "Europe/Berlin", False, "../../etc/passwd", {}),
        ("tz=%00Asia/Tokyo%00", "Asia/Tokyo", False, "", {"tz": "Asia/Tokyo"}),
        ("tz=localtime", "Europe/Berlin", False, "localtime", {}),
    ],
)
def test_an_address_says_whose_clocks_and_days(query, zone, has_viewer_days, unknown, parameters):
    found = view(make_event(), query)
    assert (found.zone.key, found.has_viewer_days, found.unknown_zone) == (zone, has_viewer_days, unknown)
    assert found.parameters == parameters


def test_an_event_in_a_zone_that_was_renamed_is_not_elsewhere():
    event = make_event(timezone="Asia/Calcutta")
    for name in ("Asia/Calcutta", "Asia/Kolkata"):
        found = view(event, f"tz={name}&days=viewer")
        assert (found.is_elsewhere, found.has_viewer_days, found.parameters) == (False, False, {})


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("/e/", "/e/?tz=Asia/Tokyo&days=viewer"),
        ("/e/?day=2030-05-06", "/e/?day=2030-05-06&tz=Asia/Tokyo&days=viewer"),
        ("/e/#t-1", "/e/?tz=Asia/Tokyo&days=viewer#t-1"),
    ],
)
def test_links_keep_zone_and_days(url, kept):
    assert view(make_event(), "tz=Asia/Tokyo&days=viewer").keep(url) == kept


def test_a_change_of_zone_keeps_the_filter_but_not_a_day_that_becomes_another():
    viewing = view(make_event(), "tz=Asia/Tokyo")
    here = "/e/?track=a&track=b&day=2030-05-06&tz=Asia/Tokyo&q=%C3%A9"
    assert viewing.change(here, "") == "/e/?track=a&track=b&day=2030-05-06&q=%C3%A9"
    assert viewing.change(here, "UTC") == "/e/?track=a&track=b&day=2030-05-06&q=%C3%A9&tz=UTC"
    assert viewing.change(here, "UTC", has_viewer_days=True) == "/e/?track=a&track=b&q=%C3%A9&tz=UTC&days=viewer"


# Days and clocks


def test_days_stay_the_events_and_clocks_say_how_far_off_they_are():
    event = make_event()
    make_session(event, "Morning", "2030-05-06 09:00")
    make_session(event, "Evening", "2030-05-06 20:00")
    make_session(event, "Party", "2030-05-07 01:00", 120)
    assert outline(event, "tz=Asia/Tokyo") == [
        ("2030-05-06", "Morning", "16:00", 0, 30, "09:00"),
        ("2030-05-06", "Evening", "03:00", 1, 30, "20:00"),
        ("2030-05-06", "Party", "08:00", 1, 120, "01:00"),
    ]
    assert outline(event, "tz=America/Los_Angeles") == [
        ("2030-05-06", "Morning", "00:00", 0, 30, "09:00"),
        ("2030-05-06", "Evening", "11:00", 0, 30, "20:00"),
        ("2030-05-06", "Party", "16:00", 0, 120, "01:00"),
    ]
    assert outline(event, "tz=Pacific/Honolulu")[0] == ("2030-05-06", "Morning", "21:00", -1, 30, "09:00")


def test_the_viewers_days_are_calendar_days_of_that_zone():
    event = make_event()
    make_session(event, "Morning", "2030-05-06 09:00")
    make_session(event, "Evening", "2030-05-06 20:00")
    assert outline(event, "tz=Asia/Tokyo&days=viewer") == [
        ("2030-05-06", "Morning", "16:00", 0, 30, "09:00"),
        ("2030-05-07", "Evening", "03:00", 0, 30, "20:00"),
    ]
    assert outline(event, "tz=Pacific/Honolulu&days=viewer") == [
        ("2030-05-05", "Morning", "21:00", 0, 30, "09:00"),
        ("2030-05-06", "Evening", "08:00", 0, 30, "20:00"),
    ]


@pytest.mark.parametrize(
    ("zone", "clocks"),
    [
        ("Asia/Kathmandu", ["12:45", "23:45"]),
        ("Australia/Eucla", ["15:45", "02:45"]),
        ("Pacific/Kiritimati", ["21:00", "08:00"]),
        ("Pacific/Pago_Pago", ["20:00", "07:00"]),
        ("America/St_Johns", ["04:30", "15:30"]),
    ],
)
def test_half_and_quarter_hours_and_both_sides_of_the_date_line_are_right(zone, clocks):
    event = make_event()
    make_session(event, "Morning", "2030-05-06 09:00")
    make_session(event, "Evening", "2030-05-06 20:00")
    assert [clock for _day, _title, clock, *_rest in outline(event, f"tz={zone}")] == clocks


def test_an_event_that_begins_at_midnight_has_no_day_before():
    event = make_event(day_change_hour=0)
    make_session(event, "First", "2030-05-06 00:00")
    assert outline(event, "") == [("2030-05-06", "First", "00:00", 0, 30, "")]
    assert outline(event, "tz=America/New_York") == [("2030-05-06", "First", "18:00", -1, 30, "00:00")]


def test_a_clock_change_makes_no_session_longer_or_shorter():
    event = make_event(start_date="2026-03-28", end_date="2026-10-26", day_change_hour=0)
    for title, start, hours in (
        ("Spring", datetime(2026, 3, 29, 0, 30, tzinfo=UTC), 1),
        ("Autumn, first 02:30", datetime(2026, 10, 25, 0, 30, tzinfo=UTC), 0.5),
        ("Autumn, second 02:30", datetime(2026, 10, 25, 1, 30, tzinfo=UTC), 0.5),
    ):
        Session.objects.create(event=event, title=title, start=start, end=start + timedelta(hours=hours))
    assert [line[:5] for line in outline(event, "")] == [
        ("2026-03-29", "Spring", "01:30", 0, 60),
        ("2026-10-25", "Autumn, first 02:30", "02:30", 0, 30),
        ("2026-10-25", "Autumn, second 02:30", "02:30", 0, 30),
    ]
    spring_row = build_agenda(event.sessions.in_order(), event.viewing).rows[0]
    assert f"{spring_row.start:%H:%M}–{spring_row.end:%H:%M}" == "01:30–03:30"


def test_no_zone_loses_a_session_shows_one_twice_or_changes_a_length():
    event = make_event(start_date="2026-03-28", end_date="2026-03-30")
    for hour in range(0, 48, 5):
        start = datetime(2026, 3, 28, 9, tzinfo=UTC) + timedelta(hours=hour)
        make_session(event, f"{hour}", start.astimezone(ZoneInfo("Europe/Berlin")).strftime("%Y-%m-%d %H:%M"), 90)
    usual = sorted((title, minutes) for _day, title, _clock, _offset, minutes, _own in outline(event, ""))
    for zone in sorted(ZONE_NAMES):
        for days in ("", "&days=viewer"):
            found = outline(event, f"tz={zone}{days}")
            assert sorted((line[1], line[4]) for line in found) == usual, zone
            assert [line[0] for line in found] == sorted(line[0] for line in found), zone


# Pages


def test_every_link_within_the_site_keeps_the_zone(client):
    event = make_event()
    ada = make_speaker(event, "Ada Byron", affiliation="Sea Co")
    room = make_room(event, "Hall")
    session = make_session(event, "Ropes", "2030-05-06 09:00", people=[ada], room=room)
    make_session(event, "Knots", "2030-05-07 09:00", room=room)
    make_session(event, "Sails", "2030-05-06 09:00")
    for path in (
        event.get_absolute_url(),
        session.get_absolute_url(),
        ada.get_absolute_url(),
        f"/{event.slug}/rooms/hall/",
        f"/{event.slug}/speakers/",
    ):
        html = client.get(f"{path}?tz=Asia/Tokyo").content.decode()
        links = set(re.findall(rf'href="(/{event.slug}/[^"]*)"', html))
        without = {link for link in links if "tz=Asia/Tokyo" not in link}
        # The way back to the event's own zone, and the manifest, which has no times.
        assert without == {path, f"/{event.slug}/manifest.webmanifest"}, path


def test_a_redirect_to_the_present_name_keeps_the_zone(client):
    event = make_event()
    session = make_session(event, "Ropes", "2030-05-06 09:00")
    response = client.get(f"/{event.slug}/sessions/{session.pk}-old/?tz=Asia/Tokyo")
    assert response.headers["Location"] == f"{session.get_absolute_url()}?tz=Asia/Tokyo"


def test_the_list_says_both_zones_and_both_times(client):
    event = make_event()
    make_session(event, "Ropes", "2030-05-06 20:00")
    text = main_of(client, f"/{event.slug}/?tz=Asia/Tokyo")
    assert "Times in Tokyo (Japan Standard Time, UTC+9); the event is in Berlin. Show times in Berlin" in text
    assert "03:00 +1 (next day) 20:00 in Berlin" in text


def test_a_session_says_its_zone_as_of_its_own_instant(client):
    event = make_event(start_date="2030-01-07", end_date="2030-07-08")
    winter = make_session(event, "Winter", "2030-01-07 09:00")
    summer = make_session(event, "Summer", "2030-07-08 09:00")
    assert "Berlin time (Central European Standard Time, UTC+1)" in main_of(client, winter.get_absolute_url())
    assert "Berlin time (Central European Summer Time, UTC+2)" in main_of(client, summer.get_absolute_url())
    text = main_of(client, f"{summer.get_absolute_url()}?tz=Asia/Kathmandu")
    assert "12:45 – to 13:15" in text
    assert "Kathmandu time (Nepal Time, UTC+5:45) 09:00–09:30 in Berlin (Central European Summer Time, UTC+2)" in text


def test_nonsense_is_explained_and_answered_in_the_events_zone(client):
    event = make_event()
    make_session(event, "Ropes", "2030-05-06 20:00")
    text = main_of(client, f"/{event.slug}/?tz=nonsense")
    assert "“nonsense” is no time zone; times are those in Berlin." in text
    assert "20:00" in text


def test_a_day_asked_for_is_the_viewers_where_days_are_theirs(client):
    event = make_event()
    make_session(event, "Evening", "2030-05-06 20:00")
    make_session(event, "Morning", "2030-05-06 09:00")
    url = f"/{event.slug}/?day=2030-05-07&tz=Asia/Tokyo"
    assert "Evening" not in main_of(client, url)
    assert "Evening" in main_of(client, f"{url}&days=viewer")
    assert "Morning" not in main_of(client, f"{url}&days=viewer")


def test_the_same_queries_answer_in_every_zone(client, django_assert_num_queries):
    event = make_event()
    make_session(event, "Ropes", "2030-05-06 20:00")
    with django_assert_num_queries(5):
        client.get(f"/{event.slug}/?tz=Asia/Tokyo&days=viewer")


# The list of zones


def test_zones_are_listed_from_west_to_east_under_their_present_names():
    zones = list_zones(datetime(2026, 4, 8, 12, tzinfo=UTC))
    names = [choice.words.name for choice in zones]
    assert len(names) == len(set(names)) > 400
    offsets = [choice.words.instant.utcoffset() for choice in zones]
    assert offsets == sorted(offsets)
    assert {"Asia/Calcutta", "Europe/Kiev", "US/Pacific"}.isdisjoint(names)
    assert {"Asia/Kolkata", "Europe/Kyiv", "America/Los_Angeles", "UTC"} <= set(names)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("Kolkata", ["Kolkata India · India Standard Time"]),
        ("nepal", ["Kathmandu Nepal · Nepal Time"]),
        ("sao paulo", ["São Paulo Brazil · Brasilia Standard Time"]),
        ("Nowhere", []),
    ],
)
def test_a_zone_is_found_by_city_country_or_name(client, query, found):
    event = make_event()
    html = client.get(f"/{event.slug}/zones/", {"q": query, "to": f"/{event.slug}/?q=a"}).content.decode()
    items = re.findall(r"<li>(<a href=[^\n]*)</li>", html[html.index("<main") : html.index("</main>")])
    assert [" ".join(re.sub(r"<[^>]+>", " ", item).split()) for item in items] == found
    assert all(f'href="/{event.slug}/?q=a&amp;tz=' in item for item in items)


@pytest.mark.parametrize("back", ["https://evil.example/", "//evil.example/", "/other/", "javascript:alert(1)", ""])
def test_a_choice_of_zone_leads_only_to_pages_of_the_event(client, back):
    event = make_event()
    html = client.get(f"/{event.slug}/zones/", {"q": "Tokyo", "to": back}).content.decode()
    assert f'href="/{event.slug}/?tz=Asia/Tokyo"' in html
    assert "evil" not in html[html.index("<ul>") : html.index("</main>")]


def test_a_draft_event_has_no_page_of_zones(client):
    event = make_event(is_public=False)
    assert client.get(f"/{event.slug}/zones/").status_code == 404
