"""List and grid in a frame of the organiser's own site: the same pages without what stands around them."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from conference.frame import get_public_event
from conference.middleware import NO_FRAMES, POLICY
from schedule.views.board import schedule
from schedule.views.grid import grid


@require_safe
def embed(request: HttpRequest, event_slug: str) -> HttpResponse:
    """The list, in a frame of the sites that the organiser names."""
    return _frame(schedule, request, event_slug)


@require_safe
def embed_grid(request: HttpRequest, event_slug: str) -> HttpResponse:
    """The grid, in a frame of the sites that the organiser names."""
    return _frame(grid, request, event_slug)


def _frame(view: Callable[..., HttpResponse], request: HttpRequest, event_slug: str) -> HttpResponse:
    response = view(request, event_slug, is_embedded=True)
    if sites := get_public_event(event_slug).embedding_sites:
        response.headers["Content-Security-Policy"] = POLICY.replace(NO_FRAMES, f"frame-ancestors {' '.join(sites)}")
        # The older header knows no list of sites, and would forbid them all.
        response.xframe_options_exempt = True
    return response
