"""Pages above the events."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from conference.models import Event


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """List the public events, the latest first; a single one is shown at once."""
    events = list(Event.objects.public().latest_first())
    if len(events) == 1:
        return redirect(events[0])
    return render(request, "home.html", {"events": events})
