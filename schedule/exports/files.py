"""Under which endings the schedule can be had: one address, many forms."""

from collections.abc import Callable
from dataclasses import dataclass

from schedule.exports.frab_json import write_json
from schedule.exports.frab_xml import write_xml
from schedule.exports.ical import write_calendar
from schedule.exports.plain import write_markdown, write_text
from schedule.exports.programme import Programme
from schedule.exports.spreadsheet import write_csv, write_xlsx


@dataclass(frozen=True, slots=True)
class FileForm:
    """A form of the schedule: its media type, and what writes it."""

    content_type: str
    write: Callable[[Programme], bytes]


FILE_FORMS = {
    "ics": FileForm("text/calendar; charset=utf-8", write_calendar),
    "json": FileForm("application/json; charset=utf-8", write_json),
    "xml": FileForm("application/xml; charset=utf-8", write_xml),
    "csv": FileForm("text/csv; charset=utf-8", write_csv),
    "xlsx": FileForm("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", write_xlsx),
    "md": FileForm("text/markdown; charset=utf-8", write_markdown),
    "txt": FileForm("text/plain; charset=utf-8", write_text),
}
