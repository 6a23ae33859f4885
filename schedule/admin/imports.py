"""Importing in the admin: choose files or paste text, look at the preview, apply exactly that; the history."""

import base64
import json

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from conference.models import Event
from conference.zones import ZONE_NAMES
from schedule.importing import FORMAT_NAMES, ImportOptions, ReadOptions, ScheduleRefused, Source, import_schedule
from schedule.importing.history import find_newer, roll_back_run
from schedule.importing.report import ImportReport
from schedule.models import ImportRun

LARGEST_UPLOAD = settings.LARGEST_UPLOAD


class FilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Any number of files, each of at most LARGEST_UPLOAD bytes."""

    widget = FilesInput

    def clean(self, data, initial=None) -> list:
        files = [super(FilesField, self).clean(file) for file in data or []]
        for file in files:
            if file.size > LARGEST_UPLOAD:
                limit = LARGEST_UPLOAD // 1024**2
                raise forms.ValidationError(_("%(name)s is larger than %(limit)s MB.") % {"name": file, "limit": limit})
        return files


class ImportForm(forms.Form):
    """What to import, and how to meet what is here."""

    files = FilesField(label=gettext_lazy("Files"), required=False)
    text = forms.CharField(
        label=gettext_lazy("Or pasted text"), required=False, strip=False, max_length=LARGEST_UPLOAD,
        widget=forms.Textarea(attrs={"rows": 12, "cols": 100}),
    )  # fmt: skip
    event = forms.ModelChoiceField(
        Event.objects.latest_first(), label=gettext_lazy("Event"), required=False,
        empty_label=gettext_lazy("as the text says"),
    )  # fmt: skip
    timezone = forms.ChoiceField(
        label=gettext_lazy("Time zone"),
        required=False,
        choices=[("", gettext_lazy("by the place"))] + [(z, z) for z in sorted(ZONE_NAMES)],
    )
    format_name = forms.ChoiceField(
        label=gettext_lazy("Format"),
        required=False,
        choices=[("", gettext_lazy("by the content"))] + [(n, n) for n in FORMAT_NAMES],
    )
    prefer_source = forms.BooleanField(
        label=gettext_lazy("Where here and source both changed, take the source's"), required=False
    )
    cancel_missing = forms.BooleanField(label=gettext_lazy("Cancel what the whole source lacks"), required=False)
    restore = forms.BooleanField(label=gettext_lazy("Bring back what was deleted here"), required=False)
    partial = forms.BooleanField(label=gettext_lazy("Of a text that was cut off, take what is whole"), required=False)

    def clean(self) -> dict:
        cleaned = super().clean()
        if not self.errors and not cleaned.get("files") and not cleaned.get("text", "").strip():
            raise forms.ValidationError(_("Choose a file or paste a text."))
        return cleaned

    def read_sources(self) -> list[Source]:
        sources = [Source(file.name, file.read()) for file in self.cleaned_data["files"]]
        if self.cleaned_data["text"].strip():
            sources.append(Source("pasted text", self.cleaned_data["text"].encode("utf-8", "surrogatepass")))
        return sources

    def read_options(self) -> dict[str, object]:
        """Return the choices as plain values, as a preview keeps them."""
        event = self.cleaned_data["event"]
        names = ("timezone", "format_name", "prefer_source", "cancel_missing", "restore", "partial")
        return {name: self.cleaned_data[name] for name in names} | {"event_slug": event.slug if event else ""}


def run_import(sources: list[Source], options: dict, user, is_dry_run: bool) -> ImportReport:
    """Call import_schedule with the plain options of a form or a preview."""
    return import_schedule(
        sources,
        event_slug=options["event_slug"],
        timezone=options["timezone"],
        format_name=options["format_name"],
        reading=ReadOptions(is_partial_allowed=options["partial"]),
        options=ImportOptions(options["prefer_source"], options["cancel_missing"], options["restore"]),
        is_dry_run=is_dry_run,
        user=user,
    )


class SomethingChanged(Exception):
    """Between preview and apply the database changed, so that the import would do something else."""


@admin.register(ImportRun)
class ImportRunAdmin(admin.ModelAdmin):
    list_display = ("event_name", "status", "created_at", "user", "file_names")
    list_filter = ("status", ("event", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("user",)
    ordering = ("-id",)

    def get_queryset(self, request: HttpRequest):
        # A journal or an uploaded file may be megabytes; a list shows neither.
        queryset = super().get_queryset(request)
        return queryset.defer("journal", "report")

    def has_change_permission(self, request: HttpRequest, obj: ImportRun | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: ImportRun | None = None) -> bool:
        return False

    @admin.display(description=gettext_lazy("files"))
    def file_names(self, run: ImportRun) -> str:
        return ", ".join(source["name"] for source in run.sources)

    def get_urls(self) -> list:
        own = [
            path(f"<int:pk>/{name}/", self.admin_site.admin_view(require_POST(view)), name=f"schedule_importrun_{name}")
            for name, view in (("apply", self.apply), ("discard", self.discard), ("roll_back", self.roll_back))
        ]
        return own + super().get_urls()

    def show(self, request: HttpRequest, template: str, **context) -> HttpResponse:
        return render(request, template, {**self.admin_site.each_context(request), "opts": self.opts, **context})

    # Choose

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context=None) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        sent = (request.POST, request.FILES) if request.method == "POST" else ()
        form = ImportForm(*sent, initial={"event": request.GET.get("event")})
        problems = []
        if form.is_bound and form.is_valid():
            sources, options = form.read_sources(), form.read_options()
            try:
                report = run_import(sources, options, request.user, is_dry_run=True)
            except ScheduleRefused as refused:
                problems = refused.problems
            else:
                preview = self.keep_preview(ImportRun(user=request.user, options=options), sources, report)
                return redirect("admin:schedule_importrun_change", preview.pk)
        return self.show(
            request, "admin/schedule/importrun/add.html", title=_("Import a schedule"), form=form, problems=problems
        )

    def keep_preview(self, preview: ImportRun, sources: list[Source], report: ImportReport) -> ImportRun:
        """Keep what an import would do, with its sources, until it is applied or discarded."""
        ImportRun.objects.filter(user=preview.user, status=ImportRun.Status.PREVIEW).exclude(pk=preview.pk).delete()
        preview.status = ImportRun.Status.PREVIEW
        preview.event_name = ", ".join(event.name for event in report.events)[:200]
        preview.fingerprint = report.fingerprint
        preview.report = report.to_json()
        preview.sources = [
            {"name": source.name, "bytes": len(source.data), "data": base64.b64encode(source.data).decode()}
            for source in sources
        ]
        preview.save()
        return preview

    # Look

    def change_view(self, request: HttpRequest, object_id: str, form_url: str = "", extra_context=None) -> HttpResponse:
        run = self.get_object(request, object_id)
        if run is None and ImportRun.objects.filter(user=request.user, status=ImportRun.Status.PREVIEW).exists():
            return self._lead_on(request)
        if run is None:
            return self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
        if not self.has_view_permission(request, run):
            raise PermissionDenied
        is_preview = run.status == ImportRun.Status.PREVIEW
        context = {"report": json.loads(run.report)} if is_preview else {"text": run.report}
        if run.status == ImportRun.Status.APPLIED:
            context["newer"] = find_newer(run).count()
        title = _("Preview: nothing is written yet") if is_preview else str(run)
        return self.show(
            request, "admin/schedule/importrun/run.html", title=title, run=run, is_preview=is_preview, **context
        )

    # Decide

    def apply(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Apply exactly the preview; if something changed in between, show the new one instead."""
        with transaction.atomic():
            preview = self._take(request, pk, ImportRun.Status.PREVIEW)
            if preview is None:
                return self._lead_on(request)
            sources = [Source(kept["name"], base64.b64decode(kept["data"])) for kept in preview.sources]
            try:
                with transaction.atomic():
                    report = run_import(sources, preview.options, request.user, is_dry_run=False)
                    if report.fingerprint != preview.fingerprint:
                        raise SomethingChanged
            except SomethingChanged:
                self.keep_preview(preview, sources, run_import(sources, preview.options, request.user, is_dry_run=True))
                messages.warning(request, _("Something changed since the preview, so nothing was written: look again."))
                return redirect("admin:schedule_importrun_change", pk)
            except ScheduleRefused as refused:
                messages.error(request, str(refused))
                return redirect("admin:schedule_importrun_change", pk)
            preview.delete()
        messages.success(request, _("Imported.") if report.has_changes else _("Nothing changed."))
        return redirect("admin:schedule_importrun_changelist")

    def discard(self, request: HttpRequest, pk: int) -> HttpResponse:
        with transaction.atomic():
            if preview := self._take(request, pk, ImportRun.Status.PREVIEW):
                preview.delete()
                messages.success(request, _("Cancelled: nothing was written."))
            else:
                return self._lead_on(request)
        return redirect("admin:schedule_importrun_changelist")

    def roll_back(self, request: HttpRequest, pk: int) -> HttpResponse:
        with transaction.atomic():
            if run := self._take(request, pk, ImportRun.Status.APPLIED):
                newer = find_newer(run).count()
                if request.POST.get("newer") != str(newer):
                    messages.warning(request, _("Look again: newer imports came or went, so nothing was taken back."))
                    return redirect("admin:schedule_importrun_change", pk)
                stays = roll_back_run(run)
                messages.success(request, _("Rolled back."))
                for line in stays:
                    messages.warning(request, line)
            else:
                messages.info(request, _("That was done already."))
        return redirect("admin:schedule_importrun_change", pk)

    def _lead_on(self, request: HttpRequest) -> HttpResponse:
        """Say what became of a preview that is gone, and lead to the one that took its place."""
        newer = ImportRun.objects.filter(user=request.user, status=ImportRun.Status.PREVIEW).first()
        if newer is None:
            messages.info(request, _("That was done already, or cancelled: the list shows which."))
            return redirect("admin:schedule_importrun_changelist")
        message = _(
            "Nothing was written: a newer preview of yours (%(files)s) took the place of that one. This is the newer "
            "one; to import the other, choose its files again."
        )
        messages.warning(request, message % {"files": self.file_names(newer)})
        return redirect("admin:schedule_importrun_change", newer.pk)

    def _take(self, request: HttpRequest, pk: int, status: str) -> ImportRun | None:
        """Return the locked run if it still has `status`: a second click, or one in another tab, comes too late."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        runs = ImportRun.objects.select_for_update().filter(pk=pk, status=status)
        if status == ImportRun.Status.PREVIEW:
            # What somebody looked at is theirs to apply.
            runs = runs.filter(user=request.user)
        return runs.first()
