"""The schedule page: what it shows, what a visitor may ask of it, and that it is the same for everybody."""

import re
from html import unescape

import pytest
from django.utils.html import strip_tags

from conference.dates import format_day
from conference.models import Event
from schedule.models import Session
from tests.factories import make_event, make_material, make_room, make_session, make_speaker, make_track

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    """Two days: a keynote, two parallel talks, a break, and a party after midnight; a draft that nobody may see."""
    event = make_event(
        name="Reef Days", slug="reef", notice="Bring a towel.", registration_url="https://reef.example/r"
    )
    aula, boat = make_room(event, "Aula"), make_room(event, "Boat")
    sea, land = make_track(event, "Sea"), make_track(event, "Land & Sky")
    ana = make_speaker(event, "Ana Núñez", affiliation="Coral Lab")
    bo = make_speaker(event, "Bo Berg", affiliation="Dune Inc.")
    keynote = make_session(
        event, "Opening", "2030-05-06 09:00", kind="keynote", room=aula, track=sea, level="Any", people=[ana]
    )
    make_material(keynote)
    make_session(event, "Tides", "2030-05-06 10:00", room=aula, track=sea, level="Beginner", people=[ana, bo])
    make_session(event, "Sand", "2030-05-06 10:00", 60, room=boat, track=land, level="Advanced", people=[bo],
                 abstract="Grains under the Größe of the moon.")  # fmt: skip
    make_session(event, "Coffee", "2030-05-06 11:00", kind="break")
    make_session(event, "Night swim", "2030-05-07 00:30", 120, room=boat, kind="social", track=sea)
    make_session(event, "Closing", "2030-05-07 15:00", room=aula, track=land, status=Session.Status.CANCELLED)
    make_session(event, "Secret plan", "2030-05-06 12:00", room=aula, track=sea, status=Session.Status.DRAFT,
                 people=[make_speaker(event, "Hidden Person", affiliation="Ghost Ltd")])  # fmt: skip
    return event


def titles(response) -> list[str]:
    """The sessions on a page, in its order."""
    rows = [row for day in response.context["agenda"].matching_days for slot in day.slots for row in slot.rows]
    return [row.session.title for row in rows if row.is_match]


def words(response) -> str:
    text = unescape(strip_tags(response.content.decode()))
    return re.sub(r"\s+", " ", text)


def counts(response) -> dict[str, dict[str, int]]:
    return {f.name: {c.value: c.count for c in f.choices} for f in response.context["selection"].facets}


# What it shows


def test_every_public_session_stands_once_by_day_and_start(client, event):
    response = client.get("/reef/")
    assert [
        (str(day.date), [(f"{slot.start:%H:%M}", [row.session.title for row in slot.rows]) for slot in day.slots])
        for day in response.context["agenda"].days
    ] == [
        (
            "2030-05-06",
            [
                ("09:00", ["Opening"]),
                ("10:00", ["Tides", "Sand"]),
                ("11:00", ["Coffee"]),
                ("00:30", ["Night swim"]),
            ],
        ),
        ("2030-05-07", [("15:00", ["Closing"])]),
    ]


def test_a_row_names_time_length_room_track_kind_level_people_and_slides(client, event):
    page = words(client.get("/reef/"))
    for text in ("09:00", "30 min", "Aula", "Sea", "Keynote", "All levels", "Slides", "Ana Núñez", "Coral Lab"):
        assert text in page


def test_the_head_names_event_dates_place_notice_zone_and_registration(client, event):
    response = client.get("/reef/")
    page = words(response)
    updated = Event.objects.get().programme_changed_at.astimezone(event.zone)
    for text in ("Reef Days", "6–7 May 2030", "Berlin, Germany", "Bring a towel.", "Times in Berlin (CEST)"):
        assert text in page
    assert 'href="https://reef.example/r"' in response.content.decode()
    assert f"Updated {format_day(updated.date(), 'brief')}, {updated:%H:%M}" in page


def test_the_jump_list_leads_to_every_start_time(client, event):
    html = client.get("/reef/").content.decode()
    anchors = re.findall(r'href="#(t-[0-9TZ]+)"', html)
    assert anchors == [
        "t-20300506T0700Z", "t-20300506T0800Z", "t-20300506T2230Z", "t-20300507T1300Z",
    ]  # fmt: skip
    assert all(f'id="{anchor}"' in html for anchor in anchors)


def test_a_cancelled_session_stays_and_says_so(client, event):
    page = words(client.get("/reef/?day=2030-05-07"))
    assert "Cancelled" in page
    assert "Closing" in page


