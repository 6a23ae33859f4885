"""The same sessions as the page of the same address, as files: whole schedule, session, room, track, person, now."""

from datetime import UTC, datetime

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from conference.frame import get_public_event
from conference.models import Event
from conference.viewing import Viewing
from schedule.exports.files import FILE_FORMS
from schedule.exports.programme import Programme
from schedule.filters import SessionFilter
from schedule.now import build_moment, parse_instant
from schedule.views.now import KEPT_FOR, LONGEST_AT

LONGEST_NAME = 100


def read_programme(request: HttpRequest, event: Event, sessions: QuerySet) -> Programme:
    """Return what the filter in the address leaves of `sessions`, public ones of `event`."""
    viewing = Viewing.of(event, request.GET)
    question = SessionFilter(request.GET, sessions, viewing=viewing)
    found = list(question.qs.exported())
    return Programme(event, viewing, found, request.build_absolute_uri, asked=question.active)


@require_safe
def schedule_file(request: HttpRequest, event_slug: str, extension: str) -> HttpResponse:
    """The sessions that the same filter leaves on the page, in the form that the ending names."""
    if extension not in FILE_FORMS:
        raise Http404
    event = get_public_event(event_slug)
    return file_response(read_programme(request, event, event.sessions.public()), extension, event_slug)


@require_safe
def session_calendar(request: HttpRequest, event_slug: str, id: int) -> HttpResponse:
    """One session as iCalendar."""
    event = get_public_event(event_slug)
    programme = read_programme(request, event, event.sessions.public().scheduled().filter(pk=id))
    if not programme.sessions:
        raise Http404
    return file_response(programme, "ics", programme.sessions[0].slug)


@require_safe
def room_calendar(request: HttpRequest, event_slug: str, slug: str) -> HttpResponse:
    """What happens in one room, as iCalendar."""
    event = get_public_event(event_slug)
    room = get_object_or_404(event.rooms.public(), slug=slug)
    programme = read_programme(request, event, event.sessions.public().filter(room=room))
    return file_response(programme.named(room.name), "ics", room.slug)


@require_safe
def track_calendar(request: HttpRequest, event_slug: str, slug: str) -> HttpResponse:
    """What belongs to one track, as iCalendar."""
    event = get_public_event(event_slug)
    track = get_object_or_404(event.tracks.public(), slug=slug)
    programme = read_programme(request, event, event.sessions.public().filter(track=track))
    return file_response(programme.named(track.name), "ics", track.slug)


@require_safe
def speaker_calendar(request: HttpRequest, event_slug: str, id: int) -> HttpResponse:
    """When one person is to be heard, as iCalendar."""
    event = get_public_event(event_slug)
    speaker = get_object_or_404(event.speakers.public(), pk=id)
    programme = read_programme(request, event, event.sessions.public().filter(speakers=speaker))
    return file_response(programme.named(speaker.name), "ics", speaker.slug)


@require_safe
def now_calendar(request: HttpRequest, event_slug: str) -> HttpResponse:
    """What runs now and comes next, as iCalendar; `at` tries another time."""
    event = get_public_event(event_slug)
    programme = read_programme(request, event, event.sessions.public().scheduled())
    at = parse_instant(request.GET.get("at", "")[:LONGEST_AT], programme.viewing.zone)
    moment = build_moment(programme.agenda.rows, at or datetime.now(UTC).astimezone(programme.viewing.zone))
    shown = {row.session.pk for row in (*moment.running, *moment.coming)}
    response = file_response(programme.only(shown), "ics", f"{event_slug}-now")
    if at is None:
        response.headers["Cache-Control"] = f"public, max-age={KEPT_FOR}"
    return response


def file_response(programme: Programme, extension: str, name: str) -> HttpResponse:
    """Answer with `programme` as a file of `name`, which browsers show or offer to the program for it."""
    form = FILE_FORMS[extension]
    return HttpResponse(form.write(programme), form.content_type, headers=name_file(name, extension))


def name_file(name: str, extension: str) -> dict[str, str]:
    """Return the header that calls a file `name`, in characters that every system takes."""
    plain_name = name.encode("ascii", "ignore").decode().strip("-")[:LONGEST_NAME] or "schedule"
    return {"Content-Disposition": f'inline; filename="{plain_name}.{extension}"'}
