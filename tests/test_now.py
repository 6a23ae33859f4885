"""Now and next, the screen at a room's door, a company's page, everything on one page."""

import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from schedule.agenda import build_agenda
from schedule.now import build_moment, parse_instant
from tests.factories import make_event, make_room, make_session, make_speaker

pytestmark = pytest.mark.django_db
BERLIN = ZoneInfo("Europe/Berlin")


@pytest.fixture
def reef():
    """A day with two rooms, a break for all, and a session that is cancelled."""
    event = make_event(slug="reef")
    hall, cove = make_room(event, "Hall", position=1), make_room(event, "Cove", position=2)
    make_session(event, "Ropes", "2030-05-06 09:00", 60, room=hall)
    make_session(event, "Knots", "2030-05-06 09:30", 30, room=cove)
    make_session(event, "Coffee", "2030-05-06 10:00", 30, kind="break")
    make_session(event, "Sails", "2030-05-06 10:30", 30, room=hall)
    make_session(event, "Masts", "2030-05-06 10:30", 30, room=cove, status="cancelled", status_note="Storm.")
    make_session(event, "Keels", "2030-05-06 11:00", 30, room=cove)
    make_session(event, "Secret", "2030-05-06 09:00", 60, room=hall, status="draft")
    return event


def at(event, clock: str) -> tuple:
    """Titles that run and that come, whether the programme has not begun, and whether it is over."""
    rows = build_agenda(event.sessions.public().in_order(), event.viewing).rows
    moment = build_moment(rows, datetime.fromisoformat(f"2030-05-06 {clock}").replace(tzinfo=BERLIN))
    running, coming = ([row.session.title for row in found] for found in (moment.running, moment.coming))
    return running, coming, moment.first is not None, moment.is_over


@pytest.mark.parametrize(
    ("clock", "found"),
    [
        ("08:00", ([], ["Ropes", "Knots", "Coffee"], True, False)),
        ("08:59", ([], ["Ropes", "Knots", "Coffee"], True, False)),
        ("09:00", (["Ropes"], ["Knots", "Coffee", "Sails"], False, False)),
        ("09:45", (["Ropes", "Knots"], ["Coffee", "Sails", "Keels"], False, False)),
        ("10:00", (["Coffee"], ["Sails", "Keels"], False, False)),
        ("10:45", (["Sails"], ["Keels"], False, False)),
        ("11:30", ([], [], False, True)),
    ],
)
def test_now_is_from_start_to_end_and_next_is_the_first_of_each_room(reef, clock, found):
    assert at(reef, clock) == found


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2030-05-06T10:50", datetime(2030, 5, 6, 8, 50, tzinfo=UTC)),
        ("2030-05-06 10:50", datetime(2030, 5, 6, 8, 50, tzinfo=UTC)),
        ("2030-05-06T10:50:30", datetime(2030, 5, 6, 8, 50, 30, tzinfo=UTC)),
        ("2030-05-06T10:50+09:00", datetime(2030, 5, 6, 1, 50, tzinfo=UTC)),
        ("2030-05-06T10:50 09:00", datetime(2030, 5, 6, 1, 50, tzinfo=UTC)),
        ("2030-05-06T08:50Z", datetime(2030, 5, 6, 8, 50, tzinfo=UTC)),
        ("2030-05-06", datetime(2030, 5, 5, 22, 0, tzinfo=UTC)),
        ("nonsense", None),
        ("2030-13-06T10:50", None),
        ("0001-01-01T00:00+14:00", None),
        ("9999-12-31T23:59", None),
    ],
)
def test_an_instant_is_read_on_the_clocks_shown_or_with_its_own_offset(text, instant):
    assert parse_instant(text, BERLIN) == instant


def main_of(client, url: str) -> str:
    html = client.get(url).content.decode()
    return " ".join(re.sub(r"<[^>]+>", " ", html[html.index("<main") : html.index("</main>")]).split())


