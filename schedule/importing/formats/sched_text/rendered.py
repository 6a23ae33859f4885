"""Family B: the page as a browser renders it to text. Days have headings, and mostly nothing proves the end.

From 2024 on a session's time stands under its title and once more at its end; until 2023 only at its end.
"""

from bisect import bisect_left, bisect_right
from dataclasses import replace

from schedule.importing.document import ScheduleRefused
from schedule.importing.formats.sched_text.blocks import (
    FOOTER,
    NO_HEAD,
    TITLE_ENDING,
    Anchor,
    Head,
    Page,
    is_mark,
    make_blocks,
    pair_ranges,
)
from schedule.importing.formats.sched_text.ranges import is_day, is_heading, read_heading, read_range, zone_of
from schedule.importing.formats.sched_text.reading import Reading

_PAGE_MARK = "Loading..."


def is_rendered(reading: Reading) -> bool:
    """Whether a text is of this family: it begins as a page that loads, names days, or puts text right under titles."""
    numbers = list(reading.numbers(1, len(reading.lines) + 1))
    if reading.fold(numbers[0]).endswith(TITLE_ENDING):
        return False
    titles = (reading.line_after(number) for number in numbers if is_heading(reading.fold(number)))
    title = next((number for number in titles if number and not is_mark(reading, number)), numbers[-1])
    if title < numbers[-1] and reading.line_after(title) == title + 1:
        return True
    return any(line == _PAGE_MARK or is_day(line) for line in reading.folded[:title])


def find_page(reading: Reading, ranges: list[int]) -> Page:
    """Return the sessions of a rendered page. Raises ScheduleRefused when one in its midst lacks a part."""
    end = _find_end(reading)
    marks = [n for n in reading.numbers(1, end) if is_heading(reading.fold(n)) or is_day(reading.fold(n))]
    heads = [(n, title) for n in marks if (title := _find_title(reading, n, end))]
    if not heads:
        message = "No title stands under a time of day: this is the page of a single session, or the times were lost."
        raise reading.refuse(f"{message} Save the page of the full schedule with all its details.", ranges[0])
    if _has_two_ranges(reading, heads, ranges):
        anchors, waiting = pair_ranges(reading, ranges)
    else:
        anchors, waiting = _find_single_ranges(reading, heads, ranges)
    last = anchors[-1][3] if anchors else 0
    late = next((head for head in heads if head[0] > last), None)
    if open_head := waiting or late:
        blocks = make_blocks(reading, anchors, open_head[0])
        return Page(blocks, is_rendered=True, cut=open_head[0])
    return _settle_marks(reading, Page(make_blocks(reading, anchors, end), is_rendered=True), marks, end)


def _find_end(reading: Reading) -> int:
    last = reading.last_line or 1
    if reading.fold(last) != FOOTER:
        return len(reading.lines) + 1
    reading.claim("footer", last)
    return last


def _find_title(reading: Reading, heading: int, end: int) -> int | None:
    title = reading.line_after(heading) if is_heading(reading.fold(heading)) else None
    return title if title is not None and title < end and not is_mark(reading, title) else None


def _has_two_ranges(reading: Reading, heads: list[Head], ranges: list[int]) -> bool:
    """Whether the page has the layout of 2024 and later; a page cut after its first title may have one range.

    Only those heads count whose time the next range confirms: an abstract may hold a line like "14:00".
    """
    following = [(head, bisect_right(ranges, head[1])) for head in heads]
    sure = [head for head, n in following if n < len(ranges) and _begins_at(reading, head[0], ranges[n])] or heads
    ends = [*(heading for heading, _ in sure), len(reading.lines) + 1][1:]
    blocks = [
        ranges[bisect_right(ranges, head) : bisect_left(ranges, end)] for (head, _), end in zip(sure, ends, strict=True)
    ]
    counts = [
        sum(_begins_at(reading, heading, number) for number in block)
        for (heading, _), block in zip(sure, blocks, strict=True)
    ]
    if sum(counts) > len(sure) or counts[0] > 1:
        return True
    return len(sure) == 1 and ranges[0] == sure[0][1] + 1


