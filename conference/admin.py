"""Events, rooms and tracks for organisers, and what every admin page of an event's rows shares."""

import re
from datetime import date

from django import forms
from django.contrib import admin
from django.contrib.admin.widgets import AutocompleteSelect
from django.db import models
from django.db.models import Count
from django.http import HttpRequest, QueryDict
from django.shortcuts import redirect, render
from django.utils.html import format_html
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from conference.models import Event, Room, Track
from conference.text import matching_key
from conference.token_admin import ApiTokenAdmin as ApiTokenAdmin
from conference.zones import ZONE_NAMES

admin.site.site_header = admin.site.site_title = "Plenary"
admin.site.index_title = _("Organise")


class LinesField(forms.CharField):
    """Text of several lines, as it is stored: browsers send the end of a line as CR LF."""

    def to_python(self, value) -> str:
        return super().to_python(value).replace("\r\n", "\n")


FORM_FIELDS = {models.TextField: {"form_class": LinesField}, models.URLField: {"assume_scheme": "https"}}


# The name of the button that takes a field back to the source's value.
TAKE_SOURCE = "_take_source"


def read_id(text: str) -> int | None:
    """Return the id of a row that an address names; None for what can be none."""
    return int(text) if re.fullmatch("[1-9][0-9]{0,17}", text) else None


class EventAutocomplete(AutocompleteSelect):
    """A search field that offers the rows of one event only."""

    def __init__(self, field, admin_site, event: Event | None, labels: dict[str, str], **kwargs):
        super().__init__(field, admin_site, **kwargs)
        self.event = event
        self.labels = labels

    def get_url(self) -> str:
        return f"{super().get_url()}?event={self.event.pk}" if self.event else super().get_url()

    def optgroups(self, name, value, attrs=None):
        """What is chosen. Where `labels` name it, twenty of these fields on a page ask no query each."""
        chosen = [str(pk) for pk in value if pk]
        if not chosen or not self.labels.keys() >= set(chosen):
            return super().optgroups(name, value, attrs)
        options = [self.create_option(name, pk, self.labels[pk], True, n) for n, pk in enumerate(chosen)]
        return [(None, options, 0)]


class OfEventListFilter(admin.RelatedFieldListFilter):
    """A filter whose choices are those of the event that the list is filtered by."""

    def field_choices(self, field, request: HttpRequest, model_admin):
        event_id = read_id(request.GET.get("event__id__exact", ""))
        limit = {"event_id": event_id} if event_id else {}
        return field.get_choices(include_blank=False, limit_choices_to=limit, ordering=("event", "position", "id"))


class SourceForm(forms.ModelForm):
    """A form that shows which fields were edited here after an import, what the source has, and a way back to it."""

    # Fields of the form that one value of the source fills: start and end are its "times".
    source_names: dict[str, str] = {}

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            source_name = self.source_names.get(name, name)
            told = getattr(self.instance, "source_values", {})
            if self.instance.pk and source_name in told and self.read_own(source_name) != told[source_name]:
                field.help_text = format_html(
                    '{} <strong>{}</strong> {}: “{}” <button name="{}" value="{}">{}</button>',
                    field.help_text, _("Edited here."), _("The source has"), self.say(source_name, told[source_name]),
                    TAKE_SOURCE, source_name, _("Back to the source’s"),
                )  # fmt: skip

    def read_own(self, name: str) -> object:
        """The row's value as plain JSON, as source_values keeps it."""
        value = getattr(self.instance, name)
        return value.isoformat() if isinstance(value, date) else value

    def say(self, name: str, value: object) -> str:
        """A value of the source in words, shortened."""
        return Truncator(str(value)).chars(200)

    def take(self, row, name: str, value: object) -> None:
        """Give `row` back the source's value."""
        setattr(row, name, row._meta.get_field(name).to_python(value))


class OfEventForm(SourceForm):
    """A form of a row whose event was chosen before it. Validation needs the event, so the row gets it first."""

    event: Event | None = None

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        if self.instance.event_id is None and self.event is not None:
            self.instance.event = self.event

    def _get_validation_exclusions(self) -> set[str]:
        # The event is no field of the form, and yet the names are unique within it.
        return super()._get_validation_exclusions() - {"event", "name_key"}


