"""What is not public is in no channel: every address of the site in every form, with data that could leak."""

import io
import json
import re
import zipfile

import pytest
from django.core.files.base import ContentFile
from django.urls import URLPattern, URLResolver, get_resolver

from schedule.exports.files import FILE_FORMS
from schedule.importing import Source, import_schedule
from schedule.models import ImportRun, Session, SessionSpeaker
from schedule.recording import record_changes
from tests.factories import make_event, make_material, make_room, make_session, make_speaker, make_track

pytestmark = pytest.mark.django_db

# In every text that nobody may see; a letter after it tells which.
WORD = "Hushhush"
ADMIN = "organisers alone come here"
FILE_OF_ALL = "a file or script that is the same for all events"
SECRET = "opened by its secret alone; tests/test_personal.py"
# Routes that are not asked here, and why.
LEFT_OUT = {
    "favicon.ico": FILE_OF_ALL,
    "sw.js": FILE_OF_ALL,
    "media/<path:path>": "files of drafts: tests/test_import_hand_edits.py",
    "<str:event_slug>/my/<str:token>/": SECRET,
    "<str:event_slug>/my/<str:token>/edit/": SECRET,
    "<str:event_slug>/my/<str:token>/sync/": SECRET,
    "<str:event_slug>/my/feed/<str:token>.ics": SECRET,
    "<str:event_slug>/my/shared/<str:token>/": SECRET,
}


def list_routes(patterns, before: str = "") -> list[str]:
    """Every route of the site, without languages, as it is written in the urls.py files."""
    routes = []
    for pattern in patterns:
        here = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver) and str(pattern.pattern) != "admin/":
            routes += list_routes(pattern.url_patterns, here)
        elif isinstance(pattern, URLPattern):
            routes.append(here)
    return routes


@pytest.fixture
def site():
    """A public event beside what is hidden: drafts and all they use, another event, what only organisers know."""
    event = make_event(slug="reef", name="Reef")
    room, track = make_room(event, "Lagoon"), make_track(event, "Knots")
    ada = make_speaker(event, "Ada Byron", affiliation="Shipyard")
    ada.aliases, ada.source_values = f"{WORD}Alias", {"bio": f"{WORD}Source"}
    ada.save()
    session = make_session(event, "Ropes", "2030-05-06 09:00", people=[ada], room=room, track=track)
    make_material(session)
    Session.objects.filter(pk=session.pk).update(source_values={"abstract": f"{WORD}Source"}, source_key=f"{WORD}Key")
    hidden_things(event)
    once_public(event)
    other = make_event(slug="hidden", name=f"{WORD}Event", is_public=False)
    hidden_things(other)
    make_session(other, f"{WORD}Confirmed", "2030-05-06 09:00")
    row = f"Title,Start,End,Status\n{WORD}Row,2030-05-06 10:00,2030-05-06 11:00,draft\n"
    import_schedule([Source(f"{WORD}.csv", row.encode())], event_slug="reef")
    assert ImportRun.objects.count() == 1
    return event


def hidden_things(event):
    """A draft with everything that a session can have, all of it used by nothing else."""
    eve = make_speaker(event, f"{WORD}Person", affiliation=f"{WORD}Company", bio=f"{WORD}Bio", headline=f"{WORD}Job")
    draft = make_session(
        event, f"{WORD}Title", "2030-05-08 09:00", people=[eve], status="draft", abstract=f"{WORD}Abstract",
        room=make_room(event, f"{WORD}Room"), track=make_track(event, f"{WORD}Track"), level=f"{WORD}Level",
        language=f"{WORD}Language", fields={f"{WORD}Field": f"{WORD}Value"},
        stream_url=f"https://example.org/{WORD}", recording_url=f"https://example.org/{WORD}",
    )  # fmt: skip
    make_material(draft, f"{WORD}Slides", file=ContentFile(b"x", name=f"{WORD}.pdf"))
    make_session(event, f"{WORD}Untimed", status="draft")


def once_public(event):
    """A session that was public, is a draft now, and was changed since; and one that was renamed while a draft."""
    with record_changes(event):
        session = make_session(event, "Sails", "2030-05-07 09:00")
    for status, title in (("draft", "Sails"), ("draft", f"{WORD}Later"), ("draft", f"{WORD}Latest")):
        with record_changes(event):
            session.status, session.title, session.abstract = status, title, f"{WORD}Changed"
            session.save()
    with record_changes(event):
        draft = make_session(event, f"{WORD}Working title", "2030-05-07 11:00", status="draft")
    with record_changes(event):
        draft.title, draft.status = "Anchors", "confirmed"
        draft.save()


