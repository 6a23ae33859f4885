"""The organisers' page of demand: how many lists hold a session, and which clash. Counts only."""

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from conference.models import Event
from schedule.models import PersonalSchedule
from schedule.personal.demand import LEAST, find_demand


@admin.register(PersonalSchedule)
class PersonalScheduleAdmin(admin.ModelAdmin):
    """Nobody reads, adds, changes or deletes an attendee's list here."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj=None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj=None) -> bool:
        return False

    def change_view(self, request: HttpRequest, *args, **kwargs) -> HttpResponse:
        raise PermissionDenied

    def changelist_view(self, request: HttpRequest, extra_context=None) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        context = self.admin_site.each_context(request) | {"title": _("Demand")}
        slug = request.GET.get("event", "")
        event = Event.objects.filter(slug=slug).first()
        if event is None:
            here = reverse("admin:schedule_personalschedule_changelist")
            choices = [(event, f"{here}?event={event.slug}") for event in Event.objects.latest_first()]
            return render(request, "admin/choose_event.html", context | {"choices": choices})
        demand, clashes = find_demand(event)
        told = {"event": event, "demand": demand, "clashes": clashes, "least": LEAST}
        return render(request, "admin/schedule/personalschedule/demand.html", context | told)
