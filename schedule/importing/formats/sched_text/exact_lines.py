"""The line of a text that says facts as JSON: "Exactly {"kind": "talk"}".

Sched prints no such line. Our own export writes it: in the head for the event, under the fields of a session for
that session (formats/exact.py).
"""

import re
from collections.abc import Callable

from schedule.importing.document import EventEntry, SessionEntry
from schedule.importing.formats.exact import parse_facts, set_event_facts, set_session_facts
from schedule.importing.formats.sched_text.reading import Reading

WORD = "Exactly"

_EXACT = re.compile(rf"{WORD} (\{{.*\}})")


def is_exact(line: str) -> bool:
    """Whether a line is one of ours: the word, and something in braces."""
    return _EXACT.fullmatch(line) is not None


def read_exact_session(reading: Reading, number: int, session: SessionEntry) -> None:
    """Set in `session` what an exact line says; what can't be is an error of that line."""
    _set_all(reading, number, session, set_session_facts)


def read_exact_event(reading: Reading, number: int, event: EventEntry) -> None:
    """Set in `event` what an exact line of the head says; what can't be is an error of that line."""
    _set_all(reading, number, event, set_event_facts)


def _set_all(reading: Reading, number: int, entry: SessionEntry | EventEntry, set_facts: Callable) -> None:
    found = _EXACT.fullmatch(reading.line(number))
    facts = parse_facts(found[1]) if found else None
    if facts is None:
        reading.error(f'After "{WORD}" something else stands than JSON such as {{"kind": "talk"}}.', number)
        return
    for name in set_facts(entry, facts, number):
        reading.error(f'"{name}" can\'t be set to this. Correct it, or delete it from the line.', number)
