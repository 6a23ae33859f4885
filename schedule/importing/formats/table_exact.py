"""A table that our own export wrote (exports/spreadsheet.py), edited or not: what its cells can't say.

Its last column holds facts as JSON (formats/exact.py), and beside them what the cells were that they belong to:
{"facts": {"kind": "social"}, "cells": {"kind": "89a1e4c2"}}. Whoever edits such a cell means the new text.
"""

import re
from collections.abc import Mapping, Sequence
from zlib import crc32

from schedule.importing.document import SessionEntry
from schedule.importing.formats.entries import Notes
from schedule.importing.formats.exact import apply_session_facts, parse_facts
from schedule.importing.html import clean_text

COLUMN = "plenary"
# What the export adds for readers, and what follows from other columns.
FOR_READERS = frozenset({"local_day", "local_start", "local_end", "url"})
ROLE_COLUMNS = ("speakers", "moderators", "panelists", "hosts", "chairs")
# A cell that begins so would be a formula; an apostrophe before it makes it text.
FORMULA_BEGINNINGS = ("=", "+", "-", "@", "\t", "\r")
GUARD = "'"
# What a cell of Excel holds at most.
LONGEST_CELL = 32_000
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def columns_of(fact: str) -> Sequence[str]:
    """Return the names of the columns that say the same as a fact, as far as they can."""
    return ROLE_COLUMNS if fact == "people" else () if fact in ("fields", "uid") else (fact,)


def stamp(text: str) -> str:
    """Return by what a cell is known again, whatever a spreadsheet did to its white space and controls."""
    lines = _CONTROLS.sub("", clean_text(text)[:LONGEST_CELL]).split("\n")
    return f"{crc32(' '.join(line.strip() for line in lines).strip().encode()):08x}"


def is_guarded(text: str) -> bool:
    """Whether the export put an apostrophe before `text`: before a formula, or before what has one of its own."""
    return text.startswith(GUARD) and text.lstrip(GUARD).startswith(FORMULA_BEGINNINGS)


def set_exactly(notes: Notes, session: SessionEntry, cells: Mapping[str, str], line: int) -> None:
    """Set in `session` what the row says beside its cells; a fact whose cells were edited since says nothing.

    `cells` are those of the row by the names of their columns.
    """
    said = "".join(text for name, text in cells.items() if name.startswith(COLUMN))
    if not said:
        return
    whole = parse_facts(said) or {}
    facts, written = whole.get("facts"), whole.get("cells", {})
    if not isinstance(facts, dict) or not isinstance(written, dict):
        notes.warn(f"The column “{COLUMN}” holds something else than the export wrote there; it is not read.", line)
        return
    edited = {name for name, known in written.items() if stamp(cells.get(name, "")) != known}
    kept = {}
    for name, fact in facts.items():
        if not edited.intersection(columns_of(name)):
            kept[name] = fact
        elif name == "people":
            kept[name] = _find_people_left(fact, session)
    if isinstance(kept.get("fields"), dict):
        kept["fields"] = kept["fields"] | session.fields
    kept.pop("uid", None)
    apply_session_facts(notes, session, kept, line)


def _find_people_left(fact: object, session: SessionEntry) -> object:
    """Return what is said of those people who are still in the row."""
    if isinstance(fact, list):
        fact = {said["name"]: said for said in fact if isinstance(said, dict) and isinstance(said.get("name"), str)}
    names = {person.name for person in session.people}
    return {name: said for name, said in fact.items() if name in names} if isinstance(fact, dict) else fact
