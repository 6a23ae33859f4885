"""How often one place may write. A whole hall shares an address: the limits stop scripts, not people."""

from collections.abc import Callable
from functools import wraps
from ipaddress import ip_address

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse

_MINUTE = 60


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


def limit(what: str, most: int) -> Callable:
    """Let a view answer `most` requests a minute from one network address; more get 429 and when to come back."""

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def answer(request: HttpRequest, *args, **kwargs) -> HttpResponse:
            key = f"limit {what} {find_address(request)}".replace(" ", "-")
            cache.add(key, 0, _MINUTE)
            try:
                count = cache.incr(key)
            except ValueError:
                # It ran out between the two calls.
                count = 1
            if count > most:
                return HttpResponse(status=429, headers={"Retry-After": str(_MINUTE)})
            return view(request, *args, **kwargs)

        return answer

    return decorate
