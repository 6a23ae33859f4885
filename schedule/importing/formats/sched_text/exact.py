"""A line that says as JSON what the text around it can't: "Exactly {"kind": "talk"}".

Sched prints no such line. Our own export writes it (exports/sched_text.py): in the head for the event, under the
fields of a session for that session, and only for what the plain lines would be read as otherwise.
"""

import json
import re
from collections.abc import Callable
from datetime import date, datetime

from conference.dates import POSSIBLE_YEARS
from conference.text import one_line
from schedule.importing.document import EventEntry, MaterialEntry, PersonEntry, SessionEntry
from schedule.importing.formats.entries import find_iana_zone
from schedule.importing.formats.sched_text.reading import Reading
from schedule.importing.titles import Kind

WORD = "Exactly"

_EXACT = re.compile(rf"{WORD} (\{{.*\}})")
_STATUSES = frozenset({"confirmed", "cancelled"})
_ROLES = frozenset({"speaker", "moderator", "panelist", "host", "chair"})
_LINES = ("title", "room", "track")
_TEXTS = ("level", "language", "abstract", "stream_url", "recording_url")


def is_exact(line: str) -> bool:
    """Whether a line is one of ours: the word, and something in braces."""
    return _EXACT.fullmatch(line) is not None


def read_exact_session(reading: Reading, number: int, session: SessionEntry) -> None:
    """Set in `session` what an exact line says; what can't be is an error of that line."""
    _set_all(reading, number, session, _SESSION)


def read_exact_event(reading: Reading, number: int, event: EventEntry) -> None:
    """Set in `event` what an exact line of the head says; what can't be is an error of that line."""
    _set_all(reading, number, event, _EVENT)


def _set_all(reading: Reading, number: int, entry: SessionEntry | EventEntry, readers: dict[str, Callable]) -> None:
    for name, value in _read(reading, number).items():
        if not _set(entry, name, value, readers.get(name), number):
            reading.error(f'"{name}" can\'t be set to this. Correct it, or delete it from the line.', number)


def _read(reading: Reading, number: int) -> dict[str, object]:
    found = _EXACT.fullmatch(reading.line(number))
    try:
        said = json.loads(found[1], object_pairs_hook=_once_each) if found else None
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        reading.error(f'After "{WORD}" something else stands than JSON such as {{"kind": "talk"}}.', number)
        return {}
    return said


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
    if moment.tzinfo is None or moment.year not in POSSIBLE_YEARS:
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
    materials = [MaterialEntry(_text(name), _text(kind), number, _text(url)) for name, kind, url in value]
    if not all(material.name for material in materials):
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
    for person, said in told:
        for name, part in said.items():
            setattr(person, name, _PERSON[name](part))
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
    ("stated_dates", "venue", "website_url", "city", "country", "notice", "registration_label"),
    _text,
) | {"name": _line, "timezone": _zone, "start_date": _day, "end_date": _day, "day_change_hour": _hour}
