"""Facts as JSON beside what a format has a place for: {"kind": "talk", "fields": {"Seats": "20"}}.

Only our own exports write them (exports/exact.py), and only for what would otherwise be read back as something else:
a text in a line "Exactly {…}", a calendar in a property of its own, XML in a processing instruction, JSON under a
name of its own, a table in a column.
"""

import json
from collections.abc import Callable
from datetime import date, datetime

from conference.dates import NEAR_YEARS, POSSIBLE_YEARS
from conference.text import one_line
from schedule.importing.document import EventEntry, MaterialEntry, PersonEntry, SessionEntry
from schedule.importing.formats.entries import Notes, find_iana_zone, is_web_address
from schedule.importing.titles import Kind

_STATUSES = frozenset({"confirmed", "cancelled"})
_ROLES = frozenset({"speaker", "moderator", "panelist", "host", "chair"})
_LINES = ("title", "room", "track")
_TEXTS = ("level", "language", "abstract")
_ADDRESSES = ("stream_url", "recording_url")


def parse_facts(text: str) -> dict[str, object] | None:
    """Return the facts that `text` is; None if it is no object of JSON, or says one thing twice."""
    try:
        said = json.loads(text, object_pairs_hook=_once_each)
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) else None


def set_session_facts(session: SessionEntry, facts: dict[str, object], line: int) -> list[str]:
    """Set in `session` what `facts` say; return the names of those that can't be set."""
    return [name for name, value in facts.items() if not _set(session, name, value, _SESSION.get(name), line)]


def set_event_facts(event: EventEntry, facts: dict[str, object], line: int) -> list[str]:
    """Set in `event` what `facts` say; return the names of those that can't be set."""
    return [name for name, value in facts.items() if not _set(event, name, value, _EVENT.get(name), line)]


def read_session_facts(notes: Notes, session: SessionEntry, text: str, line: int) -> None:
    """Set in `session` what the facts in `text` say; "" says nothing. What can't be read or set is a warning."""
    if not text:
        return
    facts = parse_facts(text)
    if facts is None:
        notes.warn("What stands here for Plenary alone is no JSON that says each thing once; it is not read.", line)
    else:
        apply_session_facts(notes, session, facts, line)


def apply_session_facts(notes: Notes, session: SessionEntry, facts: dict[str, object], line: int) -> None:
    """Set in `session` what `facts` say. What can't be set is a warning of `line`."""
    for name in set_session_facts(session, facts, line):
        notes.warn(f'What stands here for Plenary alone can\'t set "{name}" to this; that is not read.', line)


def read_further_session(notes: Notes, text: str, line: int) -> SessionEntry | None:
    """Return the session that facts alone tell, for it has no place in the format; None, with a warning, if none."""
    session = SessionEntry(title="", line=line, source=notes.source)
    facts = parse_facts(text) or {}
    uid = _read_uid(facts.pop("uid", ""))
    apply_session_facts(notes, session, facts, line)
    if not session.title:
        notes.warn("A session stands here for Plenary alone, but without a title; it is left out.", line)
        return None
    session.source_id = f"guid:{uid}" if uid else ""
    return session


def _read_uid(value: object) -> str:
    """Return a session's id; "" for what can't be one."""
    try:
        return _line(value)
    except (ValueError, TypeError):
        return ""


def _once_each(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return an object of JSON; raise ValueError if it says one thing twice, of which one would be lost."""
    if len(said := dict(pairs)) < len(pairs):
        raise ValueError
    return said


def _set(entry: SessionEntry | EventEntry, name: str, value: object, read: Callable | None, number: int) -> bool:
    """Set one attribute of an entry by its reader; return whether there is one and `value` fits it."""
    try:
        if read is None:
            return False
        setattr(entry, name, read(value, getattr(entry, name), number))
    except (ValueError, TypeError, KeyError):
        return False
    return True


def _text(value: object, *_known: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    if "\0" in value:
        raise ValueError  # A character that no database keeps.
    value.encode()  # Half a character, which JSON can spell, is refused here.
    return value


def _address(value: object, *_known: object) -> str:
    """Read what can be a link, or "" for none: a script is no address."""
    if (address := _text(value)) and not is_web_address(address):
        raise ValueError
    return address


def _line(value: object, *_known: object) -> str:
    return one_line(_text(value))


def _choice(values: frozenset[str]) -> Callable:
    def read(value: object, *_known: object) -> str:
        if value not in values:
            raise ValueError
        return _text(value)

    return read


def _moment(value: object, *_known: object) -> datetime:
    moment = datetime.fromisoformat(_text(value))
    if moment.tzinfo is None or moment.year not in NEAR_YEARS:
        raise ValueError
    return moment


def _day(value: object, *_known: object) -> date:
    day = date.fromisoformat(_text(value))
    if day.year not in POSSIBLE_YEARS:
        raise ValueError
    return day


def _zone(value: object, *_known: object) -> str:
    if not (zone := find_iana_zone(_text(value))):
        raise ValueError
    return zone


def _hour(value: object, *_known: object) -> int:
    if type(value) is not int or value not in range(24):
        raise ValueError
    return value


def _fields(value: object, *_known: object) -> dict[str, str]:
    if not isinstance(value, dict):
        raise TypeError
    return {_text(key): _text(said) for key, said in value.items()}


def _materials(value: object, _known: object, number: int) -> list[MaterialEntry]:
    """Read [[name, file type, address], …]."""
    if not isinstance(value, list) or not all(isinstance(parts, list) for parts in value):
        raise TypeError
    materials = [MaterialEntry(_text(name), _text(kind), number, _address(url)) for name, kind, url in value]
    if not all(material.name.strip() for material in materials):
        raise ValueError
    return materials


def _people(value: object, known: list[PersonEntry], number: int) -> list[PersonEntry]:
    """Read a list of people that replaces the printed one, or what is otherwise with some of them, by name."""
    if isinstance(value, list):
        people = [PersonEntry(name=_text(said["name"]), line=number) for said in value]
        told = list(zip(people, value, strict=True))
    elif isinstance(value, dict):
        by_name = {person.name: person for person in known}
        people, told = known, [(by_name[name], said) for name, said in value.items()]
    else:
        raise TypeError
    if not all(isinstance(said, dict) for _person, said in told):
        raise TypeError
    # All is read before anything is set: people who are known stay as they are if a part does not fit.
    read = [(person, name, _PERSON[name](part)) for person, said in told for name, part in said.items()]
    for person, name, part in read:
        setattr(person, name, part)
    return people


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _texts(value: object) -> list[str]:
    if not isinstance(value, list):
        raise TypeError
    return [_text(part) for part in value]


_SESSION: dict[str, Callable] = (
    dict.fromkeys(_LINES, _line)
    | dict.fromkeys(_TEXTS, _text)
    | dict.fromkeys(_ADDRESSES, _address)
    | {
        "kind": _choice(frozenset(Kind)),
        "status": _choice(_STATUSES),
        "start": _moment,
        "end": _moment,
        "fields": _fields,
        "materials": _materials,
        "people": _people,
    }
)
_PERSON: dict[str, Callable] = dict.fromkeys(("name", "headline", "position", "affiliation", "bio"), _text) | {
    "role": _choice(_ROLES),
    "bio_is_cut": _flag,
    "aliases": _texts,
}
_EVENT: dict[str, Callable] = dict.fromkeys(
    ("stated_dates", "venue", "city", "country", "notice", "registration_label"),
    _text,
) | {
    "name": _line,
    "website_url": _address,
    "timezone": _zone,
    "start_date": _day,
    "end_date": _day,
    "day_change_hour": _hour,
}
