"""Secret links. The secret is shown once and kept nowhere here; what opens only a part is derived from it. Pure."""

import hashlib
import re
import secrets

# 192 bits; 128 is the least that nobody can guess.
_BYTES = 24
_TOKEN = re.compile(r"[A-Za-z0-9_-]{32}")
FEED, SHARE = "feed", "share"


def make_secret() -> str:
    """Return a new secret: 32 characters that can stand in an address."""
    return secrets.token_urlsafe(_BYTES)


def derive(secret: str, purpose: str) -> str:
    """Return the token that opens only `purpose` (FEED, SHARE) of the list behind `secret`; it leads nowhere else."""
    return hashlib.sha256(f"plenary {purpose} {secret}".encode()).hexdigest()[:32]


def hash_token(token: str) -> str:
    """Return what is stored of a secret or token. Looking up a hash tells nothing by the time it takes."""
    return hashlib.sha256(token.encode()).hexdigest()


def is_token(text: str) -> bool:
    """Whether `text` has the form of a secret or token."""
    return _TOKEN.fullmatch(text) is not None
