"""What changed for attendees: written by every change, looked up here, and deleted where it needs no telling."""

from django.contrib import admin
from django.http import HttpRequest

from conference.admin import ShownAdmin
from schedule.models import SessionChange


@admin.register(SessionChange)
class SessionChangeAdmin(ShownAdmin):
    list_display = ("at", "kind", "title", "event")
    list_filter = ("kind", ("event", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("event",)
    search_fields = ("title",)
    ordering = ("-id",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: SessionChange | None = None) -> bool:
        return False
