"""Pages above the events."""

from django.conf import settings
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.static import serve

from conference.models import Event


def home(request: HttpRequest) -> HttpResponse:
    """List the public events, the latest first; a single one is shown at once."""
    events = list(Event.objects.public().latest_first())
    if len(events) == 1:
        return redirect(events[0])
    return render(request, "home.html", {"events": events})


def media(request: HttpRequest, path: str) -> FileResponse:
    """An uploaded file. Whatever it is, it acts with no rights of this site."""
    response = serve(request, path, document_root=settings.MEDIA_ROOT)
    response.headers["Content-Security-Policy"] = (
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self'"
    )
    return response
