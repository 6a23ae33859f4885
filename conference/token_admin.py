"""API tokens for organisers: made for one event, shown once, revoked. Rights are those to change the event."""

from datetime import UTC, datetime

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from conference.models import Event
from conference.secrecy import keep_secret
from conference.tokens import ApiToken


class ApiTokenForm(forms.ModelForm):
    def clean_expires_at(self) -> datetime:
        expires_at = self.cleaned_data["expires_at"]
        if expires_at <= datetime.now(UTC):
            raise ValidationError(_("This time is past."))
        return expires_at


@admin.register(ApiToken)
class ApiTokenAdmin(admin.ModelAdmin):
    form = ApiTokenForm
    fields = ("event", "name", "expires_at")
    list_display = ("name", "event", "created_by", "expires_at", "revoked_at", "last_used")
    list_filter = (("event", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("event", "created_by")
    actions = ("revoke",)

    def may_change_event(self, request: HttpRequest, token: ApiToken | None) -> bool:
        """Whether the event's own page would let this user change it."""
        events = self.admin_site.get_model_admin(Event)
        return events.has_change_permission(request, token.event if token else None)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.may_change_event(request, None)

    def has_view_permission(self, request: HttpRequest, obj: ApiToken | None = None) -> bool:
        return self.may_change_event(request, obj)

    has_change_permission = has_delete_permission = has_view_permission

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.may_change_event(request, None)

    def get_readonly_fields(self, request: HttpRequest, obj: ApiToken | None = None) -> tuple[str, ...]:
        # What opens another event is another token.
        return ("event", "created_by", "created_at", "revoked_at", "last_used") if obj else ()

    def get_fields(self, request: HttpRequest, obj: ApiToken | None = None) -> tuple[str, ...]:
        return (*self.fields, "created_by", "created_at", "revoked_at", "last_used") if obj else self.fields

    def save_model(self, request: HttpRequest, obj: ApiToken, form, change: bool) -> None:
        if not self.may_change_event(request, obj):
            raise PermissionDenied
        if not change:
            obj.created_by = request.user
            request.new_secret = obj.renew_secret()
        super().save_model(request, obj, form, change)

    def response_add(self, request: HttpRequest, obj: ApiToken, post_url_continue=None) -> HttpResponse:
        """Show the secret, this once: the answer itself holds it, and nothing keeps it."""
        context = {
            **self.admin_site.each_context(request), "opts": self.opts, "title": _("The new token"),
            "token": obj, "secret": request.new_secret,
        }  # fmt: skip
        return keep_secret(render(request, "admin/conference/apitoken/shown.html", context))

    @admin.action(description=_("Revoke selected tokens"))
    def revoke(self, request: HttpRequest, queryset) -> None:
        tokens = [token for token in queryset.filter(revoked_at=None) if self.may_change_event(request, token)]
        for token in tokens:
            token.revoked_at = datetime.now(UTC)
            token.save(update_fields=["revoked_at"])
            self.log_change(request, token, [{"changed": {"fields": ["revoked"]}}])
        said = ngettext("%(count)d token is revoked.", "%(count)d tokens are revoked.", len(tokens))
        self.message_user(request, said % {"count": len(tokens)}, messages.SUCCESS if tokens else messages.INFO)
