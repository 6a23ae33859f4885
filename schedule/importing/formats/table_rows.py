"""From the rows of a plain table, of a text or a workbook alike, to a document. Pure."""

import re
from dataclasses import dataclass, field
from datetime import date

from conference.text import matching_key
from schedule.importing.document import EventEntry, PersonEntry, ReadOptions, ScheduleDocument, SessionEntry
from schedule.importing.formats.entries import (
    Notes,
    add_field,
    file_type_of,
    is_web_address,
    make_material,
    read_address,
    read_kind,
    read_line,
    read_room,
    settle_break,
)
from schedule.importing.formats.table_cells import Day, read_moment
from schedule.importing.formats.table_columns import Column
from schedule.importing.formats.table_days import Calendar, settle_days
from schedule.importing.formats.table_exact import COLUMN, FOR_READERS, is_guarded, set_exactly
from schedule.importing.formats.table_grids import Grid, Unit
from schedule.importing.formats.table_people import read_people, split_bios, split_for_each
from schedule.importing.formats.table_times import MOMENT_WORDS, Draft, Slot, find_slot, find_zone, read_draft
from schedule.importing.html import html_to_text
from schedule.importing.titles import Kind, split_kind

_ROLES = {"speakers": "speaker", "moderators": "moderator", "panelists": "panelist", "hosts": "host", "chairs": "chair"}
# What becomes a part of the session; of "kind", "status" and "materials" only what is understood.
_SLOT_WORDS = frozenset({*MOMENT_WORDS, "duration", "year", "timezone"})
_KINDS = {
    "vortrag": "talk", "talks": "talk", "presentation": "talk", "charla": "talk", "ponencia": "talk",
    "conference": "talk", "expose": "talk", "regular talk": "talk", "long talk": "talk", "short talk": "talk",
    "pause": "break", "kaffeepause": "break", "mittagspause": "break", "descanso": "break", "pausa": "break",
    "coffee break": "break", "lunch": "break", "atelier": "workshop", "taller": "workshop", "podium": "panel",
    "podiumsdiskussion": "panel", "diskussion": "panel", "table ronde": "panel", "mesa redonda": "panel",
    "tutoriel": "tutorial", "lightning": "lightning talk", "blitzvortrag": "lightning talk",
    "eroffnungsvortrag": "keynote", "conference pleniere": "keynote", "charla magistral": "keynote",
    "abendveranstaltung": "social", "party": "social", "social event": "social",
}  # fmt: skip
_STATUSES = {
    "confirmed": "confirmed accepted approved final published scheduled public ok yes done bestatigt angenommen"
    " zugesagt confirme accepte valide confirmado aceptado",
    "draft": "draft tentative pending provisional submitted proposed new open planned unconfirmed waitlisted waitlist"
    " rejected declined withdrawn no entwurf offen vorlaufig eingereicht abgelehnt brouillon propose refuse borrador"
    " pendiente propuesto rechazado",
    "cancelled": "cancelled canceled abgesagt entfallt entfallen annule cancelado anulado",
}
_STATUS_OF = {word: status for status, words in _STATUSES.items() for word in words.split()}
_LINK = re.compile(r"\[(?P<text>[^\[\]\n]{0,300})\]\((?P<url>[^()\s]{1,300})\)")
_BETWEEN_LINKS = re.compile(r"[\s,;]+")
_YEAR = re.compile(r"(?<![0-9])(?:19|20)[0-9]{2}(?![0-9])")


@dataclass(slots=True)
class Row:
    """A row with the cells of its columns. `used` are the places of the columns that have become something else."""

    unit: Unit
    is_markdown: bool
    used: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        if self.is_ours:
            self.used.update(c.place for c in self.unit.columns if c.name in FOR_READERS or c.name.startswith(COLUMN))

    @property
    def is_ours(self) -> bool:
        """Whether the table is one that our own export wrote (table_exact.py)."""
        return any(column.name == COLUMN for column in self.unit.columns)

    def get(self, word: str) -> str:
        column = next((column for column in self.unit.columns if column.word == word), None)
        return self.cell(column) if column else ""

    def cell(self, column: Column) -> str:
        text = self.unit.cells[column.place].strip() if column.place < len(self.unit.cells) else ""
        return text[1:] if is_guarded(text) and self.is_ours else text

    def line_of(self, word: str) -> str:
        """Return a cell on one line, without HTML and without the addresses of links."""
        text = _LINK.sub(lambda link: link["text"], self.get(word)) if self.is_markdown else self.get(word)
        return read_line(text)


