"""Uploaded files, behind the one gate."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from django.views.static import serve

from schedule.models import Material, Session
from speakers.models import Speaker


@require_safe
def media(request: HttpRequest, path: str) -> HttpResponse:
    """An uploaded file of what is public; organisers see all. Whatever it is, it acts with no rights of this site."""
    if not (is_public_file(path) or request.user.is_staff):
        raise Http404
    try:
        response = serve(request, path, document_root=settings.MEDIA_ROOT)
    except OSError:
        raise Http404 from None
    # A file has its own length and ranges: not for GZipMiddleware.
    response.headers["Content-Encoding"] = "identity"
    response.headers["Content-Security-Policy"] = (
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self'"
    )
    return response


def is_public_file(path: str) -> bool:
    """Whether `path` is a material of a public session or the photo of a public speaker."""
    materials = Material.objects.filter(file=path, session__in=Session.objects.public())
    return materials.exists() or Speaker.objects.public().filter(photo=path).exists()
