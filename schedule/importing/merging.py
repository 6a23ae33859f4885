"""Two sources describe one session, or one person: which entries are the same, and what they say together. Pure.

Nothing here depends on the order of the sources: every choice between two values is by length, then by
the text itself. Text is never replaced by nothing.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime

from conference.text import matching_key
from schedule.importing.document import MaterialEntry, PersonEntry, Problem, ScheduleDocument, SessionEntry
from schedule.importing.people import name_rank, person_key, unify_people

_TEXTS = (
    "title",
    "source_id",
    "kind",
    "room",
    "track",
    "level",
    "language",
    "abstract",
    "status",
    "stream_url",
    "recording_url",
)

_SLOT_OF_KEY = re.compile(r"\|(?:\d{4}-\d\d-\d\dT\d\d:\d\dZ)?\|")


def session_key(title: str, start: datetime | None, room: str) -> str:
    """Return what makes two entries one session: title and room by matching key, and the instant of the start.

    Title and start alone are not enough: a badge pick-up opens at two doors at once (sched-text.md §6).
    """
    moment = start.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="minutes") + "Z" if start else ""
    return "|".join((matching_key(title), moment, matching_key(room)))


def title_key_of(key: str) -> str:
    """Return the title's matching key of what `session_key` returned; a title may hold a bar too."""
    return _SLOT_OF_KEY.split(key)[0]


@dataclass
class MergedSession:
    """One session as all sources together tell it. `sources` names them; `entry` stands in the first of them.

    `deciders` are those whose word `entry` has, by what it is on: its "kind" and its "status".
    """

    key: str
    entry: SessionEntry
    sources: list[str] = field(default_factory=list)
    deciders: dict[str, list[str]] = field(default_factory=dict)


@dataclass
class MergedProgramme:
    """What several documents of one event say together: sessions by time, people by name."""

    sessions: list[MergedSession]
    people: dict[str, PersonEntry]
    problems: list[Problem]


def merge_documents(documents: Iterable[ScheduleDocument]) -> MergedProgramme:
    """Merge documents whose sessions carry instants. Any order of `documents` gives the same programme."""
    groups: dict[str, list[SessionEntry]] = defaultdict(list)
    documents = sorted(documents, key=lambda document: document.source)
    problems = unify_people([entry for document in documents for entry in document.sessions])
    for document in documents:
        seen: dict[str, SessionEntry] = {}
        for entry in document.sessions:
            key = session_key(entry.title, entry.start, entry.room)
            problems += _drop_repeated_people(entry)
            if key in seen:
                message = f"this session stands twice: also at line {seen[key].line}; the two are read as one"
                problems.append(Problem(message, entry.source, entry.line, entry.title))
            seen.setdefault(key, entry)
            groups[key].append(entry)
    sessions = [_make_session(key, entries) for key, entries in groups.items()]
    sessions.sort(key=lambda merged: (merged.entry.start is None, merged.entry.start, merged.key))
    people: dict[str, list[PersonEntry]] = defaultdict(list)
    for merged in sessions:
        for person in merged.entry.people:
            people[person_key(person)].append(person)
    problems += [problem for entries in people.values() for problem in _find_unlike(entries, sessions)]
    together = {key: merge_people(entries) for key, entries in sorted(people.items())}
    return MergedProgramme(sessions, together, problems)


def _drop_repeated_people(entry: SessionEntry) -> list[Problem]:
    """Leave every person once in a session, in the first role; return a problem for each that was dropped."""
    people: dict[str, PersonEntry] = {}
    problems = []
    for person in entry.people:
        known = people.setdefault(person_key(person), person)
        if known is not person:
            message = f"{person.name} stands twice in this session; kept once, as {known.role}"
            problems.append(Problem(message, entry.source, person.line, person.name))
            people[person_key(person)] = replace(merge_people([known, person]), role=known.role)
    entry.people = list(people.values())
    return problems


def _find_unlike(entries: list[PersonEntry], sessions: list[MergedSession]) -> list[Problem]:
    """Return a problem where entries with one name tell different things: they may be two people."""
    headlines = {matching_key(person.headline): person for person in entries if person.headline}
    if len(headlines) < 2:
        return []
    first, *others = sorted(headlines.values(), key=lambda person: (-len(person.headline), person.headline))
    source = next((m.entry.source for m in sessions if any(p is others[0] for p in m.entry.people)), "")
    said = " and ".join(f"“{person.headline}”" for person in [first, *others])
    message = f"{first.name} is {said}: read as one person, with the longer; if they are two, part them in the admin"
    return [Problem(message, source, others[0].line, others[0].headline)]


