"""Headers of every answer of the API: its name, and that any site may read it."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

from conference.api.states import make_digest
from conference.page_cache import ENCODERS, choose_encoding

PREFIX = "/api/v1/"
# What GZipMiddleware leaves alone; all above is compressed, and named, here.
SHORTEST_COMPRESSED = 200
PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, HEAD",
    "Access-Control-Allow-Headers": "Accept, If-None-Match",
    "Access-Control-Max-Age": "86400",
}


def name_answers(get_response: Callable[[HttpRequest], HttpResponse]):
    """Give every answer of the API a strong ETag, compressed or not; ConditionalGetMiddleware then answers 304.

    A compressed answer is named apart, for it has other bytes; GZipMiddleware would only weaken the name.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if not request.path_info.startswith(PREFIX) or response.streaming:
            return response
        patch_vary_headers(response, ["Accept-Encoding"])
        if not 200 <= response.status_code < 300 or not response.content:
            return response
        response.headers["Cache-Control"] = "private, no-cache" if "Authorization" in request.headers else "no-cache"
        digest = make_digest(response.content)
        state = response.headers.get("ETag", "").strip('"')
        encoding = choose_encoding(request) if len(response.content) >= SHORTEST_COMPRESSED else ""
        if encoding:
            response.content = ENCODERS[encoding](response.content)
            response.headers["Content-Encoding"] = encoding
        if response.has_header("Content-Length"):
            response.headers["Content-Length"] = str(len(response.content))
        name = f"{state}.{digest}" if state else digest
        response.headers["ETag"] = f'"{name}-{encoding}"' if encoding else f'"{name}"'
        return response

    return middleware


def open_reads(get_response: Callable[[HttpRequest], HttpResponse]):
    """Let pages of any site read the API (CORS), without credentials; write they can't."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(PREFIX):
            return get_response(request)
        is_preflight = request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers
        response = HttpResponse(status=204, headers=PREFLIGHT) if is_preflight else get_response(request)
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Access-Control-Expose-Headers"] = "ETag, Retry-After"
        return response

    return middleware
