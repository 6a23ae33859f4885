"""The admin as an organiser's browser meets it: its addresses, its forms read and sent back, its lists."""

from html import unescape

from conference.models import Event, Room, Track
from schedule.models import Session
from speakers.models import Speaker
from tests.browser_form import read_form
from tests.factories import make_material, make_room, make_session, make_speaker, make_track

SESSIONS, SPEAKERS = "/admin/schedule/session/", "/admin/speakers/speaker/"
EVENTS, ROOMS, TRACKS = "/admin/conference/event/", "/admin/conference/room/", "/admin/conference/track/"
LISTS = {Event: EVENTS, Room: ROOMS, Track: TRACKS, Speaker: SPEAKERS, Session: SESSIONS}


def address_of(row) -> str:
    return f"{LISTS[type(row)]}{row.pk}/change/"


def read(client, address: str, model) -> dict[str, list[str]]:
    """The form at `address`, as a browser sends it back untouched."""
    html = client.get(address).content.decode()
    return read_form(html, f"{model._meta.model_name}_form")


def send(client, address: str, model, **changes):
    """Send the form at `address` back with `changes`; return the response, without following."""
    return client.post(address, read(client, address, model) | changes)


def faults_of(response) -> dict[str, list[str]]:
    """The errors that a form answers with, by field."""
    assert response.status_code == 200
    return {name: list(errors) for name, errors in response.context["adminform"].form.errors.items()}


def columns_of(row) -> dict:
    """Every stored column of `row`, as it stands in the database now."""
    return type(row).objects.filter(pk=row.pk).values().get()


def version_of(event: Event) -> int:
    return Event.objects.get(pk=event.pk).programme_version


def listed(client, address: str) -> list:
    return list(client.get(address).context["cl"].result_list)


def words_after(response, word: str) -> str:
    return unescape(response.content.decode()).partition(word)[2]


def fill(event: Event, number: int) -> None:
    """Give `event` `number` rows of everything; its first session has as many people and materials."""
    rooms = [make_room(event) for _ in range(number)]
    tracks = [make_track(event) for _ in range(number)]
    people = [make_speaker(event) for _ in range(number)]
    for n in range(number):
        make_session(
            event,
            start=f"2030-05-06 {10 + n % 8}:00",
            room=rooms[n],
            track=tracks[n],
            level=f"Level {n % 3}",
            people=people if n == 0 else [people[n]],
        )
    first = event.sessions.order_by("id").first()
    for _ in range(number):
        make_material(first)
