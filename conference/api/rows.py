"""What every list and every row of an event shares: reading, and writing by whoever may."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib.admin.models import ADDITION, CHANGE, DELETION, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import models, transaction
from django.http import HttpRequest
from rest_framework import exceptions, generics, pagination, viewsets
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response

from conference.api.asked import Asked
from conference.api.states import check_state, name_state
from conference.frame import get_public_event
from conference.models import Event
from conference.viewing import Viewing

LONGEST_LABEL = 200


class Pages(pagination.PageNumberPagination):
    """Numbered pages. The order of every list ends in the id, so no row repeats or is missed."""

    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 500
    page_query_description = "Number of the page, from 1."
    page_size_query_description = "Rows on a page: 50 unless asked; more than 500 are 500."
    last_page_strings = ()

    def get_page_number(self, request: Request, paginator) -> str:
        return str(read_number(request, self.page_query_param, 1))

    def get_schema_operation_parameters(self, view) -> list[dict]:
        parameters = super().get_schema_operation_parameters(view)
        return [parameter | {"schema": {"type": "integer", "minimum": 1}} for parameter in parameters]

    def get_page_size(self, request: Request) -> int:
        return min(read_number(request, self.page_size_query_param, self.page_size), self.max_page_size)


def read_number(request: Request, name: str, default: int) -> int:
    """Return the number from 1 that the address gives as `name`; anything else is an error that names it."""
    text = request.query_params.get(name, str(default))
    # No list has as many rows as a number of 18 digits.
    if not text.isascii() or not text.isdigit() or (number := int(text[:18])) < 1:
        raise exceptions.ValidationError({name: ["This is no number from 1."]})
    return number


def read_names(request: Request, name: str, known: list[str]) -> list[str]:
    """Return the names that the address gives as `name`, apart by commas; an unknown one is an error that says so."""
    asked = [part for text in request.query_params.getlist(name) for part in text.split(",")]
    if unknown := sorted(set(asked) - set(known)):
        raise exceptions.ValidationError(
            {name: [f"There is no “{', '.join(unknown)[:100]}”; there are {', '.join(known)}."]}
        )
    return asked


class OfEvent(Asked, generics.GenericAPIView):
    """Something of the event in the address, as the public sees it; its organisers see drafts too, if they ask."""

    def initial(self, request: Request, *args, **kwargs) -> None:
        super().initial(request, *args, **kwargs)
        self.event = self.find_event()
        self.viewing = Viewing.of(self.event, request.query_params)

    @property
    def sees_drafts(self) -> bool:
        """Whether the one gate stands open: for whoever writes, and for organisers who ask (access.OrganisersWrite)."""
        return self.request.method not in SAFE_METHODS or self.is_asked_for_drafts

    def find_event(self) -> Event:
        return self.request.auth.event if self.sees_drafts else get_public_event(self.kwargs["slug"])

    def gate(self, rows: models.QuerySet) -> models.QuerySet:
        """Return what of `rows` whoever asks may see."""
        return rows if self.sees_drafts else rows.public()


class Rows(OfEvent, viewsets.ReadOnlyModelViewSet):
    """A list of rows and each of them, told by a serializer that knows `fields` and `expand`."""

    pagination_class = Pages
    lookup_field = "pk"
    lookup_url_kwarg = "id"

    def retrieve(self, request: Request, *args, **kwargs) -> Response:
        return self.answer(self.get_object())

    def answer(self, row: models.Model, status: int = 200) -> Response:
        """Answer with `row`, and name its state."""
        response = Response(self.get_serializer(row).data, status)
        response.headers["ETag"] = f'"{self.name_state(row)}"'
        return response

    def name_state(self, row: models.Model) -> str:
        context = self.get_serializer_context() | {"is_plain": True}
        return name_state(self.get_serializer_class()(row, context=context).data)


class WritableRows(Rows):
    """Rows that organisers add and change. What is sent as it was changes nothing."""

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Around what changes rows: the programme has one more version."""
        yield
        self.event.mark_programme_changed()

    @contextmanager
    def locked(self, is_guarded: bool = True) -> Iterator[models.Model]:
        """Give the row of the address, which nobody else changes meanwhile, if it is as the client knows it."""
        with transaction.atomic():
            Event.objects.select_for_update().get(pk=self.event.pk)
            row = self.get_object()
            check_state(self.request, self.name_state(row), is_required=is_guarded)
            yield row

    def create(self, request: Request, *args, **kwargs) -> Response:
        with transaction.atomic():
            Event.objects.select_for_update().get(pk=self.event.pk)
            row = self.save(self.get_serializer(self.new_row(), data=request.data), ADDITION)
            response = self.answer(self.find_again(row), 201)
        response.headers["Location"] = request.build_absolute_uri(f"{row.pk}/")
        return response

    def update(self, request: Request, *args, partial: bool = False, **kwargs) -> Response:
        with self.locked() as row:
            row = self.save(self.get_serializer(row, data=request.data, partial=partial), CHANGE)
            return self.answer(self.find_again(row))

    def partial_update(self, request: Request, *args, **kwargs) -> Response:
        return self.update(request, *args, partial=True, **kwargs)

    def new_row(self) -> models.Model:
        return self.get_queryset().model(event=self.event)

    def find_again(self, row: models.Model) -> models.Model:
        """Return `row` as a reader gets it now."""
        return self.get_queryset().get(pk=row.pk)

    def save(self, serializer, action: int) -> models.Model:
        serializer.is_valid(raise_exception=True)
        changed = serializer.find_changed()
        if changed or action == ADDITION:
            with self.recording():
                row = serializer.save()
            self.log(row, action, ", ".join(changed) if action == CHANGE else "")
        return serializer.instance

    def log(self, row: models.Model, action: int, what: str = "") -> None:
        log_write(self.request, row, action, what)


class DeletableRows(WritableRows):
    """Rows that organisers delete too, where no session needs them."""

    def destroy(self, request: Request, *args, **kwargs) -> Response:
        with self.locked() as row:
            with self.recording():
                self.log(row, DELETION)
                row.delete()
            return Response(status=204)


def log_write(request: HttpRequest | Request, row: models.Model, action: int, what: str = "") -> None:
    """Write into the admin's history what a token did to `row`, in the name of whoever made the token."""
    said = f"API token “{request.auth.name}”"
    LogEntry.objects.create(
        user=request.user,
        content_type=ContentType.objects.get_for_model(row),
        object_id=row.pk,
        object_repr=str(row)[:LONGEST_LABEL],
        action_flag=action,
        change_message=f"{said}: {what}" if what else said,
    )
