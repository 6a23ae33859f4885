"""One row and one source: settling what it holds, checking that its columns can hold it."""

from collections.abc import Mapping
from functools import cache

from django.core.exceptions import ValidationError
from django.db import models

from schedule.importing.document import Problem, ScheduleRefused, Severity
from schedule.importing.journal import DERIVED, FIELD_WORDS, Journal
from schedule.importing.report import EventReport, Outcome
from schedule.importing.settling import TEXTS, Conflict, find_partial, is_nothing, settle, to_plain
from schedule.models import Material

BATCH = 500


def attach(row: models.Model, name: str, others: Mapping[int, models.Model]) -> None:
    """Give `row` the one of `others` that a relation of it names, so that it need not be fetched for it alone.

    Assigning it does much more, and there are thousands of rows.
    """
    relation = row._meta.get_field(name)
    relation.set_cached_value(row, others.get(getattr(row, relation.attname)))


def read_value(row: models.Model, name: str) -> object:
    """Return what `row` holds: a column, "times" (start and end as one), or one further field ("field KEY")."""
    if name == "times":
        return [row.start, row.end] if row.start else None
    key = name.removeprefix("field ")
    return getattr(row, name) if key == name else row.fields.get(key)


def write_value(row: models.Model, name: str, value: object) -> None:
    """Set what `read_value` reads."""
    key = name.removeprefix("field ")
    if name == "times":
        row.start, row.end = value
    elif key != name:
        row.fields = row.fields | {key: value}
    else:
        setattr(row, name, value)


class RowWriter:
    """Settles rows one by one, and keeps what the report and the journal need to know of it."""

    def __init__(self, report: EventReport, journal: Journal, prefer_source: bool):
        self.report = report
        self.journal = journal
        self.prefer_source = prefer_source

    def settle(self, row: models.Model, said: dict[str, object], label: str) -> Outcome:
        """Apply the three-way merge to `row` and remember what the source said; `check()` derives what follows.

        A part of a longer text is passed over, unless the source is to win.
        """
        told = _tell(said)
        if told.items() <= row.source_values.items():
            # It says nothing new, and so changes nothing: see settle().
            return Outcome.UNCHANGED
        if not self.prefer_source:
            for text in find_partial(row.source_values, said):
                if text != "headline" and not said.get("is_bio_cut"):
                    self.report.longer.append(f"{label}: {text}")
                said, told = leave_out(said, text), leave_out(told, text)
        # A new row's defaults are nobody's choice.
        current = {name: read_value(row, name) for name in said} if row.pk else dict.fromkeys(said)
        settlement = settle(current, row.source_values, said, self.prefer_source)
        # A conflict stays open until a person or --prefer settles it: the source's news is not taken as known.
        told = row.source_values | {n: v for n, v in told.items() if n not in {c.name for c in settlement.conflicts}}
        self.report.kept += [describe_conflict(label, conflict) for conflict in settlement.conflicts]
        if not settlement.changes and told == row.source_values:
            return Outcome.UNCHANGED
        self.journal.will_change(row)
        for name, value in settlement.changes.items():
            write_value(row, name, value)
        row.source_values = told
        return Outcome.UPDATED

    def tell(self, row: models.Model, name: str, value: object) -> None:
        """Remember one thing more that the source said of `row`."""
        self.journal.will_change(row)
        row.source_values = row.source_values | {name: value}

    def check(self, row: models.Model, source: str, line: int | None, text: str) -> None:
        """Refuse a value that a column can't hold, with the line it comes from where that is known."""
        try:
            row.clean_fields(exclude=_unchecked(type(row)))
            if not isinstance(row, Material):
                row.clean()
        except ValidationError as error:
            faults = "; ".join(f"{name}: {' '.join(said)}" for name, said in error.message_dict.items())
            raise ScheduleRefused(Problem(faults, source, line, text, Severity.ERROR)) from None


@cache
def _unchecked(model: type[models.Model]) -> frozenset[str]:
    """Return the columns that need no look: relations are to rows that are there; the rest follows from columns that
    are looked at, or is JSON made here."""
    relations = {f.name for f in model._meta.fields if f.is_relation}
    return relations | DERIVED | {"source_values"}


def leave_out(said: dict[str, object], text: str) -> dict[str, object]:
    """Return what a source says, without one text and what goes with it."""
    return {name: value for name, value in said.items() if name not in TEXTS[text]}


def _tell(said: dict[str, object]) -> dict[str, object]:
    """Return what a source says as it is remembered: without what says nothing."""
    return {name: to_plain(value) for name, value in said.items() if not is_nothing(value)}


def describe_conflict(label: str, conflict: Conflict) -> str:
    """Return a conflict in words, with its three values."""
    if conflict.name.endswith("_id"):
        return f"{label}: {FIELD_WORDS[conflict.name]}"
    here, last, now = (shorten(value) for value in (conflict.here, conflict.last, conflict.now))
    name = FIELD_WORDS.get(conflict.name, conflict.name)
    return f"{label}: {name}: here {here}, the source said {last} and now says {now}"


def shorten(value: object) -> str:
    """Return a value in quotes, at most some words of it."""
    if is_nothing(value):
        return "nothing"
    if isinstance(value, list):
        value = " – ".join(str(part)[:16].replace("T", " ") for part in value) + " UTC"
    text = " ".join(str(value).split())
    return f"“{text[:60]}…”" if len(text) > 60 else f"“{text}”"


def bulk_update(model: type[models.Model], rows: list, exclude: set[str]) -> None:
    """Write all columns of `rows` but the key and `exclude`, in batches."""
    names = [f.name for f in model._meta.concrete_fields if not f.primary_key and f.name not in exclude]
    model.objects.bulk_update(rows, names, batch_size=BATCH)
