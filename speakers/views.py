"""The public pages of an event's speakers. Sessions are reached through the reverse name: imports point down."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from conference.frame import build_frame, get_public_event, read_query
from conference.viewing import Viewing
from speakers.index import build_index, build_letters


@require_safe
def speakers(request: HttpRequest, event_slug: str) -> HttpResponse:
    """Everybody on the programme, A to Z by family name, searchable."""
    event = get_public_event(event_slug)
    viewing = Viewing.of(event, request.GET)
    query = read_query(request)
    found = list(event.speakers.public().matching(query).in_order().defer("bio"))
    groups = build_index(found, event.sessions.public().listed().as_agenda(viewing))
    context = {"groups": groups, "letters": build_letters(groups), "q": query, "match_count": len(found)}
    return render(request, "speakers/speakers.html", build_frame(request, event, viewing, "speakers") | context)


@require_safe
def speaker(request: HttpRequest, event_slug: str, id: int, slug: str) -> HttpResponse:
    """One person: who they are and when they speak."""
    event = get_public_event(event_slug)
    viewing = Viewing.of(event, request.GET)
    shown = get_object_or_404(event.speakers.public(), pk=id)
    if slug != shown.slug:
        return redirect(viewing.keep(shown.get_absolute_url()), permanent=True)
    slug = shown.affiliation_slug
    # A reverse name: imports point down, addresses may point anywhere.
    affiliation = reverse("schedule:affiliation", args=[event.slug, slug]) if slug else ""
    context = {
        "speaker": shown,
        "rows": event.sessions.public().filter(speakers=shown).listed().as_agenda(viewing).rows,
        "affiliation_url": viewing.keep(affiliation) if slug else "",
    }
    return render(request, "speakers/speaker.html", build_frame(request, event, viewing, "speakers") | context)
