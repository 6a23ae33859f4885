"""Sched's session export: a table with one session a row, times of the event's own clock, HTML in descriptions."""

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from conference.text import matching_key
from schedule.importing.document import EventEntry, PersonEntry, ReadOptions, ScheduleDocument, SessionEntry
from schedule.importing.formats.entries import (
    PART_OF_TRACK,
    Notes,
    add_field,
    file_type_of,
    find_known_tracks,
    make_material,
    make_people,
    read_address,
    read_kind,
    read_line,
    read_names,
    read_room,
    report_broken_row,
    report_cut_row,
    set_times,
    settle_break,
    split_track,
)
from schedule.importing.html import clean_text, html_to_text
from schedule.importing.titles import is_variant, split_people

FORMAT = "sched-csv"
DEFAULTS = ReadOptions()
_DELIMITERS = (",", ";", "\t")
_ROLES = {"moderators": "moderator", "speakers": "speaker", "artists": "speaker"}
_READ = frozenset(
    {"active", "name", "event_start", "event_end", "event_type", "event_subtype", "description", "url", "media_url"}
    | {"seats", "invite_only", "venue", "id", "audience level", "language"}
) | set(_ROLES)
# Numbers of Sched's own, and how many came: nothing of the programme.
_IGNORED = frozenset({"event_key", "goers", "checkins", "fsq_venue_id", "venue_id"})
_PICTURES = frozenset({"png", "jpg", "jpeg", "gif", "svg", "webp"})
_FILES = frozenset(
    {"pdf", "pptx", "ppt", "key", "odp", "docx", "doc", "odt", "xlsx", "xls", "ods", "csv", "zip", "txt"}
)
_LEFT_OUT = "it is left out."
_NO_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?: *(?:TB[ACD])?)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table and the line it starts on; `cells` by column, the known ones in lower case."""

    line: int
    cells: dict[str, str]

    def get(self, column: str) -> str:
        return self.cells.get(column, "").strip()


def recognises(text: str) -> bool:
    """Whether the first row names the columns of Sched's export."""
    first = next((line for line in io.StringIO(text.lstrip("\ufeff")) if line.strip()), "")
    return _find_delimiter(first) != ""


def parse(text: str, source: str, options: ReadOptions = DEFAULTS) -> ScheduleDocument:
    """Read Sched's export. Times are of the event's clock, which the table does not name.

    A row that can't be read is left out with a warning, and then the document is no longer whole.
    Raises ScheduleRefused for what is no such table, or a cut one unless parts are allowed.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    notes = Notes(source, text.split("\n"))
    roles: list[str | None] = []
    table = _read_table(notes, text, roles, options)
    known = find_known_tracks(read_line(row.get("event_type")) for row, _ in table)
    sessions = []
    for row, n in table:
        if session := _read_session(notes, row, known, options):
            sessions.append(session)
            roles[n] = "session"
    notes.check(sessions)
    is_whole = "left out" not in roles
    return ScheduleDocument(source, FORMAT, EventEntry(), sessions, roles, notes.problems, is_whole, unit="row")


def _find_delimiter(line: str) -> str:
    """Return what separates the cells of the first row, "" if it is none of Sched's export."""
    for delimiter in _DELIMITERS:
        try:
            names = {_fold_name(cell) for cell in next(csv.reader([line], delimiter=delimiter), [])}
        except csv.Error:
            continue
        if names >= {"name", "event_start"} and names & {"event_end", "event_type", "event_key", "venue", "active"}:
            return delimiter
    return ""


def _fold_name(cell: str) -> str:
    key = matching_key(cell)
    spaced = key.replace(" ", "_")
    return spaced if spaced in _READ | _IGNORED else key


# Rows


def _read_table(notes: Notes, text: str, roles: list[str | None], options: ReadOptions) -> list[tuple[Row, int]]:
    """Return the rows with sessions, each with its place in `roles`, which gets one for every row."""
    rows: list[tuple[Row, int]] = []
    header: list[str] = []
    for line, cells in _iterate(notes, text, roles, options):
        if not any(cell.strip() for cell in cells):
            roles.append("blank")
        elif not header:
            header = _read_header(notes, cells, line)
            roles.append("header")
        elif len(cells) == len(header):
            rows.append((Row(line, dict(zip(header, cells, strict=True))), len(roles)))
            roles.append("left out")
        else:
            roles.append("left out")
            _note_misfit(notes, line, len(cells), len(header), options)
    if not header:
        raise notes.refuse("The table is empty. Export the sessions again.")
    return rows


def _iterate(notes: Notes, text: str, roles: list[str | None], options: ReadOptions) -> Iterator[tuple[int, list[str]]]:
    first = next((line for line in notes.lines if line.strip()), "")
    delimiter = _find_delimiter(first)
    if first and not delimiter:
        message = "This is no session export of Sched: the columns name, event_start and event_end are not in it."
        raise notes.refuse(message, notes.lines.index(first) + 1)
    reader = csv.reader(io.StringIO(text, newline="\n"), delimiter=delimiter or ",", strict=True)
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            roles.append("left out")
            report_broken_row(notes, line, str(error), options)
            return
        yield line, cells


def _note_misfit(notes: Notes, line: int, count: int, expected: int, options: ReadOptions) -> None:
    is_last = line >= notes.last_line
    if count < expected and is_last and notes.lines[-1]:
        report_cut_row(notes, line, count, expected, options)
        return
    notes.warn(f"This row has {count} cells where the table has {expected} columns; {_LEFT_OUT}", line)


