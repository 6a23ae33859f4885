"""Sessions for organisers: scan and filter the list, edit one with its people and materials."""

from datetime import UTC, date, datetime

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Prefetch, Q
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from conference.admin import FORM_FIELDS, OfEventAdmin, OfEventForm, OfEventListFilter, limit_to_event, read_id
from conference.dates import POSSIBLE_YEARS
from conference.models import Event
from schedule.filters import parse_day
from schedule.importing.history import bury
from schedule.importing.rows import read_value, write_value
from schedule.importing.settling import to_plain
from schedule.importing.zones import read_wall_clock
from schedule.models import Material, Session, SessionSpeaker
from schedule.recording import record_changes, see_sessions, write_changes


class LocalDateTimeField(forms.DateTimeField):
    """A wall-clock time in the event's zone, whatever the zone of server and browser.

    What is sent back as it was shown is the very instant it was: also its seconds, and the second of two
    equal times on the night when clocks go back.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.zone = UTC
        self.shown: datetime | None = None

    def prepare_value(self, value):
        return value.astimezone(self.zone).replace(tzinfo=None) if isinstance(value, datetime) else value

    def to_python(self, value) -> datetime | None:
        with timezone.override(UTC):
            typed = super().to_python(value)
        if typed is None:
            return None
        local = typed.replace(tzinfo=None)
        if self.shown and self.prepare_value(self.shown).replace(second=0, microsecond=0) == local:
            return self.shown
        if local.year not in POSSIBLE_YEARS:
            raise ValidationError(_("This year is far from now."))
        if self.zone is UTC:
            return typed
        instant = read_wall_clock(local, self.zone)
        if instant.fault and instant.value.astimezone(self.zone).replace(tzinfo=None) != local:
            raise ValidationError(_("This time does not exist: %(fault)s."), params={"fault": instant.fault})
        return instant.value

    def has_changed(self, initial, data) -> bool:
        try:
            # The form leaves out the parts of a second of what it calls initial.
            return self.to_python(data) != (self.shown or initial)
        except ValidationError:
            return True


LOCAL_DATE_TIME = {
    "form_class": LocalDateTimeField,
    "widget": forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
}


class SessionForm(OfEventForm):
    source_names = {"start": "times", "end": "times", "room": "room_id", "track": "track_id"}

    class Meta:
        widgets = {"title": forms.TextInput(attrs={"size": 80})}

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for name in ("start", "end"):
            field = self.fields.get(name)
            if field is not None and self.instance.event_id:
                field.zone = self.instance.event.zone
                field.shown = getattr(self.instance, name)
                words = _("Time in %(zone)s.") % {"zone": self.instance.event.timezone}
                field.help_text = format_html("{} {}", words, field.help_text)

    def read_own(self, name: str) -> object:
        return to_plain(read_value(self.instance, name))

    def say(self, name: str, value: object) -> str:
        if name == "times":
            zone = self.instance.event.zone
            start, end = (datetime.fromisoformat(part).astimezone(zone) for part in value)
            return f"{start:%Y-%m-%d %H:%M}–{end:%H:%M}"
        if name in ("room_id", "track_id"):
            row = Session._meta.get_field(name.removesuffix("_id")).related_model.objects.filter(pk=value).first()
            return str(row or "?")
        return super().say(name, value)

    def take(self, row: Session, name: str, value: object) -> None:
        write_value(row, name, [datetime.fromisoformat(part) for part in value] if name == "times" else value)

    def clean_fields(self) -> dict:
        """Nothing further is written {} or left empty."""
        return self.cleaned_data["fields"] or {}


class PersonInline(admin.TabularInline):
    model = SessionSpeaker
    fields = ("position", "speaker", "role")
    autocomplete_of_event = ("speaker",)
    extra = 0

    def formfield_for_foreignkey(self, db_field, request: HttpRequest, **kwargs):
        return limit_to_event(self, db_field, request, kwargs) or super().formfield_for_foreignkey(
            db_field, request, **kwargs
        )

    def get_formset(self, request: HttpRequest, obj: Session | None = None, **kwargs):
        links = obj.session_speakers.all() if obj else []
        request.speaker_labels = {str(link.speaker_id): str(link.speaker) for link in links}
        return super().get_formset(request, obj, **kwargs)

    def get_queryset(self, request: HttpRequest):
        return super().get_queryset(request).select_related("speaker", "session").in_order()


class MaterialInline(admin.StackedInline):
    model = Material
    formfield_overrides = FORM_FIELDS
    fields = (("position", "name", "file_type"), ("file", "url"))
    extra = 0


def two_lines(first: object, second: object) -> str:
    """Return a cell of a list: what matters, and below it what goes with it."""
    return format_html('{}<br><span class="quiet">{}</span>', first, second)


class DayFilter(admin.SimpleListFilter):
    """Days as each event counts them, of the event that the list is filtered by."""

    title = _("day")
    parameter_name = "day"

    def lookups(self, request: HttpRequest, model_admin) -> list[tuple[str, str]]:
        events = {event.pk: event for event in self._events(request)}
        starts = Session.objects.filter(event__in=events, start__isnull=False).values_list("event", "start")
        days = {events[pk].viewing.find_day(start) for pk, start in starts}
        return [(str(day), f"{day:%a %d %b %Y}") for day in sorted(days)]

    def queryset(self, request: HttpRequest, queryset):
        day: date | None = parse_day(self.value() or "")
        if day is None:
            return queryset
        on_day = Q(pk__in=[])
        for event in self._events(request):
            begin, end = event.viewing.day_bounds(day)
            on_day |= Q(event=event, start__gte=begin, start__lt=end)
        return queryset.filter(on_day)

    def _events(self, request: HttpRequest):
        event_id = read_id(request.GET.get("event__id__exact", ""))
        return Event.objects.filter(pk=event_id) if event_id else Event.objects.all()


@admin.register(Session)
class SessionAdmin(OfEventAdmin):
    form = SessionForm
    formfield_overrides = FORM_FIELDS | {models.DateTimeField: LOCAL_DATE_TIME}
    list_display = ("title_and_people", "when", "place", "sort", "status")
    list_filter = (
        ("event", admin.RelatedOnlyFieldListFilter),
        DayFilter,
        ("room", OfEventListFilter),
        ("track", OfEventListFilter),
        "kind",
        "level",
        "status",
    )
    list_select_related = ("event", "room", "track")
    list_per_page = 200
    search_fields = ("title",)
    searched_column = "search_text"
    ordering = ("event", "start", "room__position", "id")
    autocomplete_of_event = ("room", "track")
    inlines = (PersonInline, MaterialInline)
    readonly_fields = ("event_name", "uid")
    actions = ("confirm", "cancel", "withdraw")
    fieldsets = (
        (None, {"fields": ("event_name", "title", "kind", ("status", "status_note"), "availability")}),
        (_("Slot"), {"fields": (("start", "end"), "room")}),
        (_("Content"), {"fields": ("track", ("level", "language"), "abstract")}),
        (_("Links"), {"fields": ("stream_url", "recording_url")}),
        (_("Source"), {"fields": ("fields", "uid"), "classes": ("collapse",)}),
    )

    def get_queryset(self, request: HttpRequest):
        people = SessionSpeaker.objects.select_related("speaker").in_order()
        return super().get_queryset(request).prefetch_related(Prefetch("session_speakers", people))

    # Five columns that fit beside filters and menu, each of two lines.

    @admin.display(description=_("title, people"), ordering="title")
    def title_and_people(self, session: Session) -> str:
        return two_lines(session.title, self.people(session))

    @admin.display(description=_("when"), ordering="start")
    def when(self, session: Session) -> str:
        if session.start is None:
            return "–"
        start, end = (moment.astimezone(session.event.zone) for moment in (session.start, session.end))
        return two_lines(f"{start:%a %d %b}", f"{start:%H:%M}–{end:%H:%M}")

    @admin.display(description=_("room, track"), ordering="room__position")
    def place(self, session: Session) -> str:
        return two_lines(session.room or _("all rooms"), session.track or "")

    @admin.display(description=_("kind, level"), ordering="kind")
    def sort(self, session: Session) -> str:
        return two_lines(session.get_kind_display(), session.level)

    def people(self, session: Session) -> str:
        return ", ".join(link.speaker.name for link in session.session_speakers.all())

    @admin.action(description=_("Confirm selected sessions"))
    def confirm(self, request: HttpRequest, queryset) -> None:
        self._set_status(queryset, Session.Status.CONFIRMED)

    @admin.action(description=_("Cancel selected sessions (they stay visible as cancelled)"))
    def cancel(self, request: HttpRequest, queryset) -> None:
        self._set_status(queryset, Session.Status.CANCELLED)

    @admin.action(description=_("Make selected sessions drafts (nobody sees them)"))
    def withdraw(self, request: HttpRequest, queryset) -> None:
        self._set_status(queryset, Session.Status.DRAFT)

    def save_model(self, request: HttpRequest, obj: Session, form, change: bool) -> None:
        request.seen = see_sessions(obj.event)
        super().save_model(request, obj, form, change)

    def save_related(self, request: HttpRequest, form, formsets, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        write_changes(form.instance.event, request.seen)

    def delete_model(self, request: HttpRequest, obj: Session) -> None:
        with record_changes(obj.event):
            bury(Session.objects.filter(pk=obj.pk))

    def delete_queryset(self, request: HttpRequest, queryset) -> None:
        with record_changes(*Event.objects.filter(pk__in=queryset.order_by().values("event"))):
            bury(queryset)

    def _set_status(self, queryset, status: str) -> None:
        with record_changes(*Event.objects.filter(pk__in=queryset.order_by().values("event"))):
            queryset.order_by().update(status=status)
