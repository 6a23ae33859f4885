"""What runs now and comes next."""

from datetime import UTC, datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from conference.frame import build_frame, get_public_event
from conference.viewing import Viewing
from schedule.now import build_moment, parse_instant

# A minute is what the page counts in.
KEPT_FOR = 30
LONGEST_AT = 40


@require_safe
def now(request: HttpRequest, event_slug: str) -> HttpResponse:
    """What runs now and what each room has next; `at` tries another time, on the clocks that the page shows."""
    event = get_public_event(event_slug)
    viewing = Viewing.of(event, request.GET)
    asked = request.GET.get("at", "")[:LONGEST_AT]
    at = parse_instant(asked, viewing.zone) if asked else None
    instant = at or datetime.now(UTC).astimezone(viewing.zone).replace(second=0, microsecond=0)
    agenda = event.sessions.public().scheduled().listed().as_agenda(viewing)
    context = {
        "moment": build_moment(agenda.rows, instant),
        "is_tried": at is not None,
        "unknown_at": asked if asked and at is None else "",
        "now_url": viewing.keep(reverse("schedule:now", args=[event.slug])),
    }
    response = render(request, "schedule/now.html", build_frame(request, event, viewing, "now") | context)
    if at is None:
        # The one page that depends on more than version and address.
        response.headers["Cache-Control"] = f"public, max-age={KEPT_FOR}"
    return response
