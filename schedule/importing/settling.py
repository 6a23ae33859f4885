"""Three-way merge of one row: what it holds, what the source last said, what the source says now. Pure."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime

# Texts of which the longest wins, each with what goes with it.
TEXTS = {
    "abstract": ("abstract",),
    "bio": ("bio", "is_bio_cut"),
    "headline": ("headline", "position", "affiliation"),
}
_ELLIPSIS = re.compile(r"\s*(?:\.\.\.|…)$")


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
    return value is None or (not value and value in ("", {}, [])) or value == [None, None]


def find_partial(last: dict[str, object], said: dict[str, object]) -> list[str]:
    """Return the texts of `said` that are only a part of what a source said before: its beginning, or cut.

    Several exports of one programme tell more or less of a text, and the longest wins whichever comes last. So a
    text gives way to other words, also to fewer, but not to its own beginning, and a whole one not to a cut one
    that is no longer.
    """
    found = []
    for name in TEXTS:
        text, whole = said.get(name), last.get(name)
        if not text or not whole:
            continue
        is_worse = bool(said.get("is_bio_cut")) and not last.get("is_bio_cut") and len(text) <= len(whole)
        if _is_beginning(text, whole) or (name == "bio" and is_worse):
            found.append(name)
    return found


def _is_beginning(text: str, whole: str) -> bool:
    words, all_words = " ".join(text.split()), " ".join(whole.split())
    shorter = _ELLIPSIS.sub("", words)
    return all_words.startswith(shorter) and (shorter != words or words != all_words)


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
