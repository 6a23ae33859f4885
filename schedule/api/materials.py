"""Slides and other files of a session over HTTP."""

from contextlib import AbstractContextManager

from django.conf import settings
from django.contrib.admin.models import ADDITION, CHANGE
from django.shortcuts import get_object_or_404
from rest_framework.parsers import JSONParser, MultiPartParser
from rest_framework.request import Request

from conference.api.asked import LARGEST_BODY
from conference.api.rows import DeletableRows, log_write
from schedule.models import Material
from schedule.recording import record_changes
from schedule.serializers import MaterialSerializer


class Materials(DeletableRows):
    """Materials of a session: an uploaded file (multipart), the address of one, or a name only."""

    serializer_class = MaterialSerializer
    parser_classes = (MultiPartParser, JSONParser)
    largest_body = settings.LARGEST_UPLOAD + LARGEST_BODY

    def initial(self, request: Request, *args, **kwargs) -> None:
        super().initial(request, *args, **kwargs)
        self.session = get_object_or_404(self.gate(self.event.sessions.all()), pk=self.kwargs["session_id"])

    def get_queryset(self):
        return self.session.materials.order_by("position", "id")

    def recording(self) -> AbstractContextManager:
        return record_changes(self.event)

    def new_row(self) -> Material:
        return Material(session=self.session)

    def log(self, row: Material, action: int, what: str = "") -> None:
        """In the admin a material stands in its session's form, and so in the session's history."""
        done = "added" if action == ADDITION else "deleted"
        log_write(self.request, self.session, CHANGE, f"material “{row}” {done}")
