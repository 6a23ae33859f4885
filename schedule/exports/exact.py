"""What an export says as facts beside what its format has a place for (importing/formats/exact.py).

An export is tried, not trusted: it is read by the importer's own parser, and whatever a session would lose is put
beside it. So no rule of a parser is repeated in a writer, and a new one can't make an export wrong.
"""

import json
import re
from collections.abc import Callable
from typing import TypeVar
from zoneinfo import ZoneInfo

from conference.dates import write_instant
from schedule.exports.programme import Programme
from schedule.importing.clocks import read_clocks
from schedule.importing.document import MaterialEntry, PersonEntry, ScheduleDocument, ScheduleRefused, SessionEntry

Facts = dict[str, object]
Content = TypeVar("Content", str, bytes)
_TEXTS = ("title", "kind", "room", "track", "level", "language", "abstract", "status", "stream_url", "recording_url")
_NOT_PLAIN = re.compile(r"[^ -~]")


def make_entry(session, make_absolute: Callable[[str], str] | None = None) -> SessionEntry:
    """Return a row (with_people(), materials) as the importer would have read it.

    `make_absolute` turns a path into an address: then uploaded files are links. Without it they are names alone.
    """
    names = ("title", "kind", "start", "end", "level", "language", "abstract", "status", "stream_url", "recording_url")
    entry = SessionEntry(line=0, source="", **{name: getattr(session, name) for name in names})
    entry.room = session.room.name if session.room else ""
    entry.track = session.track.name if session.track else ""
    entry.fields = dict(session.fields)
    entry.people = [_make_person(link) for link in session.session_speakers.all()]
    entry.materials = [
        MaterialEntry(m.name, m.file_type, 0, make_absolute(m.file.url) if make_absolute and m.file else m.url)
        for m in session.materials.all()
    ]
    return entry


def _make_person(link) -> PersonEntry:
    names = ("name", "headline", "position", "affiliation", "bio")
    person = PersonEntry(line=0, role=link.role, **{name: getattr(link.speaker, name) for name in names})
    person.source_id = f"speaker:{link.speaker.pk}"
    person.bio_is_cut, person.aliases = link.speaker.is_bio_cut, sorted(link.speaker.alias_list)
    return person


def facts_of(entry: SessionEntry, zone: ZoneInfo) -> Facts:
    """Return everything that `entry` says as facts, times in `zone`."""
    facts: Facts = {name: str(getattr(entry, name)) for name in _TEXTS}
    for name in ("start", "end"):
        moment = getattr(entry, name)
        facts[name] = write_instant(moment.astimezone(zone)) if moment else None
    facts["fields"] = dict(sorted(entry.fields.items()))
    facts["materials"] = [[material.name, material.file_type, material.url] for material in entry.materials]
    facts["people"] = [_facts_of_person(person) for person in entry.people]
    return facts


def _facts_of_person(person: PersonEntry) -> Facts:
    names = ("name", "role", "headline", "position", "affiliation", "bio", "bio_is_cut", "aliases")
    return {name: getattr(person, name) for name in names}


def find_unlike(entry: SessionEntry, read: SessionEntry, zone: ZoneInfo) -> Facts:
    """Return the facts of `entry` that `read`, which was read from an export of it, says otherwise or not at all."""
    read_facts = facts_of(read, zone)
    unlike = {name: fact for name, fact in facts_of(entry, zone).items() if fact != read_facts[name]}
    if "people" in unlike:
        unlike["people"] = _find_unlike_people(read_facts["people"], unlike["people"])
    return unlike


def _find_unlike_people(read: list[Facts], wanted: list[Facts]) -> list[Facts] | dict[str, Facts]:
    """Return what is otherwise with each person, by name; where the names are not these, all of all people."""
    names = [facts["name"] for facts in wanted]
    if [facts["name"] for facts in read] != names or len(set(names)) < len(names):
        return [_shorten(facts) for facts in wanted]
    pairs = zip(read, wanted, strict=True)
    unlike = {facts["name"]: {k: v for k, v in facts.items() if v != known[k]} for known, facts in pairs}
    return {name: facts for name, facts in unlike.items() if facts}


def _shorten(facts: Facts) -> Facts:
    return {name: fact for name, fact in facts.items() if fact not in ("", [], {}, False, None)}


def write_facts(facts: Facts) -> str:
    """Return `facts` as JSON on one line. Whatever is not a visible character is spelled out."""
    said = json.dumps(facts, ensure_ascii=False)
    return _NOT_PLAIN.sub(lambda c: c[0] if c[0].isprintable() else json.dumps(c[0])[1:-1], said)


def write_exactly(
    programme: Programme,
    write: Callable[[dict[str, Facts]], Content],
    parse: Callable[[Content, str], ScheduleDocument],
) -> Content:
    """Return what `write` makes of the facts by uid that `parse` would not find in it otherwise.

    Of a session that the format has no place for, those are all its facts and "uid". How else a person's name is
    spelled is nobody's business but the organiser's.
    """
    zone = programme.event.zone
    entries = {str(session.uid): make_entry(session, programme.make_absolute) for session in programme.sessions}
    for person in (person for entry in entries.values() for person in entry.people):
        person.aliases = []
    plain = write({})
    read = _read_back(parse, plain, zone)
    facts = {
        uid: find_unlike(entry, read[uid], zone) if uid in read else _shorten({"uid": uid} | facts_of(entry, zone))
        for uid, entry in entries.items()
    }
    facts = {uid: lost for uid, lost in facts.items() if lost}
    return write(facts) if facts else plain


def _read_back(
    parse: Callable[[Content, str], ScheduleDocument], content: Content, zone: ZoneInfo
) -> dict[str, SessionEntry]:
    """Return the sessions that `parse` finds in an export, by their own ids; none where it finds none."""
    try:
        document = parse(content, "export")
        read_clocks(document, zone)
    except ScheduleRefused:
        return {}
    return {entry.source_id.partition(":")[2]: entry for entry in document.sessions}
