"""Who asks: everybody reads what is public; a token of an event reads and writes that event."""

from datetime import UTC, datetime

from django.contrib.auth import get_permission_codename
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from conference.tokens import ApiToken

SCHEME = "Bearer"
RIGHT = "conference.change_event"
VERBS = {"POST": "add", "PUT": "change", "PATCH": "change", "DELETE": "delete"}


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer <token>`; then `request.auth` is the token and `request.user` whoever made it."""

    def authenticate(self, request: Request):
        scheme, _blank, secret = request.headers.get("Authorization", "").strip().partition(" ")
        if not scheme:
            return None
        if scheme.lower() != SCHEME.lower() or not secret.strip():
            raise exceptions.AuthenticationFailed("Send the header as “Authorization: Bearer <token>”.")
        now, secret = datetime.now(UTC), secret.strip()
        token = ApiToken.objects.good(now).with_secret(secret).select_related("event", "created_by").first()
        if token is None:
            raise exceptions.AuthenticationFailed("There is no such token, or it is expired or revoked.")
        if not token.created_by.has_perm(RIGHT):
            raise exceptions.AuthenticationFailed("Whoever made this token may not change the event any more.")
        token.note_use(now)
        return token.created_by, token

    def authenticate_header(self, request: Request) -> str:
        return SCHEME


class OrganisersWrite(BasePermission):
    """Reading what is public is for everybody; writing, and seeing drafts, needs a token of the event in the address.

    And its maker needs the right that the admin asks for the same. Both are asked before anything is looked up, so that
    an answer says nothing of what is there.
    """

    message = "This token is for another event."

    def has_permission(self, request: Request, view) -> bool:
        if request.method in SAFE_METHODS and not view.is_asked_for_drafts:
            return True
        if request.auth is None:
            raise exceptions.NotAuthenticated("This needs a token of the event.")
        if request.auth.event.slug != view.kwargs.get("slug"):
            return False
        if not any(map(request.user.has_perm, list_rights(request, view))):
            raise exceptions.PermissionDenied("Whoever made this token may not do this.")
        return True


def list_rights(request: Request, view) -> list[str]:
    """Return the rights of which a request needs one: as in the admin, who may change something may see it."""
    options = (view.rights_of or view.serializer_class.Meta.model)._meta
    verb = "change" if getattr(view, "action", "") == "cancel" else VERBS.get(request.method, "view")
    verbs = (verb, "change") if verb == "view" else (verb,)
    return [f"{options.app_label}.{get_permission_codename(verb, options)}" for verb in verbs]


class TokenScheme(OpenApiAuthenticationExtension):
    """The token as OpenAPI says it."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema) -> dict:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A token of one event, made in the admin under “API tokens”.",
        }
