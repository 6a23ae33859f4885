"""Speakers for organisers."""

from django.contrib import admin
from django.db.models import Count
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from conference.admin import OfEventAdmin
from speakers.models import Speaker


@admin.register(Speaker)
class SpeakerAdmin(OfEventAdmin):
    list_display = ("name", "position", "affiliation", "event", "session_count", "is_bio_cut")
    list_filter = (("event", admin.RelatedOnlyFieldListFilter), "is_bio_cut")
    list_select_related = ("event",)
    search_fields = ("name",)
    searched_column = "search_text"
    ordering = ("event", "sort_key", "id")
    list_per_page = 200
    fieldsets = (
        (None, {"fields": ("event_name", "name", "sort_name", "slug", "aliases")}),
        (_("Who"), {"fields": ("headline", ("position", "affiliation"), "bio", "is_bio_cut", "photo", "links")}),
    )

    def get_queryset(self, request: HttpRequest):
        return super().get_queryset(request).annotate(number_of_sessions=Count("sessions"))

    @admin.display(description=_("sessions"), ordering="number_of_sessions")
    def session_count(self, speaker: Speaker) -> int:
        return speaker.number_of_sessions
