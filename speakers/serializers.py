"""Speakers as data."""

from rest_framework import serializers

from conference.serializers import RowSerializer
from speakers.models import Speaker


class LinksField(serializers.ListField):
    """Addresses, which the row keeps one a line."""

    child = serializers.URLField()

    def to_representation(self, text: str) -> list[str]:
        return [line.strip() for line in text.splitlines() if line.strip()]

    def to_internal_value(self, data) -> str:
        return "\n".join(super().to_internal_value(data))


class SpeakerSerializer(RowSerializer):
    links = LinksField(required=False)
    photo = serializers.ImageField(read_only=True)

    class Meta:
        model = Speaker
        fields = [
            "id", "slug", "name", "sort_name", "headline", "position", "affiliation", "bio", "is_bio_cut", "photo",
            "links",
        ]  # fmt: skip
