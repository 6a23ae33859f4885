"""What every page of an event shows around its content: dates, zone, tabs."""

from dataclasses import dataclass
from datetime import date, datetime, time

from django.db import models
from django.shortcuts import get_object_or_404
from django.utils.formats import date_format

from conference.models import Event
from conference.templatetags.marks import utc_offset, zone_label


@dataclass(frozen=True, slots=True)
class ZoneWords:
    """A time zone said in words, with the offset it has at one instant."""

    name: str
    city: str
    abbreviation: str
    instant: datetime

    @classmethod
    def of(cls, event: Event) -> "ZoneWords":
        """The event's zone at noon of its first day."""
        noon = datetime.combine(event.start_date, time(12), event.zone)
        city = event.timezone.rpartition("/")[2].replace("_", " ")
        return cls(event.timezone, city, zone_label(noon), noon)

    @property
    def offset(self) -> str:
        return utc_offset(self.instant)


def format_dates(first: date, last: date) -> str:
    """Return a range of days in words: "7–8 April 2026", "30 April – 2 May 2026", "8 April 2026"."""
    if first == last:
        return date_format(first, "j F Y")
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}–{date_format(last, 'j F Y')}"
    return f"{date_format(first, 'j F' if first.year == last.year else 'j F Y')} – {date_format(last, 'j F Y')}"


def get_public_event(slug: str) -> Event:
    """Return the public event with this slug, or answer 404."""
    return get_object_or_404(Event.objects.public(), slug=slug)


def build_frame(event: Event, current_tab: str = "") -> dict:
    """Return the part of a template's context that is the same on every page of `event`."""
    speakers: models.QuerySet = event.speakers.public()
    return {
        "event": event,
        "event_place": ", ".join(part for part in (event.venue, event.city, event.country) if part),
        "event_dates": format_dates(event.start_date, event.end_date),
        "zone": ZoneWords.of(event),
        "current_tab": current_tab,
        "speaker_count": speakers.count(),
        "updated_at": event.programme_changed_at.astimezone(event.zone),
    }
