"""Who speaks, as a cell lists them: "A, B", "A (Company) & B", one a line. Pure."""

import re
from dataclasses import dataclass
from itertools import pairwise

from conference.text import matching_key, one_line
from schedule.importing.document import PersonEntry
from schedule.importing.formats.entries import Notes
from schedule.importing.headlines import is_legal_form, split_headline

_NOBODY = frozenset({"", "-", "--", "?", "tbd", "tba", "tbc", "n/a", "na", "none", "n.n.", "nn", "n. n."})
_NAME_SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv", "phd", "ph.d", "md", "m.d"})
_HARD_BREAK = re.compile(r"[;\n]")
_SOFT_BREAK = re.compile(r" ?, ?| & | \+ | / | (?:and|und|et|y) ")
_BRACKETED = re.compile(r"(?P<name>[^()\[\]]*[^()\[\]\s]) ?[(\[](?P<rest>.+)[)\]]")
_DASHED = re.compile(r"(?P<name>.*?\S) [-‐-―−|@] (?P<rest>\S.*)")
_BULLET = re.compile(r"^[-*•·‣–] ")
_LONGEST_PIECE = 1000


@dataclass(slots=True)
class Listed:
    """A person as a list names them, with what stands in brackets, after a dash or after a comma."""

    name: str
    rest: str = ""


def read_people(notes: Notes, text: str, role: str, line: int) -> list[PersonEntry]:
    """Return the people that a cell lists; what is no name is reported."""
    people = []
    for listed in _read_list(notes, text, line):
        key = matching_key(listed.name)
        if key in _NOBODY:
            if key.strip("-?"):
                notes.warn(f"“{listed.name}” is nobody's name; it is left out of the people.", line)
            continue
        person = PersonEntry(listed.name, line, role=role, headline=listed.rest)
        person.position, person.affiliation = split_headline(listed.rest)
        if listed.rest and not person.affiliation:
            person.affiliation, person.headline = listed.rest, ""
        people.append(person)
    return people


def split_for_each(text: str, people: list[PersonEntry]) -> list[str] | None:
    """Return what a cell beside the people says of each: "Sample; Example"; None if it is not clear whose it is."""
    text = text.strip()
    if len(people) == 1:
        return [one_line(text)]
    for pattern in (_HARD_BREAK, re.compile(",")):
        parts = [one_line(part) for part in pattern.split(text) if part.strip()]
        if len(parts) == len(people):
            return parts
    return [one_line(text)] * len(people) if not re.search("[;\n,]", text) else None


def split_bios(text: str, people: list[PersonEntry]) -> list[str] | None:
    """Return the biography of each of the people; None if it is not clear whose is whose."""
    if len(people) == 1:
        return [text.strip()]
    parts = [part.strip() for part in re.split(r"\n\s*\n|\n-{3,}\n", text) if part.strip()]
    if len(parts) != len(people):
        return None
    surnames = [matching_key(person.name).split()[-1:] for person in people]
    fits = all(surname and surname[0] in matching_key(part) for surname, part in zip(surnames, parts, strict=True))
    return parts if fits else None


def _read_list(notes: Notes, text: str, line: int) -> list[Listed]:
    text = text.strip()
    if _HARD_BREAK.search(text):
        pieces = [_BULLET.sub("", one_line(piece)).rstrip(" ,") for piece in _split_outside(text, _HARD_BREAK)]
        return _flip_names(notes, [_split_piece(piece, has_comma=True) for piece in pieces if piece], line)
    people: list[Listed] = []
    for piece in _split_outside(one_line(text), _SOFT_BREAK):
        if people and is_legal_form(piece):
            people[-1].rest = f"{people[-1].rest}, {piece}" if people[-1].rest else piece
        elif people and not people[-1].rest and matching_key(piece).strip(".") in _NAME_SUFFIXES:
            people[-1].name = f"{people[-1].name}, {piece}"
        elif piece:
            people.append(_split_piece(piece, has_comma=False))
    _warn_of_companies(notes, people, line)
    return people


def _split_outside(text: str, separator: re.Pattern[str]) -> list[str]:
    """Split `text` where `separator` stands outside of brackets. Brackets that nobody closes are text."""
    pieces, start, depth, closing = [], 0, 0, text.count(")") + text.count("]")
    position = 0
    for found in re.finditer(rf"[()\[\]]|{separator.pattern}", text):
        if found.start() < position:
            continue
        if found[0] in "([":
            depth += closing > 0
        elif found[0] in ")]":
            depth, closing = max(0, depth - 1), closing - 1
        elif depth == 0:
            pieces.append(text[start : found.start()].strip())
            start = position = found.end()
    return [*pieces, text[start:].strip()]


def _split_piece(piece: str, *, has_comma: bool) -> Listed:
    """Split "Ada Byron (Example)", "Ada Byron – Example" and, where commas separate no people, "Ada Byron, Example"."""
    if len(piece) > _LONGEST_PIECE:
        return Listed(piece)
    if found := _BRACKETED.fullmatch(piece) or _DASHED.fullmatch(piece):
        return Listed(found["name"], found["rest"].strip())
    name, comma, rest = piece.partition(",")
    if has_comma and comma and rest.strip():
        suffix, _, after = rest.partition(",")
        if matching_key(suffix).strip(".") in _NAME_SUFFIXES:
            return Listed(f"{name}, {suffix.strip()}", after.strip())
        return Listed(name.strip(), rest.strip())
    return Listed(piece)


def _flip_names(notes: Notes, people: list[Listed], line: int) -> list[Listed]:
    """Read "Byron, Ada; Stone, Bob" as family names before given names: one word before every comma, few after."""
    is_flipped = len(people) > 1 and all(
        p.rest and " " not in p.name and len(p.rest.split()) <= 2 and p.rest.replace(" ", "").replace(".", "").isalpha()
        for p in people
    )
    if not is_flipped:
        return people
    notes.warn(f"“{people[0].name}, {people[0].rest}” is read as a family name before the given name.", line)
    return [Listed(f"{person.rest} {person.name}") for person in people]


def _warn_of_companies(notes: Notes, people: list[Listed], line: int) -> None:
    """After a full name, a single word may be where somebody works, and then it should stand in brackets."""
    for before, person in pairwise(people):
        if (
            " " in before.name
            and not before.rest
            and " " not in person.name
            and matching_key(person.name) not in _NOBODY
        ):
            notes.warn(
                f"“{person.name}” is read as a person. If it is where {before.name} works, write "
                f"“{before.name} ({person.name})”.",
                line,
            )
