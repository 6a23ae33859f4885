"""Sessions as data."""

from rest_framework import serializers

from schedule.models import Material, Session, SessionSpeaker


class PersonSerializer(serializers.ModelSerializer):
    """A person as a session names them."""

    id = serializers.IntegerField(source="speaker.id")
    slug = serializers.CharField(source="speaker.slug")
    name = serializers.CharField(source="speaker.name")
    affiliation = serializers.CharField(source="speaker.affiliation")

    class Meta:
        model = SessionSpeaker
        fields = ["id", "slug", "name", "affiliation", "role"]


class MaterialSerializer(serializers.ModelSerializer):
    url = serializers.SerializerMethodField()

    class Meta:
        model = Material
        fields = ["id", "name", "file_type", "url"]

    def get_url(self, material: Material) -> str:
        """An absolute address, "" when only the name is known."""
        return self.context["request"].build_absolute_uri(material.address) if material.address else ""


class SessionSerializer(serializers.ModelSerializer):
    """Times carry the event's offset at that instant."""

    start = serializers.SerializerMethodField()
    end = serializers.SerializerMethodField()
    room = serializers.CharField(source="room.slug", default=None)
    track = serializers.CharField(source="track.slug", default=None)
    speakers = PersonSerializer(source="session_speakers", many=True)
    materials = MaterialSerializer(many=True)
    url = serializers.SerializerMethodField()

    class Meta:
        model = Session
        fields = [
            "id", "uid", "url", "title", "kind", "status", "status_note", "availability", "start", "end", "room",
            "track", "level", "language", "abstract", "speakers", "materials", "stream_url", "recording_url", "fields",
        ]  # fmt: skip

    def get_start(self, session: Session) -> str | None:
        return self._local(session.start)

    def get_end(self, session: Session) -> str | None:
        return self._local(session.end)

    def get_url(self, session: Session) -> str:
        return self.context["request"].build_absolute_uri(session.get_absolute_url())

    def _local(self, instant) -> str | None:
        return instant.astimezone(self.context["view"].event.zone).isoformat() if instant else None
