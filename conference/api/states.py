"""States of rows and answers by name: ETag, and what `If-Match` guards.

The ETag of a row's address is "<state>.<content>": `state` names the row as it is stored, the same in every zone and
with any fields; `content` the very bytes. A write compares the states, a read the whole.
"""

import hashlib
import json
import re
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags
from rest_framework import exceptions, status
from rest_framework.request import Request
from rest_framework.utils.encoders import JSONEncoder

from conference.page_cache import ENCODERS, choose_encoding

PREFIX = "/api/v1/"
# What GZipMiddleware leaves alone; all above is compressed, and named, here.
SHORTEST_COMPRESSED = 200
_LENGTH = 24
_ETAG = r'(W/)?"[!#-~]*"'
# What If-Match may hold: "*", or one ETag or more.
ETAGS = rf"^(\*|{_ETAG}(, {_ETAG})*)$"


class Changed(exceptions.APIException):
    status_code = status.HTTP_412_PRECONDITION_FAILED
    default_detail = "Somebody changed this since you read it: read it again, and send If-Match with its new ETag."
    default_code = "changed"


class StateMissing(exceptions.APIException):
    status_code = status.HTTP_428_PRECONDITION_REQUIRED
    default_detail = "Send If-Match with the ETag of what you read, so that nobody's change is lost."
    default_code = "state_missing"


def name_state(said: dict) -> str:
    """Return a name for the state of a row that is `said` (as plain data)."""
    return _digest(json.dumps(said, cls=JSONEncoder, sort_keys=True).encode())


def check_state(request: Request, state: str, is_required: bool = True) -> None:
    """Raise Changed if `request` was sent for another state than this, StateMissing if it does not say for which."""
    sent = request.headers.get("If-Match", "").strip()
    if not sent and not is_required:
        return
    if not sent:
        raise StateMissing
    if not re.match(ETAGS, sent):
        raise exceptions.ValidationError({"If-Match": ["This is no ETag; it stands in double quotes."]})
    tags = parse_etags(sent)
    if tags != ["*"] and state not in [tag.strip('"').partition(".")[0] for tag in tags if tag.startswith('"')]:
        raise Changed


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
        digest = _digest(response.content)
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


PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, HEAD",
    "Access-Control-Allow-Headers": "Accept, If-None-Match",
    "Access-Control-Max-Age": "86400",
}


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:_LENGTH]
