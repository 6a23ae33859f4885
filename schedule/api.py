"""Reading sessions over HTTP, with the same filter as the page."""

from conference.api import ListOfEvent
from schedule.filters import SessionFilter
from schedule.serializers import SessionSerializer


class SessionList(ListOfEvent):
    serializer_class = SessionSerializer

    def get_queryset(self):
        return self.event.sessions.public().with_details().prefetch_related("materials").in_order()

    def filter_queryset(self, queryset):
        return SessionFilter(self.request.query_params, queryset, viewing=self.event.viewing).qs