def build_document(notes: Notes, grid: Grid, format_name: str, options: ReadOptions) -> ScheduleDocument:
    """Read the rows of a table. Raises ScheduleRefused for errors that were noted, and where no session is left.

    A row that can't be read is left out with a warning, and then the document is no longer whole.
    """
    event = _read_event(grid)
    rows = _choose_rows(notes, grid)
    drafts = _read_drafts(notes, grid, rows)
    if rows and not any(draft.days() for draft in drafts.values()) and any(d.has_clock() for d in drafts.values()):
        notes.error("No row says its date. Add a column “Date” with dates like 2031-05-14.", rows[0].unit.line)
    days = [(day, draft.line, draft.year) for draft in drafts.values() for day in draft.days()]
    calendar = settle_days(notes, days, _stated_years(grid))
    days_above = _carry_days(notes, calendar, rows, drafts)
    sessions = []
    for row in rows:
        line = row.unit.line
        slot = find_slot(notes, drafts[line], calendar, days_above[line])
        sessions.append(session := _read_session(notes, row, slot, drafts[line].unread, options))
        if slot is None and (day := days_above[line]) and drafts[line].own_day() is None:
            add_field(session, "Date", day.isoformat())
        row.unit.role = "session"
    _settle_ids(notes, rows, sessions)
    notes.check(sessions)
    is_whole = grid.is_whole and not any(unit.role == "left out" for unit in grid.units)
    roles: list[str | None] = [unit.role for unit in grid.units]
    return ScheduleDocument(notes.source, format_name, event, sessions, roles, notes.problems, is_whole, unit="row")


def _read_event(grid: Grid) -> EventEntry:
    """Return what the table says of its event: a heading above it, and the one zone that its header names."""
    name = "" if _find_day(grid.event_name) else read_line(grid.event_name)
    event = EventEntry(name=name)
    zones, labels = {}, {}
    for unit in grid.units:
        for column in unit.columns if unit.role == "header" else ():
            zone, label = find_zone(column.aside) if column.word in MOMENT_WORDS else (None, "")
            zones |= {zone.key: unit.line} if hasattr(zone, "key") else {}
            labels |= {label: unit.line} if label else {}
    if len(zones) == 1:
        event.timezone = next(iter(zones))
    if len(labels) == 1:
        event.zone_label, event.zone_label_line = next(iter(labels.items()))
    return event


def _stated_years(grid: Grid) -> set[int]:
    """Return the years that the header ("Date (2031)"), else what stands above the table, tells."""
    asides = [column.aside for unit in grid.units for column in unit.columns if unit.role == "header"]
    found = {int(year) for aside in asides for year in _YEAR.findall(aside)}
    texts = [cell for unit in grid.units if unit.role in ("heading", "note") for cell in unit.cells]
    return found or {int(year) for text in texts for year in _YEAR.findall(text[:300])}


# Rows


def _choose_rows(notes: Notes, grid: Grid) -> list[Row]:
    """Return the rows that are sessions; give every other one its role, and say why it is left out."""
    rows = []
    for unit in grid.units:
        if unit.role != "row":
            continue
        row = Row(unit, grid.is_markdown)
        filled = [n for n, cell in enumerate(unit.cells) if cell.strip()]
        if not filled:
            unit.role = "blank"
        elif filled[-1] >= len(unit.columns):
            unit.role = "left out"
            count = f"{filled[-1] + 1} cells where the table has {len(unit.columns)} columns"
            notes.warn(f"This row has {count}; it is left out. Put text with separators in quotation marks.", unit.line)
        elif len(filled) == 1 and _find_day(unit.cells[filled[0]]):
            unit.role = "day"
        elif not row.line_of("title") and not (row.is_ours and row.get("title")):
            unit.role = "left out"
            notes.warn("The row has no title; it is left out.", unit.line)
        else:
            rows.append(row)
    return rows


