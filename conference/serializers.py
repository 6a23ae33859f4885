"""Events, rooms and tracks as data."""

from rest_framework import serializers

from conference.models import Event, Room, Track


class EventSerializer(serializers.ModelSerializer):
    class Meta:
        model = Event
        fields = [
            "id", "slug", "name", "tagline", "description", "start_date", "end_date", "timezone", "day_change_hour",
            "city", "country", "venue", "notice", "website_url", "registration_url", "help_url",
            "programme_version", "programme_changed_at",
        ]  # fmt: skip


class RoomSerializer(serializers.ModelSerializer):
    class Meta:
        model = Room
        fields = ["id", "slug", "name", "position", "floor", "capacity", "has_parallel_sessions"]


class TrackSerializer(serializers.ModelSerializer):
    class Meta:
        model = Track
        fields = ["id", "slug", "name", "position", "code", "hue"]
