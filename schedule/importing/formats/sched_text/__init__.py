"""The text of a Sched "Full Schedule" page, as saved from a browser or by another program.

Unfold first, interpret second: the ranges are found, the lines around them become blocks, and only then
is each block read. A new variant of the page is a new way to find blocks or a new role for a line.
"""

from schedule.importing.document import ReadOptions, ScheduleDocument, ScheduleRefused, Severity
from schedule.importing.formats.sched_text.blocks import FOOTER, TITLE_ENDING
from schedule.importing.formats.sched_text.checks import (
    check_days,
    check_lone_headings,
    check_materials,
    check_names,
    check_stated_dates,
    check_zone,
)
from schedule.importing.formats.sched_text.endings import settle_end
from schedule.importing.formats.sched_text.header import read_header
from schedule.importing.formats.sched_text.pages import find_page
from schedule.importing.formats.sched_text.ranges import is_range
from schedule.importing.formats.sched_text.reading import Reading, fold_line
from schedule.importing.formats.sched_text.sessions import read_sessions
from schedule.importing.formats.sched_text.tails import find_tail

FORMAT = "sched-text"
DEFAULTS = ReadOptions()
_NOTICE = "The Sched app allows you to "
_LONGEST_HEAD = 60


def recognises(text: str) -> bool:
    """Whether `text` is, or began as, a Sched page: its head says so, or some line is a time range."""
    lines = (fold_line(line) for line in text.strip("\ufeff\n\r ").split("\n"))
    return any(
        is_range(line) or (n == 0 and line.endswith(TITLE_ENDING)) or (n < _LONGEST_HEAD and line.startswith(_NOTICE))
        for n, line in enumerate(lines)
    )


def parse(text: str, source: str, options: ReadOptions = DEFAULTS) -> ScheduleDocument:
    """Read a Sched page saved as text. Times are wall-clock times of the zone printed beside them.

    `source` names the file in problems. Raises ScheduleRefused for what is no schedule, was cut, or
    contradicts itself; whatever is only doubtful is a warning of the document.
    """
    # 1. Number the lines.
    reading = Reading.of(text, source)
    # 2. Find the sessions by their ranges, and whether the text is there to its end.
    page = find_page(reading, options)
    tails = [find_tail(reading, block) for block in page.blocks]
    settle_end(reading, page, tails, options)
    # 3. Read what stands before the first session.
    header = read_header(reading, page.blocks[0].heading, page.is_rendered)
    header.event.help_label = FOOTER if "footer" in reading.roles else ""
    # 4. Read each session.
    sessions = read_sessions(reading, page, tails, options)
    # 5. Check what only the whole can tell.
    has_all_days = check_stated_dates(reading, header.event, sessions)
    check_zone(reading, header.event, sessions)
    check_days(reading, sessions)
    check_lone_headings(reading, page)
    check_materials(reading, sessions)
    check_names(reading, sessions)
    # 6. Refuse with everything that is wrong, or hand over.
    if errors := [problem for problem in reading.problems if problem.severity is Severity.ERROR]:
        raise ScheduleRefused(*errors)
    reading.problems.sort(key=lambda problem: problem.line or 0)
    is_whole = has_all_days and not header.is_part and not page.is_cut
    return ScheduleDocument(source, FORMAT, header.event, sessions, reading.roles, reading.problems, is_whole)
