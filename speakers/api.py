"""Speakers over HTTP."""

from drf_spectacular.utils import OpenApiParameter

from conference.api.rows import DeletableRows
from conference.frame import read_query
from speakers.serializers import SpeakerSerializer


class Speakers(DeletableRows):
    """People on the programme, A to Z by family name; `q` searches as their page does."""

    serializer_class = SpeakerSerializer
    question_parameters = [OpenApiParameter("q", str, description="Words that all occur in name or affiliation.")]

    def get_queryset(self):
        return self.gate(self.event.speakers.in_order())

    def filter_queryset(self, queryset):
        return queryset.matching(read_query(self.request)) if self.action == "list" else queryset
