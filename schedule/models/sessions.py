"""What happens when: sessions, the people in them and their materials."""

import uuid
from collections.abc import Collection
from datetime import UTC, timedelta
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from conference.models import Event, OfEventQuerySet, Room, Track
from conference.text import LONGEST_FOLDING, make_slug, matching_key, one_line
from conference.viewing import Viewing
from schedule.agenda import Agenda, build_agenda
from speakers.models import Speaker


class SessionQuerySet(OfEventQuerySet):
    def public(self):
        """The one gate: what the public may see of it, on every page, feed and export."""
        return self.filter(event__is_public=True, status__in=(Session.Status.CONFIRMED, Session.Status.CANCELLED))

    def scheduled(self):
        return self.filter(start__isnull=False)

    def in_order(self):
        """By time, then the organiser's order of rooms, then id; sessions without a time come last."""
        return self.order_by(F("start").asc(nulls_last=True), F("room__position").asc(nulls_first=True), "id")

    def with_people(self):
        """With room, track, and people in their order: the only place that owns that order."""
        people = models.Prefetch("session_speakers", SessionSpeaker.objects.select_related("speaker").in_order())
        return self.select_related("room", "track").prefetch_related(people)

    def with_details(self):
        """With everything that a row or an export shows, in a constant number of queries."""
        return self.with_people().annotate(
            has_materials=models.Exists(Material.objects.filter(session=models.OuterRef("pk")))
        )

    def listed(self):
        """As a list shows them: in order, with details, without the long texts."""
        return self.with_details().in_order().defer("abstract", "search_text", "fields", "source_values")

    def exported(self):
        """As a file has them: in order, with all there is to say, materials too."""
        return self.with_details().prefetch_related("materials").in_order()

    def outline(self):
        """The time and place of every scheduled session in order, as light rows (pk, start, end, room_id)."""
        return self.scheduled().in_order().values_list("pk", "start", "end", "room_id", named=True)

    def as_agenda(self, viewing: Viewing, matches: Collection[int] | None = None) -> Agenda:
        """Arrange these sessions by day and start, as they are viewed."""
        return build_agenda(self, viewing, matches)


