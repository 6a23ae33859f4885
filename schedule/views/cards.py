"""Pictures for links: the event's and each session's."""

from contextlib import AbstractContextManager, nullcontext

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import get_language_bidi, override
from django.views.decorators.http import require_safe

from conference.dates import format_dates, format_day
from conference.frame import get_public_event
from conference.viewing import Viewing
from schedule.agenda import build_row
from schedule.exports.card import draw_card


@require_safe
def event_card(request: HttpRequest, event_slug: str) -> HttpResponse:
    """The picture of an event: its name, days and place."""
    event = get_public_event(event_slug)
    place = ", ".join(part for part in (event.venue, event.city, event.country) if part)
    with in_drawable_language():
        facts = [format_dates(event.start_date, event.end_date), place]
    return HttpResponse(draw_card("", event.name, facts, event.hue), content_type="image/png")


@require_safe
def session_card(request: HttpRequest, event_slug: str, id: int) -> HttpResponse:
    """The picture of a session: its title, time, room and people."""
    event = get_public_event(event_slug)
    session = get_object_or_404(event.sessions.public().with_people(), pk=id)
    row = build_row(session, Viewing.of(event, request.GET))
    with in_drawable_language():
        when = f"{format_day(row.start.date(), 'medium')}, {row.start:%H:%M}–{row.end:%H:%M}" if row.start else ""
    place = " · ".join(part for part in (when, session.room.name if session.room else "") if part)
    people = ", ".join(link.speaker.name for link in session.session_speakers.all())
    return HttpResponse(draw_card(event.name, session.title, [place, people], event.hue), content_type="image/png")


def in_drawable_language() -> AbstractContextManager:
    """Say days in English where the page is in a script that the pictures' typeface lacks, and that runs leftwards."""
    return override("en") if get_language_bidi() else nullcontext()
