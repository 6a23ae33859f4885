"""Importing a schedule over HTTP, with the same rules and the same report as command and admin."""

import json

from django.conf import settings
from django.contrib.admin.models import CHANGE
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import exceptions, serializers
from rest_framework.parsers import JSONParser, MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from conference.api.asked import LARGEST_BODY
from conference.api.rows import OfEvent, log_write
from conference.zones import ZONE_NAMES
from schedule.importing import FORMAT_NAMES, ImportOptions, ReadOptions, ScheduleRefused, Source, import_schedule
from schedule.models import ImportRun

MOST_FILES = 20


class ImportSerializer(serializers.Serializer):
    """What to import into the event of the address, and how to meet what is there."""

    files = serializers.ListField(child=serializers.FileField(), required=False, max_length=MOST_FILES)
    text = serializers.CharField(
        required=False, allow_blank=True, trim_whitespace=False, max_length=settings.LARGEST_UPLOAD
    )
    dry_run = serializers.BooleanField(default=False, help_text="Try everything, write nothing.")
    timezone = serializers.CharField(
        default="", allow_blank=True, help_text="IANA name, for a text that names no place."
    )
    format = serializers.ChoiceField(FORMAT_NAMES, default="", allow_blank=True)
    prefer_source = serializers.BooleanField(default=False)
    cancel_missing = serializers.BooleanField(default=False)
    restore = serializers.BooleanField(default=False)
    partial = serializers.BooleanField(default=False)

    def validate_timezone(self, name: str) -> str:
        if name and name not in ZONE_NAMES:
            raise serializers.ValidationError("This is no time zone; give an IANA name such as Europe/Paris.")
        return name

    def validate(self, values: dict) -> dict:
        for file in values.get("files", ()):
            if file.size > settings.LARGEST_UPLOAD:
                limit = settings.LARGEST_UPLOAD // 1024**2
                raise serializers.ValidationError({"files": [f"{file.name} is larger than {limit} MB."]})
        if not values.get("files") and not values.get("text", "").strip():
            raise serializers.ValidationError({"files": ["Send files or a text."]})
        return values

    def read_sources(self) -> list[Source]:
        values = self.validated_data
        sources = [Source(file.name, file.read()) for file in values.get("files", ())]
        if values.get("text", "").strip():
            sources.append(Source("text", values["text"].encode()))
        return sources


class Imports(OfEvent):
    """Imports into an event."""

    serializer_class = ImportSerializer
    rights_of = ImportRun
    parser_classes = (MultiPartParser, JSONParser)
    largest_body = settings.LARGEST_UPLOAD + LARGEST_BODY

    @extend_schema(responses={200: OpenApiResponse(OpenApiTypes.OBJECT, "What the import did, or would do.")})
    def post(self, request: Request, *args, **kwargs) -> Response:
        """Import files or a text, all or nothing; `dry_run` only says what it would do."""
        asked = self.get_serializer(data=request.data)
        asked.is_valid(raise_exception=True)
        values = asked.validated_data
        try:
            report = import_schedule(
                asked.read_sources(),
                event_slug=self.event.slug,
                timezone=values["timezone"],
                format_name=values["format"],
                reading=ReadOptions(is_partial_allowed=values["partial"]),
                options=ImportOptions(values["prefer_source"], values["cancel_missing"], values["restore"]),
                is_dry_run=values["dry_run"],
                user=request.user,
            )
        except ScheduleRefused as refused:
            raise exceptions.ValidationError({"files": [str(problem) for problem in refused.problems]}) from None
        if report.has_changes and not report.is_dry_run:
            log_write(request, self.event, CHANGE, "import")
        return Response(json.loads(report.to_json()))
