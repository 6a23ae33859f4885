"""Where and when: an event, its rooms and its tracks."""

import re
import zoneinfo
from datetime import UTC, datetime

from django.conf.locale import LANG_INFO
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, validate_unicode_slug
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from conference.languages import validate_language
from conference.text import LONGEST_FOLDING, matching_key, one_line, unique_slug
from conference.tokens import ApiToken as ApiToken
from conference.tracks import FORMS, PALETTE_ROWS, find_form, make_code
from conference.viewing import Viewing
from conference.zones import ZONE_NAMES

# First parts of addresses that are ours, now or planned: no event can take them. Languages come first
# in the address of a translated page.
RESERVED_SLUGS = (
    frozenset(
        {"admin", "api", "embed", "events", "favicon.ico", "health", "i18n", "manifest.webmanifest", "media"}
        | {"my", "now", "robots.txt", "sitemap.xml", "static", "sw.js"}
    )
    | LANG_INFO.keys()
)


def validate_event_slug(slug: str) -> None:
    """Refuse the slugs that name another page of the site."""
    if slug.lower() in RESERVED_SLUGS:
        raise ValidationError(_("“%(slug)s” is the address of another page."), params={"slug": slug})


def validate_timezone(name: str) -> None:
    """Refuse what is not an IANA zone name ("Europe/Paris")."""
    if name not in ZONE_NAMES:
        raise ValidationError(_("“%(name)s” is not a time zone. Example: Europe/Paris."), params={"name": name})


# Scheme, host, port: what a browser calls an origin, and nothing that could end a header's directive.
_ORIGIN = re.compile(r"https?://[A-Za-z0-9.-]+(?::\d{1,5})?")


def validate_origins(text: str) -> None:
    """Refuse lines that are no origins such as https://example.org."""
    for line in filter(None, map(str.strip, text.splitlines())):
        if not _ORIGIN.fullmatch(line):
            raise ValidationError(
                _("“%(line)s” is not the address of a site. Example: https://example.org."), params={"line": line}
            )


class EventQuerySet(models.QuerySet):
    def public(self):
        return self.filter(is_public=True)

    def latest_first(self):
        return self.order_by("-start_date", "name", "id")


