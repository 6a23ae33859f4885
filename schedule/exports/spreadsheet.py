"""A programme as a table, one row a session: CSV and XLSX for people with spreadsheets, to edit and to import again."""

import csv
import io
import re
from collections.abc import Iterator, Mapping
from datetime import date, time

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Alignment, Font
from openpyxl.utils import get_column_letter

from conference.dates import write_instant
from schedule.agenda import build_row
from schedule.exports.exact import Facts, write_exactly, write_facts
from schedule.exports.programme import Programme
from schedule.importing.formats import table, table_xlsx
from schedule.importing.formats.table_exact import (
    COLUMN,
    FORMULA_BEGINNINGS,
    GUARD,
    LONGEST_CELL,
    ROLE_COLUMNS,
    columns_of,
    is_guarded,
    stamp,
)
from schedule.importing.html import clean_text

# Other programs know the columns by these names: they stay, and new ones come last but for those of facts.
COLUMNS = (
    *("uid", "title", "kind", "status", "start", "end", "local_day", "local_start", "local_end", "room", "track"),
    *("level", "language", *ROLE_COLUMNS, "abstract", "url", "stream_url", "recording_url", "materials"),
)
_ROLES = {"speakers": "speaker", "moderators": "moderator", "panelists": "panelist", "hosts": "host", "chairs": "chair"}
Cell = str | date | time
# openpyxl refuses fewer, and XML then still can't hold them.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_BOLD, _WRAPPED = Font(bold=True), Alignment(vertical="top", wrap_text=True)
_PART = re.compile(rf".{{1,{LONGEST_CELL}}}(?:(?<=\w)(?=\w)|$)|.{{1,{LONGEST_CELL}}}")
_WIDTHS = {"title": 50, "abstract": 60, "room": 20, "track": 20, "speakers": 30, "start": 26, "end": 26, "uid": 12}


def write_csv(programme: Programme) -> bytes:
    """Return `programme` as CSV: UTF-8 with a byte order mark, by which Excel knows it. No cell is a formula."""
    return write_exactly(programme, lambda facts: _write_csv(programme, facts), table.parse).encode("utf-8-sig")


def write_xlsx(programme: Programme) -> bytes:
    """Return `programme` as a workbook. Local times are times to Excel, all else is text, never a formula."""
    return write_exactly(programme, lambda facts: _write_xlsx(programme, facts), table_xlsx.parse)


def _write_csv(programme: Programme, facts: Mapping[str, Facts]) -> str:
    rows = list(_build_rows(programme, facts))
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(_name_columns(rows))
    for row, chunks in rows:
        writer.writerow([_guard(_write_cell(cell)[:LONGEST_CELL]) for cell in (*row.values(), *chunks)])
    return file.getvalue()


def _write_xlsx(programme: Programme, facts: Mapping[str, Facts]) -> bytes:
    book = Workbook(write_only=True)
    sheet = book.create_sheet("Sessions")
    sheet.freeze_panes = "C2"
    rows = list(_build_rows(programme, facts))
    for number, name in enumerate(_name_columns(rows), start=1):
        sheet.column_dimensions[get_column_letter(number)].width = _WIDTHS.get(name, 14)
    sheet.append([_make_cell(sheet, name, is_bold=True) for name in _name_columns(rows)])
    for row, chunks in rows:
        sheet.append([_make_cell(sheet, cell) for cell in (*map(_fit, row.values()), *chunks)])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _build_rows(programme: Programme, facts: Mapping[str, Facts]) -> Iterator[tuple[dict[str, Cell], list[str]]]:
    """Yield for each session its cells by column, and its facts in as many further cells as they need."""
    for session in programme.sessions:
        cells = _build_cells(programme, session)
        said = facts.get(str(session.uid))
        yield cells, _chunk(_say(said, cells)) if said else [""]


def _build_cells(programme: Programme, session) -> dict[str, Cell]:
    row = build_row(session, programme.viewing)
    cells: dict[str, Cell] = dict.fromkeys(COLUMNS, "")
    for name in ("title", "kind", "status", "level", "language", "abstract", "stream_url", "recording_url"):
        cells[name] = str(getattr(session, name))
    if row.start:
        cells |= {"start": write_instant(row.start), "end": write_instant(row.end)}
        cells |= {"local_day": row.start.date(), "local_start": _clock(row.start), "local_end": _clock(row.end)}
    for column, role in _ROLES.items():
        links = [link for link in session.session_speakers.all() if link.role == role]
        cells[column] = "; ".join(_name_person(link.speaker) for link in links)
    addresses = [programme.make_absolute(material.address) for material in session.materials.all() if material.address]
    return cells | {
        "uid": str(session.uid),
        "room": session.room.name if session.room else "",
        "track": session.track.name if session.track else "",
        "url": programme.address_of(session.get_absolute_url()),
        "materials": " ".join(addresses),
    }


def _name_person(speaker) -> str:
    return f"{speaker.name} ({speaker.affiliation})" if speaker.affiliation else speaker.name


def _clock(moment) -> time:
    return moment.time().replace(second=0, microsecond=0)


def _say(facts: Facts, cells: Mapping[str, Cell]) -> str:
    """Return the facts with the cells that say the same less well: who edits those means what they then say."""
    names = [name for fact in facts for name in columns_of(fact) if name in cells]
    return write_facts({"facts": facts, "cells": {name: stamp(_write_cell(cells[name])) for name in names}})


def _chunk(text: str) -> list[str]:
    """Return `text`, one line, in parts that fit into cells. A cell loses blanks at its ends: the cuts are in words."""
    return _PART.findall(text)


def _name_columns(rows: list[tuple[dict[str, Cell], list[str]]]) -> list[str]:
    most = max((len(chunks) for _cells, chunks in rows), default=1)
    return [*COLUMNS, COLUMN, *(f"{COLUMN}_{number}" for number in range(2, most + 1))]


def _write_cell(cell: Cell) -> str:
    return f"{cell:%H:%M}" if isinstance(cell, time) else clean_text(str(cell))


def _guard(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula. Source: OWASP, CSV injection."""
    return f"{GUARD}{text}" if text.startswith(FORMULA_BEGINNINGS) or is_guarded(text) else text


def _fit(cell: Cell) -> Cell:
    """Return what a cell of a workbook can hold; before an apostrophe that would be taken for a guard stands one."""
    if not isinstance(cell, str):
        return cell
    text = clean_text(cell)[:LONGEST_CELL]
    return f"{GUARD}{text}" if is_guarded(text) else text


def _make_cell(sheet, value: Cell, is_bold: bool = False) -> WriteOnlyCell:
    value = _NOT_XML.sub("", value) if isinstance(value, str) else value
    cell = WriteOnlyCell(sheet, value=value)
    if isinstance(value, str):
        # Text stays text, also "=1+1".
        cell.data_type = "s"
    if isinstance(value, time):
        cell.number_format = "hh:mm"
    cell.alignment = _WRAPPED
    if is_bold:
        cell.font = _BOLD
    return cell
