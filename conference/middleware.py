"""Headers that every response carries, and who gets a session at all."""

from collections.abc import Callable
from http import HTTPStatus

from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language_from_request, override

from conference.inline import SCHEME_HASH
from conference.models import RESERVED_SLUGS

SCHEDULE_TEXT = "schedule.txt"
NO_FRAMES = "frame-ancestors 'none'"
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
        NO_FRAMES,
    )
)


def content_security_policy(get_response: Callable[[HttpRequest], HttpResponse]):
    """Add `Content-Security-Policy` to every response that does not bring its own."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        # With 304 a browser would take it for that of the page it has, which may be one to embed.
        if response.status_code != HTTPStatus.NOT_MODIFIED:
            response.headers.setdefault("Content-Security-Policy", POLICY)
        return response

    return middleware


def language_of_address(get_response: Callable[[HttpRequest], HttpResponse]):
    """Speak the language that the address begins with (/fr/…), else English; organisers' pages speak the browser's.

    No cookie and, on public pages, no header has a say, so that an address is one page for everybody.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        is_for_organisers = request.path_info.startswith(ForOrganisers.prefixes)
        first_part = request.path_info.split("/", 2)[1]
        if is_for_organisers:
            request.LANGUAGE_CODE = get_language_from_request(request)
        else:
            # Exactly: the event at /de-con/ is not in German.
            request.LANGUAGE_CODE = first_part if first_part in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
        with override(request.LANGUAGE_CODE):
            response = get_response(request)
            response.headers.setdefault("Content-Language", request.LANGUAGE_CODE)
            if is_for_organisers:
                patch_vary_headers(response, ["Accept-Language"])
            return response

    return middleware


# What people read schedules with in a terminal; they ask for anything, and want text.
_TERMINALS = ("curl/", "wget/", "httpie/", "xh/")


def text_for_terminals(get_response: Callable[[HttpRequest], HttpResponse]):
    """Answer `curl …/<event>/` with the schedule as text: the page of the same address for whoever has no browser.

    By the program's name and not by `Accept`, where the makers of link previews say no more than curl does.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        agent, accepted = request.headers.get("User-Agent", "").lower(), request.headers.get("Accept", "")
        if not agent.startswith(_TERMINALS) or "html" in accepted or not _is_schedule(request.path_info):
            return get_response(request)
        request.path += SCHEDULE_TEXT
        request.path_info += SCHEDULE_TEXT
        response = get_response(request)
        # The address is the page's: no cache between may give this to a browser.
        response.headers["Cache-Control"] = "private, no-cache"
        return response

    return middleware


def _is_schedule(path: str) -> bool:
    parts = path.strip("/").split("/")
    parts = parts[1:] if parts[0] in dict(settings.LANGUAGES) else parts
    return path.endswith("/") and len(parts) == 1 and parts[0].lower() not in RESERVED_SLUGS and parts[0] != ""


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
