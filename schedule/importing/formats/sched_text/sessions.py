"""One session from its block of lines."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from conference.text import matching_key
from schedule.importing.document import MaterialEntry, SessionEntry
from schedule.importing.formats.sched_text import fields
from schedule.importing.formats.sched_text.blocks import Block
from schedule.importing.formats.sched_text.mentions import check_mentions
from schedule.importing.formats.sched_text.people import find_lost_heading, read_people, split_sections
from schedule.importing.formats.sched_text.ranges import TimeRange, is_heading, read_heading, read_range
from schedule.importing.formats.sched_text.reading import Paragraph, Reading
from schedule.importing.titles import Kind, is_break, looks_like_name, split_kind, split_people

_FILE_TYPES = frozenset(
    {"pdf", "pptx", "ppt", "key", "odp", "docx", "doc", "odt", "xlsx", "xls", "ods", "csv", "zip", "ipynb"}
    | {"html", "md", "txt", "png", "jpg", "jpeg", "svg", "mp3", "mp4", "mov", "epub"}
)
_LONGEST_FILE_NAME = 255
_NO_ROOM = ("TBD", "TBA")


@dataclass(frozen=True, slots=True)
class Layout:
    """What one session can't tell: the rooms of the text, and the beginnings that its unknown fields share."""

    rooms: frozenset[str]
    common_keys: frozenset[str]


@dataclass(frozen=True, slots=True)
class Tail:
    """The lines under a second range, by number: the room, the track, the fields, and what should not be there."""

    room: int | None
    track: int | None
    fields: list[int]
    headings: list[int]
    rest: list[int]


def read_sessions(reading: Reading, blocks: list[Block]) -> list[SessionEntry]:
    """Read every block as a session."""
    tails = [_find_tail(reading, block) for block in blocks]
    layout = _find_layout(reading, tails)
    return [_read_session(reading, block, tail, layout) for block, tail in zip(blocks, tails, strict=True)]


def _find_tail(reading: Reading, block: Block) -> Tail:
    """Sort the lines under a second range: the room directly under it, then one line of track, then fields."""
    numbers = list(reading.numbers(block.second_range + 1, block.end))
    headings = [number for number in numbers if is_heading(reading.fold(number))]
    numbers = [number for number in numbers if not is_heading(reading.fold(number))]
    room = numbers.pop(0) if numbers and numbers[0] == block.second_range + 1 else None
    has_track = bool(numbers) and not fields.is_known_field(reading.fold(numbers[0]))
    track = numbers.pop(0) if has_track else None
    found: list[int] = []
    rest: list[int] = []
    for number in numbers:
        is_next = not found or number == found[-1] + 1
        (found if is_next or fields.is_known_field(reading.fold(number)) else rest).append(number)
    return Tail(room, track, found, headings, rest)


def _find_layout(reading: Reading, tails: list[Tail]) -> Layout:
    rooms = frozenset(reading.fold(tail.room) for tail in tails if tail.room)
    lines = (reading.fold(number) for tail in tails for number in tail.fields)
    return Layout(rooms, fields.find_common_keys(line for line in lines if not fields.is_known_field(line)))


def _read_session(reading: Reading, block: Block, tail: Tail, layout: Layout) -> SessionEntry:
    session = SessionEntry(title="", line=block.title, source=reading.source)
    if times := _read_times(reading, block):
        session.start, session.end, session.zone_label = times.start, times.end, times.zone_label
    _read_tail(reading, session, tail, layout)
    body = _drop_room_copy(reading, block, tail, layout)
    body, session.materials = _take_materials(reading, body)
    abstract, sections = split_sections(reading, body)
    session.abstract = _read_abstract(reading, abstract)
    session.kind, title = split_kind(reading.one_line(block.title))
    if not sections and (lost := find_lost_heading(abstract, title)):
        reading.error('Here stand the people of this session, but no line "Speakers" alone before them.', lost)
    for section in sections:
        session.people += read_people(reading, section, title)
    _read_title(reading, session, title)
    return session


def _read_times(reading: Reading, block: Block) -> TimeRange | None:
    """Read both ranges and the heading; they must agree with each other and with the calendar."""
    line = reading.fold(block.first_range)
    if reading.fold(block.second_range) != line:
        reading.error(f'The time under the title in line {block.title} is another: "{line}".', block.second_range)
    try:
        times = read_range(line)
    except ValueError as error:
        reading.error(str(error), block.first_range)
        return None
    if f"{times.start:%A}" != times.weekday:
        reading.error(f"{times.start:%Y-%m-%d} is a {times.start:%A}, not a {times.weekday}.", block.first_range)
    if times.end == times.start:
        reading.error("The session ends when it starts. Correct its end.", block.first_range)
    _check_heading(reading, block.heading, times)
    return times


