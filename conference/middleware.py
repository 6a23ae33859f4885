"""Headers that every response carries, and who gets a session at all."""

from collections.abc import Callable

from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware

from conference.inline import SCHEME_HASH

# Nothing from elsewhere, ever. Style attributes carry an organiser's own track hue as a custom property.
POLICY = "; ".join(
    (
        "default-src 'self'",
        f"script-src 'self' '{SCHEME_HASH}'",
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


class ForOrganisers:
    """Middleware that is at work where people log in, and nowhere else.

    A public page is the same for everybody; a cookie in the request, of whatever origin, must not
    make it set or vary by one.
    """

    prefixes = ("/admin/", "/media/")

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info.startswith(self.prefixes):
            return super().__call__(request)
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view, args, kwargs):
        if request.path_info.startswith(self.prefixes) and hasattr(super(), "process_view"):
            return super().process_view(request, view, args, kwargs)
        return None


class OrganiserSession(ForOrganisers, SessionMiddleware):
    pass


class OrganiserCsrf(ForOrganisers, CsrfViewMiddleware):
    pass


class OrganiserAuthentication(ForOrganisers, AuthenticationMiddleware):
    pass


class OrganiserMessages(ForOrganisers, MessageMiddleware):
    pass
