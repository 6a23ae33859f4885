"""What an import changed, row by row: told before it is done, and taken back as one step after.

The journal of a run, as JSON:
    {"changed": [[table, id, label, {column: [before, after]}]], "created": [[table, id, label, hash]],
     "deleted": [[table, id, label, {column: value}]]}
A created row is known to be untouched by the hash of its columns; a changed one column by column.
"""

import hashlib
import json
from collections.abc import Iterable
from datetime import UTC, date, datetime
from functools import cache

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models

from conference.models import Event, Room, Track
from schedule.models import Material, Session, SessionSpeaker, Tombstone
from speakers.models import Speaker

TABLES = {
    model._meta.model_name: model
    for model in (Event, Room, Track, Speaker, Session, SessionSpeaker, Material, Tombstone)
}
# Sessions first: they take their people and materials along.
_UNMADE_IN_ORDER = ("session", "sessionspeaker", "material", "speaker", "track", "room", "event")
# Columns that follow from others, or that count changes: no news to anybody, and no hand edit.
DERIVED = frozenset(
    {"name_key", "title_key", "search_text", "sort_key", "affiliation_slug", "level_slug", "language_slug", "form"}
    | {"programme_version", "programme_changed_at"}
)
BOOKKEEPING = frozenset({"source_key", "source_values", "source_id", "source_format"})
# Position and code follow from the sessions until a person decides them; the form from both.
_UNSEEN = DERIVED | BOOKKEEPING | {"position", "code"}


def snapshot(row: models.Model, without: frozenset[str] = DERIVED) -> dict[str, object]:
    """Return the columns of `row` as plain JSON values, without the derived ones."""
    return {name: _plain(getattr(row, name)) for name in _columns(type(row), without)}


@cache
def _columns(model: type[models.Model], without: frozenset[str]) -> tuple[str, ...]:
    return tuple(f.attname for f in model._meta.concrete_fields if f.attname not in without)


def _plain(value: object) -> object:
    """Return a column's value as JSON has it; one instant has one spelling, whatever zone it came in."""
    if value is None or isinstance(value, (str, int, dict, list)):
        return value
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, date):
        return value.isoformat()
    return getattr(value, "name", None) or str(value)


_SORTED = json.JSONEncoder(sort_keys=True)


def hash_of(row: models.Model) -> str:
    """Return a hash of what a person sees of `row`."""
    return hashlib.sha256(_SORTED.encode(snapshot(row, _UNSEEN)).encode()).hexdigest()[:16]


# What a field of a row is called in a report, where the column's name is no word for people.
FIELD_WORDS = {"room_id": "room", "track_id": "track", "is_bio_cut": "bio is cut", "is_gone": "gone"}


class Journal:
    """Takes notes during one import. Rows are remembered before they change; one that it made goes as a whole."""

    def __init__(self):
        self._before: dict[tuple[str, int], tuple[models.Model, dict]] = {}
        self._created: dict[tuple[str, int], models.Model] = {}
        self._deleted: list[tuple[models.Model, dict]] = []

    def will_change(self, row: models.Model) -> None:
        """Remember an existing row as it is; the first call for a row counts."""
        key = (row._meta.model_name, row.pk)
        if row.pk and key not in self._before and key not in self._created:
            self._before[key] = (row, snapshot(row))

    def created(self, rows: Iterable[models.Model]) -> None:
        self._created |= {(row._meta.model_name, row.pk): row for row in rows}

    def deleted(self, rows: Iterable[models.Model]) -> None:
        self._deleted += [(row, snapshot(row)) for row in rows]

    def close(self) -> dict[str, list]:
        """Return the journal once everything is written."""
        changed = []
        for (table, pk), (row, before) in self._before.items():
            after = snapshot(row)
            columns = {name: [before[name], after[name]] for name in before if before[name] != after[name]}
            if columns:
                changed.append([table, pk, str(row), columns])
        return {
            "changed": changed,
            "created": [[table, pk, str(row), hash_of(row)] for (table, pk), row in self._created.items()],
            "deleted": [[row._meta.model_name, columns["id"], str(row), columns] for row, columns in self._deleted],
        }


def describe(journal: dict[str, list]) -> list[str]:
    """Return the journal in lines for people: each new row, and each field old → new. Rows are told by their names."""
    words = {table: str(model._meta.verbose_name) for table, model in TABLES.items()}
    names = _find_names(journal)
    lines = [f"+ {words[table]}: {label}" for table, _pk, label, _hash in journal["created"]]
    for table, _pk, label, columns in journal["changed"]:
        # The order of rooms and tracks follows from the sessions, until a person decides it.
        silent = BOOKKEEPING | {"position"} if table in ("room", "track") else BOOKKEEPING
        seen = {name: values for name, values in columns.items() if name not in silent}
        lines += [
            f"~ {words[table]} {label}: {FIELD_WORDS.get(name, name)}: "
            + " → ".join(_short(name, names[name].get(value) if name in names else value) for value in values)
            for name, values in seen.items()
        ]
    lines += [f"- {words[table]}: {label}" for table, _pk, label, _columns in journal["deleted"]]
    return lines


def _find_names(journal: dict[str, list]) -> dict[str, dict[int, str]]:
    """Return what the rooms and tracks are called that a changed column refers to: by column, then by id."""
    names = {}
    for column, model in (("room_id", Room), ("track_id", Track)):
        ids = {pk for *_row, columns in journal["changed"] for pk in columns.get(column, ()) if pk}
        if ids:
            names[column] = dict(model.objects.filter(pk__in=ids).values_list("pk", "name"))
    return names