class SourceAdmin(admin.ModelAdmin):
    """Takes a field back to the source's value, by the button that SourceForm shows."""

    form = SourceForm

    def save_form(self, request: HttpRequest, form, change: bool):
        row = super().save_form(request, form, change)
        name = request.POST.get(TAKE_SOURCE, "")
        if change and name in getattr(row, "source_values", {}):
            form.take(row, name, row.source_values[name])
        return row

    def response_change(self, request: HttpRequest, obj):
        if TAKE_SOURCE in request.POST:
            return redirect(request.path)
        return super().response_change(request, obj)


class ShownAdmin(admin.ModelAdmin):
    """Rows of events that public pages show: without some of them, there is a new version of the programme."""

    def delete_model(self, request: HttpRequest, obj) -> None:
        super().delete_model(request, obj)
        obj.event.mark_programme_changed()

    def delete_queryset(self, request: HttpRequest, queryset) -> None:
        events = list(Event.objects.filter(pk__in=queryset.order_by().values("event")))
        super().delete_queryset(request, queryset)
        for event in events:
            event.mark_programme_changed()


class OfEventAdmin(ShownAdmin, SourceAdmin):
    """Rows of one event. The event is chosen once, on the way to the form, and never changes."""

    form = OfEventForm
    formfield_overrides = FORM_FIELDS
    autocomplete_of_event: tuple[str, ...] = ()
    searched_column = "name_key"
    readonly_fields = ("event_name",)

    def changelist_view(self, request: HttpRequest, extra_context=None):
        """Show the list without a filter by an id that no row can have."""
        senseless = [name for name in request.GET if name.endswith("__id__exact") and not read_id(request.GET[name])]
        if senseless:
            query = request.GET.copy()
            for name in senseless:
                del query[name]
            return redirect(f"{request.path}?{query.urlencode()}")
        return super().changelist_view(request, extra_context)

    @admin.display(description=_("event"))
    def event_name(self, row) -> str:
        return row.event.name

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context=None):
        request.event = self.find_asked_event(request)
        if request.event is not None:
            return super().add_view(request, form_url, extra_context)
        events = Event.objects.latest_first()
        if not events:
            return redirect("admin:conference_event_add")
        choices = []
        for event in events:
            query = request.GET.copy()
            query["event"] = event.pk
            choices.append((event, f"?{query.urlencode()}"))
        if len(choices) == 1:
            return redirect(f"{request.path}{choices[0][1]}")
        context = {**self.admin_site.each_context(request), "choices": choices, "opts": self.opts}
        return render(request, "admin/choose_event.html", context | {"title": _("Which event?")})

    def get_object(self, request: HttpRequest, object_id, from_field=None):
        """Also remember the row's event: the choices of the form's fields are of it."""
        row = super().get_object(request, object_id, from_field)
        request.event = row.event if row else None
        return row

    def find_asked_event(self, request: HttpRequest) -> Event | None:
        """The event in the address, which may stand there as the filter of the list that led here."""
        filters = QueryDict(request.GET.get("_changelist_filters", ""))
        event_id = read_id(request.GET.get("event") or filters.get("event__id__exact", ""))
        return Event.objects.filter(pk=event_id).first() if event_id else None

    def get_form(self, request: HttpRequest, obj=None, change=False, **kwargs):
        form = super().get_form(request, obj, change=change, **kwargs)
        form.event = obj.event if obj else getattr(request, "event", None)
        return form

    def formfield_for_foreignkey(self, db_field, request: HttpRequest, **kwargs):
        return limit_to_event(self, db_field, request, kwargs) or super().formfield_for_foreignkey(
            db_field, request, **kwargs
        )

    def get_search_results(self, request: HttpRequest, queryset, search_term: str):
        """Every word must occur, blind to case and accents; an autocomplete says in which event."""
        for word in matching_key(search_term).split():
            queryset = queryset.filter(**{f"{self.searched_column}__contains": word})
        if event_id := read_id(request.GET.get("event", "")):
            queryset = queryset.filter(event_id=event_id)
        return queryset, False

    def view_on_site(self, row) -> str | None:
        return row.get_absolute_url() if type(row).objects.public().filter(pk=row.pk).exists() else None

    # The programme's version counts what changed, not what was saved.

    def save_related(self, request: HttpRequest, form, formsets, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        if TAKE_SOURCE in request.POST or form.has_changed() or any(formset.has_changed() for formset in formsets):
            form.instance.event.mark_programme_changed()


def limit_to_event(model_admin, db_field, request: HttpRequest, kwargs: dict):
    """Return a form field for a relation to rows of the same event, None for other relations."""
    if db_field.name not in model_admin.autocomplete_of_event:
        return None
    event = getattr(request, "event", None)
    rows = db_field.remote_field.model.objects.all()
    kwargs["queryset"] = rows.of(event) if event else rows
    labels = getattr(request, f"{db_field.name}_labels", {})
    kwargs["widget"] = EventAutocomplete(db_field, model_admin.admin_site, event, labels)
    return db_field.formfield(**kwargs)


@admin.register(Event)
class EventAdmin(SourceAdmin):
    formfield_overrides = FORM_FIELDS
    list_display = ("name", "start_date", "end_date", "city", "country", "timezone", "is_public", "session_count")
    list_filter = ("is_public",)
    search_fields = ("name", "city", "country")
    prepopulated_fields = {"slug": ("name",)}
    readonly_fields = ("programme_version", "programme_changed_at")
    fieldsets = (
        (None, {"fields": ("name", "slug", "is_public", "tagline", "description", "notice")}),
        (
            _("When and where"),
            {
                "fields": (
                    ("start_date", "end_date"),
                    "stated_dates",
                    ("timezone", "day_change_hour"),
                    ("city", "country", "venue"),
                )
            },
        ),
        (
            _("Links"),
            {
                "fields": (
                    "website_url",
                    ("registration_url", "registration_label"),
                    ("help_url", "help_label"),
                )
            },
        ),
        (_("Import"), {"fields": ("kind_prefixes",), "classes": ("collapse",)}),
        (_("Look"), {"fields": ("hue", "language", "show_changes_days", "embed_origins")}),
        (_("Programme"), {"fields": (("programme_version", "programme_changed_at"),)}),
    )

    def get_queryset(self, request: HttpRequest):
        return super().get_queryset(request).annotate(number_of_sessions=Count("sessions")).latest_first()

    @admin.display(description=_("sessions"), ordering="number_of_sessions")
    def session_count(self, event: Event) -> int:
        return event.number_of_sessions

    def get_fieldsets(self, request: HttpRequest, obj: Event | None = None):
        # A programme that is not there yet has no version.
        return super().get_fieldsets(request, obj)[: None if obj else -1]

    def formfield_for_dbfield(self, db_field, request: HttpRequest, **kwargs):
        if db_field.name == "timezone":
            kwargs["widget"] = forms.Select(choices=[(name, name) for name in ["", *sorted(ZONE_NAMES)]])
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    def save_model(self, request: HttpRequest, obj: Event, form, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if form.has_changed() or TAKE_SOURCE in request.POST:
            obj.mark_programme_changed()

    def view_on_site(self, event: Event) -> str | None:
        return event.get_absolute_url() if event.is_public else None


class CountedAdmin(OfEventAdmin):
    """A list of names in the organiser's order, each with the number of its sessions."""

    list_filter = (("event", admin.RelatedOnlyFieldListFilter),)
    list_editable = ("position",)
    list_select_related = ("event",)
    search_fields = ("name",)
    ordering = ("event", "position", "id")

    def get_queryset(self, request: HttpRequest):
        return super().get_queryset(request).annotate(number_of_sessions=Count("sessions"))

    @admin.display(description=_("sessions"), ordering="number_of_sessions")
    def session_count(self, row) -> int:
        return row.number_of_sessions


@admin.register(Room)
class RoomAdmin(CountedAdmin):
    list_display = ("name", "event", "position", "floor", "capacity", "has_parallel_sessions", "session_count")
    fields = ("event_name", "name", "slug", "position", "floor", "capacity", "has_parallel_sessions")


@admin.register(Track)
class TrackAdmin(CountedAdmin):
    list_display = ("name", "event", "position", "code", "hue", "session_count")
    fields = ("event_name", "name", "slug", "position", "code", "hue")
