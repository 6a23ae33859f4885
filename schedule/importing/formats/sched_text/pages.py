"""Which of the two families of pages a text is, or why it is none."""

from schedule.importing.document import ReadOptions
from schedule.importing.formats.sched_text import rendered, separated
from schedule.importing.formats.sched_text.blocks import FOOTER, Page
from schedule.importing.formats.sched_text.ranges import EXAMPLE, is_heading, is_range
from schedule.importing.formats.sched_text.reading import Reading


def find_page(reading: Reading, options: ReadOptions) -> Page:
    """Return the sessions of a text, by line numbers.

    Raises ScheduleRefused when the text is no schedule, misses a part of a session, or was cut and must
    not be.
    """
    last = reading.last_line
    if last is None:
        raise reading.refuse("The text is empty. Save the schedule page again.", None)
    ranges = [number for number, line in enumerate(reading.folded, start=1) if is_range(line)]
    if not ranges:
        message = f'No session up to the end of the text in line {last}: no line is a time like "{EXAMPLE}".'
        raise reading.refuse(f"{message} Save the whole page of the full schedule as text.", last)
    if not any(is_heading(line) for line in reading.folded):
        message = "No time of day stands before a title: this is the page of a single session, or the times were lost."
        raise reading.refuse(f"{message} Save the page of the full schedule with all its details.", ranges[0])
    if rendered.is_rendered(reading):
        return rendered.find_page(reading, rendered.drop_cut_range(reading, ranges))
    if reading.fold(last) == FOOTER:
        return separated.find_whole_page(reading, ranges)
    if not options.is_partial_allowed:
        message = f'The text stops in line {last}, before its last line "{FOOTER}". Save the whole page again.'
        raise reading.refuse(message, last)
    return separated.find_cut_page(reading, rendered.drop_cut_range(reading, ranges))
