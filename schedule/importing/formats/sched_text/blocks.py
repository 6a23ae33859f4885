"""Finding the sessions: range lines are the only unmistakable ones, and everything else stands around them."""

from dataclasses import dataclass

from schedule.importing.formats.sched_text.ranges import EXAMPLE, is_heading, is_range
from schedule.importing.formats.sched_text.reading import Reading

FOOTER = "Get help with the event"


@dataclass(frozen=True, slots=True)
class Block:
    """The line numbers of one session: its time heading, title, both ranges, and the first line after it."""

    heading: int
    title: int
    first_range: int
    second_range: int
    end: int


def find_blocks(reading: Reading) -> list[Block]:
    """Return the session blocks of a text, in order, having checked them against the index at its end.

    Raises ScheduleRefused when the text is no schedule, stops early, or misses a part of a session.
    """
    ranges = [number for number in reading.numbers(1, len(reading.lines) + 1) if is_range(reading.fold(number))]
    footer = _find_footer(reading, has_ranges=bool(ranges))
    index = _find_index(reading, footer)
    end = index[0] if index else footer
    anchors = _pair_ranges(reading, ranges)
    ends = [heading for heading, *_ in anchors[1:]] + [end]
    blocks = [Block(*anchor, end) for anchor, end in zip(anchors, ends, strict=True)]
    for block in blocks:
        reading.claim("heading", block.heading)
        reading.claim("title", block.title)
        reading.claim("range", block.first_range, block.second_range)
    _check_index(reading, blocks, index, footer)
    return blocks


def _find_footer(reading: Reading, has_ranges: bool) -> int:
    last = reading.last_line
    if last is None:
        raise reading.refuse("The text is empty. Save the schedule page again.", None)
    if not has_ranges:
        message = f'No session up to the end of the text in line {last}: no line is a time like "{EXAMPLE}".'
        raise reading.refuse(f"{message} Save the whole page of the full schedule as text.", last)
    if reading.fold(last) != FOOTER:
        message = f'The text stops in line {last}, before its last line "{FOOTER}". Save the whole page again.'
        raise reading.refuse(message, last)
    reading.claim("footer", last)
    return last


def _find_index(reading: Reading, footer: int) -> list[int]:
    """Return the lines of the time index: the headings that end the text, one for each session."""
    index: list[int] = []
    number = reading.line_before(footer)
    while number is not None and is_heading(reading.fold(number)):
        index.append(number)
        number = reading.line_before(number)
    reading.claim("index", *index)
    return index[::-1]


def _pair_ranges(reading: Reading, ranges: list[int]) -> list[tuple[int, int, int, int]]:
    """Return heading, title, first and second range of each session."""
    anchors: list[tuple[int, int, int, int]] = []
    waiting: tuple[int, int, int] | None = None
    for number in ranges:
        head = _find_head(reading, number)
        if waiting and head:
            raise reading.refuse("This session's time does not stand a second time at its end.", waiting[2])
        if waiting:
            anchors.append((*waiting, number))
            waiting = None
        elif head:
            waiting = (*head, number)
        else:
            raise reading.refuse("Before this time a title is missing, or the time of day before the title.", number)
    if waiting:
        raise reading.refuse("This session's time does not stand a second time at its end.", waiting[2])
    return anchors


def _find_head(reading: Reading, range_line: int) -> tuple[int, int] | None:
    """Return the lines of the heading and the title before a first range, None before a second one."""
    title = reading.line_before(range_line)
    heading = reading.line_before(title) if title else None
    if not title or not heading or not is_heading(reading.fold(heading)):
        return None
    return None if is_heading(reading.fold(title)) or is_range(reading.fold(title)) else (heading, title)


def _check_index(reading: Reading, blocks: list[Block], index: list[int], footer: int) -> None:
    """The index is the text's own checksum: it must list the sessions read, in their order."""
    counts = f"The text holds {len(blocks)} sessions, the index of times at its end {len(index)}"
    cure = "A part was cut out or moved; save the whole page again."
    for block, number in zip(blocks, index, strict=False):
        times = reading.fold(number), reading.fold(block.heading)
        if times[0] != times[1]:
            message = f'{counts}; the first difference is "{times[0]}" for the session at "{times[1]}" in line '
            raise reading.refuse(f"{message}{block.title}. {cure}", number)
    if len(index) > len(blocks):
        raise reading.refuse(f"{counts}; for this time no session is left. {cure}", index[len(blocks)])
    if len(index) < len(blocks):
        message = f"{counts}; the session in line {blocks[len(index)].title} is the first that it lacks. {cure}"
        raise reading.refuse(message, index[-1] if index else footer)
