"""What belongs together: a room, a track, a company."""

from collections import Counter

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
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


@require_safe
def affiliation(request: HttpRequest, event_slug: str, slug: str) -> HttpResponse:
    """Who comes from one company or institution, and when they speak."""
    event = get_public_event(event_slug)
    viewing = Viewing.of(event, request.GET)
    people = list(event.speakers.public().filter(affiliation_slug=slug).in_order().defer("bio"))
    if not people:
        raise Http404
    sessions = event.sessions.public().filter(speakers__in=people).distinct()
    context = {
        "affiliation": Counter(person.affiliation for person in people).most_common(1)[0][0],
        "people": people,
        "agenda": sessions.listed().as_agenda(viewing),
        "filter_url": viewing.keep(make_url(event.get_absolute_url(), {"company": [slug]})),
    }
    return render(request, "schedule/affiliation.html", build_frame(request, event, viewing) | context)


@require_safe
def room_screen(request: HttpRequest, event_slug: str, slug: str) -> HttpResponse:
    """The screen at a room's door: all that happens there; script shows what runs and what is next."""
    event = get_public_event(event_slug)
    viewing = Viewing.of(event, request.GET)
    shown = get_object_or_404(event.rooms.public(), slug=slug)
    # A session without a room, as a break, is for everybody at every door.
    here = event.sessions.public().scheduled().filter(Q(room=shown) | Q(room=None))
    context = {"room": shown, "agenda": here.listed().as_agenda(viewing)}
    return render(request, "schedule/screen.html", build_frame(request, event, viewing) | context)
