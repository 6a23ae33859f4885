"""What changed for attendees, once the programme was public."""

from datetime import datetime, timedelta
from uuid import UUID

from django.db import models
from django.utils.translation import gettext_lazy as _

from conference.models import Event, OfEventQuerySet
from schedule.changes import ChangeKind
from schedule.models.sessions import Session


class SessionChangeQuerySet(OfEventQuerySet):
    def public(self):
        """All of a public event: only what the public saw is ever written down."""
        return self.filter(event__is_public=True)

    def shown_of(self, event: Event):
        """Those that pages of `event` may say above a title, the latest last.

        The browser leaves out what is older than the event's period when it is looked at. That is never
        before the programme's last change, so what was too old then is left out here, the same for everybody.
        """
        earliest = event.programme_changed_at - timedelta(days=event.show_changes_days)
        kinds = (ChangeKind.MOVED, ChangeKind.ROOM) if event.show_changes_days else ()
        return self.filter(event=event, kind__in=kinds, session__isnull=False, at__gte=earliest).order_by("id")

    def sequences_of(self, event: Event) -> dict[UUID, int]:
        """Return by uid how often a session of `event` changed in what its attendees must know: a SEQUENCE.

        Rows are only added, so it never falls; by uid, so that a session deleted and imported again goes on.
        """
        changed = self.filter(event=event).exclude(kind=ChangeKind.ADDED).order_by()
        return dict(changed.values_list("uid").annotate(models.Count("pk")))

    def with_pages(self):
        """With the session, and whether it still has a page for the public (`has_page`)."""
        shown = Session.objects.public().filter(pk=models.OuterRef("session"))
        return self.select_related("session__event").annotate(has_page=models.Exists(shown))

    def latest_first(self):
        return self.order_by("-id")

    def find_start_before(self, session: Session) -> datetime | None:
        """Return when `session` was to begin before it was last moved; None if it never was."""
        moved = self.filter(uid=session.uid, kind=ChangeKind.MOVED).order_by("-id").values_list("old", flat=True)
        start = (moved.first() or {}).get("start")
        return datetime.fromisoformat(start) if start else None

    def as_news(self):
        """As light rows, for `show_changes`."""
        return self.values_list("session_id", "kind", "at", "old")


class SessionChange(models.Model):
    """One thing that changed of one public session. It outlives the session: what is gone is news too."""

    class Kind(models.TextChoices):
        ADDED = ChangeKind.ADDED, _("Added")
        MOVED = ChangeKind.MOVED, _("Moved")
        ROOM = ChangeKind.ROOM, _("Room changed")
        RENAMED = ChangeKind.RENAMED, _("Renamed")
        CANCELLED = ChangeKind.CANCELLED, _("Cancelled")
        RESTORED = ChangeKind.RESTORED, _("Restored")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="changes", verbose_name=_("event"))
    session = models.ForeignKey(
        Session, on_delete=models.SET_NULL, null=True, related_name="changes", verbose_name=_("session")
    )
    uid = models.UUIDField()
    title = models.CharField(_("title"), max_length=400)
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    # The values that differ, such as {"start": "2026-04-08T08:35:00+00:00", "end": …} or {"room": "Junior Stage"}.
    old = models.JSONField(default=dict)
    new = models.JSONField(default=dict)
    at = models.DateTimeField(_("when"))
    programme_version = models.PositiveIntegerField()

    objects = SessionChangeQuerySet.as_manager()

    class Meta:
        verbose_name = _("change")
        verbose_name_plural = _("changes")
        ordering = ["-id"]
        indexes = [models.Index(fields=["event", "at"], name="change_by_time_for_list")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.title}"
