"""Reading events, rooms and tracks over HTTP, and what every list of the API shares."""

from rest_framework import generics, pagination

from conference.frame import get_public_event
from conference.models import Event
from conference.serializers import EventSerializer, RoomSerializer, TrackSerializer


class Pages(pagination.PageNumberPagination):
    """Numbered pages. The order of every list ends in the id, so no row repeats or is missed."""

    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 500


class EventList(generics.ListAPIView):
    queryset = Event.objects.public().latest_first()
    serializer_class = EventSerializer
    pagination_class = Pages


class EventDetail(generics.RetrieveAPIView):
    queryset = Event.objects.public()
    serializer_class = EventSerializer
    lookup_field = "slug"


class ListOfEvent(generics.ListAPIView):
    """A list of what belongs to one public event."""

    pagination_class = Pages

    def initial(self, request, *args, **kwargs) -> None:
        super().initial(request, *args, **kwargs)
        self.event = get_public_event(self.kwargs["slug"])


class RoomList(ListOfEvent):
    serializer_class = RoomSerializer

    def get_queryset(self):
        return self.event.rooms.public().order_by("position", "id")


class TrackList(ListOfEvent):
    serializer_class = TrackSerializer

    def get_queryset(self):
        return self.event.tracks.public().order_by("position", "id")
