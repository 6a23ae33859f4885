"""Where the sessions of a page stand: the blocks of lines, and what the page tells about its end."""

from collections.abc import Iterable
from dataclasses import dataclass

from schedule.importing.formats.sched_text.ranges import is_day, is_heading, is_range
from schedule.importing.formats.sched_text.reading import Reading

TITLE_ENDING = ": Full Schedule"
FOOTER = "Get help with the event"
NO_SECOND_TIME = "This session's time does not stand a second time at its end."
NO_HEAD = "Before this time a title is missing, or the time of day before the title."


# Heading and title of a session.
Head = tuple[int, int]
# Heading, title, first range (if the layout has one) and last range of a session.
Anchor = tuple[int, int, int | None, int]


@dataclass(frozen=True, slots=True)
class Block:
    """The line numbers of one session: its time heading, title, ranges, and the first line after it.

    `first_range` stands under the title; None in the layout up to 2023, which has only the last range.
    """

    heading: int
    title: int
    first_range: int | None
    last_range: int
    end: int

    @property
    def body(self) -> int:
        """The first line of what stands between title and last range: abstract, people, files."""
        return (self.first_range or self.title) + 1


@dataclass(slots=True)
class Page:
    """The sessions of a text that are there from title to last range.

    `is_rendered` tells family B (elements under each other) from family A (parted by blank lines).
    `is_ended` says that the text has its proper end, `is_cut` that it surely has not; `cut` is the first line
    of what is not whole, if anything.
    """

    blocks: list[Block]
    is_rendered: bool
    is_ended: bool = False
    is_cut: bool = False
    cut: int | None = None


def make_blocks(reading: Reading, anchors: list[Anchor], end: int) -> list[Block]:
    """Return the blocks of sessions given as heading, title, first and last range; each ends where the next begins."""
    ends = [*(heading for heading, *_ in anchors), end][1:]
    blocks = [Block(*anchor, end) for anchor, end in zip(anchors, ends, strict=True)]
    for block in blocks:
        reading.claim("heading", block.heading)
        reading.claim("title", block.title)
        reading.claim("range", *(number for number in (block.first_range, block.last_range) if number))
    return blocks


def pair_ranges(reading: Reading, ranges: Iterable[int]) -> tuple[list[Anchor], Head | None]:
    """Return heading, title, first and last range of each session, and the head of one left open at the end."""
    anchors: list[Anchor] = []
    head: Head | None = None
    group: list[int] = []
    for number in ranges:
        next_head = _find_head(reading, number)
        if next_head and not (head and _is_closing(reading, head, group[0], next_head, number)):
            if head:
                anchors.append((*head, group[0], _find_closing(reading, group)))
            head, group = next_head, [number]
        elif head:
            group.append(number)
        else:
            raise reading.refuse(NO_HEAD, number)
    if head and len(group) > 1:
        anchors.append((*head, group[0], _find_closing(reading, group)))
        head = None
    return anchors, head


def _is_closing(reading: Reading, head: Head, first: int, next_head: Head, number: int) -> bool:
    """Whether what seems to begin a session ends the open one: the same range, but a time of the abstract before it."""
    return reading.fold(number) == reading.fold(first) and reading.fold(next_head[0]) != reading.fold(head[0])


def _find_closing(reading: Reading, group: list[int]) -> int:
    """Return the last range of a session: of those after its first the last one that is equal to it."""
    first, *others = group
    if not others:
        raise reading.refuse(NO_SECOND_TIME, first)
    same = [number for number in others if reading.fold(number).startswith(reading.fold(first))]
    closing = same[-1] if same else others[0]
    if others[-1] > closing:
        raise reading.refuse(NO_HEAD, next(number for number in others if number > closing))
    for number in others:
        if number != closing:
            reading.warn("This time within a session is read as text.", number)
    return closing


def _find_head(reading: Reading, range_line: int) -> Head | None:
    """Return the lines of the heading and the title before a first range, None before a second one."""
    title = reading.line_before(range_line)
    heading = reading.line_before(title) if title else None
    if not title or not heading or not is_heading(reading.fold(heading)):
        return None
    return None if is_mark(reading, title) else (heading, title)


def is_mark(reading: Reading, number: int) -> bool:
    """Whether a line is a time or a day, and so no title."""
    line = reading.fold(number)
    return is_heading(line) or is_range(line) or is_day(line)
