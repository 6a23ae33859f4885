"""Sessions, their people and materials, and changes as data."""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.conf import settings
from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from conference.dates import POSSIBLE_YEARS, find_year, write_instant
from conference.serializers import EventSerializer, Number, RoomSerializer, RowSerializer, Text, TrackSerializer
from schedule.models import Material, Session, SessionChange, SessionSpeaker
from speakers.serializers import SpeakerSerializer

TIMES = ("start", "end")
WITH_OFFSET = "With an offset: 2026-04-08T10:35:00+02:00."


def find_zone(context: dict) -> ZoneInfo:
    """Return the zone of the times: the one asked for, the event's own where a row's state is told."""
    view = context["view"]
    return view.event.zone if context.get("is_plain") else view.viewing.zone


@extend_schema_field(OpenApiTypes.DATETIME)
class InstantField(serializers.Field):
    """A time with the offset of the zone it is viewed in; sent with any offset, for a bare clock may mean two times."""

    default_error_messages = {
        "bare": "Give date and time with an offset, such as 2026-04-08T10:35:00+02:00.",
        "far": "This year is far from now.",
    }

    def to_representation(self, instant: datetime) -> str:
        return write_instant(instant.astimezone(find_zone(self.context)))

    def to_internal_value(self, data) -> datetime:
        try:
            instant = datetime.fromisoformat(data.upper())
        except (AttributeError, ValueError):
            self.fail("bare")
        if instant.utcoffset() is None:
            self.fail("bare")
        if find_year(instant, self.context["view"].event.zone) not in POSSIBLE_YEARS:
            self.fail("far")
        return instant


class OfEventField(serializers.SlugRelatedField):
    """A room or track by its slug; as a whole where the reader unfolds it."""

    default_error_messages = {"does_not_exist": "This event has no such row: {value}."}

    def __init__(self, serializer_class: type[RowSerializer], **kwargs):
        self.serializer_class = serializer_class
        model = serializer_class.Meta.model
        super().__init__("slug", queryset=model.objects.all(), required=False, allow_null=True, **kwargs)

    def get_queryset(self):
        return super().get_queryset().of(self.context["view"].event)

    def to_representation(self, row):
        if self.field_name in self.parent.expanded:
            return self.serializer_class(row, context=self.context | {"is_plain": True}).data
        return row.slug


class OfEventFieldDescription(OpenApiSerializerFieldExtension):
    """A slug in a request; in an answer a slug or, unfolded, all of the row."""

    target_class = OfEventField

    def map_serializer_field(self, auto_schema, direction):
        if direction == "request":
            return {"type": "string"}
        whole = auto_schema.resolve_serializer(self.target.serializer_class, direction).ref
        return {"oneOf": [{"type": "string"}, whole]}


class PersonSerializer(serializers.ModelSerializer):
    """A person in a session, by the speaker's id, in the order of the list."""

    id = Number(source="speaker_id", min_value=1, max_value=10**18 - 1)
    slug = serializers.CharField(source="speaker.slug", read_only=True)
    name = serializers.CharField(source="speaker.name", read_only=True)
    affiliation = serializers.CharField(source="speaker.affiliation", read_only=True)
    role = serializers.ChoiceField(SessionSpeaker.Role.choices, default=SessionSpeaker.Role.SPEAKER)

    class Meta:
        model = SessionSpeaker
        fields = ["id", "slug", "name", "affiliation", "role"]

    def to_representation(self, link: SessionSpeaker) -> dict:
        if "speakers" in getattr(self.parent.parent, "expanded", ()):
            said = SpeakerSerializer(link.speaker, context=self.context | {"is_plain": True}).data
            return said | {"role": link.role}
        return super().to_representation(link)


class MaterialSerializer(RowSerializer):
    """Slides or another file of a session: a file that is sent, or the address of one."""

    url = serializers.URLField(required=False, allow_blank=True, max_length=200)
    file = serializers.FileField(required=False, write_only=True, max_length=100)

    class Meta:
        model = Material
        fields = ["id", "name", "file_type", "url", "file"]

    def to_representation(self, material: Material) -> dict:
        """Its address is absolute, "" when only the name is known."""
        address = self.context["request"].build_absolute_uri(material.address) if material.address else ""
        said = super().to_representation(material)
        return said | {"url": address} if "url" in said else said

    def validate_file(self, file):
        if file.size > settings.LARGEST_UPLOAD:
            raise serializers.ValidationError(f"This is larger than {settings.LARGEST_UPLOAD // 1024**2} MB.")
        return file


