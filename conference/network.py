"""Where a request comes from."""

from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest


def find_address(request: HttpRequest) -> str:
    """Return the network address that a request came from, as the outermost proxy of ours saw it.

    Each proxy adds at the right of `X-Forwarded-For` whom it was asked by; what stands further left, anybody may have
    written. A request that did not pass all our proxies, or names no address there, is from whoever is connected.
    """
    connected = request.META.get("REMOTE_ADDR", "")
    number = settings.TRUSTED_PROXIES
    passed = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",")]
    if not 0 < number <= len(passed):
        return connected
    try:
        return str(ip_address(passed[-number]))
    except ValueError:
        return connected
