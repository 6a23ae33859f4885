"""A plain table with a header row: CSV, TSV or a Markdown table, as people keep a programme in a spreadsheet.

Columns are known by name (table_columns.py) or by hand (`ReadOptions.columns`). What is not understood of a
row becomes a further field of the session under the column's name.
"""

from schedule.importing.document import ReadOptions, ScheduleDocument
from schedule.importing.formats.entries import Notes
from schedule.importing.formats.table_grids import has_table, read_grid
from schedule.importing.formats.table_rows import build_document

FORMAT = "table"
DEFAULTS = ReadOptions()


def recognises(text: str) -> bool:
    """Whether `text` has a header row that names a title and a time, and is no export of Sched."""
    return has_table(text)


def parse(text: str, source: str, options: ReadOptions = DEFAULTS) -> ScheduleDocument:
    """Read a table as text. Times are of the event's clock, unless a cell or the header tells the zone.

    Problems name the line on which a row starts. Raises ScheduleRefused for what is no such table, for
    dates that can be read in two ways or lack the year, and for a table that was cut unless parts are allowed.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    notes = Notes(source, text.split("\n"))
    return build_document(notes, read_grid(notes, options), FORMAT, options)
