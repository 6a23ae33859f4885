"""How often the API may be asked a minute. A whole hall may share an address: the limits stop scripts, not people."""

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from conference.network import find_address


class PerMinute(SimpleRateThrottle):
    """So many requests a minute; the limit is a setting, 0 for none."""

    setting = ""

    def get_rate(self) -> str | None:
        most = getattr(settings, self.setting)
        return f"{most}/min" if most else None

    def name_asker(self, request: Request) -> str | None:
        """Return who is counted, None for whom another limit counts."""
        raise NotImplementedError

    def get_cache_key(self, request: Request, view) -> str | None:
        asker = self.name_asker(request)
        return asker and f"{self.setting}-{asker}".replace(" ", "-")


class PerAddress(PerMinute):
    """Whoever brings no good token, by network address."""

    setting = "API_REQUESTS_PER_ADDRESS"

    def name_asker(self, request: Request) -> str | None:
        return find_address(request) if request.auth is None else None


class PerToken(PerMinute):
    """Whoever brings a good token, by it."""

    setting = "API_REQUESTS_PER_TOKEN"

    def name_asker(self, request: Request) -> str | None:
        return str(request.auth.pk) if request.auth else None
