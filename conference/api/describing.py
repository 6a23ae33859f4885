"""The API as OpenAPI says it: what drf-spectacular can't see in the views is added here."""

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter

from conference.api.access import TokenScheme
from conference.api.states import ETAGS
from conference.serializers import RowSerializer

INTRODUCTION = """\
Everything on the public pages of an event, as JSON, and a way for its organisers to change it.

**Reading** needs no account and works from any site (CORS). Lists come in pages in an order that never repeats or
misses a row: `count` says how many there are, `results` holds those of the page, `next` and `previous` are addresses
or null. `programme` gives all at once. A filter takes several values as `?track=design&track=web` and then means any of
them; one that fits nothing leaves nothing. Every answer has a strong `ETag`: ask again with `If-None-Match` and get
304 while nothing changed. Times carry the offset of the event's zone, or of the one in `tz`. Texts are plain text,
never HTML. `id` and `uid` never change; a slug may.

**Writing** needs a token of the event, made in the admin and sent as `Authorization: Bearer <token>`. To change or
delete something, read it first and send its `ETag` as `If-Match`: 428 says that it is missing, 412 that somebody was
quicker. An answer with 400 names the field at fault.

**Limits**: 429 says in `Retry-After` after how many seconds to come back.
"""
FAULT = {
    "type": "object",
    "description": "What is wrong, in words.",
    "properties": {"detail": {"type": "string"}},
    "required": ["detail"],
}
FIELD_FAULTS = {
    "type": "object",
    "description": "What is wrong, by the name of the field at fault; `detail` for the request as a whole.",
}
PATH_PARAMETERS = {
    "slug": ("The event's slug.", {"type": "string"}),
    "id": ("The row's id.", {"type": "integer", "minimum": 1, "maximum": 10**18 - 1}),
    "session_id": ("The session's id.", {"type": "integer", "minimum": 1, "maximum": 10**18 - 1}),
}
FAULTS = {
    "304": "Nothing changed.",
    "400": "Something sent is wrong; the field is named.",
    "401": "This needs a token, or the token is no good.",
    "403": "The token is for another event.",
    "404": "There is no such thing.",
    "409": "Sessions need this.",
    "412": "Somebody changed it since it was read.",
    "413": "The request is too large.",
    "415": "This type of content can't be read.",
    "428": "If-Match is missing.",
    "429": "Too many requests; Retry-After says when to come back.",
}
ACTIONS = {
    "retrieve": "Read one.",
    "create": "Add one.",
    "update": "Replace one: what is not sent gets its usual value.",
    "partial_update": "Change of one what is sent; the rest stays.",
    "destroy": "Delete one; 409 says that sessions need it.",
}
DRAFTS = OpenApiParameter("drafts", str, enum=["0", "1"], description="1: drafts too. Needs a token of the event.")
ZONE = OpenApiParameter("tz", str, description="IANA name of the zone of all times; the event's own unless asked.")


class Description(AutoSchema):
    """One operation. The view says by its class what it shares with others."""

    def get_auth(self) -> list[dict]:
        super().get_auth()
        return [{TokenScheme.name: []}] if self.is_write else [{TokenScheme.name: []}, {}]

    def get_tags(self) -> list[str]:
        """What it is about: the last word of its address that names rows."""
        words = [part for part in self.path.split("/") if part and not part.startswith("{") and part != "cancel"]
        return words[-1:]

    def get_description(self) -> str:
        """A list is what the view's class says; what the other actions do is the same for all kinds of rows."""
        return ACTIONS.get(getattr(self.view, "action", None)) or super().get_description()

    @property
    def is_write(self) -> bool:
        return self.method != "GET"

    @property
    def is_guarded(self) -> bool:
        return self.method in ("PUT", "PATCH", "DELETE")

    def get_override_parameters(self) -> list[OpenApiParameter]:
        parameters = [] if self.is_write else self._read_parameters()
        if self.is_guarded:
            text = "The ETag of what was read; * for whatever is there."
            parameters.append(
                OpenApiParameter("If-Match", str, "header", required=True, pattern=ETAGS, description=text)
            )
        return parameters

    def _read_parameters(self) -> list[OpenApiParameter]:
        parameters = [DRAFTS] if hasattr(self.view, "find_event") else []
        parameters += [ZONE] if getattr(self.view, "has_times", False) else []
        serializer = self._get_serializer()
        if isinstance(serializer, RowSerializer):
            parameters.append(
                _names(
                    "fields",
                    [name for name, field in serializer.fields.items() if not field.write_only],
                    "Only these fields, in one list with commas.",
                )
            )
            if serializer.expandable:
                parameters.append(_names("expand", list(serializer.expandable), "These as a whole, not by slug."))
        if self._is_list_view():
            parameters += getattr(self.view, "question_parameters", [])
        return parameters

    def _resolve_path_parameters(self, variables: list[str]) -> list[dict]:
        return [
            {"name": name, "in": "path", "required": True, "description": words, "schema": schema}
            for name, (words, schema) in PATH_PARAMETERS.items()
            if name in variables
        ]

    def _map_basic_serializer(self, serializer, direction):
        schema = super()._map_basic_serializer(serializer, direction)
        if direction == "response" and isinstance(serializer, RowSerializer):
            # `fields` may have left out any.
            schema.pop("required", None)
        return schema

    def _insert_field_validators(self, field, schema: dict) -> None:
        super()._insert_field_validators(field, schema)
        # “\w” means other letters to readers of the document than to Python.
        for told in (schema, *schema.get("oneOf", ())):
            if told.pop("pattern", None):
                schema.pop("oneOf", None)
                schema |= told

    def _get_response_bodies(self, direction="response") -> dict:
        bodies = super()._get_response_bodies(direction)
        return bodies | {code: self._describe_fault(code) for code in self._find_faults()}

    def _find_faults(self) -> list[str]:
        codes = ["400", "401", "403", "404", "429"]
        if self.is_write:
            codes += ["412", "413"] + ([] if self.method == "DELETE" else ["415"])
        else:
            codes += ["304"]
        if self.method == "DELETE":
            codes += ["409"]
        return sorted(codes + (["428"] if self.is_guarded else []))

    def _describe_fault(self, code: str) -> dict:
        if code == "304":
            return {"description": FAULTS[code]}
        schema = {"$ref": f"#/components/schemas/{'FieldFaults' if code == '400' else 'Fault'}"}
        body = {"description": FAULTS[code], "content": {"application/json": {"schema": schema}}}
        if code == "429":
            body["headers"] = {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer"}}}
        return body


def _names(name: str, known: list[str], words: str) -> OpenApiParameter:
    return OpenApiParameter(name, str, enum=known, many=True, explode=False, style="form", description=words)
