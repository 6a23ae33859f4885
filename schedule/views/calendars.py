"""Sessions as files for calendars."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from conference.frame import get_public_event
from conference.viewing import Viewing
from schedule.exports.ical import build_calendar
from schedule.filters import SessionFilter


@require_safe
def schedule_calendar(request: HttpRequest, event_slug: str) -> HttpResponse:
    """The sessions that the same filter leaves on the page, as iCalendar."""
    event = get_public_event(event_slug)
    viewing = Viewing.of(event, request.GET)
    question = SessionFilter(
        request.GET, event.sessions.public().scheduled().with_details().in_order(), viewing=viewing
    )
    return calendar_response(build_calendar(event, question.qs, request.build_absolute_uri), event.slug)


@require_safe
def session_calendar(request: HttpRequest, event_slug: str, id: int) -> HttpResponse:
    """One session as iCalendar."""
    event = get_public_event(event_slug)
    shown = get_object_or_404(event.sessions.public().scheduled().with_details(), pk=id)
    return calendar_response(build_calendar(event, [shown], request.build_absolute_uri), shown.slug)


def calendar_response(content: bytes, name: str) -> HttpResponse:
    """Answer with an iCalendar file that browsers offer to the calendar under `name`."""
    plain_name = name.encode("ascii", "ignore").decode().strip("-") or "schedule"
    return HttpResponse(
        content,
        content_type="text/calendar; charset=utf-8",
        headers={"Content-Disposition": f'inline; filename="{plain_name}.ics"'},
    )
