"""What stands in every page instead of a request: the script of the colour scheme, and the icon."""

import base64
import hashlib
from pathlib import Path
from urllib.parse import quote

SCHEME_SCRIPT = (Path(__file__).parent / "scheme.js").read_text(encoding="utf-8").strip()
# What the policy allows: this text and no other.
SCHEME_HASH = f"sha256-{base64.b64encode(hashlib.sha256(SCHEME_SCRIPT.encode()).digest()).decode()}"

_FAVICON = Path(__file__).parent / "static/conference/favicon.svg"
FAVICON_URL = f"data:image/svg+xml,{quote(_FAVICON.read_text(encoding='utf-8').strip(), safe=' =:/')}"