def _find_day(text: str, *, in_parts: bool = False) -> Day | None:
    """Return the day that a heading gives, alone or, `in_parts`, beside something: "Day 1: Wednesday 8 April 2026"."""
    parts = re.split(r"[:()|]| [-–—] ", text[:300]) if in_parts else []
    for part in (text, *parts):
        moment = read_moment(part.strip())
        if moment and moment.day and not moment.clock:
            return moment.day
    return None


def _read_drafts(notes: Notes, grid: Grid, rows: list[Row]) -> dict[int, Draft]:
    """Return for each row by its line what its cells, and a day in a line above it, tell of its slot."""
    chosen = {row.unit.line: row for row in rows}
    drafts: dict[int, Draft] = {}
    section: Day | None = None
    for unit in grid.units:
        if unit.role == "day":
            section = next(day for cell in unit.cells if cell.strip() and (day := _find_day(cell)))
        elif unit.role in ("heading", "note") and unit.cells:
            section = _find_day(" ".join(unit.cells), in_parts=unit.role == "heading") or section
        elif row := chosen.get(unit.line):
            asides = {column.word: column.aside for column in unit.columns if column.word in _SLOT_WORDS}
            # Others say how the cells are written: "Start (24 h)", "Date (ISO)", "Date (2031)".
            asides |= {word: "" for word in MOMENT_WORDS if not any(find_zone(asides.get(word, "")))}
            drafts[unit.line] = draft = read_draft(notes, unit.line, row.get, asides)
            if (beside := draft.own_day()) is None:
                draft.section_day = section
            elif beside != section:
                section = None
    return drafts


def _carry_days(notes: Notes, calendar: Calendar, rows: list[Row], drafts: dict[int, Draft]) -> dict[int, date | None]:
    """Return for each row the day it takes if it gives none: of the line above it, else of the row before it."""
    above: dict[int, date | None] = {}
    last: date | None = None
    carried: list[int] = []
    for row in rows:
        draft = drafts[row.unit.line]
        if draft.section_day:
            above[draft.line] = last = calendar.resolve(draft.section_day, draft.line)
            continue
        own = draft.own_day()
        if own:
            last = calendar.find(own, draft.year)
        elif draft.has_clock() and last and draft.lacks_day():
            carried.append(draft.line)
        above[draft.line] = last if own or draft.lacks_day() else None
    if carried:
        others = f" (as with {len(carried) - 1} more)" if len(carried) > 1 else ""
        notes.warn(f"The row has no date; it is read as of the day of the row before it{others}.", carried[0])
    return above


def _settle_ids(notes: Notes, rows: list[Row], sessions: list[SessionEntry]) -> None:
    """Give the sessions the ids of their column, if each is of one session alone; else keep them as a field."""
    ids = [row.line_of("id")[:250] for row in rows]
    first: dict[str, int] = {}
    repeated = [(n, written) for n, written in enumerate(ids) if first.setdefault(written, n) != n and written]
    if repeated:
        n, written = repeated[0]
        message = f"The id “{written[:60]}” stands in row {rows[first[written]].unit.line} as well"
        notes.warn(f"{message}, so the ids are kept as a further field only.", rows[n].unit.line)
    for row, session, written in zip(rows, sessions, ids, strict=True):
        if repeated:
            add_field(session, next((c.name for c in row.unit.columns if c.word == "id"), "ID"), written)
        elif written:
            session.source_id = f"table:{written}"


# One session


def _read_session(notes: Notes, row: Row, slot: Slot | None, unread: set[str], options: ReadOptions) -> SessionEntry:
    line = row.unit.line
    word = row.line_of("kind")
    key = matching_key(word)
    # Our own export says it as it is; elsewhere a title's prefix may say more.
    is_exact = row.is_ours and word in frozenset(Kind)
    written = row.line_of("title")
    session = SessionEntry(title=written, line=line, source=notes.source)
    if is_exact:
        session.kind = Kind(word)
    else:
        session.kind, session.title = read_kind(written, _KINDS.get(key, word), options.kinds)
    session.room = read_room(notes, row.line_of("room"), line)
    for name in ("track", "level", "language"):
        setattr(session, name, row.line_of(name))
    session.abstract = html_to_text(row.get("abstract"))
    for column in row.unit.columns:
        if column.word in _ROLES:
            session.people += _read_people(notes, row, column, {matching_key(p.name) for p in session.people})
    if not is_exact:
        settle_break(session)
    _read_status(notes, session, row)
    _read_links(notes, session, row)
    if slot:
        session.start, session.end, session.zone_label = slot.start, slot.end, slot.zone_label
    _keep_fields(session, row, unread if is_exact or _is_kind(key, options) else unread | {"kind"})
    if row.is_ours:
        set_exactly(notes, session, {column.name: row.cell(column) for column in row.unit.columns}, line)
    return session


