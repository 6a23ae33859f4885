"""A plain table in a workbook (XLSX): the first visible sheet with a fitting header row, read by openpyxl.

Cells become text as a person would type it; from there on a workbook is read like any other table.
"""

import io
import re
import warnings
import zipfile
from datetime import date, datetime, time, timedelta

import openpyxl
from openpyxl.utils.cell import range_boundaries
from openpyxl.utils.datetime import from_excel

from schedule.importing.document import ReadOptions, ScheduleDocument
from schedule.importing.formats.entries import Notes
from schedule.importing.formats.table_columns import (
    MOST_COLUMNS,
    UnknownColumn,
    check_words,
    explain_misfit,
    find_columns,
    fold_name,
)
from schedule.importing.formats.table_grids import Grid, Unit
from schedule.importing.formats.table_rows import build_document
from schedule.importing.formats.table_times import MOMENT_WORDS
from schedule.importing.html import clean_text

FORMAT = "table-xlsx"
READS_BYTES = True
DEFAULTS = ReadOptions()
_MOST_BYTES = 32 * 1024 * 1024
_MOST_PARTS = 5000
_MOST_ROWS = 50_000
_MOST_CHARACTERS = 16 * 1024 * 1024
_MOST_ROWS_BEFORE_HEADER = 30
_WORKBOOK = "xl/workbook.xml"
_MERGED = re.compile(rb'<(?:\w+:)?mergeCell [^<>]*?ref="([A-Z]{1,3}[0-9]{1,7}:[A-Z]{1,3}[0-9]{1,7})"')
_FORMULA = re.compile(rb"<(?:\w+:)?f[ />]")
# Day 20,000 of Excel is in 1954: a larger number in a column of dates is a date nobody formatted.
_FIRST_SERIAL, _LAST_SERIAL = 20_000, 80_000
_LOCKED = b"\xd0\xcf\x11\xe0"


class _TooLarge(Exception):
    """One text can stand in many cells: what is small in the file need not be small in memory."""


def recognises(data: bytes) -> bool:
    """Whether `data` is a zip file with a workbook in it."""
    if not data.startswith(b"PK\x03\x04"):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _WORKBOOK in archive.namelist()
    except Exception:  # whatever a damaged archive makes zipfile raise
        return False


def parse(data: bytes, source: str, options: ReadOptions = DEFAULTS) -> ScheduleDocument:
    """Read a workbook. Problems name the row of the sheet; of formulas the value that was saved with them is read.

    Raises ScheduleRefused for what is no workbook, damaged or too large, and as a table in text is refused.
    """
    notes = Notes(source, [])
    try:
        check_words(options.columns)
    except UnknownColumn as error:
        raise notes.refuse(str(error)) from None
    _check_archive(notes, data)
    grid = _read_workbook(notes, data, options)
    return build_document(notes, grid, FORMAT, options)


def _check_archive(notes: Notes, data: bytes) -> None:
    """Refuse what is no workbook, or would become too large; the sizes are those that zipfile itself enforces.

    Pictures and the like are never unpacked. A DOCTYPE, which no workbook has, can bring entities that blow up.
    """
    damaged = "This is no Excel workbook (.xlsx), or a damaged one. Save it again, or export the sheet as CSV."
    if data.startswith(_LOCKED):
        damaged = "This is an old (.xls) or locked workbook. Save it as .xlsx without a password, or as CSV."
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
            is_workbook = _WORKBOOK in archive.namelist()
            size = sum(part.file_size for part in parts if part.filename.endswith((".xml", ".rels")))
            is_small = size <= _MOST_BYTES and len(parts) <= _MOST_PARTS
            has_entities = is_small and any(
                b"<!DOCTYPE" in archive.read(p) for p in parts if p.filename.endswith(".xml")
            )
    except Exception:  # whatever a damaged archive makes zipfile raise
        raise notes.refuse(damaged) from None
    if not is_workbook or has_entities:
        raise notes.refuse(damaged)
    if not is_small:
        raise notes.refuse(f"The workbook is too large ({size // 2**20} MB unpacked). Export the one sheet as CSV.")


