"""Pages above the events."""

from datetime import datetime, time

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_safe

from conference.frame import build_frame, get_public_event, read_query
from conference.models import Event
from conference.page_cache import find_release
from conference.secrecy import SECRET_ADDRESS, keep_secret
from conference.text import matching_key
from conference.viewing import Viewing
from conference.worker import GOODBYE, write_worker
from conference.zones import list_zones


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """List the public events, the latest first; a single one is shown at once."""
    events = list(Event.objects.public().latest_first())
    if len(events) == 1:
        return redirect(events[0])
    return render(request, "home.html", {"events": events})


# What is nobody's but one person's, or an organiser's.
ROBOTS = """\
User-agent: *
Disallow: /admin/
Disallow: /*/my/
Disallow: /*/zones/

Sitemap: {address}
"""


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """What search engines may read, and where the list of all pages is."""
    address = request.build_absolute_uri(reverse("sitemap_index"))
    return HttpResponse(ROBOTS.format(address=address), content_type="text/plain; charset=utf-8")


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """The script that keeps programmes for reading offline; asked for anew each time, so that a bad one never stays."""
    text = write_worker(find_release()) if settings.SERVICE_WORKER else GOODBYE
    return HttpResponse(text, content_type="text/javascript; charset=utf-8", headers={"Cache-Control": "no-cache"})


@require_safe
def zones(request: HttpRequest, event_slug: str) -> HttpResponse:
    """All time zones as of the event, each a way back to the page `to` with its times in that zone."""
    event = get_public_event(event_slug)
    viewing = Viewing.of(event, request.GET)
    back = request.GET.get("to", "")
    if not back.startswith(event.get_absolute_url()) or not url_has_allowed_host_and_scheme(back, None):
        back = event.get_absolute_url()
    query = read_query(request)
    noon = datetime.combine(event.start_date, time(12), event.zone)
    words = matching_key(query).split()
    choices = [choice for choice in list_zones(noon) if all(f" {word}" in choice.search_key for word in words)]
    context = {"zones": [(c, viewing.change(back, c.words.name)) for c in choices], "q": query, "back": back}
    response = render(request, "zones.html", build_frame(request, event, viewing) | context)
    return keep_secret(response) if SECRET_ADDRESS.search(request.get_full_path()) else response
