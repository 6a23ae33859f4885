"""Runs tests/parsing_cases/*.txt of the formats of data: everything a document holds, as text, and every problem.

The cases are read by tests/parsing_case.py. A case whose title begins with "(partial)" is read with parts allowed.
"""

from datetime import datetime
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import strategies as st

from schedule.importing.document import Problem, ReadOptions, ScheduleDocument, ScheduleRefused, SessionEntry
from tests.parsing_case import CASES, damage, read_case

PARTIAL = ReadOptions(is_partial_allowed=True)
DAMAGES = ("drop", "double", "swap", "join", "cut")
_TEXTS = ("source_id", "zone_label", "room", "track", "level", "language", "stream_url", "recording_url")


def case_files(prefix: str) -> list[Path]:
    return sorted(CASES.glob(f"{prefix}-*.txt"))


def check_case(reader: ModuleType, path: Path) -> None:
    """Assert that a format recognises the text of a case, and reads from it what the case expects."""
    case = read_case(path)
    assert reader.recognises(case.text)
    options = PARTIAL if case.title.startswith("(partial)") else ReadOptions()
    assert outline_of(reader, case.text, options) == case.expected


def outline_of(reader: ModuleType, text: str, options: ReadOptions) -> str:
    """Return everything read from a text that is not empty or usual, and every problem."""
    try:
        document = reader.parse(text, "case.txt", options)
    except ScheduleRefused as refused:
        return "\n".join(_outline_problem(problem) for problem in refused.problems)
    lines = _outline_event(document)
    for session in document.sessions:
        lines += _outline_session(session)
    return "\n".join([*lines, *(_outline_problem(problem) for problem in document.problems)])


def _outline_event(document: ScheduleDocument) -> list[str]:
    values = {name: getattr(document.event, name) for name in document.event.__dataclass_fields__}
    shown = [f"{name}: {value}" for name, value in values.items() if value not in ("", None)]
    roles = ", ".join(str(role) for role in document.line_roles)
    return [*shown, f"whole: {'yes' if document.is_whole else 'no'}", f"by {document.unit}: {roles}"]


def _outline_session(session: SessionEntry) -> list[str]:
    status = "" if session.status == "confirmed" else f", {session.status}"
    lines = [f"{session.line} {session.kind}: {session.title}{status}"]
    if session.start and session.end:
        lines.append(f"  time: {_outline_time(session.start)} to {_outline_time(session.end)}")
    lines += [f"  {name}: {value}" for name in _TEXTS if (value := getattr(session, name))]
    lines += [f"  field {key}: {value}" for key, value in session.fields.items()]
    lines += _outline_text("abstract", session.abstract, "  ")
    for person in session.people:
        said = (person.source_id, person.affiliation and f"of {person.affiliation}", f"line {person.line}")
        lines.append(f"  {person.role}: {person.name} ({', '.join(text for text in said if text)})")
        lines += _outline_text("bio", person.bio, "    ")
    for material in session.materials:
        lines.append(f"  material: {material.name} ({material.file_type or 'link'}) {material.url}".rstrip())
    return lines


def _outline_time(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M}" + (f" {moment.utcoffset()}" if moment.tzinfo else "")


def _outline_text(name: str, text: str, indent: str) -> list[str]:
    return [f"{indent}{name}:", *(f"{indent}  | {line}".rstrip() for line in text.split("\n"))] if text else []


def _outline_problem(problem: Problem) -> str:
    place = f" {problem.line}" if problem.line is not None else ""
    return f"{problem.severity}{place}: {problem.message}" + (f"\n  > {problem.text}" if problem.text else "")


def assert_read_or_refused(reader: ModuleType, text: str, options: ReadOptions = PARTIAL) -> ScheduleDocument | None:
    """Assert that a text is read or refused and nothing else happens, that every unit has a role, that the
    sessions are as many as the roles say, and that problems name lines that exist."""
    count = text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
    document = None
    try:
        document = reader.parse(text, "a.txt", options)
    except ScheduleRefused as refused:
        problems = refused.problems
        assert problems
    else:
        problems = document.problems
        assert document.sessions
        assert document.unclaimed_lines == []
        if document.unit != "line":
            assert document.line_roles.count("session") == len(document.sessions)
        assert [s.line for s in document.sessions if not 1 <= s.line <= count] == []
        assert [s.title for s in document.sessions if (s.start is None) != (s.end is None) or not s.title] == []
    assert [p for p in problems if p.line is not None and not 1 <= p.line <= count] == []
    return document


def damage_often(text: str, data: st.DataObject) -> str:
    """Damage a text in some places: lines dropped, doubled, swapped, joined, cut, or characters changed."""
    lines = text.split("\n")
    for how in data.draw(st.lists(st.sampled_from(DAMAGES), max_size=4)):
        damage(lines, how, data)
    text = "\n".join(lines)
    for _ in range(data.draw(st.integers(0, 4))):
        place = data.draw(st.integers(0, len(text)))
        piece = data.draw(
            st.sampled_from(["", '"', "<", ">", "&", ":", ";", ",", "\\", "{", "}", "[", "\x00", "9" * 400])
        )
        text = text[:place] + piece + text[place + data.draw(st.integers(0, 3)) :]
    return text


def refusal_of(reader: ModuleType, text: str, options: ReadOptions | None = None) -> list[tuple[str, int | None]]:
    """Return message and line of each problem a text is refused with."""
    with pytest.raises(ScheduleRefused) as refused:
        reader.parse(text, "a.txt", options or ReadOptions())
    return [(problem.message, problem.line) for problem in refused.value.problems]
