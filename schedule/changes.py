"""What changed for attendees between two states of a programme. Pure: states in, changes out.

Feeds, calendars ("SEQUENCE") and the labels in the list are built on the rows that `recording.py` makes of these.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from uuid import UUID


class ChangeKind(StrEnum):
    """What an attendee has to know of a session. One that is public no more is cancelled, with nothing new."""

    ADDED = "added"
    MOVED = "moved"
    ROOM = "room"
    RENAMED = "renamed"
    CANCELLED = "cancelled"
    RESTORED = "restored"


@dataclass(frozen=True, slots=True)
class Seen:
    """One public session as attendees see it."""

    pk: int
    uid: UUID
    title: str
    is_cancelled: bool
    start: datetime | None = None
    end: datetime | None = None
    room_id: int | None = None
    room: str = ""

    @property
    def times(self) -> dict[str, str | None]:
        slot = {"start": self.start, "end": self.end}
        return {name: moment and moment.astimezone(UTC).isoformat() for name, moment in slot.items()}


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that changed of one session: `old` and `new` hold the values that differ, as JSON has them."""

    kind: ChangeKind
    uid: UUID
    pk: int | None
    title: str
    old: Mapping[str, str | None]
    new: Mapping[str, str | None]


def find_changes(before: Mapping[UUID, Seen], after: Mapping[UUID, Seen]) -> list[Change]:
    """Return what changed between two states of an event's public sessions, by uid.

    Where nothing was public before, all of it is new, and that is no change.
    """
    if not before:
        return []
    changes: list[Change] = []
    for uid, now in after.items():
        if uid in before:
            changes += _compare(before[uid], now)
        elif not now.is_cancelled:
            changes.append(Change(ChangeKind.ADDED, uid, now.pk, now.title, {}, now.times | {"room": now.room}))
    for uid, was in before.items():
        if uid not in after and not was.is_cancelled:
            changes.append(Change(ChangeKind.CANCELLED, uid, None, was.title, was.times | {"room": was.room}, {}))
    return changes


def _compare(was: Seen, now: Seen) -> Iterable[Change]:
    def change(kind: ChangeKind, old: Mapping, new: Mapping) -> Change:
        return Change(kind, now.uid, now.pk, now.title, old, new)

    if was.is_cancelled != now.is_cancelled:
        yield change(ChangeKind.CANCELLED if now.is_cancelled else ChangeKind.RESTORED, {}, now.times)
    if was.times != now.times:
        yield change(ChangeKind.MOVED, was.times, now.times)
    if was.room_id != now.room_id:
        yield change(ChangeKind.ROOM, {"room": was.room}, {"room": now.room})
    if was.title != now.title:
        yield change(ChangeKind.RENAMED, {"title": was.title}, {"title": now.title})


@dataclass(frozen=True, slots=True)
class ShownChange:
    """A change as a row shows it: what was before, a room or a start in the zone of the row."""

    kind: str
    at: datetime
    room_was: str = ""
    start_was: datetime | None = None
    is_other_day: bool = False


def show_change(kind: str, at: datetime, old: Mapping[str, str | None], row) -> ShownChange | None:
    """Return what `row` (agenda.Row) says of a change; None where it says all anyway, or is back as it was."""
    if row.start is None or row.session.is_cancelled:
        return None
    if kind == ChangeKind.ROOM:
        here = row.session.room.name if row.session.room else ""
        return ShownChange(kind, at, room_was=old["room"]) if old.get("room") and old["room"] != here else None
    if kind == ChangeKind.MOVED and old.get("start"):
        was = datetime.fromisoformat(old["start"]).astimezone(row.start.tzinfo)
        if was == row.start:
            return None
        return ShownChange(kind, at, start_was=was, is_other_day=was.date() != row.start.date())
    return None


def show_changes(rows: Iterable, changes: Iterable[tuple[int, str, datetime, Mapping]]) -> None:
    """Give each row what it says of its changes, of each kind the last: (session's id, kind, at, old), oldest first."""
    latest: dict[int, dict[str, tuple[datetime, Mapping]]] = {}
    for pk, kind, at, old in changes:
        latest.setdefault(pk, {})[kind] = (at, old)
    for row in rows:
        said = latest.get(row.session.pk, {})
        shown = [show_change(kind, *said[kind], row) for kind in (ChangeKind.MOVED, ChangeKind.ROOM) if kind in said]
        row.changes = tuple(filter(None, shown))
