"""One session as the lines of a Sched page, from time heading to fields. Pure."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from schedule.exports.exact import Facts, facts_of, find_unlike, write_facts
from schedule.importing.clocks import read_wall_clock
from schedule.importing.dates import MONTHS, WEEKDAYS
from schedule.importing.document import PersonEntry, SessionEntry
from schedule.importing.formats.sched_text.exact_lines import WORD
from schedule.importing.formats.sched_text.fields import LANGUAGE, LEVEL
from schedule.importing.formats.sched_text.people import ROLES
from schedule.importing.titles import Kind, is_break

_PREFIXES = {
    Kind.KEYNOTE: "Keynote: ",
    Kind.SPONSORED_KEYNOTE: "Sponsored Keynote: ",
    Kind.LIGHTNING_TALK: "Lightning Talk: ",
    Kind.WORKSHOP: "Workshop: ",
    Kind.PANEL: "Panel: ",
    Kind.TUTORIAL: "Tutorial: ",
    Kind.SOCIAL: "Social: ",
}
_HEADINGS = {role: heading for heading, role in reversed(ROLES.items())}
_CUT = "... Read More →"


@dataclass(slots=True)
class Writing:
    """A session on its way to text. `exact` are the facts that plain lines would not say, by name.

    With `is_protected` nothing but the slot stands in plain lines: they would be taken for something else.
    """

    entry: SessionEntry
    zone: ZoneInfo
    exact: Facts = field(default_factory=dict)
    is_protected: bool = False

    @property
    def heading(self) -> str:
        """The line with the time of day."""
        start = self._local(self.entry.start)
        return f"{start:%H:%M} {start:%Z}"

    def write(self, number: int) -> str:
        """Return the text of this session, the `number`th, as far as it is plain in plain lines."""
        entry, exact = self.entry, self.facts() if self.is_protected else self.exact | self._inexact_times()
        title = f"Session {number}" if self.is_protected else _write_title(entry)
        room, track = ("", "") if self.is_protected else (entry.room, entry.track)
        parts = [self.heading, title, self._write_range(), room]
        if "abstract" not in exact:
            parts.append(entry.abstract)
        if not isinstance(exact.get("people"), list):
            parts += _write_people(entry.people)
        if "materials" not in exact:
            parts += [f"{material.name} {material.file_type}" for material in entry.materials]
        parts += [f"{self._write_range()}\n{room}".strip(), track, "\n".join(self._write_fields(exact))]
        return "\n\n".join(part for part in parts if part)

    def facts(self) -> Facts:
        """Return everything the entry says, as an exact line has it."""
        return facts_of(self.entry, self.zone)

    def lacks(self, read: SessionEntry) -> Facts:
        """Return the facts that `read`, which was read from the text, says otherwise or not at all."""
        return find_unlike(self.entry, read, self.zone)

    def _write_range(self) -> str:
        start, end = self._local(self.entry.start), self._local(self.entry.end)
        if f"{start:%H:%M}" == f"{end:%H:%M}":
            end += timedelta(minutes=1)
        day = f"{WEEKDAYS[start.weekday()]} {MONTHS[start.month - 1]} {start.day}, {start.year}"
        return f"{day} {start:%H:%M} - {end:%H:%M} {start:%Z}"

    def _inexact_times(self) -> Facts:
        """Return start and end if the printed clocks do not tell them: an hour that comes twice, seconds, two days."""
        start, end = self._local(self.entry.start), self._local(self.entry.end)
        naive = [moment.replace(tzinfo=None, fold=0) for moment in (start, end)]
        read = [read_wall_clock(moment, self.zone, f"{start:%Z}").value for moment in naive]
        is_within_a_day = timedelta(0) < naive[1] - naive[0] < timedelta(days=1)
        if (
            is_within_a_day
            and read == [start, end]
            and not any(moment.second or moment.microsecond for moment in naive)
        ):
            return {}
        return {name: fact for name, fact in self.facts().items() if name in ("start", "end")}

    def _local(self, moment: datetime | None) -> datetime:
        if moment is None:
            raise ValueError("A session without a time has no place in this format.")
        return moment.astimezone(self.zone)

    def _write_fields(self, exact: Facts) -> list[str]:
        entry = self.entry
        lines = [] if self.is_protected or "fields" in exact else [f"{k} {v}" for k, v in entry.fields.items()]
        for key, value in ((LANGUAGE, entry.language), (LEVEL, entry.level)):
            if value and not self.is_protected:
                lines.insert(0, f"{key} {value}")
        return [*lines, write_exact(exact)] if exact else lines


def write_exact(facts: Facts) -> str:
    """Return the line that says `facts` in JSON."""
    return f"{WORD} {write_facts(facts)}"


def _write_title(entry: SessionEntry) -> str:
    prefix = _PREFIXES.get(Kind(entry.kind), "")
    if entry.kind == Kind.BREAK and not is_break(entry.title, entry.track, bool(entry.people)):
        prefix = "Break: "
    people = " & ".join(f"{p.name}, {p.affiliation}" if p.affiliation else p.name for p in entry.people)
    return f"{prefix}{entry.title} - {people}" if people else f"{prefix}{entry.title}"


def _write_people(people: list[PersonEntry]) -> list[str]:
    """Return the paragraphs of the people, each role under its heading."""
    parts = []
    for role in dict.fromkeys(person.role for person in people):
        parts.append(_HEADINGS[role])
        for person in (person for person in people if person.role == role):
            bio = f"{person.bio}{_CUT}" if person.bio_is_cut else person.bio
            parts += [person.name, person.headline, bio]
    return parts
