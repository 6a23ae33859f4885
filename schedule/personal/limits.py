"""How often one place may write. A whole hall shares an address: the limits stop scripts, not people."""

from collections.abc import Callable
from functools import wraps

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse

from conference.network import find_address

_MINUTE = 60


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
