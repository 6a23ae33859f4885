"""Events, their rooms and their tracks over HTTP."""

from rest_framework import viewsets

from conference.api.asked import Asked
from conference.api.rows import DeletableRows, Pages
from conference.models import Event
from conference.serializers import EventSerializer, RoomSerializer, TrackSerializer


class Events(Asked, viewsets.ReadOnlyModelViewSet):
    """The public events, the latest first."""

    queryset = Event.objects.public().latest_first()
    serializer_class = EventSerializer
    pagination_class = Pages
    lookup_field = "slug"


class Rooms(DeletableRows):
    """Rooms in the organiser's order."""

    serializer_class = RoomSerializer

    def get_queryset(self):
        return self.gate(self.event.rooms.order_by("position", "id"))


class Tracks(DeletableRows):
    """Tracks in the organiser's order."""

    serializer_class = TrackSerializer

    def get_queryset(self):
        return self.gate(self.event.tracks.order_by("position", "id"))
