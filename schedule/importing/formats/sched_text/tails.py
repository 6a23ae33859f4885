"""What stands under the last range of a session: the room, the track, the fields, and what should not be there."""

from dataclasses import dataclass

from schedule.importing.formats.sched_text import fields
from schedule.importing.formats.sched_text.blocks import Block
from schedule.importing.formats.sched_text.exact_lines import is_exact
from schedule.importing.formats.sched_text.ranges import is_day, is_heading, split_room
from schedule.importing.formats.sched_text.reading import Reading


@dataclass(frozen=True, slots=True)
class Tail:
    """The lines under a last range, by number. `room` may be the range's own line, if the room stands on it."""

    room: int | None
    track: int | None
    fields: list[int]
    headings: list[int]
    rest: list[int]

    @property
    def parts(self) -> dict[str, list[int]]:
        """Its lines by what they are called for people."""
        return {
            "room": [self.room] if self.room else [],
            "track": [self.track] if self.track else [],
            "fields": self.fields,
        }


def find_tail(reading: Reading, block: Block) -> Tail:
    """Sort the lines under a last range: the room directly under it, then one line of track, then fields."""
    numbers = list(reading.numbers(block.last_range + 1, block.end))
    headings = [n for n in numbers if is_heading(reading.fold(n)) or is_day(reading.fold(n))]
    first = headings[0] if headings else block.end
    strays = sorted({n for n in numbers if n > first}.difference(headings))
    numbers = [n for n in numbers if n < first]
    room = block.last_range if split_room(reading.fold(block.last_range))[1] else None
    if not room and numbers and _is_room(reading, numbers[0], block):
        room = numbers.pop(0)
    has_track = bool(numbers) and not _is_field(reading, numbers[0])
    track = numbers.pop(0) if has_track else None
    found: list[int] = []
    rest: list[int] = []
    for number in numbers:
        is_next = not found or number == found[-1] + 1
        (found if is_next or _is_field(reading, number) else rest).append(number)
    return Tail(room, track, found, headings, rest + strays)


def _is_room(reading: Reading, number: int, block: Block) -> bool:
    """Whether a line is the room: directly under the range, and neither the indented track nor a field in a list."""
    if number != block.last_range + 1 or number in reading.indented:
        return False
    return not fields.has_bullet(reading.fold(number)) and not is_exact(reading.fold(number))


def _is_field(reading: Reading, number: int) -> bool:
    line = reading.fold(number)
    return fields.has_bullet(line) or fields.is_known_field(line) or is_exact(line)


def room_of(reading: Reading, tail: Tail) -> str:
    """Return the room as printed, "" if none is."""
    if not tail.room:
        return ""
    return split_room(reading.fold(tail.room))[1] or reading.one_line(tail.room)