def addresses_of(event, route: str) -> list[str]:
    """Addresses that a route can have: with what is public, and with all that is not."""
    sessions, people = event.sessions.order_by("id"), event.speakers.order_by("id")
    values = {
        "<str:event_slug>": [event.slug],
        "<str:section>": [event.slug],
        "<str:extension>": list(FILE_FORMS),
        "<int:size>": ["192"],
        "sessions/<row_id:id>": [f"sessions/{session.pk}" for session in sessions],
        "speakers/<row_id:id>": [f"speakers/{person.pk}" for person in people],
        "rooms/<str:slug>": [f"rooms/{room.slug}" for room in event.rooms.all()],
        "tracks/<str:slug>": [f"tracks/{track.slug}" for track in event.tracks.all()],
        "affiliations/<str:slug>": [
            f"affiliations/{slug}" for slug in people.values_list("affiliation_slug", flat=True)
        ],
        "events/<str:slug>": [f"events/{event.slug}"],
        "<str:slug>": ["x"],
    }
    found = [route]
    for part, fillings in values.items():
        found = [one.replace(part, filling) for one in found for filling in (fillings if part in one else [""])]
    return [f"/{one}" for one in found]


def read(response) -> str:
    """Everything a response says, headers too, also what lies compressed in it."""
    content = response.getvalue()
    if content.startswith(b"PK"):
        archive = zipfile.ZipFile(io.BytesIO(content))
        content = b"".join(archive.read(name) for name in archive.namelist())
    return f"{response.headers} {content.decode(errors='replace')}"


def test_every_route_is_asked_or_left_out_for_a_reason():
    routes = list_routes(get_resolver().url_patterns)
    assert sorted(set(LEFT_OUT) - set(routes)) == []
    unfilled = [
        address
        for route in set(routes) - set(LEFT_OUT)
        for address in addresses_of_nothing(route)
        if "<" in address and not address.startswith("/api/")
    ]
    assert unfilled == []


def addresses_of_nothing(route: str) -> list[str]:
    names = ["event_slug", "section", "extension", "slug"]
    for name in names:
        route = route.replace(f"<str:{name}>", "x")
    return ["/" + route.replace("<int:size>", "192").replace("<row_id:id>", "1")]


@pytest.mark.parametrize("prefix", ["", "/fr"])
def test_what_is_hidden_is_in_no_page_file_or_feed(client, site, prefix):
    routes = set(list_routes(get_resolver().url_patterns)) - set(LEFT_OUT)
    queries = ["", f"?q={WORD.lower()[:4]}&tz=Asia/Tokyo", f"?track={WORD.lower()}track&room={WORD.lower()}room"]
    told, asked = [], 0
    for address in sorted({address for route in routes for address in addresses_of(site, route)}):
        for query in queries:
            response = client.get(prefix + address + query, follow=True)
            asked += 1
            # What was asked may be said again, but nothing that was not.
            said = read(response)
            for part in address.split("/"):
                said = said.replace(part, "") if WORD.lower() in part else said
            if re.search(WORD if query else f"(?i){WORD}", said):
                told.append((address + query, re.search(f"(?i).{{0,60}}{WORD}.{{0,20}}", said)[0]))
    assert (told, asked > 150) == ([], True)


def test_an_event_that_is_not_public_is_nowhere(client, site):
    hidden = Session.objects.filter(event__slug="hidden").first().event
    routes = [
        route for route in list_routes(get_resolver().url_patterns) if "_slug>" in route and route not in LEFT_OUT
    ]
    answers = {address: client.get(address).status_code for route in routes for address in addresses_of(hidden, route)}
    posts = {"/hidden/my/keep/"}
    assert {address for address, status in answers.items() if status != 404} - posts == set()


def test_who_was_public_once_shows_what_was_public_then_and_no_more(client, site):
    page = client.get("/reef/changes/").content.decode()
    assert re.findall(r'class="title">(?:<[^>]+>)?([^<]+)', page) == ["Anchors", "Sails", "Sails"]
    feed = client.get("/reef/changes.atom").content.decode()
    assert re.findall("<title>([^<]+)</title>", feed)[1:] == ["Added: Anchors", "Cancelled: Sails", "Added: Sails"]


def test_a_public_api_list_has_no_people_of_drafts(client, site):
    said = json.dumps(client.get("/api/v1/events/reef/speakers/").json())
    assert (WORD in said, SessionSpeaker.objects.filter(speaker__name__startswith=WORD).exists()) == (False, True)