class Event(models.Model):
    """One edition of a conference. Its zone and day-change hour say what a day is."""

    name = models.CharField(_("name"), max_length=200)
    slug = models.SlugField(
        _("slug"),
        max_length=80,
        unique=True,
        allow_unicode=True,
        validators=[validate_event_slug],
        help_text=_("Part of the address of every page: /slug/"),
    )
    is_public = models.BooleanField(_("public"), default=True, help_text=_("A draft is seen in this admin only."))
    start_date = models.DateField(_("first day"))
    end_date = models.DateField(_("last day"))
    stated_dates = models.CharField(
        _("dates as stated"), max_length=200, blank=True, help_text=_("As printed in the source. Never used for times.")
    )
    timezone = models.CharField(
        _("time zone"),
        max_length=60,
        validators=[validate_timezone],
        help_text=_("IANA name, such as Europe/Paris."),
    )
    day_change_hour = models.PositiveSmallIntegerField(
        _("day changes at"),
        default=4,
        validators=[MaxValueValidator(12)],
        help_text=_("Hour of the night up to which a session belongs to the day before."),
    )
    city = models.CharField(_("city"), max_length=100, blank=True)
    country = models.CharField(_("country"), max_length=100, blank=True)
    venue = models.CharField(_("venue"), max_length=200, blank=True)
    tagline = models.CharField(_("tagline"), max_length=200, blank=True)
    description = models.TextField(_("description"), blank=True)
    notice = models.TextField(_("notice"), blank=True, help_text=_("One or two sentences at the top of the schedule."))
    website_url = models.URLField(_("website"), blank=True)
    registration_url = models.URLField(_("registration address"), blank=True)
    registration_label = models.CharField(
        _("registration label"), max_length=100, blank=True, help_text=_("On the button when short, else beside it.")
    )
    help_url = models.URLField(_("help address"), blank=True)
    help_label = models.CharField(_("help label"), max_length=100, blank=True, help_text=_("Empty: “Help”."))
    kind_prefixes = models.TextField(
        _("kinds by prefix"),
        blank=True,
        help_text=_("For imports, one per line: “Masterclass = workshop” reads “Masterclass: Forms” as a workshop."),
    )
    language = models.CharField(
        _("language"),
        max_length=12,
        default="en",
        validators=[validate_language],
        help_text=_("In which the programme is written: en, fr, pt-BR. Pages in other languages mark its texts so."),
    )
    embed_origins = models.TextField(
        _("may be embedded by"),
        blank=True,
        validators=[validate_origins],
        help_text=_("Sites that may show the programme in a frame, one per line: https://example.org. Empty: none."),
    )
    hue = models.PositiveSmallIntegerField(
        _("hue"),
        default=262,
        validators=[MaxValueValidator(359)],
        help_text=_("0 to 359. Tints the masthead and the paper; 262 is ink blue."),
    )
    show_changes_days = models.PositiveSmallIntegerField(
        _("changes are shown for"),
        default=3,
        validators=[MaxValueValidator(60)],
        help_text=_("Days for which the list says that a session was moved or changed rooms. 0: never."),
    )
    # What the source last said, by field: what differs from it was typed by a person, and stays.
    source_values = models.JSONField(default=dict, editable=False)
    programme_version = models.PositiveIntegerField(_("programme version"), default=0, editable=False)
    programme_changed_at = models.DateTimeField(_("programme changed"), db_default=Now(), editable=False)

    objects = EventQuerySet.as_manager()

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        constraints = [
            models.CheckConstraint(
                condition=Q(end_date__gte=F("start_date")),
                name="event_ends_on_or_after_its_first_day",
                violation_error_message=_("The last day is before the first."),
            ),
            models.CheckConstraint(
                condition=Q(day_change_hour__lte=12), name="event_day_changes_between_0_and_12_o_clock"
            ),
            models.CheckConstraint(condition=Q(hue__lte=359), name="event_hue_is_an_angle"),
        ]

    def __str__(self) -> str:
        return self.name

    def clean_fields(self, exclude=None) -> None:
        self.name = one_line(self.name)
        super().clean_fields(exclude=exclude)

    def clean(self) -> None:
        super().clean()
        for line in filter(str.strip, self.kind_prefixes.splitlines()):
            prefix, sign, kind = line.partition("=")
            if not (matching_key(prefix) and sign and kind.strip()):
                raise ValidationError({"kind_prefixes": _("Write lines such as “Masterclass = workshop”.")})

    @property
    def kinds(self) -> dict[str, str]:
        """Kinds by the matching key of the title prefix that means them, besides the known ones."""
        pairs = (line.partition("=") for line in self.kind_prefixes.splitlines() if "=" in line)
        return {matching_key(prefix): kind.strip().lower() for prefix, _sign, kind in pairs}

    def save(self, *args, **kwargs) -> None:
        if self.pk and not self._state.adding and kwargs.get("update_fields") is None:
            # Counted in the database only: a stale copy must not turn the version back.
            columns = {field.name for field in self._meta.concrete_fields if not field.primary_key}
            kwargs["update_fields"] = columns - {"programme_version", "programme_changed_at"}
        super().save(*args, **kwargs)

    def get_absolute_url(self) -> str:
        return reverse("schedule:schedule", kwargs={"event_slug": self.slug})

    @property
    def zone(self) -> zoneinfo.ZoneInfo:
        """The zone in which this event's clocks run."""
        return zoneinfo.ZoneInfo(self.timezone)

    @property
    def embedding_sites(self) -> list[str]:
        """The origins that may show the programme in a frame."""
        return [line.strip() for line in self.embed_origins.splitlines() if _ORIGIN.fullmatch(line.strip())]

    @property
    def viewing(self) -> Viewing:
        """Its own way to be shown: in its zone, by its days."""
        return Viewing.of(self, {})

    @property
    def programme_stamp(self) -> str:
        """A name for this state of the programme, new also where a database was filled again under old addresses."""
        return f"{self.pk}-{self.programme_version}-{self.programme_changed_at:%Y%m%d%H%M%S}"

    def mark_programme_changed(self, now: datetime | None = None) -> None:
        """Count one more version of the public programme, in one statement, safe with other writers.

        Every page, feed and cache of the event is a function of this number.
        """
        now = now or datetime.now(UTC)
        type(self).objects.filter(pk=self.pk).update(
            programme_version=F("programme_version") + 1, programme_changed_at=now
        )
        self.refresh_from_db(fields=["programme_version", "programme_changed_at"])


class OfEventQuerySet(models.QuerySet):
    """Rows that belong to one event."""

    def of(self, event):
        return self.filter(event=event)


class NamedOfEventQuerySet(OfEventQuerySet):
    def public(self):
        """All but those that only drafts use: their names are not announced yet."""
        sessions = self.model._meta.get_field("sessions").related_model.objects.filter(
            **{self.model._meta.model_name: models.OuterRef("pk")}
        )
        is_public = models.Exists(sessions.public())
        return self.filter(event__is_public=True).filter(is_public | ~models.Exists(sessions))


