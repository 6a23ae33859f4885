"""The addresses of all public pages, for search engines: an index, and one list for each event."""

from datetime import datetime

from django.contrib.sitemaps import Sitemap
from django.contrib.sitemaps import views as sitemap_views
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from conference.frame import get_public_event
from conference.models import Event
from schedule.pages import list_details, list_overviews


class EventSitemap(Sitemap):
    """The pages of one event, each as new as the programme: one version holds for all of them."""

    def __init__(self, event: Event):
        self.event = event

    def items(self) -> list[str]:
        return [*list_overviews(self.event), *list_details(self.event)]

    def location(self, item: str) -> str:
        return item

    def lastmod(self, item: str) -> datetime:
        return self.event.programme_changed_at


@require_safe
def sitemap_index(request: HttpRequest) -> HttpResponse:
    """The lists of all events."""
    found = {event.slug: _Outline(event) for event in Event.objects.public().latest_first()}
    return sitemap_views.index(request, found, sitemap_url_name="sitemap")


@require_safe
def sitemap(request: HttpRequest, section: str) -> HttpResponse:
    """The pages of one event."""
    return sitemap_views.sitemap(request, {section: EventSitemap(get_public_event(section))}, section)


class _Outline(EventSitemap):
    """One event as the index needs it: how new it is; which pages it has is asked for there."""

    def items(self) -> list[str]:
        return [self.event.get_absolute_url()]

    def get_latest_lastmod(self) -> datetime:
        return self.event.programme_changed_at
