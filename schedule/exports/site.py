"""The whole public site of one event as files that need no server, for archiving it after the event."""

import mimetypes
import posixpath
import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from conference.models import Event
from schedule.exports.files import FILE_FORMS
from schedule.exports.static_html import write_static
from schedule.pages import list_details, list_overviews

# What is asked of a server, or is another person's: there is none.
_LIVE = re.compile(r"(?:my|now|zones|embed)(?:/|\.|$)|rooms/[^/]+/screen/|offline\.json|manifest\.webmanifest")
_DAY = re.compile(r"day=(\d{4}-\d\d-\d\d)")
_IN_CSS = re.compile(r"(url\([\"']?|@import\s+[\"'])([^)\"']+)")


@dataclass
class SiteWriter:
    """Writes the pages of `event` in every language, and all files they lead to, beneath `folder`.

    The schedule is `index.html`; every other address keeps its place below it, without the event's slug.
    `report` is called with the number of files written so far.
    """

    event: Event
    folder: Path
    report: Callable[[int], None] = lambda count: None
    # File by address; None where an address leads to nothing that can be kept.
    _known: dict[str, str | None] = field(default_factory=dict)
    # What is still to be written: address, content, media type.
    _waiting: deque[tuple[str, bytes, str]] = field(default_factory=deque)

    def write(self) -> int:
        """Write everything; return how many files. Raises OSError where the disk refuses."""
        for language, _name in settings.LANGUAGES:
            with override(language):
                for address in (*list_overviews(self.event), *list_details(self.event)):
                    self._find_file(address)
        self._find_file(reverse("schedule:changes_feed", args=[self.event.slug]))
        for ending in FILE_FORMS:
            self._find_file(reverse("schedule:schedule_file", args=[self.event.slug, ending]))
        count = 0
        while self._waiting:
            self._write_file(*self._waiting.popleft())
            count += 1
            self.report(count)
        return count

    # Addresses

    def _find_file(self, address: str) -> str | None:
        """Return the file for an address of this site, and see to it that it is written; None if there is none."""
        if address not in self._known:
            file = self._name_file(address)
            found = self._fetch(address) if file else None
            self._known[address] = file if found else None
            if found:
                self._waiting.append((address, *found))
        return self._known[address]

    def _name_file(self, address: str) -> str | None:
        path = unquote(address).lstrip("/")
        if ".." in path.split("/"):
            return None
        for prefix in (settings.STATIC_URL, settings.MEDIA_URL):
            if path.startswith(prefix.lstrip("/")):
                return f"{prefix.strip('/')}/{path.removeprefix(prefix.lstrip('/'))}"
        first, _slash, rest = path.partition("/")
        language = first if first in dict(settings.LANGUAGES) else ""
        slug, _slash, below = (rest if language else path).partition("/")
        if slug != self.event.slug or _LIVE.match(below):
            return None
        below = f"{below}index.html" if below.endswith("/") or not below else below
        return f"{language}/{below}" if language else below

    def _find_target(self, source: str, address: str) -> str | None:
        """Return what stands in a link of the file `source` for an address; None where it leads nowhere."""
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            return None if parts.scheme == "webcal" else address
        if not parts.path:
            return f"#{parts.fragment}" if parts.fragment else None
        fragment = parts.fragment
        if parts.query:
            # A day is a place in the whole list; any other question needs somebody who answers.
            if not (day := _DAY.fullmatch(parts.query)):
                return None
            fragment = fragment or f"d-{day[1]}"
        file = self._find_file(parts.path)
        if file is None:
            return None
        relative = quote(posixpath.relpath(file, posixpath.dirname(source) or "."))
        return f"{relative}#{fragment}" if fragment else relative

    # Files

    def _write_file(self, address: str, content: bytes, content_type: str) -> None:
        file = self._known[address]
        if content_type.startswith("text/html"):
            page = content.decode()
            content = write_static(page, lambda target: self._find_target(file, target)).encode()
        elif content_type.startswith("text/css"):
            content = self._write_css(file, address, content.decode()).encode()
        path = self.folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    def _write_css(self, file: str, address: str, text: str) -> str:
        def lead(found: re.Match) -> str:
            target = posixpath.normpath(posixpath.join(posixpath.dirname(address), found[2]))
            leads_out = ":" in found[2] or found[2].startswith("#")
            return found[0] if leads_out else f"{found[1]}{self._find_target(file, target) or found[2]}"

        return _IN_CSS.sub(lead, text)

    def _fetch(self, address: str) -> tuple[bytes, str] | None:
        """Return what is at an address, and its media type; None if it is nothing for everybody."""
        static = f"/{settings.STATIC_URL.strip('/')}/"
        if address.startswith(static):
            return _read(Path(settings.STATIC_ROOT) / unquote(address.removeprefix(static)))
        response = Client(headers={"host": _choose_host()}).get(address, secure=settings.SECURE_SSL_REDIRECT)
        if response.status_code != 200:
            return None
        return response.getvalue(), response.headers["Content-Type"]


def _read(path: Path) -> tuple[bytes, str] | None:
    if not path.is_file():
        return None
    return path.read_bytes(), mimetypes.guess_type(path.name)[0] or "application/octet-stream"


def _choose_host() -> str:
    """Return a name that this site answers to; it stands in files that must name an address."""
    named = [host.lstrip(".") for host in settings.ALLOWED_HOSTS if host.strip("*.")]
    return next((host for host in named if host not in ("localhost", "127.0.0.1", "[::1]")), "localhost")