def _read_workbook(notes: Notes, data: bytes, options: ReadOptions) -> Grid:
    """Return the rows of the first sheet that fits; warn of others that fit as well."""
    found: list[tuple[str, list[list[object]], int]] = []
    likely: list[str] = []
    try:
        for name, rows in _load_sheets(data):
            header = _find_header(rows, options)
            if header is not None:
                found.append((name, rows, header))
            first = map(_to_texts, rows[:_MOST_ROWS_BEFORE_HEADER])
            likely = max([likely, *first], key=lambda row: sum(map(bool, row)))
        if found and _has_formulas(data):
            _warn_of_empty_formulas(notes, data, found[0][0])
    except _TooLarge:
        raise notes.refuse("The workbook holds too much text. Export the one sheet as CSV.") from None
    except Exception as error:  # openpyxl raises whatever a damaged part leads to
        message = f"The workbook is damaged ({type(error).__name__}). Save it again, or export the sheet as CSV."
        raise notes.refuse(message) from None
    if not found:
        raise notes.refuse(explain_misfit(likely, options.columns))
    name, rows, header = found[0]
    if len(rows) > _MOST_ROWS:
        raise notes.refuse(f"The sheet “{name}” has more than {_MOST_ROWS:,} rows. Take out what is no session.")
    if others := [f"“{other}”" for other, _, _ in found[1:]]:
        message = (
            f"Only the sheet “{name}” is read. {', '.join(others)} would fit as well: save each as a file of its own."
        )
        notes.warn(message, None)
    grid = _make_grid(rows, header, options)
    grid.is_whole = not others
    notes.lines.extend(" | ".join(cell for cell in unit.cells if cell).replace("\n", " ") for unit in grid.units)
    return grid


def _load_sheets(data: bytes):
    """Yield each visible sheet's name and its values, those of merged cells in every row they span."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name, sheet in _open_sheets(data, with_formulas=False):
            rows = _trim([[_read_cell(cell) for cell in row] for row in _iterate(sheet)])
            if sum(len(value) for row in rows for value in row if isinstance(value, str)) > _MOST_CHARACTERS:
                raise _TooLarge
            # openpyxl's streaming mode, which alone keeps memory small, has no word for merged cells.
            _fill_merged(rows, archive.read(sheet._worksheet_path.lstrip("/")))
            yield name, rows


def _open_sheets(data: bytes, *, with_formulas: bool):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=not with_formulas, keep_links=False)
        try:
            for sheet in book.worksheets:
                if sheet.sheet_state == "visible":
                    yield sheet.title, sheet
        finally:
            book.close()


def _iterate(sheet):
    """Yield the rows of a sheet, whatever size it claims to have."""
    sheet.reset_dimensions()
    return sheet.iter_rows(max_row=_MOST_ROWS + 1, max_col=MOST_COLUMNS)


def _read_cell(cell) -> object:
    """Return a cell's value: text, a number, or a date and time as it is shown."""
    value = cell.value
    if isinstance(value, datetime) and not re.search("[hH]", str(cell.number_format)) and value.time() == time():
        return value.date()
    return value


def _trim(rows: list[list[object]]) -> list[list[object]]:
    """Leave out blank cells at the ends of rows, and blank rows at the end."""
    for row in rows:
        while row and row[-1] in (None, ""):
            row.pop()
    while rows and not rows[-1]:
        rows.pop()
    return rows


def _fill_merged(rows: list[list[object]], xml: bytes) -> None:
    """Write the value of merged cells into each row they span that says anything itself."""
    budget = _MOST_CHARACTERS
    own = [any(value not in (None, "") for value in row) for row in rows]
    for found in _MERGED.finditer(xml):
        column, first, _, last = range_boundaries(found[1].decode())
        if not (first <= len(rows) and column <= len(rows[first - 1])):
            continue
        value = rows[first - 1][column - 1]
        last = min(last, len(rows))
        if value is None or last == first:
            continue
        budget -= (last - first) * (1 + len(str(value)))
        if budget < 0:
            raise _TooLarge
        for n in range(first, last):
            row = rows[n]
            if own[n]:
                row += [None] * (column - len(row))
                row[column - 1] = value if row[column - 1] is None else row[column - 1]