def _find_single_ranges(reading: Reading, heads: list[Head], ranges: list[int]) -> tuple[list[Anchor], Head | None]:
    """Return heading, title, no first and the last range of each session, and the head of one left open at the end."""
    if ranges[0] < heads[0][0]:
        raise reading.refuse(NO_HEAD, ranges[0])
    anchors: list[Anchor] = []
    waiting: list[Head] = []
    ends = [*(heading for heading, _ in heads), len(reading.lines) + 1][1:]
    for head, end in zip(heads, ends, strict=True):
        waiting.append(head)
        if own := ranges[bisect_right(ranges, head[1]) : bisect_left(ranges, end)]:
            session = _choose_head(reading, waiting, own[-1])
            if session is None:
                raise _missing_range(reading, waiting[0], heads, ranges)
            anchors.append((*session, None, _find_closing(reading, session[0], own)))
            waiting = []
    return anchors, waiting[0] if waiting else None


def _choose_head(reading: Reading, waiting: list[Head], range_line: int) -> Head | None:
    """Return the head of the session that ends with a range; those after it are lines of an abstract like "14:00".

    None if the first head belongs to another session, whose range then is missing.
    """
    first, *others = waiting
    if not others:
        return first
    if not _begins_at(reading, first[0], range_line) or _begins_at(reading, others[-1][0], range_line):
        return None
    for heading, _ in others:
        reading.warn("This time of day within a session is read as text.", heading)
    return first


def _begins_at(reading: Reading, heading: int, range_line: int) -> bool:
    try:
        time, _ = read_heading(reading.fold(heading))
        start = read_range(reading.fold(range_line)).start
    except ValueError:
        return False
    return time.total_seconds() == start.hour * 3600 + start.minute * 60


def _find_closing(reading: Reading, heading: int, own: list[int]) -> int:
    """Return the session's time among the ranges under its title: the last that begins when the heading says."""
    closing = next((number for number in reversed(own) if _begins_at(reading, heading, number)), own[-1])
    if own[-1] != closing:
        raise reading.refuse(NO_HEAD, next(number for number in own if number > closing))
    for number in own[:-1]:
        reading.warn("This time within a session is read as text.", number)
    return closing


def _missing_range(reading: Reading, waiting: Head, heads: list[Head], ranges: list[int]) -> ScheduleRefused:
    counts = f"{len(heads)} titles stand under a time of day, but there are only {len(ranges)} times with a date"
    message = f"This session has no time with a date: {counts}. Save the page of the full schedule again."
    return reading.refuse(message, waiting[1])


def _settle_marks(reading: Reading, page: Page, marks: list[int], end: int) -> Page:
    """See what the times and days after the last session are: an index, sessions not shown, or where it was cut."""
    last = page.blocks[-1]
    trailing = [number for number in marks if number > last.last_range]
    is_last = trailing == list(reading.numbers(trailing[0], end)) if trailing else False
    index = [reading.fold(number) for number in trailing]
    if is_last and index == [reading.fold(block.heading) for block in page.blocks]:
        reading.claim("index", *trailing)
        page.blocks[-1] = replace(last, end=trailing[0])
        page.is_ended = True
    elif end <= len(reading.lines):
        page.is_ended = True
    elif is_last:
        page.cut = trailing[-1]
        page.blocks[-1] = replace(last, end=page.cut)
    return page


def drop_cut_range(reading: Reading, ranges: list[int]) -> list[int]:
    """Return the ranges without a last one whose zone was cut: "… 10:00 - 10:30 CE" at the very end of a text."""
    if len(ranges) < 2 or ranges[-1] != reading.last_line or reading.is_last_line_ended:
        return ranges
    zone, others = zone_of(reading.fold(ranges[-1])), {zone_of(reading.fold(number)) for number in ranges[:-1]}
    is_cut = zone not in others and any(other.startswith(zone) for other in others)
    return ranges[:-1] if is_cut else ranges
