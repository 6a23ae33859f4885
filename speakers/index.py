"""The A–Z of an event's speakers. Pure."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from string import ascii_uppercase

from speakers.names import find_letter


@dataclass(frozen=True, slots=True)
class Entry:
    """A speaker and the agenda rows of their sessions."""

    speaker: object
    rows: list


@dataclass(frozen=True, slots=True)
class Group:
    """The entries under one letter."""

    letter: str
    entries: list[Entry]


def build_index(speakers: Iterable, agenda) -> list[Group]:
    """Group `speakers`, which come sorted, by letter, each with their rows of `agenda` in its order.

    A name such as "'t Hooft" sorts before every letter and still stands under its own.
    """
    rows_of = defaultdict(list)
    for row in agenda.rows:
        for link in row.session.session_speakers.all():
            rows_of[link.speaker_id].append(row)
    entries_of = defaultdict(list)
    for speaker in speakers:
        entries_of[find_letter(speaker.sort_name)].append(Entry(speaker, rows_of[speaker.pk]))
    return [Group(letter, entries_of[letter]) for letter in sorted(entries_of)]


def build_letters(groups: list[Group]) -> list[tuple[str, bool]]:
    """Return the letters of the index line, A to Z and those that occur besides, and whether each has people."""
    used = {group.letter for group in groups}
    return [(letter, letter in used) for letter in [*ascii_uppercase, *sorted(used - set(ascii_uppercase))]]
