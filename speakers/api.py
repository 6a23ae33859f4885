"""Reading speakers over HTTP."""

from conference.api import ListOfEvent
from speakers.serializers import SpeakerSerializer


class SpeakerList(ListOfEvent):
    serializer_class = SpeakerSerializer

    def get_queryset(self):
        return self.event.speakers.public().in_order()