def _short(name: str, value: object) -> str:
    """Return the value of a column in words, at most some of them."""
    if value in (None, ""):
        return "nothing"
    if name in ("start", "end"):
        return f"{datetime.fromisoformat(value):%Y-%m-%d %H:%M} UTC"
    text = {True: "yes", False: "no"}[value] if isinstance(value, bool) else " ".join(str(value).split())
    return f"“{text[:60]}…”" if len(text) > 60 else f"“{text}”"


def fingerprint(journal: dict[str, list]) -> str:
    """Return a hash of what a journal would do, without the ids that a database gives anew each time."""
    made = {(table, pk): label for table, pk, label, _hash in journal["created"]}

    def name_new(column: str, value: object) -> object:
        return made.get((column.removesuffix("_id"), value), value) if isinstance(value, int) else value

    plain = {
        "changed": [
            [table, pk, {c: [name_new(c, v) for v in values] for c, values in columns.items() if c not in BOOKKEEPING}]
            for table, pk, _label, columns in journal["changed"]
            if (table, pk) not in made
        ],
        "created": [[table, label] for table, _pk, label, _hash in journal["created"]],
        "deleted": [[table, pk] for table, pk, _label, _columns in journal["deleted"]],
    }
    return hashlib.sha256(json.dumps(plain, sort_keys=True, cls=DjangoJSONEncoder).encode()).hexdigest()


def roll_back(journal: dict[str, list]) -> list[str]:
    """Take back what a run did, inside the caller's transaction; return what stays, in lines for people.

    A column that was changed again since, by hand or by a later import, keeps its value. A row made by
    the run goes, unless it was touched since or something made later hangs on it.
    """
    stays: list[str] = []
    restored: list[models.Model] = []
    for table, pk, label, columns in journal["changed"]:
        row, kept = _restore(TABLES[table], pk, label, columns)
        restored += [row] if row else []
        stays += kept
    for number, row in enumerate(row for row in restored if isinstance(row, Track)):
        # Codes may go back in a circle, and each must be unique at every moment.
        Track.objects.filter(pk=row.pk).update(code=chr(0xE000 + number))
    for row in restored:
        row.save()
    made = {table: {pk for known, pk, *_rest in journal["created"] if known == table} for table in TABLES}
    for table in _UNMADE_IN_ORDER:
        entries = [entry for entry in journal["created"] if entry[0] == table]
        stays += _remove(TABLES[table], entries, made)
    for table, _pk, label, columns in journal["deleted"]:
        stays += _bring_back(TABLES[table], label, columns)
    return stays


def _bring_back(model: type[models.Model], label: str, columns: dict[str, object]) -> list[str]:
    """Make a deleted row again, unless what it belongs to is gone or its like is there."""
    row = model(**columns)
    relations = [f for f in model._meta.concrete_fields if f.is_relation]
    if not all(_has_target(field, columns[field.attname]) for field in relations):
        return [f"{label} can't be brought back: what it belongs to was deleted since"]
    is_linked = model is SessionSpeaker and SessionSpeaker.objects.filter(
        session=row.session_id, speaker=row.speaker_id
    )
    if not model.objects.filter(pk=row.pk).exists() and not (is_linked and is_linked.exists()):
        row.save(force_insert=True)
    return []


def _has_target(field: models.Field, value: object) -> bool:
    """Whether the row that a relation names is there."""
    return not field.is_relation or value is None or field.related_model.objects.filter(pk=value).exists()


def _restore(
    model: type[models.Model], pk: int, label: str, columns: dict[str, list]
) -> tuple[models.Model | None, list[str]]:
    """Set the columns of a row back, unsaved; return it, and what stays as it is."""
    row = model.objects.filter(pk=pk).first()
    if row is None:
        return None, [f"{label} was deleted since and stays so"]
    now, stays = snapshot(row), []
    for name, (before, after) in columns.items():
        field = next(f for f in model._meta.concrete_fields if f.attname == name)
        if not _has_target(field, before):
            stays.append(f"{label}: {field.name} can't be set back, it was deleted since")
        elif now[name] == after:
            setattr(row, name, before if isinstance(field, models.JSONField) else field.to_python(before))
        elif name == "source_values":
            # A later run said more since: what this one said is taken back key by key.
            told = {key: value for key, value in now[name].items() if after.get(key) != value or key in before}
            row.source_values = told | {k: v for k, v in before.items() if now[name].get(k) == after.get(k)}
        elif name not in BOOKKEEPING:
            stays.append(f"{label}: {name.removesuffix('_id')} was changed since and stays")
    return row, stays


def _remove(model: type[models.Model], entries: list[list], made: dict[str, set[int]]) -> list[str]:
    """Delete the rows of `entries` that nobody needs; `made` are the ids of all that the run made, by table."""
    rows = model.objects.in_bulk([pk for _table, pk, _label, _hash in entries])
    stays, going = [], []
    for _table, pk, label, known in entries:
        row = rows.get(pk)
        if row is None or getattr(row, "session_id", None) in made["session"]:
            continue  # Gone already, or part of a session that stays.
        if reason := _reason_to_stay(row, known, made):
            stays.append(f"{label} stays: {reason}")
        else:
            going.append(pk)
    model.objects.filter(pk__in=going).delete()
    return stays


def _reason_to_stay(row: models.Model, known: str, made: dict[str, set[int]]) -> str:
    if isinstance(row, Event) and any(
        rows.exists() for rows in (row.sessions, row.speakers, row.rooms, row.tracks, row.tombstones)
    ):
        return "it holds rows of other imports or of yours"
    if isinstance(row, Room | Track | Speaker) and row.sessions.exists():
        return "sessions use it"
    if isinstance(row, Session):
        people = row.session_speakers.exclude(pk__in=made["sessionspeaker"])
        materials = row.materials.exclude(pk__in=made["material"])
        if people.exists() or materials.exists():
            return "people or materials were added to it since"
    return "it was changed since" if hash_of(row) != known else ""