def _check_heading(reading: Reading, number: int, times: TimeRange) -> None:
    midnight = datetime(times.start.year, times.start.month, times.start.day)
    try:
        is_right = read_heading(reading.fold(number)) == (times.start - midnight, times.zone_label)
    except ValueError as error:
        reading.error(str(error), number)
        return
    if not is_right:
        reading.error(f"The session under this time begins at {times.start:%H:%M} {times.zone_label}.", number)


def _read_tail(reading: Reading, session: SessionEntry, tail: Tail, layout: Layout) -> None:
    if tail.room:
        session.room = reading.one_line(tail.room)
        reading.claim("room", tail.room)
        if session.room in _NO_ROOM:
            reading.warn("The room is not decided yet; the session is read as one without a room.", tail.room)
            session.room = ""
    if tail.track:
        session.track = reading.one_line(tail.track)
        reading.claim("track", tail.track)
    for number in tail.fields:
        key, value = fields.read_field(reading, number, layout.common_keys)
        reading.claim("field", number)
        _store_field(session, key, value)
    for number in tail.headings:
        reading.claim("heading", number)
        reading.warn("A time without a session: nothing is imported for it.", number)
    for number in tail.rest:
        reading.warn("This line after a session's fields was not understood; nothing of it is imported.", number)


def _store_field(session: SessionEntry, key: str, value: str) -> None:
    if key == fields.LEVEL:
        session.level = value
    elif key == fields.LANGUAGE:
        session.language = value
    else:
        session.fields[key] = f"{session.fields[key]}, {value}" if key in session.fields else value


def _drop_room_copy(reading: Reading, block: Block, tail: Tail, layout: Layout) -> list[Paragraph]:
    """Return the paragraphs between the ranges without the room, which is what stands under the second one."""
    body = reading.paragraphs(block.first_range + 1, block.second_range)
    room = reading.fold(tail.room) if tail.room else ""
    if not body:
        return body
    number, first = body[0].line, reading.fold(body[0].line)
    if room and matching_key(first) == matching_key(room):
        reading.claim("room", number)
        if first != room:
            reading.warn(f'The room is "{room}" in line {tail.room}, which is used.', number)
        rest = body[0].split(1)[1]
        return [rest, *body[1:]] if rest else body[1:]
    if first in layout.rooms:
        said = f'"{room}" stands' if room else "no room stands"
        reading.error(f"The room here is another than at the session's end, where {said}.", number)
    elif room:
        reading.warn(f'The room "{room}" was expected here; this is read as the abstract or a person.', number)
    return body


def _take_materials(reading: Reading, body: list[Paragraph]) -> tuple[list[Paragraph], list[MaterialEntry]]:
    """Take the files off the end: single lines whose last word is a file type."""
    count = len(body)
    while count and _is_material(body[count - 1]):
        count -= 1
    materials = []
    for paragraph in body[count:]:
        reading.claim("material", paragraph.line)
        name, file_type = reading.one_line(paragraph.line).rsplit(" ", 1)
        materials.append(MaterialEntry(name, file_type.casefold(), paragraph.line))
    return body[:count], materials


def _is_material(paragraph: Paragraph) -> bool:
    words = paragraph.text.split()
    is_short = paragraph.is_single and len(paragraph.text) <= _LONGEST_FILE_NAME
    return is_short and len(words) > 1 and words[-1].casefold() in _FILE_TYPES


def _read_abstract(reading: Reading, paragraphs: Iterable[Paragraph]) -> str:
    texts = []
    for paragraph in paragraphs:
        reading.claim("abstract", *paragraph.numbers)
        texts.append(paragraph.text)
    return "\n\n".join(texts)


def _read_title(reading: Reading, session: SessionEntry, title: str) -> None:
    """Cut the people off the title (without its kind), compare them with the session's, and see if it is a break."""
    session.title, mentions = split_people(title, [person.name for person in session.people])
    check_mentions(reading, session.line, session.people, mentions)
    if session.people and not mentions and _seems_to_name_somebody(title):
        reading.warn("The title seems to name somebody who is not in the list of people; it stays whole.", session.line)
    if session.kind == Kind.TALK and is_break(title, session.track, bool(session.people)):
        session.kind = Kind.BREAK


def _seems_to_name_somebody(title: str) -> bool:
    """Whether a title ends like " - NAME, AFFILIATION"."""
    tail = title.rpartition(" - ")[2]
    name, comma, _ = tail.partition(",")
    return tail != title and bool(comma) and all(looks_like_name(part) for part in name.split(" & "))