class SluggedOfEvent(models.Model):
    """Something of an event with a name, on one line, and a slug that is unique within the event."""

    slug_fallback = "row"

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="%(class)ss", verbose_name=_("event"))
    name = models.CharField(_("name"), max_length=200)
    name_key = models.CharField(max_length=200 * LONGEST_FOLDING, editable=False)
    slug = models.CharField(
        _("slug"),
        max_length=80,
        blank=True,
        validators=[validate_unicode_slug],
        help_text=_("Empty: made from the name."),
    )

    class Meta:
        abstract = True
        constraints = [
            models.UniqueConstraint(
                fields=["event", "slug"],
                name="%(class)s_slug_is_unique_in_its_event",
                violation_error_message=_("The event has one with this slug."),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def _others(self):
        return type(self).objects.filter(event_id=self.event_id).exclude(pk=self.pk)

    def derive(self) -> None:
        """Fill the columns that follow from others. Called before validation and before saving."""
        self.name = one_line(self.name)
        self.name_key = matching_key(self.name)
        self.slug = self.slug.lower()
        if not self.slug and self.event_id is not None:
            taken = set(self._others().values_list("slug", flat=True))
            self.slug = unique_slug(self.name, taken, self.slug_fallback)

    def clean_fields(self, exclude=None) -> None:
        self.derive()
        super().clean_fields(exclude=exclude)

    def clean(self) -> None:
        super().clean()
        if not self.name_key:
            raise ValidationError({"name": _("A name needs at least one visible character.")})

    def save(self, *args, **kwargs) -> None:
        self.derive()
        super().save(*args, **kwargs)


class NamedOfEvent(SluggedOfEvent):
    """A name that is unique within its event, blind to case, accents and kinds of dash; in the organiser's order."""

    position = models.PositiveSmallIntegerField(
        _("position"), default=0, help_text=_("Place in the order. 0: put last.")
    )
    # The matching key of the name that the source last used: a room renamed here is known again by it.
    source_key = models.CharField(max_length=200 * LONGEST_FOLDING, blank=True, editable=False)

    objects = NamedOfEventQuerySet.as_manager()

    class Meta(SluggedOfEvent.Meta):
        abstract = True
        ordering = ["event", "position", "id"]
        constraints = [
            *SluggedOfEvent.Meta.constraints,
            models.UniqueConstraint(
                fields=["event", "name_key"],
                name="%(class)s_name_is_unique_in_its_event",
                violation_error_message=_("The event has one of this name."),
            ),
        ]

    def derive(self) -> None:
        super().derive()
        if not self.position and self.event_id is not None:
            last = self._others().aggregate(last=models.Max("position"))["last"]
            self.position = (last or 0) + 1


class Room(NamedOfEvent):
    slug_fallback = "room"

    floor = models.CharField(_("floor"), max_length=60, blank=True)
    capacity = models.PositiveIntegerField(_("capacity"), null=True, blank=True, validators=[MinValueValidator(1)])
    has_parallel_sessions = models.BooleanField(
        _("holds several sessions at once"), default=False, help_text=_("A poster hall or a yard: no double booking.")
    )

    class Meta(NamedOfEvent.Meta):
        verbose_name = _("room")
        verbose_name_plural = _("rooms")

    def get_absolute_url(self) -> str:
        return reverse("schedule:room", kwargs={"event_slug": self.event.slug, "slug": self.slug})


class Track(NamedOfEvent):
    """A strand of the programme. Its mark is code + name + colour, as on a transit map."""

    slug_fallback = "track"

    code = models.CharField(_("code"), max_length=3, blank=True, help_text=_("Empty: made from the name."))
    hue = models.PositiveSmallIntegerField(
        _("hue"),
        null=True,
        blank=True,
        validators=[MaxValueValidator(359)],
        help_text=_("0 to 359. Empty: the palette's, by position."),
    )
    form = models.PositiveSmallIntegerField(default=0, editable=False)

    class Meta(NamedOfEvent.Meta):
        verbose_name = _("track")
        verbose_name_plural = _("tracks")
        constraints = [
            *NamedOfEvent.Meta.constraints,
            models.UniqueConstraint(
                fields=["event", "code"],
                name="track_code_is_unique_in_its_event",
                violation_error_message=_("The event has a track with this code."),
            ),
            models.CheckConstraint(condition=Q(hue__isnull=True) | Q(hue__lte=359), name="track_hue_is_an_angle"),
        ]

    def get_absolute_url(self) -> str:
        return reverse("schedule:track", kwargs={"event_slug": self.event.slug, "slug": self.slug})

    def derive(self) -> None:
        super().derive()
        if self.event_id is None:
            return
        if not self.code:
            self.code = make_code(self.name, set(self._others().values_list("code", flat=True)))

    def save(self, *args, **kwargs) -> None:
        super().save(*args, **kwargs)
        renew_forms(self.event_id)
        self.refresh_from_db(fields=["form"])

    @property
    def palette_row(self) -> int:
        """1 to 12: the row of look.md's table that colours this track when it has no hue of its own."""
        return (self.position - 1) % PALETTE_ROWS + 1

    @property
    def form_name(self) -> str:
        return FORMS[self.form]


def renew_forms(event_id: int) -> None:
    """Give every track of an event the form that follows from all positions and hues."""
    changed, earlier_hues = [], []
    for track in Track.objects.filter(event=event_id).order_by("position", "id"):
        form = find_form(track.position, track.hue, earlier_hues)
        earlier_hues += [] if track.hue is None else [track.hue]
        if form != track.form:
            track.form = form
            changed.append(track)
    Track.objects.bulk_update(changed, ["form"])
