"""The service worker: the script for reading a programme without a network, and the one that takes it away again.

Both are filled in and served by us at /sw.js, for a worker rules only what lies beneath its own address.
"""

import json
from pathlib import Path

from django.conf import settings
from django.conf.locale import LANG_INFO
from django.templatetags.static import static

from conference.models import RESERVED_SLUGS

_FOLDER = Path(__file__).parent
_TEXT = (_FOLDER / "worker.js").read_text(encoding="utf-8")
GOODBYE = (_FOLDER / "worker_goodbye.js").read_text(encoding="utf-8")
_FRAMES_ONLY = "embed.js"


def write_worker(release: str) -> str:
    """Return the worker's script for this release of the site."""
    known = {
        "release": release,
        "languages": [code for code, _name in settings.LANGUAGES],
        "reserved": sorted(RESERVED_SLUGS - LANG_INFO.keys()),
        "files": f"/{settings.STATIC_URL.strip('/')}/",
        "pictures": f"/{settings.MEDIA_URL.strip('/')}/",
    }
    return f"const SITE = {json.dumps(known, ensure_ascii=False)};\n{_TEXT}"


def list_files() -> list[str]:
    """Return the addresses of the static files that pages of an event need."""
    own = sorted(
        path.name for path in (_FOLDER / "static/conference").iterdir() if path.suffix in (".css", ".js", ".svg")
    )
    names = [f"conference/{name}" for name in own if name != _FRAMES_ONLY]
    return [static(name) for name in (*names, "django_htmx/htmx-2.min.js")]