class Session(models.Model):
    """Anything on the programme. A slot is room + start + end; without a room it spans all rooms."""

    class Kind(models.TextChoices):
        """In the order in which the filter offers them."""

        TALK = "talk", _("Talk")
        LIGHTNING_TALK = "lightning-talk", _("Lightning talk")
        KEYNOTE = "keynote", _("Keynote")
        SPONSORED_KEYNOTE = "sponsored-keynote", _("Sponsored keynote")
        PANEL = "panel", _("Panel")
        WORKSHOP = "workshop", _("Workshop")
        TUTORIAL = "tutorial", _("Tutorial")
        SOCIAL = "social", _("Social")
        OTHER = "other", _("Other")
        BREAK = "break", _("Break")

    class Status(models.TextChoices):
        DRAFT = "draft", _("Draft")
        CONFIRMED = "confirmed", _("Confirmed")
        CANCELLED = "cancelled", _("Cancelled")

    class Availability(models.TextChoices):
        FULL = "full", _("Full")
        SIGN_UP = "sign-up", _("Sign-up")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="sessions", verbose_name=_("event"))
    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    title = models.CharField(_("title"), max_length=400)
    title_key = models.CharField(max_length=400 * LONGEST_FOLDING, editable=False)
    kind = models.CharField(_("kind"), max_length=20, choices=Kind.choices, default=Kind.TALK)
    abstract = models.TextField(_("abstract"), blank=True)
    start = models.DateTimeField(_("start"), null=True, blank=True)
    end = models.DateTimeField(_("end"), null=True, blank=True)
    room = models.ForeignKey(
        Room,
        on_delete=models.RESTRICT,
        null=True,
        blank=True,
        related_name="sessions",
        verbose_name=_("room"),
        help_text=_("Empty: all rooms, as for a break or a plenary."),
    )
    track = models.ForeignKey(
        Track, on_delete=models.RESTRICT, null=True, blank=True, related_name="sessions", verbose_name=_("track")
    )
    level = models.CharField(_("audience level"), max_length=60, blank=True)
    level_slug = models.CharField(max_length=80, editable=False, blank=True)
    language = models.CharField(_("language"), max_length=60, blank=True)
    language_slug = models.CharField(max_length=80, editable=False, blank=True)
    status = models.CharField(_("status"), max_length=10, choices=Status.choices, default=Status.CONFIRMED)
    status_note = models.CharField(
        _("note"), max_length=200, blank=True, help_text=_("Stands beside “Cancelled”: why, and what happens instead.")
    )
    availability = models.CharField(
        _("places"), max_length=10, choices=Availability.choices, blank=True, help_text=_("Empty: just come.")
    )
    stream_url = models.URLField(_("stream"), blank=True)
    recording_url = models.URLField(_("recording"), blank=True)
    fields = models.JSONField(
        _("further fields"), default=dict, blank=True, help_text=_("What else the source says, as key and value.")
    )
    search_text = models.TextField(editable=False, blank=True)
    # What the source last said, by field: what differs from it was typed by a person, and stays.
    source_key = models.TextField(editable=False, blank=True)
    source_id = models.CharField(max_length=300, editable=False, blank=True, help_text=_("The source's own id."))
    source_format = models.CharField(max_length=20, editable=False, blank=True)
    is_gone = models.BooleanField(
        _("gone from the source"), default=False, editable=False, help_text=_("The source that had it lacks it now.")
    )
    source_values = models.JSONField(default=dict, editable=False)
    speakers = models.ManyToManyField(Speaker, through="SessionSpeaker", related_name="sessions")

    objects = SessionQuerySet.as_manager()

    class Meta:
        verbose_name = _("session")
        verbose_name_plural = _("sessions")
        constraints = [
            models.CheckConstraint(
                condition=Q(start__isnull=True, end__isnull=True, room__isnull=True)
                | Q(start__isnull=False, end__isnull=False),
                name="session_slot_is_whole_or_absent",
                violation_error_message=_("Give start and end, or neither; a room needs both."),
            ),
            models.CheckConstraint(
                # Spelled out for NULL: a comparison with NULL is unknown, and unknown passes a check.
                condition=Q(start__isnull=True) | Q(end__isnull=True) | Q(end__gt=F("start")),
                name="session_ends_after_it_starts",
                violation_error_message=_("The end is not after the start."),
            ),
        ]
        indexes = [
            models.Index(fields=["event", "start"], name="session_by_time_for_schedule"),
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("schedule:session", kwargs={"event_slug": self.event.slug, "id": self.pk, "slug": self.slug})

    @classmethod
    def from_db(cls, db, field_names, values):
        session = super().from_db(db, field_names, values)
        session._stored_uid = session.__dict__.get("uid")
        return session

    def derive(self) -> None:
        """Fill the columns that follow from others. Called before validation and before saving."""
        self.title = one_line(self.title)
        self.title_key = matching_key(self.title)
        self.level_slug = make_slug(self.level)
        self.language_slug = make_slug(self.language)
        self.search_text = matching_key(f"{self.title} {self.abstract}")

    def clean_fields(self, exclude=None) -> None:
        self.derive()
        super().clean_fields(exclude=exclude)

    def clean(self) -> None:
        super().clean()
        faults = {}
        if not matching_key(self.title):
            faults["title"] = _("A title needs at least one visible character.")
        if self.room and self.room.event_id != self.event_id:
            faults["room"] = _("This room belongs to another event.")
        if self.track and self.track.event_id != self.event_id:
            faults["track"] = _("This track belongs to another event.")
        if not isinstance(self.fields, dict) or not all(isinstance(value, str) for value in self.fields.values()):
            faults["fields"] = _('Give keys and values as text: {"Slides Attached": "Yes"}.')
        elif any("\ud800" <= character <= "\udfff" for part in self.fields.items() for character in "".join(part)):
            faults["fields"] = _("There is half a character in this text; type it again.")
        if faults:
            raise ValidationError(faults)

    def save(self, *args, **kwargs) -> None:
        if getattr(self, "_stored_uid", None) not in (None, self.uid):
            raise ValueError("The uid of a session never changes: calendars and stars know it by it.")
        self.derive()
        super().save(*args, **kwargs)
        self._stored_uid = self.uid

    @property
    def slug(self) -> str:
        """Decoration of the address; the id beside it is what counts."""
        return make_slug(self.title) or "session"

    @property
    def duration(self) -> timedelta | None:
        """Length of the slot. Subtracted in UTC: wall clocks lie over a clock change."""
        if self.start is None or self.end is None:
            return None
        return self.end.astimezone(UTC) - self.start.astimezone(UTC)

    @property
    def is_cancelled(self) -> bool:
        return self.status == self.Status.CANCELLED

    @property
    def is_break(self) -> bool:
        return self.kind == self.Kind.BREAK


def next_position(rows: models.QuerySet) -> int:
    """Return the place after the last of `rows`."""
    return (rows.aggregate(last=models.Max("position"))["last"] or 0) + 1


class SessionSpeakerQuerySet(models.QuerySet):
    def in_order(self):
        return self.order_by("position", "id")


class SessionSpeaker(models.Model):
    """A person in a session, in what role, in which place of the order."""

    class Role(models.TextChoices):
        SPEAKER = "speaker", _("Speaker")
        MODERATOR = "moderator", _("Moderator")
        PANELIST = "panelist", _("Panelist")
        HOST = "host", _("Host")
        CHAIR = "chair", _("Chair")

    _role_names = dict(Role.choices)

    session = models.ForeignKey(
        Session, on_delete=models.CASCADE, related_name="session_speakers", verbose_name=_("session")
    )
    speaker = models.ForeignKey(
        Speaker, on_delete=models.RESTRICT, related_name="session_speakers", verbose_name=_("speaker")
    )
    role = models.CharField(_("role"), max_length=10, choices=Role.choices, default=Role.SPEAKER)
    position = models.PositiveSmallIntegerField(_("position"), default=0, help_text=_("0: put last."))

    objects = SessionSpeakerQuerySet.as_manager()

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")
        ordering = ["position", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["session", "speaker"],
                name="speaker_stands_once_in_a_session",
                violation_error_message=_("This person is in the session already."),
            )
        ]

    def __str__(self) -> str:
        # Not get_role_display(): it hashes every choice in its translation, and an import names every row.
        return f"{self.speaker} ({self._role_names.get(self.role, self.role)})"

    def clean(self) -> None:
        super().clean()
        if self.speaker_id and self.session.event_id and self.speaker.event_id != self.session.event_id:
            raise ValidationError({"speaker": _("This person belongs to another event.")})

    def save(self, *args, **kwargs) -> None:
        self.position = self.position or next_position(SessionSpeaker.objects.filter(session=self.session_id))
        super().save(*args, **kwargs)


