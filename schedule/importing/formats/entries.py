"""What the formats of data (tables, calendars, XML, JSON) share: from cells and properties to entries. Pure."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import unquote, urlsplit
from zoneinfo import ZoneInfo

from conference.text import matching_key, one_line
from schedule.importing.document import (
    MaterialEntry,
    PersonEntry,
    Problem,
    ReadOptions,
    ScheduleRefused,
    SessionEntry,
    Severity,
)
from schedule.importing.html import clean_text, html_to_text
from schedule.importing.titles import Kind, is_break, split_kind

PART_OF_TRACK = "Subtrack"
_NO_ROOM = ("tbd", "tba", "tbc")
_NAME_SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv", "phd", "ph.d", "md", "m.d"})
_PLURAL = re.compile(r"(?:s| sessions?)$")
_IANA_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+)*")
_BARE_ADDRESS = re.compile(r"(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,12}(?:/\S*)?")
_LONGEST_ZONE_NAME = 60
_LONGEST_ADDRESS = 200
_MOST_COMMAS_IN_TRACK = 4
_FILE_TYPES = frozenset(
    {"pdf", "pptx", "ppt", "key", "odp", "docx", "doc", "odt", "xlsx", "xls", "ods", "csv", "zip", "ipynb", "md", "txt"}
    | {"png", "jpg", "jpeg", "gif", "svg", "webp", "mp3", "mp4", "webm", "mov", "epub"}
)


@dataclass(slots=True)
class Notes:
    """A source while it is being read: its lines, and what is wrong with it."""

    source: str
    lines: list[str]
    problems: list[Problem] = field(default_factory=list)
    # The number of the last line with text, where a source that was cut stops; 1 if there is none.
    last_line: int = field(init=False)

    def __post_init__(self) -> None:
        count = len(self.lines)
        self.last_line = next((count - n for n, line in enumerate(reversed(self.lines)) if line.strip()), 1)

    def warn(self, message: str, line: int | None) -> None:
        self.problems.append(self._problem(message, line, Severity.WARNING))

    def error(self, message: str, line: int | None) -> None:
        """Note what makes this source unfit for import, and go on looking for more of it."""
        self.problems.append(self._problem(message, line, Severity.ERROR))

    def refuse(self, message: str, line: int | None = None) -> ScheduleRefused:
        """Return the exception for what makes going on pointless."""
        return ScheduleRefused(self._problem(message, line, Severity.ERROR))

    def check(self, sessions: Collection[SessionEntry]) -> None:
        """Raise ScheduleRefused with every error noted, or if there is no session; else put the problems in order."""
        if errors := [problem for problem in self.problems if problem.severity is Severity.ERROR]:
            raise ScheduleRefused(*errors)
        if not sessions:
            nothing = self._problem("No session in this file can be read.", None, Severity.ERROR)
            raise ScheduleRefused(*self.problems, nothing)
        self.problems.sort(key=lambda problem: problem.line or 0)

    def _problem(self, message: str, line: int | None, severity: Severity) -> Problem:
        text = self.lines[line - 1].strip() if line is not None and 1 <= line <= len(self.lines) else ""
        return Problem(message, self.source, line, text, severity)


def read_line(text: str) -> str:
    """Return a title, name or room on one line, without HTML."""
    return one_line(html_to_text(text))


def read_names(text: str) -> list[str]:
    """Return the names of a list with commas; a suffix ("Sam Rook, Jr.") belongs to the name before it."""
    names: list[str] = []
    for part in read_line(text).split(","):
        name = part.strip()
        if names and matching_key(name).strip(".") in _NAME_SUFFIXES:
            names[-1] = f"{names[-1]}, {name}"
        elif name:
            names.append(name)
    return names


def read_kind(title: str, word: str, kinds: Mapping[str, str]) -> tuple[Kind, str]:
    """Return the kind of a session, and its title without the kind: by the title's prefix, else by `word`.

    `word` is the type or track that the source gives: "Workshop", "Lightning Talks", "Keynote Sessions".
    """
    kind, rest = split_kind(title, kinds)
    if kind is not Kind.TALK or rest != one_line(title):
        return kind, rest
    for key in (matching_key(word), _PLURAL.sub("", matching_key(word))):
        kind, left = split_kind(f"{key}: -", kinds)
        if kind is not Kind.TALK or left == "-":
            return kind, rest
    return Kind.TALK, rest


def settle_break(session: SessionEntry) -> None:
    """See whether a session that looks like a talk is a pause."""
    if session.kind == Kind.TALK and is_break(session.title, session.track, bool(session.people)):
        session.kind = Kind.BREAK


def split_track(value: str, known: Collection[str]) -> tuple[str, str]:
    """Split "Gaming, After Dark" into track and the rest, if what stands before a comma is a known track.

    `known` are matching keys of tracks that stand alone elsewhere. Source: sched-text.md §2, "track".
    """
    position = value.find(", ")
    for _ in range(_MOST_COMMAS_IN_TRACK):
        if position < 0:
            break
        if matching_key(value[:position]) in known:
            return value[:position], value[position + 2 :]
        position = value.find(", ", position + 2)
    return value, ""


def find_known_tracks(values: Iterable[str]) -> frozenset[str]:
    """Return the matching keys of the tracks that stand alone, without a comma."""
    return frozenset(matching_key(value) for value in values if value and "," not in value)


def add_field(session: SessionEntry, key: str, value: str) -> None:
    """Keep a further value of a session; of two under one name both are kept."""
    if value:
        session.fields[key] = f"{session.fields[key]}, {value}" if key in session.fields else value


def read_room(notes: Notes, text: str, line: int) -> str:
    """Return a room's name; "TBD" is none, with a warning."""
    room = read_line(text).strip(" ,;")
    if matching_key(room) in _NO_ROOM:
        notes.warn("The room is not decided yet; the session is read as one without a room.", line)
        return ""
    return room


