"""Writing down what changes for attendees, in the transaction that changes it: every way to change sessions is here.

Two states are compared, before and after, so that a new way to write sessions needs to know nothing but this.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from uuid import UUID

from django.db import transaction

from conference.models import Event
from schedule.changes import Seen, find_changes
from schedule.models import Session, SessionChange

_COLUMNS = ("pk", "uid", "title", "status", "start", "end", "room_id", "room__name")


def see_sessions(event: Event) -> dict[UUID, Seen]:
    """Return what attendees see of `event` now: nothing while it is no public event."""
    if event.pk is None:
        return {}
    rows = Session.objects.public().filter(event=event).order_by().values_list(*_COLUMNS)
    return {
        uid: Seen(pk, uid, title, status == Session.Status.CANCELLED, start, end, room_id, room or "")
        for pk, uid, title, status, start, end, room_id, room in rows
    }


def write_changes(event: Event, before: Mapping[UUID, Seen], now: datetime | None = None) -> None:
    """Compare `before` with what attendees see of `event` now, and write each change as a row.

    Called after `event.mark_programme_changed()`: the version is the first one that has the change.
    """
    if not before:
        return
    now = now or datetime.now(UTC)
    SessionChange.objects.bulk_create(
        SessionChange(
            event=event,
            session_id=change.pk,
            uid=change.uid,
            title=change.title,
            kind=change.kind,
            old=dict(change.old),
            new=dict(change.new),
            at=now,
            programme_version=event.programme_version,
        )
        for change in find_changes(before, see_sessions(event))
    )


@contextmanager
def record_changes(*events: Event) -> Iterator[None]:
    """Write down what the block changes for attendees of `events`, and count one more version of each programme."""
    with transaction.atomic():
        before = [see_sessions(event) for event in events]
        yield
        for event, seen in zip(events, before, strict=True):
            event.mark_programme_changed()
            write_changes(event, seen)