def _is_kind(key: str, options: ReadOptions) -> bool:
    """Whether nothing is lost when the word for a kind is not kept."""
    if not key or key in _KINDS or key in ("talk", "keynote", "panel"):
        return True
    kind, rest = split_kind(f"{key}: -", options.kinds)
    return kind != "other" and rest == "-"


def _read_people(notes: Notes, row: Row, column: Column, known: set[str]) -> list[PersonEntry]:
    """Return the people of one column, with what the columns of the same number say of them."""
    line = row.unit.line
    text = row.cell(column)
    text = _LINK.sub(lambda link: link["text"], text) if row.is_markdown else text
    people = read_people(notes, html_to_text(text), _ROLES[column.word], line)
    numbered = [other for other in row.unit.columns if column.word == "speakers" and other.number == column.number]
    for other in numbered:
        cell = html_to_text(row.cell(other))
        if other.word not in ("affiliation", "position", "bio") or not cell:
            continue
        row.used.add(other.place)
        values = None
        if people:
            values = (split_bios if other.word == "bio" else split_for_each)(cell, people)
        if values is None:
            notes.warn(f"Whose “{other.name}” this is can't be told; it is kept as a further field.", line)
            row.used.discard(other.place)
            continue
        for person, value in zip(people, values, strict=True):
            setattr(person, other.word, value)
    return [person for person in people if matching_key(person.name) not in known]


def _read_status(notes: Notes, session: SessionEntry, row: Row) -> None:
    """Read the status; what is no word for a session to be shown makes a draft, since an import must not publish it."""
    word = row.line_of("status")
    if not word:
        return
    status = _STATUS_OF.get(matching_key(word))
    if status is None:
        notes.warn(f"The status “{word[:60]}” is not known; the session is read as a draft.", row.unit.line)
    session.status = status or "draft"
    if status in ("confirmed", "cancelled"):
        row.used.update(column.place for column in row.unit.columns if column.word == "status")


def _read_links(notes: Notes, session: SessionEntry, row: Row) -> None:
    line = row.unit.line
    session.stream_url = read_address(notes, row.get("stream_url"), "the stream", line)
    session.recording_url = read_address(notes, row.get("recording_url"), "the recording", line)
    for name in ("materials", "url", "title"):
        column = next((column for column in row.unit.columns if column.word == name), None)
        text = row.cell(column) if column and column.place not in row.used else ""
        links = [(link["text"], link["url"]) for link in _LINK.finditer(text)] if row.is_markdown else []
        if name == "title":
            links = [("Website", url) for _, url in links]
        elif not links:
            links = [("" if name == "materials" else "Website", part) for part in _BETWEEN_LINKS.split(text) if part]
        if not links or not all(is_web_address(url) or (name == "materials" and file_type_of(url)) for _, url in links):
            continue
        row.used.add(column.place)
        for label, url in links:
            label = label if is_web_address(url) else label or url
            address = url if is_web_address(url) else ""
            if not any(material.url == address and address for material in session.materials):
                session.materials.append(
                    make_material("" if file_type_of(url) and name == "url" else label, address, line)
                )


def _keep_fields(session: SessionEntry, row: Row, kept: set[str]) -> None:
    """Keep what else the row says under the columns' names; without a slot also what it says of place and time."""
    if session.start is None:
        session.room = ""
        kept = kept | {"room"} | _SLOT_WORDS
    kept = kept | {"affiliation", "position", "bio", "status", "materials", "url"}
    for column in row.unit.columns:
        if column.place not in row.used and (not column.word or column.word in kept):
            value = read_line(row.cell(column))
            add_field(session, column.name or f"Column {column.place + 1}", value)
