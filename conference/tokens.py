"""Tokens of the API: what lets a program write to one event in an organiser's name."""

import hashlib
import secrets
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

PREFIX = "plenary_"
USUAL_LIFE = timedelta(days=365)
# How exact "last used" is: not every request has to write.
USE_IS_NOTED_EVERY = timedelta(minutes=1)


def in_a_year() -> datetime:
    return datetime.now(UTC) + USUAL_LIFE


def hash_token(token: str) -> str:
    """Return what is stored of a token. It has 256 random bits, so no slow hash is needed."""
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


class ApiTokenQuerySet(models.QuerySet):
    def good(self, now: datetime):
        """Those that open something at `now`: a token can do no more than whoever made it, who must still be here."""
        return self.filter(revoked_at=None, expires_at__gt=now, created_by__is_active=True)

    def with_secret(self, token: str):
        """The one with this secret. A look-up of a hash tells nothing of the secret by the time it takes."""
        return self.filter(token_hash=hash_token(token))


class ApiToken(models.Model):
    """The right of a program to write to one event. Its secret is shown once and kept nowhere here."""

    event = models.ForeignKey(
        "conference.Event", on_delete=models.CASCADE, related_name="api_tokens", verbose_name=_("event")
    )
    name = models.CharField(
        _("name"), max_length=100, help_text=_("What it is for; the history names it: “Registration desk”.")
    )
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", editable=False, verbose_name=_("who")
    )
    created_at = models.DateTimeField(_("made"), db_default=Now(), editable=False)
    expires_at = models.DateTimeField(_("expires"), default=in_a_year)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True, editable=False)
    last_used = models.DateTimeField(_("last used"), null=True, blank=True, editable=False)

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")
        ordering = ["event", "name", "id"]

    def __str__(self) -> str:
        return self.name

    def renew_secret(self) -> str:
        """Give the token a new secret and return it; only its hash stays here."""
        secret = PREFIX + secrets.token_urlsafe(32)
        self.token_hash = hash_token(secret)
        return secret

    def note_use(self, now: datetime) -> None:
        """Remember that it was used, to the minute."""
        is_old = Q(last_used=None) | Q(last_used__lt=now - USE_IS_NOTED_EVERY)
        if self.last_used is None or self.last_used < now - USE_IS_NOTED_EVERY:
            type(self).objects.filter(is_old, pk=self.pk).update(last_used=now)
