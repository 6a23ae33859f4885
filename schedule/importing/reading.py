"""Sources in, documents out: which format a source has, and what its reader makes of it."""

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module

from schedule.importing.decoding import decode_text
from schedule.importing.document import Problem, ReadOptions, ScheduleDocument, ScheduleRefused, Severity

# In the order in which they are tried, the most telling first. Each module has FORMAT, recognises(content)
# and parse(content, source, options); content is text, or bytes where the module says READS_BYTES.
MODULES = ("table_xlsx", "pretalx_json", "frab_xml", "ical", "sched_csv", "sched_text", "table")
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
            document = reader.parse(content, source.name, options)
            # Whoever reckons with a cut takes nothing for gone that the rest does not show.
            document.is_whole = document.is_whole and not options.is_partial_allowed
            documents.append(document)
        except ScheduleRefused as refusal:
            problems += refusal.problems
    if problems:
        raise ScheduleRefused(*problems)
    return documents


def find_format(source: Source, format_name: str, options: ReadOptions):
    """Return the module that reads `source`, and the content as it wants it. Raises ScheduleRefused."""
    if format_name and format_name not in FORMAT_NAMES:
        raise refusal(f"there is no format {format_name!r}; there are {', '.join(FORMAT_NAMES)}", source.name)
    is_named = bool(format_name or options.columns)
    readers = [reader for reader in FORMATS if not format_name or format_name == reader.FORMAT]
    if options.columns and not format_name:
        # Whoever names columns means a table, though its header may not look like one.
        readers = [reader for reader in FORMATS if reader.FORMAT.startswith("table")]
    for reader in readers:
        if takes_bytes(reader) and (bool(format_name) or reader.recognises(source.data)):
            return reader, source.data
    text = decode_text(source.data, source.name, options.is_partial_allowed)
    for reader in readers:
        if not takes_bytes(reader) and (is_named or reader.recognises(text)):
            return reader, text
    raise refusal(
        "this is not a schedule that can be read: no line such as “Wednesday April 8, 2026 09:00 - 09:10 CEST”, no "
        "table with a title and a start in its header, and none of the other formats; save the expanded “Full "
        "Schedule” page as text, or name a table's columns with --columns",
        source.name,
    )


def takes_bytes(reader) -> bool:
    """Whether a format module reads a file's bytes instead of its text."""
    return getattr(reader, "READS_BYTES", False)


def refusal(message: str, source: str = "") -> ScheduleRefused:
    """Return the exception for what concerns a source as a whole."""
    return ScheduleRefused(Problem(message, source, severity=Severity.ERROR))