def _make_session(key: str, entries: list[SessionEntry]) -> MergedSession:
    merged = _merge_sessions(entries)
    deciders = {
        name: _sources([entry for entry in entries if getattr(entry, name) == getattr(merged, name)])
        for name in ("kind", "status")
    }
    return MergedSession(key, merged, _sources(entries), deciders)


def _sources(entries: list[SessionEntry]) -> list[str]:
    return list(dict.fromkeys(entry.source for entry in entries))


def _merge_sessions(entries: list[SessionEntry]) -> SessionEntry:
    if len(entries) == 1:
        return entries[0]
    # A fixed order among equals, by what they say, so that neither order nor names of files make a difference.
    ranked = sorted(entries, key=lambda entry: (-len(entry.people), -len(entry.abstract), repr(_said(entry))))
    merged = SessionEntry(title=ranked[0].title, line=entries[0].line, source=entries[0].source)
    for name in _TEXTS:
        setattr(merged, name, _longest(getattr(entry, name) for entry in entries))
    # A default says less than a decision.
    merged.kind = _longest({entry.kind for entry in entries} - {"talk"} or {"talk"})
    merged.status = _longest({entry.status for entry in entries} - {"confirmed"} or {"confirmed"})
    merged.start = entries[0].start
    merged.end = max((entry.end for entry in entries if entry.end), default=None)
    merged.fields = {key: value for entry in reversed(ranked) for key, value in entry.fields.items()}
    merged.people = _merge_appearances(ranked)
    merged.materials = _merge_lists(ranked, lambda entry: entry.materials, material_key)
    return merged


def _said(entry: SessionEntry | PersonEntry | MaterialEntry) -> dict:
    """Return what an entry says, without where it stands."""
    said = {f.name: getattr(entry, f.name) for f in fields(entry) if f.name not in ("line", "source")}
    lists = {name: [_said(part) for part in said[name]] for name in ("people", "materials") if name in said}
    return said | lists


def _merge_appearances(ranked: list[SessionEntry]) -> list[PersonEntry]:
    """Join the people of one session: the first entry's order, of each the longest texts and the telling role."""
    appearances: dict[str, list[PersonEntry]] = defaultdict(list)
    for entry in ranked:
        for person in entry.people:
            appearances[person_key(person)].append(person)
    return [
        people[0]
        if len(people) == 1
        else replace(
            merge_people(people), role=_longest({person.role for person in people} - {"speaker"} or {"speaker"})
        )
        for people in appearances.values()
    ]


def _merge_lists(entries: list[SessionEntry], get, key) -> list:
    """Join the lists of several entries: the first one's order, then what the others have besides."""
    joined = {}
    for entry in entries:
        for item in get(entry):
            joined.setdefault(key(item), item)
    return list(joined.values())


def material_key(material: MaterialEntry) -> tuple[str, str]:
    """Return what makes two materials of one session the same: the name as printed and the file type."""
    return material.name, material.file_type


def merge_people(entries: list[PersonEntry]) -> PersonEntry:
    """Return what several entries with one matching key say of a person: the longest bio, the longest headline."""
    if len(entries) == 1 and not entries[0].aliases:
        return entries[0]
    with_bio = max(entries, key=lambda person: (len(person.bio), not person.bio_is_cut, person.bio))
    with_headline = max(entries, key=lambda person: (len(person.headline), person.headline))
    names = sorted({person.name for person in entries}, key=name_rank)
    aliases = {alias for person in entries for alias in person.aliases} | set(names[1:])
    return PersonEntry(
        name=names[0],
        line=entries[0].line,
        role=entries[0].role,
        identity=entries[0].identity,
        headline=with_headline.headline,
        position=with_headline.position,
        affiliation=with_headline.affiliation,
        bio=with_bio.bio,
        bio_is_cut=with_bio.bio_is_cut,
        aliases=sorted(aliases - {names[0]}),
    )


def _longest(values: Iterable[str]) -> str:
    return max(values, key=lambda value: (len(value), value))
