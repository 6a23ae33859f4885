"""What happens to every request before it is answered: who asks, how often, may they, and is it small enough."""

from rest_framework import exceptions
from rest_framework.request import Request

from conference.api.access import OrganisersWrite, TokenAuthentication
from conference.api.errors import AlwaysJson, TooLarge
from conference.api.limits import PerAddress, PerToken

LARGEST_BODY = 1024 * 1024


class Asked:
    """The part of every view of the API that meets a request first."""

    authentication_classes = (TokenAuthentication,)
    permission_classes = (OrganisersWrite,)
    throttle_classes = (PerAddress, PerToken)
    content_negotiation_class = AlwaysJson
    http_method_names = ("get", "head", "post", "put", "patch", "delete")
    largest_body = LARGEST_BODY
    # The model whose rights a token's maker needs, where it is not the one that is read and written.
    rights_of = None

    def initial(self, request: Request, *args, **kwargs) -> None:
        method = request.method.lower()
        if method not in self.http_method_names or not hasattr(self, method):
            raise exceptions.MethodNotAllowed(request.method)
        super().initial(request, *args, **kwargs)
        if request.query_params.get("drafts", "0") not in ("0", "1"):
            raise exceptions.ValidationError({"drafts": ["Say 1 or 0."]})
        if int(request.META.get("CONTENT_LENGTH") or 0) > self.largest_body:
            raise TooLarge

    def perform_authentication(self, request: Request) -> None:
        """Find out who asks, and count it before anything else, also for a bad token."""
        try:
            super().perform_authentication(request)
        finally:
            super().check_throttles(request)

    def check_throttles(self, request: Request) -> None:
        """They were checked by perform_authentication."""

    @property
    def is_asked_for_drafts(self) -> bool:
        return self.request.query_params.get("drafts", "") == "1"
