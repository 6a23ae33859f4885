"""Three-way merge of one row: what it holds, what the source last said, what the source says now. Pure."""

from dataclasses import dataclass
from datetime import UTC, date, datetime


@dataclass(frozen=True, slots=True)
class Conflict:
    """A field that was edited here while the source changed too. All values are plain; `last` None: never said."""

    name: str
    here: object
    last: object
    now: object


@dataclass(frozen=True, slots=True)
class Settlement:
    """What an import does to one row: the values to set, and the fields on which here and source disagree."""

    changes: dict[str, object]
    conflicts: list[Conflict]


def to_plain(value: object) -> object:
    """Return `value` as JSON keeps it, so that it can be compared with what was kept: instants in UTC."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, list):
        return [to_plain(part) for part in value]
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    return value.isoformat() if isinstance(value, date) else value


def is_nothing(value: object) -> bool:
    """Whether `value` says nothing. False does: a bio that was cut and now is not."""
    return value is None or value in ("", {}, [], [None, None])


def settle(
    current: dict[str, object], last: dict[str, object], said: dict[str, object], prefer_source: bool = False
) -> Settlement:
    """Decide field by field what becomes of a row.

    `current` are the row's values, `last` the plain values the source gave the last time, `said` the
    values it gives now. A field is untouched if it holds what the source last said, or nothing where
    the source never spoke. An untouched field takes the new value; a touched one keeps its own, and is
    a conflict if the source changed too (with `prefer_source` the source wins it). Text never gives way
    to nothing.
    """
    changes, conflicts = {}, []
    for name, value in said.items():
        if is_nothing(value):
            continue
        holds, plain = to_plain(current[name]), to_plain(value)
        if holds == plain:
            continue
        is_untouched = holds == last[name] if name in last else is_nothing(holds) or holds is False
        is_news = last.get(name) != plain
        if is_untouched or (is_news and prefer_source):
            changes[name] = value
        elif is_news:
            conflicts.append(Conflict(name, holds, last.get(name), plain))
    return Settlement(changes, conflicts)