def test_drafts_and_their_people_appear_nowhere(client, event):
    draft = Session.objects.get(title="Secret plan")
    hidden = draft.speakers.get()
    for path in ("/reef/", "/reef/?q=secret", "/reef/speakers/", "/reef/?company=ghost-ltd", "/reef/schedule.ics"):
        content = client.get(path).content.decode()
        assert "Secret plan" not in content
        assert "Hidden Person" not in content
    for path in (draft.get_absolute_url(), hidden.get_absolute_url(), f"/reef/sessions/{draft.pk}.ics"):
        assert client.get(path).status_code == 404


def test_a_draft_event_is_not_found_on_any_address(client, event):
    session, person = Session.objects.get(title="Tides"), event.speakers.first()
    event.is_public = False
    event.save()
    paths = ["/reef/", "/reef/speakers/", "/reef/rooms/aula/", "/reef/tracks/sea/", "/reef/schedule.ics"]
    paths += [session.get_absolute_url(), person.get_absolute_url(), f"/reef/sessions/{session.pk}.ics"]
    assert {path: client.get(path).status_code for path in paths} == dict.fromkeys(paths, 404)
    assert "Reef Days" not in client.get("/").content.decode()


def test_text_from_outside_is_shown_as_text(client):
    bad = "<script>alert(1)</script>"
    event = make_event(name=f"E {bad}", slug="bad", notice=bad, city=bad, tagline=bad)
    person = make_speaker(event, f"P {bad}", affiliation=bad, bio=bad, headline=bad)
    session = make_session(event, f"S {bad}", "2030-05-06 10:00", people=[person], abstract=bad, level=bad,
                           room=make_room(event, bad), track=make_track(event, bad), fields={bad: bad})  # fmt: skip
    make_material(session, bad)
    for path in ("/bad/", "/bad/speakers/", session.get_absolute_url(), person.get_absolute_url(),
                 session.room.get_absolute_url(), f"/bad/?q={bad}", f"/bad/?room={bad}"):  # fmt: skip
        content = client.get(path).content.decode()
        assert "<script>alert" not in content, path
        assert "&lt;script&gt;" in content, path


# What a visitor may ask


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("day=2030-05-07", ["Closing"]),
        ("track=sea", ["Opening", "Tides", "Night swim"]),
        ("room=boat", ["Sand", "Night swim"]),
        ("kind=keynote", ["Opening"]),
        ("kind=keynote&kind=break", ["Opening", "Coffee"]),
        ("level=beginner&level=advanced", ["Tides", "Sand"]),
        ("speaker=ana-nunez", ["Opening", "Tides"]),
        ("company=dune-inc", ["Tides", "Sand"]),
        ("materials=yes", ["Opening"]),
        ("track=sea&room=aula&speaker=bo-berg", ["Tides"]),
        ("q=tid", ["Tides"]),
        ("q=nunez", ["Opening", "Tides"]),
        ("q=NÚÑEZ+tides", ["Tides"]),
        ("q=grosse", ["Sand"]),
        ("q=dune", ["Tides", "Sand"]),
        ("q=boat", ["Sand", "Night swim"]),
        ("q=sky", ["Sand", "Closing"]),
        ("track=sea&track=nothing", ["Opening", "Tides", "Night swim"]),
        ("track=", ["Opening", "Tides", "Sand", "Coffee", "Night swim", "Closing"]),
        ("unknown=parameter", ["Opening", "Tides", "Sand", "Coffee", "Night swim", "Closing"]),
    ],
)
def test_values_of_one_facet_mean_or_and_facets_mean_and(client, event, query, expected):
    assert titles(client.get(f"/reef/?{query}")) == expected


def test_each_choice_counts_what_it_would_leave_with_the_other_facets_kept(client, event):
    assert counts(client.get("/reef/?track=sea&room=aula")) == {
        "track": {"sea": 2, "land-sky": 1},
        "room": {"aula": 2, "boat": 1},
        "kind": {"talk": 1, "keynote": 1, "social": 0, "break": 0},
        "level": {"beginner": 1, "advanced": 0, "any": 1},
        "company": {"coral-lab": 2, "dune-inc": 1},
        "speaker": {"bo-berg": 1, "ana-nunez": 2},
        "materials": {"yes": 1},
    }


