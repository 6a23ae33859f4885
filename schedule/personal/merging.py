"""Stars of several devices: per session, the later change counts. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

# A clock that runs ahead must not win for ever.
FUTURE_ALLOWED = timedelta(minutes=5)
_MILLISECOND = timedelta(milliseconds=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Mark:
    """One session starred or not, and when that was decided (aware)."""

    is_starred: bool
    changed_at: datetime

    @property
    def rank(self) -> tuple[datetime, bool]:
        """The later one wins; at one instant, the star."""
        return self.changed_at, self.is_starred


def merge_marks(known: Mapping[str, Mark], told: Mapping[str, Mark]) -> dict[str, Mark]:
    """Return those of `told`, by session uid, that are news to `known`. Any order of any merges gives the same end."""
    return {uid: mark for uid, mark in told.items() if uid not in known or mark.rank > known[uid].rank}


def read_marks(changes: Iterable, now: datetime) -> dict[str, Mark]:
    """Read [[uid, starred, milliseconds since 1970], …] from a device, each session's latest.

    A time in the future is taken for `now`. Raises ValueError for anything else.
    """
    marks: dict[str, Mark] = {}
    for change in changes:
        uid, is_starred, milliseconds = _check(change)
        at = min(_EPOCH + milliseconds * _MILLISECOND, now + FUTURE_ALLOWED)
        mark = Mark(is_starred, at)
        if uid not in marks or mark.rank > marks[uid].rank:
            marks[uid] = mark
    return marks


def _check(change) -> tuple[str, bool, int]:
    if not isinstance(change, list) or len(change) != 3:
        raise ValueError("a change is [uid, starred, milliseconds]")
    uid, is_starred, milliseconds = change
    is_time = type(milliseconds) is int and 0 <= milliseconds < 10**14
    if not isinstance(uid, str) or len(uid) != 36 or type(is_starred) is not bool or not is_time:
        raise ValueError("a change is [uid, starred, milliseconds]")
    return uid, is_starred, milliseconds


def to_milliseconds(instant: datetime) -> int:
    """Return an aware instant as milliseconds since 1970."""
    return (instant - _EPOCH) // _MILLISECOND
