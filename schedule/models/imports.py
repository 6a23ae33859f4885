"""The history of imports: what each run read and changed, and what people deleted for good."""

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from conference.models import Event


class ImportRun(models.Model):
    """One import of one event. A preview holds its sources until it is applied or thrown away."""

    class Status(models.TextChoices):
        PREVIEW = "preview", _("Preview")
        APPLIED = "applied", _("Applied")
        ROLLED_BACK = "rolled-back", _("Rolled back")

    event = models.ForeignKey(
        Event, on_delete=models.SET_NULL, null=True, blank=True, related_name="import_runs", verbose_name=_("event")
    )
    event_name = models.CharField(_("event"), max_length=200)
    status = models.CharField(_("status"), max_length=12, choices=Status.choices, default=Status.APPLIED)
    created_at = models.DateTimeField(_("when"), db_default=Now())
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, verbose_name=_("who")
    )
    # [{"name", "sha256", "format", "bytes"}]; of a preview also {"data": base64}.
    sources = models.JSONField(_("files"), default=list)
    options = models.JSONField(default=dict)
    report = models.TextField(_("report"), blank=True)
    # Of a preview: a hash of what it would change, so that exactly that is applied.
    fingerprint = models.CharField(max_length=64, blank=True)
    # What was changed, so that it can be taken back (importing/journal.py).
    journal = models.JSONField(default=dict, encoder=DjangoJSONEncoder)

    class Meta:
        verbose_name = _("import")
        verbose_name_plural = _("imports")
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.event_name}, {self.created_at:%Y-%m-%d %H:%M}"


class Tombstone(models.Model):
    """A session of a source that a person deleted here: no import brings it back unasked."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="tombstones")
    title = models.CharField(max_length=400)
    source_key = models.TextField()
    source_id = models.CharField(max_length=300, blank=True)
    deleted_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return self.title
