"""Sources in, documents out: which format a source has, and what its reader makes of it."""

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module

from schedule.importing.decoding import decode_text
from schedule.importing.document import Problem, ReadOptions, ScheduleDocument, ScheduleRefused, Severity

# In the order in which they are tried, the most telling first. Each module has FORMAT, recognises(content)
# and parse(content, source, options); content is text, or bytes where the module says READS_BYTES.
MODULES = ("pretalx_json", "frab_xml", "ical", "sched_csv", "sched_text")
FORMATS = [import_module(f"schedule.importing.formats.{name}") for name in MODULES]
FORMAT_NAMES = [reader.FORMAT for reader in FORMATS]


AS_IT_SAYS = ReadOptions()


@dataclass(frozen=True, slots=True)
class Source:
    """A file or a pasted text: the name that problems use for it, and its bytes."""

    name: str
    data: bytes


def read_sources(
    sources: Iterable[Source], format_name: str = "", options: ReadOptions = AS_IT_SAYS
) -> list[ScheduleDocument]:
    """Decode and parse every source. Raises ScheduleRefused with the problems of all that can't be read.

    `format_name` is one of FORMAT_NAMES, for a source whose content misleads; "" finds out.
    """
    documents: list[ScheduleDocument] = []
    problems: list[Problem] = []
    for source in sources:
        try:
            reader, content = find_format(source, format_name, options)
            documents.append(reader.parse(content, source.name, options))
        except ScheduleRefused as refusal:
            problems += refusal.problems
    if problems:
        raise ScheduleRefused(*problems)
    return documents


def find_format(source: Source, format_name: str, options: ReadOptions):
    """Return the module that reads `source`, and the content as it wants it. Raises ScheduleRefused."""
    if format_name and format_name not in FORMAT_NAMES:
        raise refusal(f"there is no format {format_name!r}; there are {', '.join(FORMAT_NAMES)}", source.name)
    readers = [reader for reader in FORMATS if not format_name or format_name == reader.FORMAT]
    for reader in readers:
        if getattr(reader, "READS_BYTES", False) and (format_name or reader.recognises(source.data)):
            return reader, source.data
    text = decode_text(source.data, source.name, options.is_partial_allowed)
    for reader in readers:
        if not getattr(reader, "READS_BYTES", False) and (bool(format_name) or reader.recognises(text)):
            return reader, text
    raise refusal(
        "this is not a schedule that can be read: no line such as “Wednesday April 8, 2026 09:00 - 09:10 CEST”, and "
        "none of the other formats; save the expanded “Full Schedule” page as text",
        source.name,
    )


def refusal(message: str, source: str = "") -> ScheduleRefused:
    """Return the exception for what concerns a source as a whole."""
    return ScheduleRefused(Problem(message, source, severity=Severity.ERROR))
