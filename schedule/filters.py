"""What a visitor may ask of a programme: one SessionFilter for page, download and API."""

import re
from collections.abc import Iterable
from datetime import date

import django_filters
from django import forms
from django.db.models import BooleanField, Case, Exists, OuterRef, Q, QuerySet, Value, When
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext_lazy as _

from conference.text import matching_key
from conference.viewing import Viewing
from schedule.models import Material, Session, SessionSpeaker

# Years in which every zone's arithmetic is safe from the ends of the calendar.
_DAY = re.compile(r"(?:19|20|21)\d\d-\d\d-\d\d")
LONGEST_VALUE = 100
MOST_VALUES = 100


class ValueListField(forms.MultipleChoiceField):
    """Any values: whether an event has them is the filter's question, and "no" is an answer, not an error."""

    def valid_value(self, value: str) -> bool:
        return True

    def to_python(self, value) -> list[str]:
        # A NUL can't be sent to every database; as another character it is still a value nobody has.
        # Every value of ours is lower case, so that "Beginner" typed by hand means what it should.
        values = [text.strip().replace("\0", "\ufffd")[:LONGEST_VALUE].lower() for text in super().to_python(value)]
        return [text for text in dict.fromkeys(values) if text][:MOST_VALUES]


class FacetFilter(django_filters.Filter):
    """One facet: its values mean OR. `condition` is the only place that says what a value means."""

    field_class = ValueListField

    def condition(self, values: list[str]) -> Q:
        return Q(**{f"{self.field_name}__in": values})

    def filter(self, queryset: QuerySet, values: list[str]) -> QuerySet:
        return queryset.filter(self.condition(values)) if values else queryset


class DayFilter(FacetFilter):
    def condition(self, values: list[str]) -> Q:
        on_days = Q(pk__in=[])
        for day in filter(None, map(parse_day, values)):
            begin, end = self.parent.viewing.day_bounds(day)
            on_days |= Q(start__gte=begin, start__lt=end)
        return on_days


class PersonFilter(FacetFilter):
    """Sessions with somebody in any role of whom `field_name` has one of the values."""

    def condition(self, values: list[str]) -> Q:
        links = SessionSpeaker.objects.filter(session=OuterRef("pk"), **{f"{self.field_name}__in": values})
        return Q(Exists(links))


class MaterialsFilter(FacetFilter):
    def condition(self, values: list[str]) -> Q:
        return Q(Exists(Material.objects.filter(session=OuterRef("pk")))) if "yes" in values else Q(pk__in=[])


class SearchFilter(django_filters.CharFilter):
    """Every word must occur, also inside a word: in title, abstract, people, affiliations, room or track."""

    def condition(self, text: str) -> Q:
        found = Q()
        for word in matching_key(text).split():
            people = SessionSpeaker.objects.filter(session=OuterRef("pk"), speaker__search_text__contains=word)
            found &= (
                Q(search_text__contains=word)
                | Q(room__name_key__contains=word)
                | Q(track__name_key__contains=word)
                | Q(Exists(people))
            )
        return found

    def filter(self, queryset: QuerySet, text: str) -> QuerySet:
        return queryset.filter(self.condition(text)) if text else queryset


class SearchField(forms.CharField):
    def to_python(self, value) -> str:
        text = super().to_python(value).replace("\0", " ")[:LONGEST_VALUE].strip()
        # What has nothing to see in it asks nothing.
        return text if matching_key(text) else ""

    def run_validators(self, value) -> None:
        """Nothing typed into a search is an error."""


SearchFilter.field_class = SearchField


def parse_day(text: str) -> date | None:
    """Return the day that "2026-04-08" names, None for anything else."""
    try:
        return date.fromisoformat(text) if _DAY.fullmatch(text) else None
    except ValueError:
        return None


class SessionFilter(django_filters.FilterSet):
    """The questions a visitor may put to one event's sessions. Within a facet OR, between facets AND.

    A value that the event does not have matches nothing; it is never an error.
    """

    day = DayFilter(label=_("Day"))
    track = FacetFilter("track__slug", label=_("Track"))
    room = FacetFilter("room__slug", label=_("Room"))
    kind = FacetFilter("kind", label=_("Kind"))
    level = FacetFilter("level_slug", label=_("Level"))
    company = PersonFilter("speaker__affiliation_slug", label=_("Company"))
    language = FacetFilter("language_slug", label=_("Language"))
    speaker = PersonFilter("speaker__slug", label=_("Speaker"))
    materials = MaterialsFilter(label=_("More"))
    q = SearchFilter(label=_("Search"))

    class Meta:
        model = Session
        fields: list[str] = []

    def __init__(self, data: QueryDict | MultiValueDict | None, queryset: QuerySet, *, viewing: Viewing):
        super().__init__(data, queryset)
        self.viewing = viewing

    @property
    def active(self) -> dict[str, list[str] | str]:
        """The questions asked, by name, without empty ones, in the order of declaration."""
        # Every field takes every value, so the form is always valid.
        self.is_valid()
        return {name: value for name in self.filters if (value := self.form.cleaned_data.get(name))}

    @property
    def labels(self) -> dict[str, str]:
        return {name: question.label for name, question in self.filters.items()}

    def find_matches(self) -> dict[int, frozenset[str]]:
        """Return for every session's id the names of the active questions it answers, in one query.

        From this follow the result (all of them), the count beside each choice (all but its own
        facet) and the ways out of an empty result (some of them).
        """
        if not self.active:
            return {}
        names = list(self.active)
        answers = {
            f"answers_{name}": Case(
                When(self.filters[name].condition(value), then=Value(True)),
                default=Value(False),
                output_field=BooleanField(),
            )
            for name, value in self.active.items()
        }
        rows: Iterable[tuple] = self.queryset.order_by().annotate(**answers).values_list("pk", *answers)
        return {pk: frozenset(name for name, flag in zip(names, flags, strict=True) if flag) for pk, *flags in rows}
