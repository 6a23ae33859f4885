"""The A–Z of an event's speakers. Pure."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
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
    """Group `speakers`, which come sorted, by letter, each with their rows of `agenda` in its order."""
    rows_of = defaultdict(list)
    for row in agenda.rows:
        for link in row.session.session_speakers.all():
            rows_of[link.speaker_id].append(row)
    entries = [Entry(speaker, rows_of[speaker.pk]) for speaker in speakers]
    return [
        Group(letter, list(group)) for letter, group in groupby(entries, key=lambda e: find_letter(e.speaker.sort_name))
    ]


def build_letters(groups: list[Group]) -> list[tuple[str, bool]]:
    """Return the letters of the index line, A to Z and those that occur besides, and whether each has people."""
    used = {group.letter for group in groups}
    return [(letter, letter in used) for letter in [*ascii_uppercase, *sorted(used - set(ascii_uppercase))]]
