"""What a parser reads from one source, before it meets the database. Plain data, no Django."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum


class Severity(StrEnum):
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing a person should look at: what, where it stands, and what to do about it.

    `line` is 1-based; None when the problem concerns the whole source. `text` is that line as written.
    """

    message: str
    source: str = ""
    line: int | None = None
    text: str = ""
    severity: Severity = Severity.WARNING

    def __str__(self) -> str:
        place = f"{self.source}:{self.line}" if self.line is not None else self.source
        said = f"{place}: {self.message}" if place else self.message
        return f"{said}\n    {self.text[:200]}" if self.text else said


class ScheduleRefused(Exception):
    """The sources can't be imported. `problems` says why, each with file and line."""

    def __init__(self, *problems: Problem):
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = list(problems)


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How a source is to be read, where it does not say so itself.

    `is_partial_allowed`: a source that was cut off gives the sessions that are whole. `columns` names, for
    a plain table, the column of each of our words ("title": "Name"). `kinds` are prefixes of titles that
    mean a kind, besides the known ones ("masterclass": "workshop"), folded by matching_key().
    """

    is_partial_allowed: bool = False
    columns: Mapping[str, str] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class PersonEntry:
    """A person in one session. `headline` is the printed line; position and affiliation are read from it.

    `source_id` is the source's own id of the person, namespaced ("frab:1544"), where the format has one.
    `identity` parts people of one name (importing/people.py); "" is the name itself.
    """

    name: str
    line: int
    source_id: str = ""
    identity: str = ""
    role: str = "speaker"
    headline: str = ""
    position: str = ""
    affiliation: str = ""
    bio: str = ""
    bio_is_cut: bool = False
    aliases: list[str] = field(default_factory=list)


@dataclass(slots=True)
class MaterialEntry:
    """A file of a session: its name as printed, without the file type ("pdf")."""

    name: str
    file_type: str
    line: int
    url: str = ""


@dataclass(slots=True)
class SessionEntry:
    """A session as the source tells it.

    `start` and `end` without a zone are wall-clock times of the document's zone; with one they are
    instants. `zone_label` is the abbreviation printed beside them ("CEST"). `kind` is a value of
    `Session.Kind`; `line` is the line the title stands on. `source_id` is the source's own id of the
    session, namespaced ("sched:02bc0092…", "guid:8c4e…"), where the format has one.
    """

    title: str
    line: int
    source: str
    source_id: str = ""
    kind: str = "talk"
    start: datetime | None = None
    end: datetime | None = None
    zone_label: str = ""
    room: str = ""
    track: str = ""
    level: str = ""
    language: str = ""
    abstract: str = ""
    status: str = "confirmed"
    stream_url: str = ""
    recording_url: str = ""
    people: list[PersonEntry] = field(default_factory=list)
    materials: list[MaterialEntry] = field(default_factory=list)
    fields: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class EventEntry:
    """The event as the head of the source tells it; "" for what it does not say.

    `timezone` is an IANA name, only where the format has one; `zone_label` is the printed wording
    ("CEST (UTC/GMT +2)"). The labels are those of links whose addresses a text does not keep. Days and
    the day-change hour only where the format states them as data, not as prose.
    """

    name: str = ""
    start_date: date | None = None
    end_date: date | None = None
    day_change_hour: int | None = None
    venue: str = ""
    website_url: str = ""
    stated_dates: str = ""
    stated_dates_line: int | None = None
    city: str = ""
    country: str = ""
    timezone: str = ""
    zone_label: str = ""
    zone_label_line: int | None = None
    notice: str = ""
    registration_label: str = ""
    help_label: str = ""


@dataclass(slots=True)
class ScheduleDocument:
    """One source, read. `line_roles[n]` says what line n + 1 was read as; None means nobody claimed it.

    Where a line is no unit of the format, `unit` says what is counted instead: "row", "entry".

    `is_whole` is False for a page that shows a part of its schedule (a filter, one day):
    what such a page lacks, it says nothing about.
    """

    source: str
    format: str
    event: EventEntry
    sessions: list[SessionEntry]
    line_roles: list[str | None]
    problems: list[Problem] = field(default_factory=list)
    is_whole: bool = False
    unit: str = "line"

    @property
    def unclaimed_lines(self) -> list[int]:
        """The 1-based numbers of the lines that no rule of the format could place."""
        return [number for number, role in enumerate(self.line_roles, start=1) if role is None]
