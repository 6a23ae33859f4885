"""What an import did, for people: in total and for each file."""

import json
from collections import Counter
from dataclasses import asdict, dataclass, field
from enum import StrEnum

from schedule.importing.document import Problem, ScheduleDocument


class Outcome(StrEnum):
    CREATED = "created"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    LEFT_ALONE = "left alone"
    REMOVED = "removed"


KINDS = ("rooms", "tracks", "speakers", "speaker slots", "materials", "sessions")


@dataclass
class FileReport:
    """One source: how much of it was read, and what became of its sessions."""

    name: str
    document: ScheduleDocument
    sessions: Counter = field(default_factory=Counter)

    @property
    def people_count(self) -> int:
        return len({person.name for entry in self.document.sessions for person in entry.people})


@dataclass
class EventReport:
    """One event: its row, and outcomes counted by kind of row, in the order of KINDS.

    `kept` are fields whose hand-made value stayed, `longer` texts of which the source now says only the
    beginning, `missing` the links whose label the text has and whose address only a person can add, `gone` the
    sessions on the programme that the whole source lacks now, `cancelled` those of them that are cancelled here,
    `buried` those that were deleted here by hand; `diff` says field by field what is new.
    """

    name: str
    slug: str
    timezone: str
    dates: str
    outcome: Outcome
    counts: dict[str, Counter] = field(default_factory=lambda: {kind: Counter() for kind in KINDS})
    kept: list[str] = field(default_factory=list)
    longer: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    cancelled: list[str] = field(default_factory=list)
    buried: list[str] = field(default_factory=list)
    diff: list[str] = field(default_factory=list)

    def count(self, what: str, outcome: Outcome, number: int = 1) -> None:
        self.counts[what][outcome] += number

    @property
    def has_changes(self) -> bool:
        changed = (Outcome.CREATED, Outcome.UPDATED, Outcome.REMOVED)
        return self.outcome in changed or any(counter[o] for counter in self.counts.values() for o in changed)


@dataclass
class ImportReport:
    """A whole import. `is_dry_run`: everything was tried and taken back. `fingerprint`: a hash of what it changes."""

    is_dry_run: bool
    fingerprint: str = ""
    files: list[FileReport] = field(default_factory=list)
    events: list[EventReport] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def has_changes(self) -> bool:
        return any(event.has_changes for event in self.events)

    def render(self) -> str:
        """Return the report as text for a terminal."""
        lines = [line for file in self.files for line in _render_file(file)]
        for event in self.events:
            lines += ["", *_render_event(event)]
            if self.is_dry_run:
                lines += [f"    {line}" for line in event.diff]
        if self.problems:
            lines += ["", _plural(len(self.problems), "warning") + ":"]
            lines += [f"  {line}" for problem in self.problems for line in str(problem).split("\n")]
        lines += ["", self._closing_line()]
        return "\n".join(lines)

    def to_json(self) -> str:
        """Return the report as JSON: files, events, and problems with source, line, text and message."""
        said = {
            "dry_run": self.is_dry_run,
            "has_changes": self.has_changes,
            "files": [
                {
                    "name": file.name,
                    "format": file.document.format,
                    "is_whole": file.document.is_whole,
                    "units": len(file.document.line_roles),
                    "unclaimed": file.document.unclaimed_lines,
                    "sessions": {o: file.sessions[o] for o in Outcome},
                }
                for file in self.files
            ],
            # asdict() would rebuild a Counter from its pairs, and count those.
            "events": [
                vars(e) | {"counts": {kind: {o: c[o] for o in Outcome} for kind, c in e.counts.items()}}
                for e in self.events
            ],
            "problems": [asdict(problem) for problem in self.problems],
        }
        return json.dumps(said, indent=2)

    def _closing_line(self) -> str:
        if self.is_dry_run:
            return "Dry run: nothing was written." if self.has_changes else "Dry run: nothing would change."
        return "Imported." if self.has_changes else "Nothing changed: everything was imported before."


def _plural(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {_many(word)}"


def _many(word: str) -> str:
    return f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"


def _render_file(file: FileReport) -> list[str]:
    document = file.document
    part = "the whole schedule" if document.is_whole else "a part of the schedule"
    counts = ", ".join(f"{file.sessions[o]} {o}" for o in Outcome if file.sessions[o])
    lines = [
        f"{file.name} ({document.format}, {part})",
        f"  {_plural(len(document.sessions), 'session')}, {_plural(file.people_count, 'speaker')}: {counts}",
    ]
    unclaimed = document.unclaimed_lines
    if not unclaimed:
        return [*lines, f"  all {len(document.line_roles)} {_many(document.unit)} accounted for"]
    shown = ", ".join(map(str, unclaimed[:20])) + (" …" if len(unclaimed) > 20 else "")
    return [*lines, f"  {_plural(len(unclaimed), document.unit)} of {len(document.line_roles)} not understood: {shown}"]


def _render_event(event: EventReport) -> list[str]:
    always = (Outcome.CREATED, Outcome.UPDATED, Outcome.UNCHANGED)
    columns = [o for o in Outcome if o in always or any(counter[o] for counter in event.counts.values())]
    lines = [f"{event.name} · {event.dates} · {event.timezone} · /{event.slug}/ · event {event.outcome}"]
    lines.append(f"  {'':<14}{''.join(f'{outcome:>11}' for outcome in columns)}{'total':>11}")
    for what, counter in event.counts.items():
        numbers = [counter[outcome] for outcome in columns]
        lines.append(f"  {what:<14}{''.join(f'{n:>11}' for n in [*numbers, sum(numbers)])}")
    for heading, items in (
        ("kept as edited here, though the source now says otherwise:", event.kept),
        ("kept, as the source says only their beginning (--prefer source takes that):", event.longer),
        ("in the programme, but no longer in the source (cancel them with --cancel-missing):", event.gone),
        ("no longer in the source, and cancelled:", event.cancelled),
        ("deleted here, and not brought back (--restore does):", event.buried),
    ):
        if items:
            lines += [f"  {heading}", *(f"    {item}" for item in items)]
    if event.missing:
        lines.append(f"  a text holds no addresses; add in the admin those of {', '.join(event.missing)}")
    return lines
