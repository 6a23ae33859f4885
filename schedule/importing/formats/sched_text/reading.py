"""The lines of one source while it is being read: what each was read as, and what is wrong with it."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple, Self

from schedule.importing.document import Problem, ScheduleRefused, Severity

_INVISIBLE = re.compile("[\u00ad\u200b\u200e\u200f\u2060\ufeff]")


class Paragraph(NamedTuple):
    """Lines that follow each other without a blank one. `line` is the number of the first."""

    line: int
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def numbers(self) -> range:
        return range(self.line, self.line + len(self.lines))

    @property
    def is_single(self) -> bool:
        return len(self.lines) == 1

    def split(self, count: int) -> "tuple[Paragraph, Paragraph | None]":
        """Return the first `count` lines and the rest, None if there is no rest."""
        rest = self.lines[count:]
        return Paragraph(self.line, self.lines[:count]), Paragraph(self.line + count, rest) if rest else None

    def cut_at(self, positions: Iterable[int]) -> "list[Paragraph]":
        """Return the parts between these positions in its lines."""
        bounds = sorted({0, len(self.lines), *(n for n in positions if 0 < n < len(self.lines))})
        return [Paragraph(self.line + begin, self.lines[begin:end]) for begin, end in pairwise(bounds)]


@dataclass(slots=True)
class Reading:
    """A source by line number, from 1. `folded` lines are for recognising, `lines` for keeping.

    `indented` are the lines that began with U+00A0; `is_last_line_ended` tells whether a line end
    follows the last line, which then was not cut within.
    """

    source: str
    lines: list[str]
    folded: list[str]
    roles: list[str | None]
    indented: frozenset[int] = frozenset()
    is_last_line_ended: bool = False
    problems: list[Problem] = field(default_factory=list)

    @classmethod
    def of(cls, text: str, source: str) -> Self:
        """Split `text` into lines without white space at their ends; blank ones are claimed at once."""
        raw = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        is_ended = not raw[-1].strip()
        if not raw[-1]:
            raw.pop()
        lines = [_INVISIBLE.sub("", line).strip() if not line.isascii() else line.strip() for line in raw]
        roles: list[str | None] = ["blank" if not line else None for line in lines]
        indented = frozenset(n for n, line in enumerate(raw, start=1) if line.startswith("\u00a0"))
        return cls(source, lines, [line and fold_line(line) for line in lines], roles, indented, is_ended)

    @property
    def has_errors(self) -> bool:
        return any(problem.severity is Severity.ERROR for problem in self.problems)

    @property
    def last_line(self) -> int | None:
        """The number of the last line with text, None if there is none."""
        return self.line_before(len(self.lines) + 1)

    def line_before(self, number: int) -> int | None:
        """Return the number of the nearest line with text before `number`, None if there is none."""
        number -= 1
        while number > 0 and not self.lines[number - 1]:
            number -= 1
        return number if number > 0 else None

    def line_after(self, number: int) -> int | None:
        """Return the number of the nearest line with text after `number`, None if there is none."""
        return next((n for n in range(number + 1, len(self.lines) + 1) if self.lines[n - 1]), None)

    def line(self, number: int) -> str:
        return self.lines[number - 1]

    def fold(self, number: int) -> str:
        return self.folded[number - 1]

    def one_line(self, number: int) -> str:
        """Return a line whose inner white space means nothing: a title, a name, a room."""
        return " ".join(self.line(number).split())

    def numbers(self, first: int, end: int) -> Iterator[int]:
        """Yield the numbers of the lines with text from `first` up to, not including, `end`."""
        return (number for number in range(first, end) if self.lines[number - 1])

    def paragraphs(self, first: int, end: int) -> list[Paragraph]:
        """Return the paragraphs of the lines from `first` up to, not including, `end`."""
        found: list[Paragraph] = []
        begin = first
        for number in range(first, end + 1):
            if number == end or not self.lines[number - 1]:
                if number > begin:
                    found.append(Paragraph(begin, tuple(self.lines[begin - 1 : number - 1])))
                begin = number + 1
        return found

    def claim(self, role: str, *numbers: int) -> None:
        """Write down what these lines were read as."""
        for number in numbers:
            if self.lines[number - 1]:
                self.roles[number - 1] = role

    def warn(self, message: str, number: int) -> None:
        self._report(message, number, Severity.WARNING)

    def error(self, message: str, number: int) -> None:
        """Note what makes this text unfit for import, and go on looking for more of it."""
        self._report(message, number, Severity.ERROR)

    def refuse(self, message: str, number: int | None) -> ScheduleRefused:
        """Return the exception for what makes going on pointless; it holds this one problem."""
        self._report(message, number, Severity.ERROR)
        return ScheduleRefused(self.problems[-1])

    def _report(self, message: str, number: int | None, severity: Severity) -> None:
        text = self.lines[number - 1] if number else ""
        self.problems.append(Problem(message, self.source, number, text, severity))


def fold_line(line: str) -> str:
    """Return `line` as structural lines are compared: NFKC, and every run of white space one blank."""
    if not line.isascii():
        line = _INVISIBLE.sub("", unicodedata.normalize("NFKC", line))
    elif "  " not in line and line.isprintable():
        # As most lines, so long ones need not be taken apart: no white space in it but single blanks.
        return line.strip(" ")
    return " ".join(line.split())
