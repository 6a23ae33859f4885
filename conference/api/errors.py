"""Faults by name: what an answer says of each, always as JSON."""

from django.core.exceptions import NON_FIELD_ERRORS, RequestDataTooBig, SuspiciousOperation, ValidationError
from django.db import models
from django.db.models.deletion import RestrictedError
from rest_framework import exceptions, status
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.permissions import AllowAny
from rest_framework.response import Response
from rest_framework.settings import api_settings
from rest_framework.views import APIView, exception_handler

# What a constraint is about, where its columns do not say so: the field whose value has to change.
FIELD_OF_CONSTRAINT = {
    "session_slot_is_whole_or_absent": "start",
    "session_ends_after_it_starts": "end",
    "material_is_a_file_or_a_link": "url",
    "track_hue_is_an_angle": "hue",
}
FIELD_OF_COLUMN = {"name_key": "name", "title_key": "title"}


class TooLarge(exceptions.APIException):
    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_detail = "This is more than one request may carry."
    default_code = "too_large"


class InUse(exceptions.APIException):
    status_code = status.HTTP_409_CONFLICT
    default_detail = "Sessions need this: change them first."
    default_code = "in_use"


class AlwaysJson(BaseContentNegotiation):
    """There is one form of an answer, whatever is asked for."""

    def select_parser(self, request, parsers):
        return next((p for p in parsers if _is_of(request.content_type, p.media_type)), None)

    def select_renderer(self, request, renderers, format_suffix=None):
        return renderers[0], renderers[0].media_type


def _is_of(content_type: str, media_type: str) -> bool:
    return content_type.partition(";")[0].strip().lower() == media_type


def answer_fault(error: Exception, context: dict) -> Response | None:
    """The handler of every exception in the API: what Django would answer in HTML is answered in JSON."""
    if isinstance(error, RequestDataTooBig):
        error = TooLarge()
    elif isinstance(error, SuspiciousOperation | RecursionError):
        error = exceptions.ParseError("This request can't be read.")
    elif isinstance(error, RestrictedError):
        error = InUse()
    return exception_handler(error, context)


def check_row(row: models.Model) -> None:
    """Check `row` in all that `full_clean()` does; raise DRF's ValidationError, whose keys name the fields."""
    faults: dict[str, list[str]] = {}
    try:
        row.clean_fields()
        row.clean()
        for constraint in row._meta.constraints:
            _check_constraint(row, constraint)
    except ValidationError as error:
        said = error.message_dict if hasattr(error, "error_dict") else {NON_FIELD_ERRORS: error.messages}
        for column, messages in said.items():
            field = api_settings.NON_FIELD_ERRORS_KEY if column == NON_FIELD_ERRORS else column
            faults.setdefault(FIELD_OF_COLUMN.get(field, field), []).extend(messages)
        raise exceptions.ValidationError(faults) from None


def _check_constraint(row: models.Model, constraint: models.BaseConstraint) -> None:
    try:
        constraint.validate(type(row), row)
    except ValidationError as error:
        columns = [name for name in getattr(constraint, "fields", ()) if name != "event"]
        field = FIELD_OF_CONSTRAINT.get(constraint.name) or (columns or [NON_FIELD_ERRORS])[-1]
        raise ValidationError({field: error.messages}) from None


class NotThere(APIView):
    """What no address of the API is."""

    schema = None
    authentication_classes = ()
    permission_classes = (AllowAny,)

    def initial(self, request, *args, **kwargs) -> None:
        raise exceptions.NotFound
