"""What belongs together: a room, a track."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from conference.frame import build_frame, get_public_event
from conference.viewing import Viewing
from schedule.facets import make_url


@require_safe
def room(request: HttpRequest, event_slug: str, slug: str) -> HttpResponse:
    """What happens in one room."""
    event = get_public_event(event_slug)
    viewing = Viewing.of(event, request.GET)
    shown = get_object_or_404(event.rooms.public(), slug=slug)
    context = {"room": shown, "agenda": event.sessions.public().filter(room=shown).listed().as_agenda(viewing)}
    context["filter_url"] = viewing.keep(make_url(event.get_absolute_url(), {"room": [shown.slug]}))
    return render(request, "schedule/room.html", build_frame(request, event, viewing) | context)


@require_safe
def track(request: HttpRequest, event_slug: str, slug: str) -> HttpResponse:
    """What belongs to one track."""
    event = get_public_event(event_slug)
    viewing = Viewing.of(event, request.GET)
    shown = get_object_or_404(event.tracks.public(), slug=slug)
    context = {"track": shown, "agenda": event.sessions.public().filter(track=shown).listed().as_agenda(viewing)}
    context["filter_url"] = viewing.keep(make_url(event.get_absolute_url(), {"track": [shown.slug]}))
    return render(request, "schedule/track.html", build_frame(request, event, viewing) | context)
