"""Speakers as data."""

from rest_framework import serializers

from speakers.models import Speaker


class SpeakerSerializer(serializers.ModelSerializer):
    links = serializers.ListField(source="link_list", child=serializers.URLField(), read_only=True)
    photo = serializers.ImageField(read_only=True)

    class Meta:
        model = Speaker
        fields = [
            "id", "slug", "name", "sort_name", "headline", "position", "affiliation", "bio", "is_bio_cut", "photo",
            "links",
        ]  # fmt: skip