class SessionSerializer(RowSerializer):
    """Times carry the offset, at that instant, of the zone they are viewed in."""

    start = InstantField(required=False, allow_null=True, help_text=WITH_OFFSET)
    end = InstantField(required=False, allow_null=True, help_text=WITH_OFFSET)
    timezone = serializers.SerializerMethodField()
    room = OfEventField(RoomSerializer, help_text="By slug; null: all rooms, as for a break.")
    track = OfEventField(TrackSerializer, help_text="By slug.")
    speakers = PersonSerializer(
        source="session_speakers", many=True, required=False, help_text="In order, by id; unfolded as speakers are."
    )
    materials = MaterialSerializer(many=True, read_only=True)
    fields = serializers.DictField(child=Text(allow_blank=True, trim_whitespace=False), required=False)
    url = serializers.SerializerMethodField()

    expandable = ("speakers", "room", "track")

    class Meta:
        model = Session
        fields = [
            "id", "uid", "url", "title", "kind", "status", "status_note", "availability", "start", "end", "timezone",
            "room", "track", "level", "language", "abstract", "speakers", "materials", "stream_url", "recording_url",
            "fields",
        ]  # fmt: skip

    def get_timezone(self, session: Session) -> str:
        """The zone of the times."""
        return find_zone(self.context).key

    @extend_schema_field(OpenApiTypes.URI)
    def get_url(self, session: Session) -> str:
        """The session's page."""
        return self.context["request"].build_absolute_uri(session.get_absolute_url())

    def validate_speakers(self, people: list[dict]) -> list[dict]:
        # Within a PATCH, DRF asks for no field, also where a whole person is named.
        if not all("speaker_id" in person for person in people):
            raise serializers.ValidationError("Name each by id.")
        ids = [person["speaker_id"] for person in people]
        known = set(self.context["view"].event.speakers.filter(pk__in=ids).values_list("pk", flat=True))
        if unknown := [pk for pk in ids if pk not in known]:
            raise serializers.ValidationError(f"This event has no speaker {', '.join(map(str, unknown))}.")
        if len(known) != len(ids):
            raise serializers.ValidationError("Somebody stands here twice.")
        return people

    def validate_fields(self, fields: dict[str, str]) -> dict[str, str]:
        if any("\0" in name for name in fields):
            raise serializers.ValidationError("Null characters are not allowed.")
        return fields

    def find_usual(self, name: str, column: str) -> object:
        return [] if name == "speakers" else super().find_usual(name, column)

    def put(self, row: Session, name: str, value: object) -> None:
        if name == "session_speakers":
            row.people = [(person["speaker_id"], person.get("role", SessionSpeaker.Role.SPEAKER)) for person in value]
        else:
            super().put(row, name, value)

    def read_columns(self, row: Session) -> dict:
        """With the people, as they will be or as they are."""
        people = getattr(row, "people", None)
        if people is None:
            links = row.session_speakers.all() if row.pk else ()
            people = [(link.speaker_id, link.role) for link in links]
        return super().read_columns(row) | {"session_speakers": people}

    def save(self, **kwargs) -> Session:
        session = super().save(**kwargs)
        people = getattr(session, "people", None)
        if people is not None and people != self.before.get("session_speakers", []):
            session.session_speakers.exclude(speaker__in=[pk for pk, _role in people]).delete()
            for position, (pk, role) in enumerate(people, start=1):
                session.session_speakers.update_or_create(speaker_id=pk, defaults={"role": role, "position": position})
        return session


class ChangeSerializer(RowSerializer):
    """One thing that changed for attendees; `old` and `new` hold the values that differ."""

    session = serializers.SerializerMethodField()
    at = InstantField(read_only=True)
    old = serializers.SerializerMethodField()
    new = serializers.SerializerMethodField()
    timezone = serializers.SerializerMethodField()

    class Meta:
        model = SessionChange
        fields = ["id", "kind", "session", "uid", "title", "old", "new", "at", "timezone", "programme_version"]

    def get_session(self, change: SessionChange) -> int | None:
        """The session's id, null where it is public no more."""
        return change.session_id if change.has_page else None

    def get_old(self, change: SessionChange) -> dict[str, str | None]:
        """What was: of start, end, room, title those that differ."""
        return self._localise(change.old)

    def get_new(self, change: SessionChange) -> dict[str, str | None]:
        """What is now."""
        return self._localise(change.new)

    def get_timezone(self, change: SessionChange) -> str:
        """The zone of the times."""
        return find_zone(self.context).key

    def _localise(self, values: dict[str, str | None]) -> dict[str, str | None]:
        zone = find_zone(self.context)
        times = {name: datetime.fromisoformat(text) for name, text in values.items() if name in TIMES and text}
        return values | {name: write_instant(time.astimezone(zone)) for name, time in times.items()}


class CancelSerializer(serializers.Serializer):
    """Why, and what happens instead."""

    note = Text(required=False, allow_blank=True, max_length=200)


class ProgrammeSerializer(serializers.Serializer):
    """All of an event at once, each part as its list has it."""

    event = EventSerializer()
    rooms = RoomSerializer(many=True)
    tracks = TrackSerializer(many=True)
    speakers = SpeakerSerializer(many=True)
    sessions = SessionSerializer(many=True)
