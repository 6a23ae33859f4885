"""Reads tests/parsing_cases/*.txt and writes a parsed document as text, so that a new case needs no Python.

A case is a title line, a line "=== sessions", "=== text" or "=== partial", the input, a line "=== expected"
and the outline that `outline_of` gives for the result. "=== sessions" puts the head of an invented event before
the sessions and the index and the footer after them; in it line numbers count from the sessions' first line.
"=== partial" is a text of which the whole sessions are wanted although it was cut. An empty line before
"=== expected" means that the text's last line has a line end.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import strategies as st

from schedule.importing.document import Problem, ReadOptions, ScheduleDocument, ScheduleRefused, SessionEntry
from schedule.importing.formats import sched_text

DEFAULTS = ReadOptions()
CASES = Path(__file__).parent / "parsing_cases"
HEAD = """\
Harbour Days 2031: Full Schedule

14 May, 2031
Porto, Portugal
View More Details & Registration
Note: The schedule is subject to change.

The Sched app allows you to plan. You must be registered for Harbour Days 2031 to participate in the sessions.

This schedule is automatically displayed in WEST (UTC/GMT +1). To see another zone, choose one.

"""
_SESSION_HEADING = re.compile(r"^(\d\d:\d\d [A-Z]+)\n\n[^\n]+\n\n[A-Z][a-z]+ [A-Z][a-z]+ \d+, \d{4} ", re.MULTILINE)


@dataclass(frozen=True)
class Case:
    """One case: what it is about, the whole text, how many lines stand before its input, the outline expected."""

    title: str
    text: str
    lines_before: int
    expected: str
    options: ReadOptions = DEFAULTS


def read_case(path: Path) -> Case:
    """Read a case file."""
    content = path.read_text(encoding="utf-8")
    title, _, content = content.partition("\n")
    kind, _, content = content.removeprefix("=== ").partition("\n")
    text, _, expected = content.partition("\n=== expected\n")
    if kind == "sessions":
        return Case(title, schedule_of(text), HEAD.count("\n"), expected.strip())
    return Case(title, text, 0, expected.strip(), ReadOptions(is_partial_allowed=kind == "partial"))


def schedule_of(sessions: str) -> str:
    """Return a whole text of these sessions: head before them, index and footer after them."""
    sessions = sessions.strip("\n")
    index = "".join(f"{heading}\n\n" for heading in _SESSION_HEADING.findall(sessions))
    return f"{HEAD}{sessions}\n\n{index}{sched_text.FOOTER}"


def outline_of(case: Case) -> str:
    """Parse the text of a case and return everything read from it that is not empty, and every problem, as text."""
    try:
        document = sched_text.parse(case.text, "case.txt", case.options)
    except ScheduleRefused as refused:
        return "\n".join(_outline_problem(problem, case.lines_before) for problem in refused.problems)
    lines = [] if case.lines_before else _outline_event(document)
    for session in document.sessions:
        lines += _outline_session(session)
    lines += [_outline_problem(problem, case.lines_before) for problem in document.problems]
    lines += [f"unclaimed {number - case.lines_before}" for number in document.unclaimed_lines]
    return "\n".join(lines)


def _outline_event(document: ScheduleDocument) -> list[str]:
    event = document.event
    values = {name: getattr(event, name) for name in event.__dataclass_fields__}
    shown = [f"{name}: {value}" for name, value in values.items() if value not in ("", None)]
    roles = ", ".join(str(role) for role in document.line_roles if role != "blank")
    return [*shown, f"whole: {'yes' if document.is_whole else 'no'}", f"lines: {roles}"]


def _outline_session(session: SessionEntry) -> list[str]:
    lines = [f"{session.kind}: {session.title}"]
    if session.start and session.end:
        times = f"{session.start:%Y-%m-%d %H:%M} to {session.end:%Y-%m-%d %H:%M} {session.zone_label}"
        lines.append(f"  time: {times.rstrip()}")
    for name in ("room", "track", "level", "language"):
        if value := getattr(session, name):
            lines.append(f"  {name}: {value}")
    lines += [f"  field {key}: {value}" for key, value in session.fields.items()]
    lines += _outline_text("abstract", session.abstract, "  ")
    for person in session.people:
        lines.append(f"  {person.role}: {person.name}" + "".join(f", alias {alias}" for alias in person.aliases))
        for name in ("headline", "position", "affiliation"):
            if value := getattr(person, name):
                lines.append(f"    {name}: {value}")
        lines += _outline_text("bio, cut" if person.bio_is_cut else "bio", person.bio, "    ")
    lines += [f"  material: {material.name} ({material.file_type})" for material in session.materials]
    return lines


def _outline_text(name: str, text: str, indent: str) -> list[str]:
    return [f"{indent}{name}:", *(f"{indent}  | {line}".rstrip() for line in text.split("\n"))] if text else []


def _outline_problem(problem: Problem, lines_before: int) -> str:
    place = f" {problem.line - lines_before}" if problem.line else ""
    return f"{problem.severity}{place}: {problem.message}" + (f"\n  > {problem.text}" if problem.text else "")


def damage(lines: list[str], how: str, data: st.DataObject) -> None:
    """Damage one place of a text in one way."""
    if len(lines) < 2:
        return
    n = data.draw(st.integers(0, len(lines) - 2))
    if how == "drop":
        del lines[n]
    elif how == "double":
        lines.insert(n, lines[n])
    elif how == "swap":
        lines[n], lines[n + 1] = lines[n + 1], lines[n]
    elif how == "join":
        lines[n : n + 2] = [f"{lines[n]} {lines[n + 1]}"]
    else:
        del lines[n:]


def assert_document_or_refusal(text: str, options: ReadOptions = DEFAULTS) -> None:
    """Assert that a text is read or refused, every line accounted for, and that problems name lines that exist."""
    count = text.count("\n") + (not text.endswith("\n")) if text else 0
    try:
        document = sched_text.parse(text, "a.txt", options)
    except ScheduleRefused as refused:
        problems = refused.problems
        assert problems
    else:
        problems = document.problems
        assert len(document.line_roles) == count
        assert set(document.unclaimed_lines) <= {problem.line for problem in problems}
    assert [p for p in problems if p.line is not None and not 1 <= p.line <= count] == []


def assert_stops_at_its_last_line(text: str) -> None:
    """Assert that a text is refused with one problem, which names the last line that is not blank."""
    last = max((n for n, line in enumerate(text.split("\n"), start=1) if line.strip()), default=None)
    assert [line for _, line in problems_of(text)] == [last]


def problems_of(text: str) -> list[tuple[str, int | None]]:
    """Return message and line of each problem a text is refused with."""
    with pytest.raises(ScheduleRefused) as refused:
        sched_text.parse(text, "a.txt")
    return [(problem.message, problem.line) for problem in refused.value.problems]
