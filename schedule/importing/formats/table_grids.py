"""Where in a text the table is: rows and cells of CSV, TSV and Markdown, with what stands around them. Pure."""

import csv
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from schedule.importing.document import ReadOptions
from schedule.importing.formats.entries import Notes, report_broken_row, report_cut_row
from schedule.importing.formats.table_columns import (
    Column,
    UnknownColumn,
    check_words,
    explain_misfit,
    find_columns,
    fold_name,
)
from schedule.importing.html import clean_text

_DELIMITERS = "\t,;|"
_MOST_ROWS_BEFORE_HEADER = 30
_RULER = frozenset(" \t:|+-=")
_BAR = re.compile(r"(?<!\\)\|")
_HEADING = re.compile(r"[ \t]{0,3}(#{1,6})[ \t]+(.*)")
_MARKDOWN_BREAK = re.compile(r"<br[ \t]*/?>", re.IGNORECASE)
_EMPHASIS = re.compile(r"(\*\*|__|\*|`)(?=\S)([^*`\n]{1,300}?)(?<=\S)\1(?!\w)")
_MARKDOWN_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+.!|<>~-])")
_OTHER_BEGINNINGS = ("<?xml", "<!doctype", "<html", "<schedule", "{", '["', "[{", "begin:")
# Sched's own export, which has a reader of its own.
_OF_SCHED = frozenset({"event_key", "event_start"})


@dataclass(slots=True)
class Unit:
    """A row, or a line around the table: its number, what it is ("row", "header", "heading", "note" …), its cells."""

    line: int
    role: str
    cells: list[str] = field(default_factory=list)
    columns: list[Column] = field(default_factory=list)


@dataclass(slots=True)
class Grid:
    """Everything of a source in order. `is_markdown` cells may hold links; `is_whole` unless something was not read."""

    units: list[Unit]
    event_name: str = ""
    is_markdown: bool = False
    is_whole: bool = True


def has_table(text: str) -> bool:
    """Whether a header row that names a title and a time stands in `text`, and not that of Sched's export."""
    if text[:200].lstrip("\ufeff \t\r\n").casefold().startswith(_OTHER_BEGINNINGS):
        return False
    lines = text.removeprefix("\ufeff").split("\n")
    found = _find_markdown_headers(lines, {})
    if found:
        return True
    delimiter, row = _find_delimiter(lines, {})
    return bool(delimiter) and not _OF_SCHED & {cell.strip().casefold() for cell in row}


def read_grid(notes: Notes, options: ReadOptions) -> Grid:
    """Return the rows of the table in `notes.lines`. Raises ScheduleRefused where there is none, or a broken one."""
    try:
        check_words(options.columns)
    except UnknownColumn as error:
        raise notes.refuse(str(error)) from None
    headers = _find_markdown_headers(notes.lines, options.columns)
    if headers:
        return _settle_cut(notes, _read_markdown(notes, headers), options)
    delimiter, _ = _find_delimiter(notes.lines, options.columns)
    if not delimiter:
        # What is wrong may only be a name given by hand.
        plain = _find_markdown_headers(notes.lines, {})
        as_found = _split_bars(notes.lines[min(plain)]) if plain else _find_delimiter(notes.lines, {})[1]
        raise notes.refuse(explain_misfit(as_found, options.columns), _find_line_of(notes.lines, as_found))
    return _settle_cut(notes, _read_separated(notes, delimiter, options), options)


def _settle_cut(notes: Notes, grid: Grid, options: ReadOptions) -> Grid:
    """See whether the last row ends where the file does, too early: refuse it, or leave the row out."""
    last = grid.units[-1]
    if notes.lines[-1].strip() and last.role == "row" and len(last.cells) < len(last.columns):
        report_cut_row(notes, last.line, len(last.cells), len(last.columns), options)
        last.role, grid.is_whole = "left out", False
    return grid


# Markdown


def _find_markdown_headers(lines: list[str], by_hand: Mapping[str, str]) -> dict[int, list[Column]]:
    """Return the columns of each Markdown table by the index of its header: the line above a ruler."""
    headers: dict[int, list[Column]] = {}
    for n in range(1, len(lines)):
        if "|" not in lines[n] or "|" not in lines[n - 1] or not _is_ruler(lines[n]):
            continue
        if (columns := find_columns(_split_bars(lines[n - 1]), by_hand)) is not None:
            headers[n - 1] = columns
    return headers


def _is_ruler(line: str) -> bool:
    return "-" in line and set(line) <= _RULER


def _split_bars(line: str) -> list[str]:
    line = line.strip()
    line = line[1:] if line.startswith("|") else line
    cells = _BAR.split(line)
    if len(cells) > 1 and not cells[-1].strip():
        cells.pop()
    return [clean_cell(cell) for cell in cells]


