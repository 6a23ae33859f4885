"""Events, rooms and tracks as data, and what every row as data shares."""

from copy import copy

from django.db import models
from rest_framework import serializers

from conference.api.errors import check_row
from conference.api.rows import read_names
from conference.models import Event, Room, Track

WRITES = ("POST", "PUT", "PATCH")


class Text(serializers.CharField):
    """Text and nothing that could be read as one: 1 is no title."""

    def to_internal_value(self, data) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Address(serializers.URLField, Text):
    pass


class Number(serializers.IntegerField):
    def to_internal_value(self, data) -> int:
        if type(data) is not int:
            self.fail("invalid")
        return super().to_internal_value(data)


class YesNo(serializers.BooleanField):
    def to_internal_value(self, data) -> bool:
        if type(data) is not bool:
            self.fail("invalid", input=data)
        return data


class RowSerializer(serializers.ModelSerializer):
    """A row, with the fields that `?fields=` leaves and the relations that `?expand=` unfolds.

    A write checks the row as `full_clean()` does and names the fields at fault. PUT gives all that it does not say its
    usual value; what is sent as it was changes nothing.
    """

    serializer_field_mapping = serializers.ModelSerializer.serializer_field_mapping | {
        models.CharField: Text,
        models.TextField: Text,
        models.URLField: Address,
        models.PositiveIntegerField: Number,
        models.PositiveSmallIntegerField: Number,
        models.BooleanField: YesNo,
    }
    # Relations that can be unfolded.
    expandable: tuple[str, ...] = ()

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        request, self.expanded = self.context.get("request"), []
        is_row = self.parent is None or isinstance(self.parent, serializers.ListSerializer)
        if request is None or not is_row or request.method in WRITES or self.context.get("is_plain"):
            return
        self.expanded = read_names(request, "expand", list(self.expandable)) if self.expandable else []
        asked = read_names(request, "fields", [name for name, field in self.fields.items() if not field.write_only])
        for name in set(self.fields) - set(asked) if asked else ():
            del self.fields[name]

    def to_internal_value(self, data):
        values = super().to_internal_value(data)
        if not self.partial and self.instance is not None and self.instance.pk:
            for name, field in self.fields.items():
                if not field.read_only and field.source not in values:
                    values[field.source] = self.find_usual(name, field.source)
        return values

    def find_usual(self, name: str, column: str) -> object:
        """Return what a row has of which nothing is said."""
        return self.Meta.model._meta.get_field(column).get_default()

    def validate(self, values: dict) -> dict:
        self.before = {} if self.instance.pk is None else self.read_columns(self.instance)
        row = copy(self.instance)
        # A copy shares what it refers to with the row.
        row._state = copy(row._state)
        row._state.fields_cache = dict(row._state.fields_cache)
        for name, value in values.items():
            self.put(row, name, value)
        check_row(row)
        self.checked = row
        return values

    def put(self, row, name: str, value: object) -> None:
        setattr(row, name, value)

    def read_columns(self, row) -> dict:
        return {field.name: getattr(row, field.attname) for field in row._meta.concrete_fields}

    def find_changed(self) -> list[str]:
        """Return the names of the columns that the write changes, after validation."""
        now = self.read_columns(self.checked)
        shown = {field.source for field in self.fields.values()}
        return [name for name in now if name in shown and now[name] != self.before.get(name)]

    def save(self, **kwargs):
        self.checked.save()
        self.instance = self.checked
        return self.instance


class EventSerializer(RowSerializer):
    class Meta:
        model = Event
        fields = [
            "id", "slug", "name", "tagline", "description", "start_date", "end_date", "timezone", "day_change_hour",
            "city", "country", "venue", "notice", "website_url", "registration_url", "help_url",
            "programme_version", "programme_changed_at",
        ]  # fmt: skip


class RoomSerializer(RowSerializer):
    class Meta:
        model = Room
        fields = ["id", "slug", "name", "position", "floor", "capacity", "has_parallel_sessions"]


class TrackSerializer(RowSerializer):
    class Meta:
        model = Track
        fields = ["id", "slug", "name", "position", "code", "hue"]
