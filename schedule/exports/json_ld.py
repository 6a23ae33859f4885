"""Event and sessions in the words of schema.org, for search engines and assistants (JSON-LD in pages)."""

import json
from collections.abc import Callable, Iterable
from datetime import datetime

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from conference.dates import write_instant
from conference.models import Event
from conference.viewing import Viewing

_STATUS = {True: "https://schema.org/EventCancelled", False: "https://schema.org/EventScheduled"}
_RESCHEDULED = "https://schema.org/EventRescheduled"
_OFFLINE, _MIXED = "https://schema.org/OfflineEventAttendanceMode", "https://schema.org/MixedEventAttendanceMode"
# Within a script element nothing may look like its end, or like the beginning of another.
_ESCAPES = {ord(">"): "\\u003E", ord("<"): "\\u003C", ord("&"): "\\u0026", 0x2028: "\\u2028", 0x2029: "\\u2029"}


def describe_event(event: Event, sessions: Iterable, make_absolute: Callable[[str], str]) -> dict:
    """Return `event` with `sessions` (public, with room) as its parts, each in short: its own page says more."""
    return {
        "@context": "https://schema.org",
        "@type": "Event",
        "name": event.name,
        "url": make_absolute(event.get_absolute_url()),
        "startDate": event.start_date.isoformat(),
        "endDate": event.end_date.isoformat(),
        "eventStatus": _STATUS[False],
        "eventAttendanceMode": _OFFLINE,
        "location": _describe_place(event),
        "subEvent": [
            _outline(session, event, make_absolute) for session in sessions if session.start and not session.is_break
        ],
    } | {name: text for name, text in (("description", event.tagline), ("sameAs", event.website_url)) if text}


def describe_session(
    event: Event, session, viewing: Viewing, moved_from: datetime | None, make_absolute: Callable[[str], str]
) -> dict:
    """Return one session of `event` (with_people(), scheduled) with all there is to say.

    `moved_from` is its start before it was last moved.
    """
    said = {"@context": "https://schema.org"} | _outline(session, event, make_absolute)
    place = _describe_place(event, session.room.name if session.room else "")
    said["location"] = [place, _describe_stream(session)] if session.stream_url else place
    said["eventAttendanceMode"] = _MIXED if session.stream_url else _OFFLINE
    said["superEvent"] = {
        "@type": "Event",
        "name": event.name,
        "url": make_absolute(event.get_absolute_url()),
        "startDate": event.start_date.isoformat(),
        "endDate": event.end_date.isoformat(),
        "location": _describe_place(event),
    }
    said["performer"] = [
        _describe_person(event, link.speaker, make_absolute) for link in session.session_speakers.all()
    ]
    said["inLanguage"] = viewing.language
    said["description"] = session.abstract
    if moved_from and not session.is_cancelled:
        said |= {"eventStatus": _RESCHEDULED, "previousStartDate": _local(moved_from, event)}
    return {name: value for name, value in said.items() if value not in ("", [])}


def write_json_ld(said: dict) -> SafeString:
    """Return `said` as the content of a script element. Data only: no policy has to allow it."""
    return mark_safe(json.dumps(said, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPES))  # noqa: S308


def _outline(session, event: Event, make_absolute: Callable[[str], str]) -> dict:
    return {
        "@type": "Event",
        "name": session.title,
        "url": make_absolute(session.get_absolute_url()),
        "startDate": _local(session.start, event),
        "endDate": _local(session.end, event),
        "eventStatus": _STATUS[session.is_cancelled],
        "location": {"@type": "Place", "name": session.room.name if session.room else event.venue or event.name},
    }


def _local(instant: datetime, event: Event) -> str:
    return write_instant(instant.astimezone(event.zone))


def _describe_place(event: Event, room: str = "") -> dict:
    address = {"addressLocality": event.city, "addressCountry": event.country}
    known = {name: text for name, text in address.items() if text}
    place = {"@type": "Place", "name": ", ".join(filter(None, (room, event.venue))) or event.city or event.name}
    return place | ({"address": {"@type": "PostalAddress"} | known} if known else {"address": event.name})


def _describe_stream(session) -> dict:
    return {"@type": "VirtualLocation", "url": session.stream_url}


def _describe_person(event: Event, speaker, make_absolute: Callable[[str], str]) -> dict:
    address = reverse("speakers:speaker", args=[event.slug, speaker.pk, speaker.slug])
    said = {"@type": "Person", "name": speaker.name, "url": make_absolute(address)}
    if speaker.position:
        said["jobTitle"] = speaker.position
    return said | (
        {"affiliation": {"@type": "Organization", "name": speaker.affiliation}} if speaker.affiliation else {}
    )
