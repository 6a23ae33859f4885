"""Who: the people of an event."""

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from conference.models import OfEventQuerySet, SluggedOfEvent
from conference.text import LONGEST_FOLDING, make_slug, matching_key
from speakers.names import make_initials, make_sort_name


class SpeakerQuerySet(OfEventQuerySet):
    def public(self):
        """Speakers with at least one public session: a name on a draft is not announced yet."""
        sessions = self.model._meta.get_field("sessions").related_model.objects.public()
        return self.filter(models.Exists(sessions.filter(speakers=models.OuterRef("pk"))))

    def in_order(self):
        return self.order_by("sort_key", "id")

    def matching(self, query: str):
        """Those whose name, aliases, headline or affiliation hold every word of `query`, blind to case and accents."""
        for word in matching_key(query).split():
            self = self.filter(search_text__contains=word)
        return self


class Speaker(SluggedOfEvent):
    """A person of one event. Names are not unique: two people may share one."""

    slug_fallback = "speaker"

    sort_name = models.CharField(
        _("name for sorting"),
        max_length=210,
        blank=True,
        help_text=_("“van Lunteren, Jan”. Empty: made from the name."),
    )
    sort_key = models.CharField(max_length=210 * LONGEST_FOLDING, editable=False)
    headline = models.CharField(_("headline"), max_length=300, blank=True, help_text=_("As printed under the name."))
    position = models.CharField(_("position"), max_length=200, blank=True)
    affiliation = models.CharField(_("affiliation"), max_length=200, blank=True)
    affiliation_slug = models.CharField(max_length=80, editable=False, blank=True)
    bio = models.TextField(_("bio"), blank=True)
    is_bio_cut = models.BooleanField(
        _("bio is cut"), default=False, help_text=_("The source shows only its beginning.")
    )
    photo = models.ImageField(_("photo"), upload_to="speakers/", blank=True)
    links = models.TextField(_("links"), blank=True, help_text=_("One address per line."))
    aliases = models.TextField(_("aliases"), blank=True, help_text=_("Other spellings, one per line."))
    search_text = models.TextField(editable=False, blank=True)
    source_id = models.CharField(max_length=300, editable=False, blank=True)
    # What the source last said, by field: what differs from it was typed by a person, and stays.
    source_values = models.JSONField(default=dict, editable=False)

    objects = SpeakerQuerySet.as_manager()

    class Meta(SluggedOfEvent.Meta):
        verbose_name = _("speaker")
        verbose_name_plural = _("speakers")
        indexes = [
            models.Index(fields=["event", "sort_key"], name="speaker_in_order_for_index"),
        ]

    def get_absolute_url(self) -> str:
        return reverse("speakers:speaker", kwargs={"event_slug": self.event.slug, "id": self.pk, "slug": self.slug})

    def derive(self) -> None:
        super().derive()
        self.sort_name = self.sort_name or make_sort_name(self.name)
        self.sort_key = matching_key(self.sort_name)
        self.affiliation_slug = make_slug(self.affiliation)
        self.search_text = matching_key(" ".join([self.name, self.aliases, self.headline, self.affiliation]))

    def clean(self) -> None:
        super().clean()
        for link in self.link_list:
            try:
                URLValidator(schemes=["http", "https"])(link)
            except ValidationError:
                raise ValidationError(
                    {"links": ValidationError(_("“%(link)s” is not an address with https://."), params={"link": link})}
                ) from None

    @property
    def link_list(self) -> list[str]:
        return [line.strip() for line in self.links.splitlines() if line.strip()]

    @property
    def alias_list(self) -> list[str]:
        return [line.strip() for line in self.aliases.splitlines() if line.strip()]

    @property
    def initials(self) -> str:
        return make_initials(self.name)
