"""The whole programme at once, and what changed in it."""

from rest_framework.request import Request
from rest_framework.response import Response

from conference.api.rows import OfEvent, Rows
from schedule.models import Session
from schedule.serializers import ChangeSerializer, ProgrammeSerializer


class Changes(Rows):
    """What changed for attendees since the programme was public, the latest first."""

    serializer_class = ChangeSerializer
    rights_of = Session
    has_times = True

    def get_queryset(self):
        return self.gate(self.event.changes.with_pages().latest_first())


class Programme(OfEvent):
    """Everything on the programme in one answer: the event and its rooms, tracks, speakers and sessions."""

    serializer_class = ProgrammeSerializer
    rights_of = Session
    has_times = True

    def get(self, request: Request, *args, **kwargs) -> Response:
        """Read it as a whole."""
        event = self.event
        parts = {
            "event": event,
            "rooms": self.gate(event.rooms.order_by("position", "id")),
            "tracks": self.gate(event.tracks.order_by("position", "id")),
            "speakers": self.gate(event.speakers.in_order()),
            "sessions": self.gate(event.sessions.exported()),
        }
        return Response(self.get_serializer(parts).data)
