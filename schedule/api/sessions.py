"""Sessions over HTTP, with the same filter as the page."""

from contextlib import AbstractContextManager

from django.contrib.admin.models import CHANGE
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from conference.api.rows import WritableRows
from schedule.filters import SessionFilter
from schedule.models import Session
from schedule.recording import record_changes
from schedule.serializers import CancelSerializer, SessionSerializer

QUESTIONS = {
    "day": "Days of the event, 2026-04-08.",
    "track": "Tracks, by slug.",
    "room": "Rooms, by slug.",
    "kind": "Kinds.",
    "level": "Audience levels, by slug.",
    "company": "Affiliations of speakers, by slug.",
    "language": "Languages, by slug.",
    "speaker": "Speakers, by slug.",
    "materials": "“yes”: only those with materials.",
    "q": "Words that all occur in title, abstract, people, room or track.",
}


class Sessions(WritableRows):
    """Sessions by time, room and id; without a time last. The questions are those of the schedule page."""

    serializer_class = SessionSerializer
    has_times = True
    question_parameters = [
        OpenApiParameter(name, str, many=name != "q", description=QUESTIONS[name])
        for name in SessionFilter.base_filters
    ]

    def get_queryset(self):
        return self.gate(self.event.sessions.exported())

    def filter_queryset(self, queryset):
        if self.action != "list":
            return queryset
        return SessionFilter(self.request.query_params, queryset, viewing=self.viewing).qs

    def recording(self) -> AbstractContextManager:
        """Around what changes sessions: what attendees must know of it is written down."""
        return record_changes(self.event)

    @extend_schema(request=CancelSerializer)
    @action(detail=True, methods=["post"])
    def cancel(self, request: Request, *args, **kwargs) -> Response:
        """Cancel a session: it stays in the programme, marked, with a note of what happens instead."""
        asked = CancelSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        said = {"status": Session.Status.CANCELLED}
        if "note" in asked.validated_data:
            said["status_note"] = asked.validated_data["note"]
        with self.locked(is_guarded=False) as row:
            row = self.save(self.get_serializer(row, data=said, partial=True), CHANGE)
            return self.answer(self.find_again(row))