def set_times(notes: Notes, session: SessionEntry, start: datetime, end: datetime | None) -> bool:
    """Give a session its times; return False, with a problem, if it would end before it starts.

    Where one of the times has a zone and the other has none, both are read in that zone. Without an end, or
    with one that equals the start, the entry's end is its start, and a warning says so.
    """
    if end is not None and (start.tzinfo is None) != (end.tzinfo is None):
        start, end = start.replace(tzinfo=start.tzinfo or end.tzinfo), end.replace(tzinfo=end.tzinfo or start.tzinfo)
    if end is not None and end < start:
        message = f"The session ends ({end:%Y-%m-%d %H:%M}) before it starts ({start:%Y-%m-%d %H:%M}); it is left out."
        notes.warn(message, session.line)
        return False
    if end is None:
        notes.warn("The session has no end; it is read as one without length. Give it an end.", session.line)
    elif end == start:
        notes.warn("The session ends when it starts. Give it an end.", session.line)
    session.start, session.end = start, end or start
    return True


def is_web_address(text: str) -> bool:
    """Whether `text` can be kept as a link: http or https, no host of one word, no blanks, not too long."""
    if len(text) > _LONGEST_ADDRESS or text != "".join(text.split()):
        return False
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    host = parts.hostname or ""
    return parts.scheme in ("http", "https") and ("." in host.strip(".") or ":" in host or host == "localhost")


def read_address(notes: Notes, text: str, what: str, line: int) -> str:
    """Return a web address; what is none, or too long to keep, is reported and becomes "".

    "www.example.org/a" without its beginning gets one, with a warning.
    """
    text = clean_text(text).strip()
    if not text or is_web_address(text):
        return text
    if _BARE_ADDRESS.fullmatch(text) and not file_type_of(text.split("/")[0]) and is_web_address(f"http://{text}"):
        notes.warn(f"The address of {what} lacks its beginning; it is read as http://{text}", line)
        return f"http://{text}"
    why = f"longer than {_LONGEST_ADDRESS} characters" if len(text) > _LONGEST_ADDRESS else "no web address"
    notes.warn(f"The address of {what} is {why}; it is left out: {text[:80]}", line)
    return ""


def file_type_of(address: str) -> str:
    """Return the type of the file that an address or a name ends with ("pdf"), "" if it is none of a file."""
    path = address.split("?", 1)[0].split("#", 1)[0]
    suffix = path.rsplit(".", 1)[-1].casefold() if "." in path.rsplit("/", 1)[-1] else ""
    return suffix if suffix in _FILE_TYPES else ""


def make_material(name: str, address: str, line: int) -> MaterialEntry:
    """Return a link or file of a session. Without a name it is called as its address ends."""
    name = read_line(name) or read_line(unquote(address.split("?", 1)[0].rstrip("/").rsplit("/", 1)[-1]))
    file_type = file_type_of(name) or file_type_of(address)
    if file_type and name.casefold().endswith(f".{file_type}"):
        name = name[: -len(file_type) - 1] or name
    return MaterialEntry(name[:300], file_type, line, address)


def make_people(names: Iterable[str], role: str, line: int, known: Collection[str]) -> list[PersonEntry]:
    """Return the people of one role; who is in `known` by matching key has another role already."""
    return [PersonEntry(name, line, role=role) for name in names if matching_key(name) not in known]


def find_iana_zone(name: str) -> str:
    """Return `name` if it is the name of an IANA zone, else ""."""
    name = name.strip()
    if len(name) > _LONGEST_ZONE_NAME or not _IANA_NAME.fullmatch(name):
        return ""
    try:
        return ZoneInfo(name).key
    except (ValueError, OSError, LookupError):
        return ""


def report_broken_row(notes: Notes, line: int, reason: str, options: ReadOptions) -> None:
    """Say why a CSV can't be read from `line` on; `reason` is the csv module's. With --partial the rest is left out."""
    if reason == "unexpected end of data":
        message = "The table breaks off within this row. Export it again"
        line = line if options.is_partial_allowed else max(line, notes.last_line)
    elif "field limit" in reason:
        message = "A cell of this row is longer than 131,072 characters. Shorten it"
    else:
        message = f"The quotation marks of this row are damaged ({reason}). Correct them"
    if options.is_partial_allowed:
        notes.warn(f"{message}; this row and all after it are left out.", line)
    else:
        notes.error(f"{message}, or import the rows before it with --partial.", line)


def report_cut_row(notes: Notes, line: int, count: int, expected: int, options: ReadOptions) -> None:
    """Say that a table ends within the row of `line`: it lacks cells and a line end. With --partial it is left out."""
    message = f"The table breaks off in this row, after {count} of {expected} cells. Export it again"
    if options.is_partial_allowed:
        notes.warn(f"{message}; this row is left out.", line)
    else:
        notes.error(f"{message}, or import the rows before it with --partial.", line)
