"""Addresses that are all the right there is, such as those of personal schedules: how they look, how they are kept."""

import re

from django.http import HttpResponse

# Also as the parameter of another address.
SECRET_ADDRESS = re.compile(r"((?:/|%2F)my(?:/|%2F)(?:(?:feed|shared)(?:/|%2F))?)[A-Za-z0-9_-]{20,}", re.IGNORECASE)


def keep_secret(response: HttpResponse) -> HttpResponse:
    """Mark `response` as nobody else's: not kept, not indexed, its address told to no other site."""
    response.headers["Cache-Control"] = "private, no-store"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["X-Robots-Tag"] = "noindex, nofollow"
    return response
