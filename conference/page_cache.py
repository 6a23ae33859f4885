"""Finished public pages, kept by programme version and address, and answered with 304 where the client has them.

A public page is a pure function of (programme version, address), so a version is all that has to be asked of the
database. Whoever writes rows past admin and importer calls `Event.mark_programme_changed()`.
"""

import gzip
import hashlib
import re
from collections import OrderedDict
from collections.abc import Callable
from functools import cache
from pathlib import Path
from threading import Lock

import brotli
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags

from conference.models import RESERVED_SLUGS, Event

LARGEST_CACHE = 64 * 1024 * 1024
LARGEST_PAGE = 4 * 1024 * 1024
LONGEST_ADDRESS = 1000
# What headers and bookkeeping of a page take: a million empty calendars are no small thing.
WEIGHT_OF_ENTRY = 1536
SHORTEST_COMPRESSED = 500
# Beyond this, a page takes longer to compress than a slow phone gains by it.
BROTLI_QUALITY = 5
ENCODERS: dict[str, Callable[[bytes], bytes]] = {
    "br": lambda body: brotli.compress(body, quality=BROTLI_QUALITY),
    "gzip": lambda body: gzip.compress(body, compresslevel=6, mtime=0),
    "": bytes,
}


class PageStore:
    """Bodies and headers by key, the least recently used going first. One a process; safe between threads."""

    def __init__(self, size: int = LARGEST_CACHE):
        self.size = size
        self._pages: OrderedDict[str, tuple[bytes, dict[str, str]]] = OrderedDict()
        self._lock = Lock()
        self._held = 0

    def get(self, key: str) -> tuple[bytes, dict[str, str]] | None:
        with self._lock:
            if key in self._pages:
                self._pages.move_to_end(key)
            return self._pages.get(key)

    def put(self, key: str, body: bytes, headers: dict[str, str]) -> None:
        with self._lock:
            if known := self._pages.pop(key, None):
                self._held -= len(known[0]) + WEIGHT_OF_ENTRY
            self._pages[key] = body, headers
            self._held += len(body) + WEIGHT_OF_ENTRY
            while self._held > self.size:
                _key, (oldest, _headers) = self._pages.popitem(last=False)
                self._held -= len(oldest) + WEIGHT_OF_ENTRY

    def clear(self) -> None:
        with self._lock:
            self._pages.clear()
            self._held = 0


pages = PageStore()


def cache_public_pages(get_response: Callable[[HttpRequest], HttpResponse]):
    """Answer GET and HEAD of an event's pages from the store; others pass."""
    release = find_release()

    def middleware(request: HttpRequest) -> HttpResponse:
        version = _find_version(request)
        if not version:
            return get_response(request)
        encoding = choose_encoding(request)
        address = f"{request.scheme}://{request.get_host()}{request.get_full_path()}"
        digest = hashlib.sha256(f"{release} {version} {encoding} {address}".encode()).hexdigest()[:32]
        etag = f'"{digest}"'
        if _has(request, etag):
            return _finish(HttpResponseNotModified(), etag)
        if found := pages.get(digest):
            body, headers = found
            return _finish(HttpResponse(body, headers=headers), etag)
        response = get_response(request)
        if not _may_be_kept(response):
            return response
        body = response.content
        is_text = response.headers["Content-Type"].startswith(("text/", "application/"))
        encoding = encoding if is_text and len(body) >= SHORTEST_COMPRESSED else ""
        response.content = ENCODERS[encoding](body)
        if encoding:
            response.headers["Content-Encoding"] = encoding
        if request.method == "GET" and len(response.content) <= LARGEST_PAGE:
            pages.put(digest, response.content, dict(response.headers))
        return _finish(response, etag)

    return middleware


@cache
def find_release() -> str:
    """Return what changes with the code: pages of an older one are not those of this one."""
    files = [path for folder in settings.SOURCE_FOLDERS for path in Path(folder).rglob("*") if path.suffix in _SOURCES]
    stamp = f"{settings.SERVICE_WORKER}" + "".join(f"{path}{path.stat().st_mtime_ns}" for path in sorted(files))
    return hashlib.sha256(stamp.encode()).hexdigest()[:16]


_SOURCES = frozenset({".py", ".html", ".css", ".js", ".mo", ".svg"})


def _find_version(request: HttpRequest) -> str:
    """Return what the content at this address depends on; "" where it is none of an event's public pages."""
    if (
        not settings.KEEPS_PAGES
        or request.method not in ("GET", "HEAD")
        or len(request.get_full_path()) > LONGEST_ADDRESS
    ):
        return ""
    parts = request.path_info.split("/")[1:]
    if parts[0] in dict(settings.LANGUAGES):
        parts = parts[1:]
    if len(parts) < 2 or not parts[0] or parts[0].lower() in RESERVED_SLUGS:
        return ""
    event = Event.objects.public().filter(slug=parts[0]).values_list("pk", "programme_version", "programme_changed_at")
    return "-".join(map(str, found)) if (found := event.first()) else ""


_REFUSED = re.compile(r";q=0(?:\.0*)?$")


def choose_encoding(request: HttpRequest) -> str:
    """Return the best of ENCODERS that whoever asks can read."""
    parts = request.headers.get("Accept-Encoding", "").lower().replace(" ", "").split(",")
    accepted = {part.partition(";")[0] for part in parts if not _REFUSED.search(part)}
    return next((encoding for encoding in ("br", "gzip") if encoding in accepted), "")


def _has(request: HttpRequest, etag: str) -> bool:
    # "*" asks whether there is such a page, which only making it can tell.
    return etag in (tag.removeprefix("W/") for tag in parse_etags(request.headers.get("If-None-Match", "")))


def _may_be_kept(response: HttpResponse) -> bool:
    is_plain = not response.streaming and not response.has_header("Content-Encoding") and not response.cookies
    return response.status_code == 200 and is_plain and not response.has_header("Cache-Control")


def _finish(response: HttpResponse, etag: str) -> HttpResponse:
    """Add what a client needs to ask again: it may keep the page, and asks each time whether it still holds."""
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = "no-cache"
    patch_vary_headers(response, ["Accept-Encoding"])
    if response.status_code == 200:
        response.headers["Content-Length"] = str(len(response.content))
    return response