def test_active_filters_are_chips_that_lead_to_the_page_without_them(client, event):
    response = client.get("/reef/?day=2030-05-06&track=sea&track=land-sky&q=ti")
    assert [(chip.label, chip.url) for chip in response.context["selection"].chips] == [
        ("Sea", "/reef/?day=2030-05-06&track=land-sky&q=ti"),
        ("Land & Sky", "/reef/?day=2030-05-06&track=sea&q=ti"),
        ("“ti”", "/reef/?day=2030-05-06&track=sea&track=land-sky"),
    ]
    assert response.context["selection"].clear_url == "/reef/?day=2030-05-06"


def test_day_tabs_keep_the_rest_of_the_filter(client, event):
    links = client.get("/reef/?track=sea").context["day_links"]
    assert [(str(link.date), link.label, link.url, link.count, link.is_current) for link in links] == [
        ("2030-05-06", "", "/reef/?day=2030-05-06&track=sea", 3, False),
        ("2030-05-07", "", "/reef/?day=2030-05-07&track=sea", 0, False),
        ("None", "All days", "/reef/?track=sea", 3, True),
    ]


def test_several_days_at_once_are_a_filter_like_any_other_and_an_unknown_one_is_named(client, event):
    response = client.get("/reef/?day=2030-05-06&day=2031-01-01")
    selection = response.context["selection"]
    assert [(chip.label, chip.url) for chip in selection.chips] == [
        ("2030-05-06", "/reef/?day=2031-01-01"),
        ("2031-01-01", "/reef/?day=2030-05-06"),
    ]
    assert [(str(facet), value) for facet, value in selection.unknown] == [("Day", "2031-01-01")]


def test_the_version_never_goes_back_with_a_stale_copy_of_the_event(event):
    stale = Event.objects.get(pk=event.pk)
    event.mark_programme_changed()
    stale.save()
    assert Event.objects.get(pk=event.pk).programme_version == event.programme_version


def test_an_empty_result_offers_ways_out_that_lead_somewhere(client, event):
    response = client.get("/reef/?day=2030-05-06&kind=keynote&level=beginner&q=tides")
    assert response.status_code == 200
    ways = response.context["selection"].ways_out
    assert [(way.label, way.count) for way in ways] == [
        ("Without Keynote", 1),
        ("Only Keynote", 1),
        ("Only Beginner", 1),
        ("Only “tides”", 1),
        ("Clear all filters", 6),
    ]
    for way in ways:
        assert len(titles(client.get(way.url))) == way.count


@pytest.mark.parametrize(
    ("query", "unknown"),
    [
        ("track=nonsense", [("Track", "nonsense")]),
        ("day=tomorrow", [("Day", "tomorrow")]),
        ("day=2031-01-01", [("Day", "2031-01-01")]),
        ("day=9999-12-31", [("Day", "9999-12-31")]),
        ("materials=no", [("More", "no")]),
        ("room=%00", [("Room", "\ufffd")]),
        ("kind=" + "x" * 5000, [("Kind", "x" * 100)]),
    ],
)
def test_an_unknown_value_is_an_explained_empty_page(client, event, query, unknown):
    response = client.get(f"/reef/?{query}")
    assert (response.status_code, titles(response)) == (200, [])
    assert [(str(facet), value) for facet, value in response.context["selection"].unknown] == unknown


@pytest.mark.parametrize(
    "query", ["q=%00", "q=%ff%fe", "q=" + "a+" * 3000, "q=%25_%5c%27%22", "day=0000-00-00", "q=\ud83d\ude00"]
)
def test_nothing_that_can_be_asked_is_an_error_of_the_server(client, event, query):
    assert client.get(f"/reef/?{query.encode('utf-8', 'surrogatepass').decode('utf-8', 'replace')}").status_code == 200


def test_percent_and_underscore_are_searched_as_letters(client, event):
    make_session(event, "100% wind", "2030-05-06 13:00")
    assert titles(client.get("/reef/?q=%25")) == ["100% wind"]
    assert titles(client.get("/reef/?q=_")) == []


# Around it


def test_a_single_public_event_is_shown_at_once_and_several_are_listed(client, event):
    assert client.get("/").url == "/reef/"
    make_event(name="Dune Days", slug="dune")
    make_event(name="Draft Days", slug="draft", is_public=False)
    page = words(client.get("/"))
    assert ("Reef Days" in page, "Dune Days" in page, "Draft Days" in page) == (True, True, False)