class Material(models.Model):
    """Slides or another file of a session: uploaded, linked, or known by name only."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="materials", verbose_name=_("session"))
    name = models.CharField(
        _("name"), max_length=300, blank=True, help_text=_("Without the file type. Empty: the file's own.")
    )
    file_type = models.CharField(
        _("file type"), max_length=10, blank=True, help_text=_("Such as pdf. Empty: the file's.")
    )
    file = models.FileField(_("file"), upload_to="materials/", blank=True)
    url = models.URLField(_("link"), blank=True)
    position = models.PositiveSmallIntegerField(_("position"), default=0, help_text=_("0: put last."))

    class Meta:
        verbose_name = _("material")
        verbose_name_plural = _("materials")
        ordering = ["position", "id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(file="") | Q(url=""),
                name="material_is_a_file_or_a_link",
                violation_error_message=_("Give a file or a link, not both."),
            )
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        super().clean()
        self.derive()
        if not self.name:
            raise ValidationError({"name": _("Give a name, or a file that has one.")})

    def save(self, *args, **kwargs) -> None:
        self.derive()
        self.position = self.position or next_position(Material.objects.filter(session=self.session_id))
        super().save(*args, **kwargs)

    def derive(self) -> None:
        """Take name and file type from the file's or the link's own, where nobody gave them."""
        path = PurePosixPath(self.file.name if self.file else urlsplit(self.url).path)
        self.name = self.name or path.stem.replace("_", " ")
        suffix = path.suffix.removeprefix(".").lower()
        if not self.file_type and suffix.isalnum() and len(suffix) <= 5:
            self.file_type = suffix

    @property
    def size(self) -> int | None:
        """Bytes of the uploaded file; None for a link, a mere name, or a file that is gone from the disk."""
        try:
            return self.file.size if self.file else None
        except OSError:
            return None

    @property
    def address(self) -> str:
        """Where it can be had; "" when only its name is known."""
        return self.file.url if self.file else self.url
