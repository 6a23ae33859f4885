"""Family A: every element between blank lines, and at the end an index of times and a last line that prove it whole."""

from schedule.importing.formats.sched_text.blocks import (
    NO_SECOND_TIME,
    Block,
    Page,
    make_blocks,
    pair_ranges,
)
from schedule.importing.formats.sched_text.ranges import is_heading
from schedule.importing.formats.sched_text.reading import Reading


def find_whole_page(reading: Reading, ranges: list[int]) -> Page:
    """Return the sessions of a text that has its last line, having checked them against the index before it.

    Raises ScheduleRefused when the text misses a part of a session, or a session.
    """
    footer = reading.last_line or 1
    reading.claim("footer", footer)
    index = _find_index(reading, footer)
    end = index[0] if index else footer
    anchors, waiting = pair_ranges(reading, ranges)
    if waiting:
        raise reading.refuse(NO_SECOND_TIME, ranges[-1])
    blocks = make_blocks(reading, anchors, end)
    _check_index(reading, blocks, index, footer)
    return Page(blocks, is_rendered=False, is_ended=True)


def find_cut_page(reading: Reading, ranges: list[int]) -> Page:
    """Return the sessions of a text that stops before its last line. Only what a heading follows is whole."""
    end = len(reading.lines) + 1
    anchors, waiting = pair_ranges(reading, ranges)
    if waiting:
        return Page(make_blocks(reading, anchors, waiting[0]), is_rendered=False, cut=waiting[0])
    following = list(reading.numbers(anchors[-1][3] + 1, end))
    headings = [number for number in following if is_heading(reading.fold(number))]
    if not headings:
        cut: int | None = anchors.pop()[0]
        return Page(make_blocks(reading, anchors, cut or end), is_rendered=False, cut=cut)
    others = sorted({number for number in following if number > headings[0]}.difference(headings))
    cut = max(number for number in headings if number < others[0]) if others else None
    if others == following[-1:] and reading.fold(others[0])[0].isdecimal():
        cut = others[0]
    reading.claim("index", *(number for number in headings if not cut or number < cut))
    return Page(make_blocks(reading, anchors, headings[0]), is_rendered=False, cut=cut)


def _find_index(reading: Reading, footer: int) -> list[int]:
    """Return the lines of the time index: the headings that end the text, one for each session."""
    index: list[int] = []
    number = reading.line_before(footer)
    while number is not None and is_heading(reading.fold(number)):
        index.append(number)
        number = reading.line_before(number)
    reading.claim("index", *index)
    return index[::-1]


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
