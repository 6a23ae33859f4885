"""Whether a text is there to its end, and what becomes of a session that is not."""

import re

from schedule.importing.dates import WEEKDAYS
from schedule.importing.document import ReadOptions
from schedule.importing.formats.sched_text.blocks import FOOTER, Block, Page
from schedule.importing.formats.sched_text.fields import is_part_of_known, strip_bullet
from schedule.importing.formats.sched_text.people import HEADINGS
from schedule.importing.formats.sched_text.ranges import is_heading
from schedule.importing.formats.sched_text.reading import Reading
from schedule.importing.formats.sched_text.tails import Tail, room_of

_PART_OF_MARK = re.compile(
    r"\d{1,2}(?::\d{0,2} ?[AaPp]?[Mm]?)?(?: ?[A-Z]{1,5})?"
    rf"|(?:{'|'.join(WEEKDAYS)}),?(?: [A-Z][a-z]*)?(?: \d{{1,2}})?"
)
# From how many like sessions on it is a rule that all of them have a track.
_ENOUGH = 2


def settle_end(reading: Reading, page: Page, tails: list[Tail], options: ReadOptions) -> None:
    """Refuse a text that was cut, or, if a part is allowed, take what is not whole off `page` and `tails`.

    Raises ScheduleRefused also when no session would be left.
    """
    why = _find_cut(reading, page, tails)
    if why is None:
        return
    page.is_cut = True
    last = reading.last_line or 1
    cut = page.cut
    title = _find_title(reading, cut) if cut else None
    message = f"The text stops in line {last}, {why}."
    if not options.is_partial_allowed:
        raise reading.refuse(f"{message} Save the whole page again.", last)
    if not page.blocks:
        raise reading.refuse(f"{message} No session before it is whole.", last)
    if title:
        message += f' The session "{reading.one_line(title)}" is not whole and is not imported.'
    reading.warn(f"{message} What stands before it is read as a part of the schedule.", title or cut or last)
    if cut:
        reading.claim("cut", *reading.numbers(cut, len(reading.lines) + 1))


def _find_title(reading: Reading, cut: int) -> int | None:
    return reading.line_after(cut) if is_heading(reading.fold(cut)) else None


def _find_cut(reading: Reading, page: Page, tails: list[Tail]) -> str | None:
    """Say why a text was cut, and where in `page`; None if nothing tells that it was."""
    if page.is_ended:
        return None
    if not page.is_rendered:
        return f'before its last line "{FOOTER}"'
    if page.cut:
        title = _find_title(reading, page.cut)
        return f"within the session in line {title}" if title else "after a time or a day without a session"
    last = reading.last_line
    if tails[-1].rest and last == tails[-1].rest[-1] and _PART_OF_MARK.fullmatch(reading.fold(last)):
        page.cut = last
        tails[-1].rest.pop()
        return "within a time or a day"
    why = _find_lack(reading, page, tails) or _find_broken_line(reading, tails)
    if why:
        page.cut = page.blocks.pop().heading
        tails.pop()
    return why


def _find_lack(reading: Reading, page: Page, tails: list[Tail]) -> str | None:
    """Say which part the last session lacks that all the others have, those with people or those without."""
    *others, last = tails
    if others and not last.room and all(tail.room for tail in others):
        return "before the room that every other session has"
    is_alike = _has_people(reading, page.blocks[-1])
    alike = [tail for tail, block in zip(others, page.blocks, strict=False) if _has_people(reading, block) == is_alike]
    for part, lines in last.parts.items():
        if not lines and len(alike) >= _ENOUGH and all(tail.parts[part] for tail in alike):
            return f"before the {part} that every other session of this sort has"
    return None


def _has_people(reading: Reading, block: Block) -> bool:
    return any(reading.fold(number) in HEADINGS for number in range(block.body, block.last_range))


def _find_broken_line(reading: Reading, tails: list[Tail]) -> str | None:
    """Say in which part the last line was cut: it begins as a line elsewhere does, but no line end follows."""
    last = reading.last_line
    if reading.is_last_line_ended or last is None:
        return None
    for part in ("room", "track", "fields"):
        if last not in tails[-1].parts[part]:
            continue
        value = _value(reading, tails[-1], part, last)
        values = {_value(reading, tail, part, n) for tail in tails[:-1] for n in tail.parts[part]}
        is_part = value not in values and any(other.startswith(value) for other in values)
        if is_part or (part == "fields" and is_part_of_known(value)):
            return f"within the {part}"
    return None


def _value(reading: Reading, tail: Tail, part: str, number: int) -> str:
    return room_of(reading, tail) if part == "room" else strip_bullet(reading.fold(number))
