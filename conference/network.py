"""Where a request comes from."""

from ipaddress import ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest


def find_address(request: HttpRequest) -> str:
    """Return whose request it is, as the outermost proxy of ours saw it: an address, of IPv6 the /64 that is one's own.

    Each proxy adds at the right of `X-Forwarded-For` whom it was asked by; what stands further left, anybody may have
    written. A request that did not pass all our proxies, or names no address there, is from whoever is connected.
    """
    connected = _name_owner(request.META.get("REMOTE_ADDR", ""))
    number = settings.TRUSTED_PROXIES
    passed = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",")]
    if not 0 < number <= len(passed):
        return connected
    return _name_owner(passed[-number]) or connected


def _name_owner(text: str) -> str:
    """Return the address or network that one party holds; "" for no address."""
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return ""
    mapped = getattr(address, "ipv4_mapped", None)
    return str(mapped or (address if address.version == 4 else ip_network((address, 64), strict=False)))