def _find_header(rows: list[list[object]], options: ReadOptions) -> int | None:
    """Return the index of the header row, which may have a few rows above it."""
    for n, row in enumerate(rows[:_MOST_ROWS_BEFORE_HEADER]):
        if find_columns(_to_texts(row), options.columns) is not None:
            return n
    return None


def _make_grid(rows: list[list[object]], header: int, options: ReadOptions) -> Grid:
    names = _to_texts(rows[header])
    columns = find_columns(names, options.columns) or []
    of_times = {column.place for column in columns if column.word in MOMENT_WORDS}
    folded = [fold_name(name) for name in names]
    units = []
    for n, row in enumerate(rows):
        cells = _to_texts(row, of_times)
        role = "row" if n > header else "note"
        if n == header or [fold_name(cell) for cell in cells] == folded:
            role = "header"
        elif not any(cells):
            role = "blank"
        units.append(Unit(n + 1, role, cells, columns if n >= header else []))
    return Grid(units)


def _to_texts(row: list[object], of_times: frozenset[int] | set[int] = frozenset()) -> list[str]:
    return [clean_text(_to_text(value, place in of_times)).strip() for place, value in enumerate(row)]


def _to_text(value: object, is_of_times: bool = False) -> str:
    """Return a value as a person would type it: "2031-05-14 09:30", "0:30", "30"."""
    if is_of_times and isinstance(value, int | float) and not isinstance(value, bool):
        value = _from_serial(value)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, timedelta):
        minutes = round(value.total_seconds() / 60)
        return f"{minutes // 60}:{minutes % 60:02}"
    if isinstance(value, datetime):
        value = _round(value)
        # Day 0 of Excel: a time of day that was formatted as a date.
        return f"{value:%H:%M:%S}" if value.year < 1901 else f"{value:%Y-%m-%d %H:%M:%S}"
    if isinstance(value, time):
        return f"{_round(datetime.combine(date(2000, 1, 1), value)):%H:%M}"
    return value.isoformat() if isinstance(value, date) else str(value)


def _from_serial(value: float) -> object:
    """Return the time of day or the date that a number stands for in a column of times."""
    if not (0 <= value < 1 or _FIRST_SERIAL <= value <= _LAST_SERIAL):
        return value
    found = from_excel(value)
    return found.date() if isinstance(found, datetime) and float(value).is_integer() else found


def _round(value: datetime) -> datetime:
    """Return the nearest second: Excel keeps times as fractions of a day."""
    return (value + timedelta(milliseconds=500)).replace(microsecond=0) if value.year < 9999 else value


def _has_formulas(data: bytes) -> bool:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        sheets = (name for name in archive.namelist() if name.startswith("xl/worksheets/") and name.endswith(".xml"))
        return any(_FORMULA.search(archive.read(name)) for name in sheets)


def _warn_of_empty_formulas(notes: Notes, data: bytes, name: str) -> None:
    """A program that writes formulas without their values leaves cells that look empty: say where."""
    sheets = (dict(_values(data, with_formulas=with_formulas, name=name)) for with_formulas in (False, True))
    values, formulas = sheets
    empty = [place for place, text in formulas.items() if str(text).startswith("=") and place not in values]
    if empty:
        row = min(row for row, _ in empty)
        count = f"{len(empty)} formulas have" if len(empty) > 1 else "A formula has"
        message = f"{count} no saved value, so the cell seems empty"
        notes.warn(f"{message}. Open the workbook in Excel or LibreOffice and save it again.", row)


def _values(data: bytes, *, with_formulas: bool, name: str):
    for title, sheet in _open_sheets(data, with_formulas=with_formulas):
        if title == name:
            for n, row in enumerate(_iterate(sheet), start=1):
                yield from (((n, place), cell.value) for place, cell in enumerate(row) if cell.value is not None)