def test_the_page_of_now_can_be_tried_at_any_time(client, reef):
    text = main_of(client, "/reef/now/?at=2030-05-06T09:45")
    assert text.startswith(
        "Now and next Monday 6 May, 09:45 CEST · Show what runs now Now 09:00 – to 10:00 60 min Ropes"
    )
    assert "Secret" not in text
    tokyo = main_of(client, "/reef/now/?at=2030-05-06T16:45&tz=Asia/Tokyo")
    assert "Monday 6 May, 16:45 JST" in tokyo
    assert "16:00 – to 17:00 60 min 09:00–10:00 in Berlin Ropes" in tokyo


@pytest.mark.parametrize(
    ("clock", "sentence"),
    [
        ("2030-05-01T09:00", "The programme begins on Monday 6 May at 09:00."),
        ("2030-05-09T09:00", "The programme is over."),
        ("nonsense", "“nonsense” is no time; this is now."),
    ],
)
def test_the_page_of_now_says_why_it_is_empty(client, reef, clock, sentence):
    assert sentence in main_of(client, f"/reef/now/?at={clock}")


def test_the_page_of_now_may_be_kept_for_half_a_minute_and_renews_itself(client, reef):
    response = client.get("/reef/now/")
    assert response.headers["Cache-Control"] == "public, max-age=30"
    assert b'<noscript><meta http-equiv="refresh" content="60"></noscript>' in response.content
    tried = client.get("/reef/now/?at=2030-05-06T09:45")
    assert (tried.headers.get("Cache-Control"), b"refresh" in tried.content) == (None, False)


def test_the_screen_holds_all_of_its_room_and_what_is_for_everybody(client, reef):
    html = client.get("/reef/rooms/cove/screen/").content.decode()
    assert re.findall(r'data-start="([^"]+)"[^>]*>.*?<h3>([^<]+)</h3>', html, re.DOTALL) == [
        ("2030-05-06T09:30:00+02:00", "Knots"),
        ("2030-05-06T10:00:00+02:00", "Coffee"),
        ("2030-05-06T10:30:00+02:00", "Masts"),
        ("2030-05-06T11:00:00+02:00", "Keels"),
    ]
    assert client.get("/reef/rooms/nowhere/screen/").status_code == 404


def test_a_company_has_a_page_of_its_people_and_their_sessions(client, reef):
    ada = make_speaker(reef, "Ada Byron", affiliation="Sea Co", position="Engineer")
    bob = make_speaker(reef, "Bob Stone", affiliation="SEA Co")
    make_speaker(reef, "Cy Reed", affiliation="Sea Co")
    make_session(reef, "Tides", "2030-05-06 12:00", people=[ada, bob])
    text = main_of(client, "/reef/affiliations/sea-co/")
    assert "2 speakers · Filter the schedule" in text.replace(" Filter", " · Filter")
    assert [name in text for name in ("Ada Byron", "Bob Stone", "Cy Reed")] == [True, True, False]
    assert text.count("Tides") == 1
    assert client.get("/reef/affiliations/nobody/").status_code == 404
    assert '/reef/affiliations/sea-co/"' in client.get(ada.get_absolute_url()).content.decode()


def test_everything_stands_on_one_page_with_abstracts_and_the_same_filters(client, reef):
    reef.sessions.filter(title="Ropes").update(abstract="Of hemp.")
    reef.sessions.filter(title="Knots").update(abstract="Of rope.")
    assert [word in main_of(client, "/reef/programme/") for word in ("Of hemp.", "Of rope.", "Secret")] == [
        True,
        True,
        False,
    ]
    text = main_of(client, "/reef/programme/?room=cove")
    assert [word in text for word in ("Of hemp.", "Of rope.")] == [False, True]


@pytest.mark.parametrize("number", [2, 20])
@pytest.mark.parametrize(
    ("path", "queries"),
    [("now/", 4), ("programme/", 5), ("rooms/hall/screen/", 5), ("affiliations/sea-co/", 5)],
)
def test_the_same_few_queries_for_few_and_many_rows(client, django_assert_num_queries, reef, number, path, queries):
    for n in range(number):
        person = make_speaker(reef, f"Ada Number{n}x", affiliation="Sea Co")
        make_session(reef, f"Tides {n}", "2030-05-06 12:00", people=[person], room=reef.rooms.get(slug="hall"))
    with django_assert_num_queries(queries):
        client.get(f"/reef/{path}")
