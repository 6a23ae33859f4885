"""A search on the schedule: the best first, every match by time, and always a reason to be seen."""

import re
from html import unescape

import pytest

from tests.factories import make_event, make_room, make_session, make_speaker, make_track

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    """Seven sessions that all hold "wave" somewhere."""
    event = make_event(slug="sea")
    people = [make_speaker(event, "Ana Wavering", affiliation="Dune"), make_speaker(event, "Bo Berg", headline="Waves")]
    hall = make_room(event, "Wave Hall")
    track = make_track(event, "New waves")
    make_session(event, "Opening", "2030-05-06 09:00", abstract=f"{'Long ' * 30}before a wave comes ashore.")
    make_session(event, "Shockwaves", "2030-05-06 10:00")
    make_session(event, "Sand", "2030-05-06 11:00", people=people[:1])
    make_session(event, "Stone", "2030-05-06 12:00", room=hall)
    make_session(event, "Wave & wäve", "2030-05-06 13:00")
    make_session(event, "Salt", "2030-05-06 14:00", people=people[1:])
    make_session(event, "Wind", "2030-05-06 15:00", track=track)
    return event


def best(response) -> list[str]:
    return [row.session.title for row in response.context["best"]]


def listed(response) -> list[str]:
    return [row.session.title for row in response.context["agenda"].rows if row.is_match]


def marks(response) -> list[str]:
    return [unescape(text) for text in re.findall("<mark>(.*?)</mark>", response.content.decode())]


def test_title_comes_before_people_before_all_else_and_the_beginning_of_a_word_before_its_inside(client, event):
    response = client.get("/sea/?q=wave")
    assert best(response) == ["Wave & wäve", "Shockwaves", "Sand", "Salt"]
    assert listed(response) == ["Opening", "Shockwaves", "Sand", "Stone", "Wave & wäve", "Salt", "Wind"]


def test_at_most_five_are_best_and_by_time_among_equals(client, event):
    for hour in range(10, 20):
        make_session(event, f"Wave {hour}", f"2030-05-07 {hour}:00")
    assert best(client.get("/sea/?q=wave")) == ["Wave & wäve", "Wave 10", "Wave 11", "Wave 12", "Wave 13"]


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("", "nothing is searched"),
        ("?track=new-waves", "nothing is searched"),
        ("?q=wave&kind=keynote", "nothing matches"),
        ("?q=shock", "the list is as short"),
        ("?q=w", "a letter is no word"),
        ("?q=ed", "all are alike"),
    ],
)
def test_nothing_is_best_where_it_would_help_nobody(client, event, query, reason):
    if reason == "all are alike":
        for number in range(6):
            make_session(event, f"Edge {number}", f"2030-05-07 1{number}:00")
    response = client.get(f"/sea/{query}")
    assert (best(response), "Best matches" in response.content.decode()) == ([], False)


def test_every_match_shows_why_it_is_there(client, event):
    response = client.get("/sea/?q=WÄVE")
    shown = {row.session.title: row.excerpt for row in response.context["agenda"].rows}
    assert shown == {
        "Opening": "…Long Long Long Long Long Long Long Long before a wave comes ashore.",
        "Shockwaves": "",
        "Sand": "",
        "Stone": "",
        "Wave & wäve": "",
        "Salt": "Bo Berg, Waves",
        "Wind": "",
    }
    expected = ["Wave", "wäve", "wave", "Wave", "Wave", "wave", "wave", "Wave", "Wave", "Wave", "wäve", "Wave", "wave"]
    assert marks(response) == expected


def test_somebody_whom_the_row_leaves_out_is_named_as_the_reason(client, event):
    crowd = [make_speaker(event, f"Person {letter}") for letter in "ABCD"]
    zoe = make_speaker(event, "Zoë Ray", affiliation="Reef")
    make_session(event, "Crowd", "2030-05-07 10:00", people=[*crowd, zoe])
    response = client.get("/sea/?q=zoe")
    assert [(row.session.title, row.excerpt) for row in response.context["agenda"].rows if row.is_match] == [
        ("Crowd", "Zoë Ray, Reef")
    ]
    assert marks(response) == ["Zoë"]


def test_without_a_search_nothing_is_marked(client, event):
    assert marks(client.get("/sea/?track=new-waves")) == []


def test_what_is_searched_is_never_markup(client, event):
    make_session(event, "<b>bold</b>", "2030-05-07 10:00", abstract="<i>deep</i> & <script>alert(1)</script>")
    for query in ("%3Cb%3E", "alert(1)", "b"):
        content = client.get(f"/sea/?q={query}").content.decode()
        assert re.search("<(b>bold|i>deep|script>alert)", content.replace("<mark>", "").replace("</mark>", "")) is None


@pytest.mark.parametrize("number", [2, 60])
def test_a_search_takes_one_query_more_for_all_the_excerpts(client, django_assert_num_queries, number):
    event = make_event(slug="many")
    for n in range(number):
        make_session(event, "", f"2030-05-06 {9 + n // 6:02}:{n % 6 * 10:02}", abstract="Deep water")
    with django_assert_num_queries(7):
        assert client.get("/many/?q=deep").context["selection"].count == number