def _read_header(notes: Notes, cells: list[str], line: int) -> list[str]:
    """Return the names of the columns: Sched's own in lower case, others as written; equal ones are told apart."""
    header: list[str] = []
    for n, cell in enumerate(cells, start=1):
        name = _fold_name(cell)
        if name not in _READ | _IGNORED:
            name = read_line(cell) or f"Column {n}"
        if name in header:
            notes.warn(f"The column “{name}” stands twice; the second is read as “{name} {n}”.", line)
            name = f"{name} {n}"
        header.append(name)
    return header


# Sessions


def _read_session(notes: Notes, row: Row, known: frozenset[str], options: ReadOptions) -> SessionEntry | None:
    """Read one row; None, with a problem, where it can't be."""
    written = read_line(row.get("name"))
    if not written:
        notes.warn(f"The session has no name; {_LEFT_OUT}", row.line)
        return None
    session = SessionEntry(title=written, line=row.line, source=notes.source)
    if not _read_times(notes, session, row):
        return None
    session.source_id = f"sched:{source_id}" if (source_id := clean_text(row.get("id"))) else ""
    session.abstract = html_to_text(row.get("description"))
    session.room = read_room(notes, row.get("venue"), row.line)
    session.track, part = split_track(read_line(row.get("event_type")), known)
    add_field(session, PART_OF_TRACK, part)
    add_field(session, PART_OF_TRACK, read_line(row.get("event_subtype")))
    session.level = read_line(row.get("audience level"))
    session.language = read_line(row.get("language"))
    session.people = _read_people(row)
    session.kind, title = read_kind(written, session.track, options.kinds)
    _read_title(session, title)
    settle_break(session)
    _read_status(notes, session, row)
    _read_links(notes, session, row)
    _read_fields(session, row)
    return session


def _read_times(notes: Notes, session: SessionEntry, row: Row) -> bool:
    """Read start and end; return False, with a problem, where the row is to be left out.

    "2031-05-14 TBA" is what Sched writes for a session that has a day and no time yet.
    """
    said = row.get("event_start"), row.get("event_end")
    if not any(said) or _NO_TIME.fullmatch(said[0]):
        message = "The session has no time; it is read as one that is not scheduled, and without its room."
        notes.warn(message, row.line)
        add_field(session, "Date", said[0].split(" ")[0])
        return True
    times: list[datetime | None] = []
    for column, value in zip(("event_start", "event_end"), said, strict=True):
        try:
            times.append(datetime.fromisoformat(value) if value or column == "event_start" else None)
        except ValueError:
            message = f"{column} is no time like 2031-05-14 09:30:00: “{value[:40]}”; the session is left out."
            notes.warn(message, row.line)
            return False
    return set_times(notes, session, times[0], times[1])


def _read_people(row: Row) -> list[PersonEntry]:
    people: list[PersonEntry] = []
    for column, role in _ROLES.items():
        known = {matching_key(person.name) for person in people}
        people += make_people(read_names(row.get(column)), role, row.line, known)
    return people


def _read_title(session: SessionEntry, title: str) -> None:
    """Cut the people off the title; it is the only place of this format that tells their affiliations."""
    session.title, mentions = split_people(title, [person.name for person in session.people])
    by_key = {matching_key(mention.name): mention for mention in mentions}
    for person in session.people:
        mention = by_key.get(matching_key(person.name))
        if mention is None:
            mention = next((m for m in mentions if is_variant(m.name, person.name)), None)
        if mention:
            person.affiliation = mention.affiliation


def _read_status(notes: Notes, session: SessionEntry, row: Row) -> None:
    """Sessions that Sched does not show to everybody are drafts: an import must not publish them."""
    if _is_yes(notes, row, "active", default=True) is False:
        session.status = "draft"
    if _is_yes(notes, row, "invite_only", default=False):
        session.status = "draft"
        message = "The session is by invitation only, so it is read as a draft. Confirm it in the admin to show it."
        notes.warn(message, row.line)


def _is_yes(notes: Notes, row: Row, column: str, *, default: bool) -> bool:
    said = matching_key(row.get(column))
    if said in ("y", "yes", "1", "true"):
        return True
    if said in ("n", "no", "0", "false"):
        return False
    if said:
        notes.warn(f"{column} is neither Y nor N: “{said[:40]}”; read as {'Y' if default else 'N'}.", row.line)
    return default


def _read_links(notes: Notes, session: SessionEntry, row: Row) -> None:
    if address := read_address(notes, row.get("url"), "the website", row.line):
        session.materials.append(make_material("" if file_type_of(address) else "Website", address, row.line))
    address = read_address(notes, row.get("media_url"), "the media", row.line)
    if file_type_of(address) in _PICTURES | _FILES:
        session.materials.append(make_material("", address, row.line))
    else:
        session.recording_url = address


def _read_fields(session: SessionEntry, row: Row) -> None:
    """Keep what else the row says, under the columns' names, in their order: "geo_area" is "Geo area"."""
    for column, cell in row.cells.items():
        if column in _READ | _IGNORED:
            continue
        name = column.replace("_", " ")
        add_field(session, name[:1].upper() + name[1:], read_line(cell))
    if row.get("seats") not in ("", "0"):
        add_field(session, "Seats", read_line(row.get("seats")))
    if session.start is None and session.room:
        add_field(session, "Room", session.room)
        session.room = ""