def test_no_public_page_sets_or_varies_by_a_cookie(client, admin_client, event):
    session, person = Session.objects.get(title="Tides"), event.speakers.first()
    for path in ("/reef/", "/reef/speakers/", "/reef/rooms/aula/", "/reef/tracks/sea/", "/reef/schedule.ics",
                 session.get_absolute_url(), person.get_absolute_url()):  # fmt: skip
        response = client.get(path)
        assert (response.cookies, response.headers.get("Vary")) == ({}, "Accept-Encoding"), path
        assert admin_client.get(path).content == response.content, path


def test_an_unchanged_page_is_answered_with_304(client, event):
    tag = client.get("/reef/").headers["ETag"]
    assert client.get("/reef/", headers={"if-none-match": tag}).status_code == 304


def test_an_address_with_an_old_title_leads_to_the_present_one(client, event):
    session = Session.objects.get(title="Tides")
    for path in (f"/reef/sessions/{session.pk}-old-title/", f"/reef/sessions/{session.pk}/"):
        response = client.get(path)
        assert (response.status_code, response.url) == (301, f"/reef/sessions/{session.pk}-tides/")


def test_a_session_of_another_event_is_not_found_under_this_one(client, event):
    other = make_event(slug="other")
    session = make_session(other, "Elsewhere", "2030-05-06 10:00")
    assert client.get(f"/reef/sessions/{session.pk}-elsewhere/").status_code == 404


def test_a_session_page_is_complete(client, event):
    session = Session.objects.get(title="Tides")
    response = client.get(session.get_absolute_url())
    context = response.context
    assert [row.session.title for row in context["parallel"]] == ["Sand"]
    assert [context[name] and context[name].session.title for name in
            ("previous_session", "next_session", "previous_here", "next_here")] == [
        "Opening", "Sand", "Opening", "Closing",
    ]  # fmt: skip
    assert context["day_url"] == "/reef/?day=2030-05-06#t-20300506T0800Z"
    page = words(response)
    for text in ("Tides", "Ana Núñez", "Bo Berg", "Beginner", "Monday 6 May", "10:00", "10:30", "Aula"):
        assert text in page


def test_a_room_and_a_track_show_their_sessions(client, event):
    assert titles(client.get("/reef/rooms/boat/")) == ["Sand", "Night swim"]
    assert titles(client.get("/reef/tracks/land-sky/")) == ["Sand", "Closing"]
    assert client.get("/reef/rooms/none/").status_code == 404


def test_speakers_stand_by_family_name_and_can_be_searched(client, event):
    response = client.get("/reef/speakers/")
    assert [(g.letter, [(e.speaker.name, [r.session.title for r in e.rows]) for e in g.entries])
            for g in response.context["groups"]] == [
        ("B", [("Bo Berg", ["Tides", "Sand"])]),
        ("N", [("Ana Núñez", ["Opening", "Tides"])]),
    ]  # fmt: skip
    found = client.get("/reef/speakers/?q=coral").context["groups"]
    assert [entry.speaker.name for group in found for entry in group.entries] == ["Ana Núñez"]


def test_error_pages_are_our_own(client, event):
    response = client.get("/reef/nothing/")
    assert (response.status_code, "404.html" in [t.name for t in response.templates]) == (404, True)
    client.raise_request_exception = False
    from unittest.mock import patch

    with patch("schedule.views.board.build_frame", side_effect=RuntimeError):
        response = client.get("/reef/")
    assert (response.status_code, "500.html" in [t.name for t in response.templates]) == (500, True)


@pytest.mark.parametrize("number", [2, 60])
def test_every_page_takes_the_same_few_queries_for_few_and_many_rows(client, django_assert_num_queries, number):
    event = make_event(slug="many")
    room, track = make_room(event), make_track(event)
    for n in range(number):
        speaker = make_speaker(event, affiliation=f"Company {n}")
        session = make_session(event, "", f"2030-05-06 {9 + n // 6:02}:{n % 6 * 10:02}", room=room, track=track,
                               people=[speaker, make_speaker(event)])  # fmt: skip
        make_material(session)
    expected = {
        "/many/": 5,
        "/many/?track=track&day=2030-05-06&q=ada&speaker=x&materials=yes": 6,
        session.get_absolute_url(): 10,
        "/many/speakers/": 5,
        speaker.get_absolute_url(): 5,
        room.get_absolute_url(): 5,
        track.get_absolute_url(): 5,
        "/many/schedule.ics": 5,
        "/many/changes/": 3,
    }
    for path, queries in expected.items():
        with django_assert_num_queries(queries, info=path):
            assert client.get(path).status_code == 200
