"""What every page of an event shows around its content: dates, zone, tabs."""

from dataclasses import dataclass
from datetime import datetime, time
from urllib.parse import urlencode

from django.db import models
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse

from conference.dates import format_dates
from conference.models import Event
from conference.viewing import Viewing
from conference.zones import ZoneWords

LONGEST_QUERY = 100


def read_query(request: HttpRequest) -> str:
    """Return what a visitor searches for on a page of names; a NUL, which no database takes, is a blank."""
    return request.GET.get("q", "").replace("\0", " ").strip()[:LONGEST_QUERY]


def get_public_event(slug: str) -> Event:
    """Return the public event with this slug, or answer 404."""
    return get_object_or_404(Event.objects.public(), slug=slug)


@dataclass(frozen=True, slots=True)
class ZoneMenu:
    """Where the choice of zones leads: this page in the event's zone, by whose days, and the list of all zones.

    `device_url` lacks the name of the zone at its end, which only the browser knows.
    """

    event_url: str
    event_days_url: str
    viewer_days_url: str
    list_url: str
    device_url: str

    @classmethod
    def of(cls, request: HttpRequest, event: Event, viewing: Viewing) -> "ZoneMenu":
        here = request.get_full_path()
        plain = viewing.change(here, "")
        listing = reverse("zones", args=[event.slug])
        return cls(
            plain,
            viewing.change(here, viewing.zone.key),
            viewing.change(here, viewing.zone.key, has_viewer_days=True),
            viewing.keep(f"{listing}?{urlencode({'to': plain})}"),
            f"{plain}{'&' if '?' in plain else '?'}tz=",
        )


def build_frame(request: HttpRequest, event: Event, viewing: Viewing, current_tab: str = "") -> dict:
    """Return the part of a template's context that is the same on every page of `event`, shown as `viewing` says."""
    speakers: models.QuerySet = event.speakers.public()
    noon = datetime.combine(event.start_date, time(12), event.zone)
    return {
        "event": event,
        "event_place": ", ".join(part for part in (event.venue, event.city, event.country) if part),
        "event_dates": format_dates(event.start_date, event.end_date),
        "viewing": viewing,
        # Filters and zones show the same page otherwise: search engines know it by one address.
        "canonical_url": request.build_absolute_uri(request.path),
        # Both as of noon of the first day; a session's page says them as of the session.
        "zone": ZoneWords.at(noon, viewing.zone),
        "event_zone": ZoneWords.at(noon, event.zone),
        "zone_menu": ZoneMenu.of(request, event, viewing),
        "current_tab": current_tab,
        "speaker_count": speakers.count(),
        "updated_at": event.programme_changed_at.astimezone(viewing.zone),
    }
