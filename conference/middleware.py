"""Headers that every response carries."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

# Nothing from elsewhere, ever. Style attributes carry an organiser's own track hue as a custom property.
POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data:",
        "style-src 'self'",
        "style-src-attr 'unsafe-inline'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)


def content_security_policy(get_response: Callable[[HttpRequest], HttpResponse]):
    """Add `Content-Security-Policy` to every response that does not bring its own."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        return response

    return middleware
