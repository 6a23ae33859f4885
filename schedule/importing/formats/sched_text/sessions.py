"""One session from its block of lines."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from conference.text import matching_key
from schedule.importing.dates import WEEKDAYS
from schedule.importing.document import MaterialEntry, ReadOptions, SessionEntry
from schedule.importing.formats.sched_text import fields
from schedule.importing.formats.sched_text.blocks import Block, Page
from schedule.importing.formats.sched_text.exact_lines import is_exact, read_exact_session
from schedule.importing.formats.sched_text.mentions import check_mentions
from schedule.importing.formats.sched_text.people import (
    find_lost_heading,
    isolate_headings,
    read_people,
    split_sections,
)
from schedule.importing.formats.sched_text.ranges import TimeRange, is_day, read_heading, read_range, split_room
from schedule.importing.formats.sched_text.reading import Paragraph, Reading, fold_line
from schedule.importing.formats.sched_text.tails import Tail, room_of
from schedule.importing.titles import Kind, is_break, looks_like_name, split_kind, split_people

_FILE_TYPES = frozenset(
    {"pdf", "pptx", "ppt", "key", "odp", "docx", "doc", "odt", "xlsx", "xls", "ods", "csv", "zip", "ipynb"}
    | {"html", "md", "txt", "png", "jpg", "jpeg", "svg", "mp3", "mp4", "mov", "epub"}
)
_LONGEST_FILE_NAME = 255
_NO_ROOM = ("TBD", "TBA")
_PART_OF_TRACK = "Subtrack"


@dataclass(frozen=True, slots=True)
class Layout:
    """What one session can't tell: the family of the page, the rooms and tracks of the text, the
    beginnings that its unknown fields share, and the kinds that the importer was told."""

    is_rendered: bool
    rooms: frozenset[str]
    tracks: frozenset[str]
    common_keys: frozenset[str]
    kinds: Mapping[str, str]


def read_sessions(reading: Reading, page: Page, tails: list[Tail], options: ReadOptions) -> list[SessionEntry]:
    """Read every block of the page as a session; `tails` are what stands under their last ranges."""
    layout = _find_layout(reading, page, tails, options)
    return [_read_session(reading, block, tail, layout) for block, tail in zip(page.blocks, tails, strict=True)]


def _find_layout(reading: Reading, page: Page, tails: list[Tail], options: ReadOptions) -> Layout:
    rooms = frozenset(fold_line(room_of(reading, tail)) for tail in tails if tail.room)
    tracks = frozenset(reading.fold(tail.track) for tail in tails if tail.track)
    lines = (fields.strip_bullet(reading.fold(number)) for tail in tails for number in tail.fields)
    unknown = (line for line in lines if not fields.is_known_field(line) and not is_exact(line))
    common_keys = fields.find_common_keys(unknown)
    return Layout(page.is_rendered, rooms, tracks, common_keys, options.kinds)


def _read_session(reading: Reading, block: Block, tail: Tail, layout: Layout) -> SessionEntry:
    session = SessionEntry(title="", line=block.title, source=reading.source)
    if times := _read_times(reading, block, tail):
        session.start, session.end, session.zone_label = times.start, times.end, times.zone_label
    _read_tail(reading, session, tail, layout)
    body = _drop_room_copy(reading, block, tail, layout)
    body, session.materials = _take_materials(reading, body)
    abstract, sections = split_sections(reading, isolate_headings(body) if layout.is_rendered else body)
    session.abstract = _read_abstract(reading, abstract)
    session.kind, title = split_kind(reading.one_line(block.title), layout.kinds)
    if not sections and (lost := find_lost_heading(abstract, title)):
        reading.error('Here stand the people of this session, but no line "Speakers" alone before them.', lost)
    for section in sections:
        session.people += read_people(reading, section, title)
    _read_title(reading, session, title)
    for number in tail.fields:
        if is_exact(reading.fold(number)):
            read_exact_session(reading, number, session)
    return session


def _read_times(reading: Reading, block: Block, tail: Tail) -> TimeRange | None:
    """Read the ranges and the heading; they must agree with each other and with the calendar."""
    line = reading.fold(block.last_range)
    if block.first_range:
        line, room = split_room(reading.fold(block.first_range))
        if split_room(reading.fold(block.last_range))[0] != line:
            message = f'The time under the title in line {block.title} is another: "{line}".'
            reading.error(message, block.last_range)
        if room and matching_key(room) != matching_key(room_of(reading, tail)):
            reading.error("The room here is another than at the session's end.", block.first_range)
    number = block.first_range or block.last_range
    try:
        times = read_range(line)
    except ValueError as error:
        reading.error(str(error), number)
        return None
    if WEEKDAYS[times.start.weekday()] != times.weekday:
        reading.error(f"{times.start:%Y-%m-%d} is a {times.start:%A}, not a {times.weekday}.", number)
    if times.end == times.start:
        reading.error("The session ends when it starts. Correct its end.", number)
    _check_heading(reading, block.heading, times)
    return times


def _check_heading(reading: Reading, number: int, times: TimeRange) -> None:
    midnight = datetime(times.start.year, times.start.month, times.start.day)
    try:
        start, zone_label = read_heading(reading.fold(number))
    except ValueError as error:
        reading.error(str(error), number)
        return
    if start != times.start - midnight or zone_label not in ("", times.zone_label):
        begins = f"{times.start:%H:%M} {times.zone_label}".rstrip()
        reading.error(f"The session under this time begins at {begins}.", number)


def _read_tail(reading: Reading, session: SessionEntry, tail: Tail, layout: Layout) -> None:
    if tail.room:
        session.room = room_of(reading, tail)
        if not split_room(reading.fold(tail.room))[1]:
            reading.claim("room", tail.room)
        if session.room in _NO_ROOM:
            reading.warn("The room is not decided yet; the session is read as one without a room.", tail.room)
            session.room = ""
    if tail.track:
        _read_track(reading, session, tail.track, layout)
    for number in tail.fields:
        reading.claim("field", number)
        if not is_exact(reading.fold(number)):
            _store_field(session, *fields.read_field(reading, number, layout.common_keys))
    for number in tail.headings:
        reading.claim("day" if is_day(reading.fold(number)) else "heading", number)
    for number in tail.rest:
        reading.warn("This line after a session's fields was not understood; nothing of it is imported.", number)


def _read_track(reading: Reading, session: SessionEntry, number: int, layout: Layout) -> None:
    """Read a track line; what follows a comma is a part of the track only if the track itself is known."""
    reading.claim("track", number)
    session.track = reading.one_line(number)
    track, comma, part = session.track.partition(", ")
    if comma and fold_line(track) in layout.tracks:
        session.track = track
        session.fields[_PART_OF_TRACK] = part


def _store_field(session: SessionEntry, key: str, value: str) -> None:
    if key == fields.LEVEL:
        session.level = join_values(session.level, value)
    elif key == fields.LANGUAGE:
        session.language = join_values(session.language, value)
    else:
        session.fields[key] = join_values(session.fields.get(key, ""), value)


def join_values(known: str, value: str) -> str:
    """Return both values of a field that stands twice: none is lost."""
    return f"{known}, {value}" if known else value


def _drop_room_copy(reading: Reading, block: Block, tail: Tail, layout: Layout) -> list[Paragraph]:
    """Return the paragraphs between the ranges without the room, which is what stands under the second one."""
    body = reading.paragraphs(block.body, block.last_range)
    room = fold_line(room_of(reading, tail))
    if not body or not block.first_range:
        return body
    number, first = body[0].line, reading.fold(body[0].line)
    if room and matching_key(first) == matching_key(room):
        reading.claim("room", number)
        if first != room:
            reading.warn(f'The room is "{room}" in line {tail.room}, which is used.', number)
        rest = body[0].split(1)[1]
        return [rest, *body[1:]] if rest else body[1:]
    if layout.is_rendered:
        return body
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
    if not paragraph.is_single or len(paragraph.text) > _LONGEST_FILE_NAME:
        return False
    *name, file_type = paragraph.text.rsplit(maxsplit=1)
    return bool(name) and file_type.casefold() in _FILE_TYPES


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
    if session.people and not mentions and seems_to_name_somebody(title):
        reading.warn("The title seems to name somebody who is not in the list of people; it stays whole.", session.line)
    if session.kind == Kind.TALK and is_break(title, session.track, bool(session.people)):
        session.kind = Kind.BREAK


def seems_to_name_somebody(title: str) -> bool:
    """Whether a title ends like " - NAME, AFFILIATION"."""
    tail = title.rpartition(" - ")[2]
    name, comma, _ = tail.partition(",")
    return tail != title and bool(comma) and all(looks_like_name(part) for part in name.split(" & "))