def clean_cell(text: str) -> str:
    """Return a Markdown cell as a reader sees it; links stay as they are written."""
    text = _EMPHASIS.sub(r"\2", clean_text(_MARKDOWN_BREAK.sub("\n", text)).strip())
    return _MARKDOWN_ESCAPE.sub(r"\1", text)


def _read_markdown(notes: Notes, headers: dict[int, list[Column]]) -> Grid:
    grid = Grid([], is_markdown=True)
    columns: list[Column] = []
    for n, line in enumerate(notes.lines):
        heading = _HEADING.fullmatch(line)
        if n in headers:
            columns = headers[n]
            unit = Unit(n + 1, "header", columns=columns)
        elif not line.strip():
            unit, columns = Unit(n + 1, "blank"), []
        elif n - 1 in headers:
            unit = Unit(n + 1, "separator")
        elif columns and "|" in line:
            unit = Unit(n + 1, "row", _split_bars(line), columns)
        else:
            columns = []
            unit = Unit(n + 1, "heading" if heading else "note", [clean_cell(heading[2] if heading else line)])
            if heading and len(heading[1]) == 1 and not grid.event_name and n < min(headers):
                grid.event_name = unit.cells[0].rstrip("# ").strip()
        grid.units.append(unit)
    return _drop_last_blank(notes, grid)


def _drop_last_blank(notes: Notes, grid: Grid) -> Grid:
    """A line end after the last line begins no further row."""
    if notes.lines[-1] == "" and len(notes.lines) > 1:
        grid.units.pop()
    return grid


# CSV and TSV


def _find_delimiter(lines: list[str], by_hand: Mapping[str, str]) -> tuple[str, list[str]]:
    """Return what separates the cells, and the header row; ("", the row most like one) if there is none."""
    best: tuple[int, str, list[str]] = (0, "", [])
    likely: list[str] = []
    for delimiter in _DELIMITERS:
        for cells in islice(_split_rows(lines, delimiter), _MOST_ROWS_BEFORE_HEADER):
            columns = find_columns(cells, by_hand)
            if columns is not None:
                known = sum(bool(column.word) for column in columns)
                best = max(best, (known, delimiter, cells), key=lambda candidate: candidate[0])
                break
            if len(cells) > len(likely):
                likely = cells
    return (best[1], best[2]) if best[0] else ("", likely)


def _split_rows(lines: list[str], delimiter: str) -> Iterator[list[str]]:
    """Yield rows as long as they can be read, whether or not they are meant to be separated so."""
    try:
        yield from csv.reader((f"{line}\n" for line in lines), **_dialect(delimiter, is_quoted=delimiter != "|"))
    except csv.Error:
        return


def _dialect(delimiter: str, *, is_quoted: bool, is_strict: bool = False):
    quoting = csv.QUOTE_MINIMAL if is_quoted else csv.QUOTE_NONE
    return {"delimiter": delimiter, "quoting": quoting, "strict": is_strict, "skipinitialspace": delimiter != "\t"}


def _find_line_of(lines: list[str], row: list[str]) -> int | None:
    """Return the first line that begins the row which is most like a header."""
    first = next((cell.split("\n")[0] for cell in row if cell.strip()), "")
    return next((n for n, line in enumerate(lines, start=1) if first and first in line), None)


def _read_separated(notes: Notes, delimiter: str, options: ReadOptions) -> Grid:
    grid = Grid([])
    columns: list[Column] = []
    header: list[str] = []
    for line, cells in _iterate(notes, delimiter, grid, options):
        cells = [clean_text(cell) for cell in cells]
        folded = [fold_name(cell) for cell in cells]
        if not any(cell.strip() for cell in cells):
            unit = Unit(line, "blank")
        elif not columns and (found := find_columns(cells, options.columns)):
            columns, header = found, folded
            unit = Unit(line, "header", cells, columns)
        elif not columns:
            unit = Unit(line, "note", cells)
        elif folded == header or set("".join(cells)) <= _RULER:
            unit = Unit(line, "header" if folded == header else "separator", cells, columns)
        else:
            unit = Unit(line, "row", cells, columns)
        grid.units.append(unit)
    return grid


def _iterate(notes: Notes, delimiter: str, grid: Grid, options: ReadOptions) -> Iterator[tuple[int, list[str]]]:
    """Yield each row with the line it starts on. A table pasted from a page may hold quotes that quote nothing."""
    text = "\n".join(notes.lines)
    is_quoted = delimiter != "|" and (delimiter != "\t" or _are_quotes_sound(text, delimiter))
    reader = csv.reader(io.StringIO(text), **_dialect(delimiter, is_quoted=is_quoted, is_strict=is_quoted))
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            report_broken_row(notes, line, str(error), options)
            grid.units.append(Unit(line, "left out"))
            grid.is_whole = False
            return
        yield line, cells


def _are_quotes_sound(text: str, delimiter: str) -> bool:
    try:
        for _ in csv.reader(io.StringIO(text), **_dialect(delimiter, is_quoted=True, is_strict=True)):
            pass
    except csv.Error:
        return False
    return True
