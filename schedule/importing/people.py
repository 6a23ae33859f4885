"""Who is who in several documents: one person under several spellings, two people under one name. Pure."""

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from itertools import combinations, combinations_with_replacement

from conference.text import matching_key
from schedule.importing.document import PersonEntry, Problem, SessionEntry

_TITLES = re.compile(r"^(?:(?:dr|prof|professor|mr|mrs|ms|mx|sir|dame|phd|ing|dipl-ing)\.? )+")

_MANY_GIVEN_NAMES = 4

Appearance = tuple[SessionEntry, PersonEntry]


def person_key(person: PersonEntry) -> str:
    """Return what makes two entries one person: the name's matching key, or the identity that parts namesakes."""
    return person.identity or matching_key(person.name)


def unify_people(sessions: Iterable[SessionEntry]) -> list[Problem]:
    """Give every person of `sessions` one name, and every two people two identities; change the entries in place.

    One person: the same name with and without a title ("Dr."), with its words in another order ("NÚÑEZ José"),
    or with initials for given names, if the affiliations do not differ and nobody else it could be is there.
    Two people: one name with unlike affiliations at the same hour. Each decision is a problem to look at;
    spellings that are not shown become aliases. The order of `sessions` makes no difference.
    """
    appearances: dict[str, list[Appearance]] = defaultdict(list)
    for session in sessions:
        for person in session.people:
            appearances[matching_key(person.name)].append((session, person))
    names = {key: min((p.name for _s, p in found), key=name_rank) for key, found in appearances.items()}
    shown = {key: key for key in names}
    # First who can only be one; then who could be several, which turned out to be one.
    for key, others in sorted(_find_variants(appearances).items(), key=lambda found: (len(found[1]), found[0])):
        targets = {_follow(shown, other) for other in others} - {key}
        if len(targets) == 1:
            shown[key] = targets.pop()
    _part_strangers(shown, appearances)
    problems = []
    for key, entries in sorted(appearances.items()):
        target = _follow(shown, key)
        if target != key:
            problems.append(_report(entries[0], f"“{names[key]}” is read as “{names[target]}”, one person"))
        for _session, person in entries:
            if target != key:
                person.aliases = sorted({*person.aliases, person.name})
                person.name = names[target]
    merged: dict[str, list[Appearance]] = defaultdict(list)
    for key, entries in sorted(appearances.items()):
        merged[_follow(shown, key)] += entries
    return problems + [problem for entries in merged.values() for problem in _part_namesakes(entries)]


def _follow(shown: dict[str, str], key: str) -> str:
    seen = {key}
    while shown[key] not in seen:
        key = shown[key]
        seen.add(key)
    return key


def _part_strangers(shown: dict[str, str], appearances: dict[str, list[Appearance]]) -> None:
    """Undo a group in which two can't be one person, though each could be the third."""
    groups: dict[str, list[str]] = defaultdict(list)
    for key in shown:
        groups[_follow(shown, key)].append(key)
    for keys in groups.values():
        if any(_meet(appearances[one], appearances[other]) for one, other in combinations(keys, 2)):
            shown.update({key: key for key in keys})


def is_spelling_of(one: str, other: str) -> bool:
    """Whether two matching keys may be spellings of one name: a title more, words turned, initials."""
    return bool(_find_lesser(min(one, other), max(one, other)))


def is_fuller(name: str, than: str) -> bool:
    """Whether `name` is the spelling to show of two that are one name: with given names, without a title."""
    one, other = matching_key(name), matching_key(than)
    return one != other and _find_lesser(min(one, other), max(one, other)) == other


def name_rank(name: str) -> tuple:
    """Prefer the spelling with capitals, but not all of them, and with accents."""
    return (name == name.lower(), name == name.upper(), name.isascii(), name)


def words_of(key: str) -> list[str]:
    """Return the words of a name's matching key without its titles; the last is taken for the family name."""
    return _TITLES.sub("", key).replace(",", " ").split() or [key]


def _find_variants(appearances: dict[str, list[Appearance]]) -> dict[str, set[str]]:
    """Return for each name that is a lesser spelling the fuller ones it may be."""
    by_words: dict[tuple, list[str]] = defaultdict(list)
    by_initials: dict[tuple, list[str]] = defaultdict(list)
    for key in appearances:
        *given, family = words_of(key)
        by_words[tuple(sorted([*given, family]))].append(key)
        by_initials[family, *(word.strip(".")[:1] for word in given)].append(key)
    found: dict[str, set[str]] = defaultdict(set)
    pairs = {pair for keys in by_words.values() for pair in combinations(sorted(keys), 2)}
    for keys in by_initials.values():
        pairs |= _find_abbreviated(keys)
    for one, other in sorted(pairs):
        lesser = _find_lesser(one, other)
        if lesser and not _meet(appearances[one], appearances[other]):
            found[lesser].add(other if lesser == one else one)
    return found


def _find_abbreviated(keys: list[str]) -> set[tuple[str, str]]:
    """Return which of several names with the same initials differ only where one of two has an initial.

    They are not compared each with each, for a family may have thousands: names that differ in certain words are
    alike in the others, and together have initials for all of those.
    """
    groups: dict[tuple, dict[frozenset[int], list[str]]] = defaultdict(lambda: defaultdict(list))
    short = {key: frozenset(n for n, word in enumerate(words_of(key)[:-1]) if _is_initial(word, word)) for key in keys}
    for key in keys if any(short.values()) else ():
        words = words_of(key)
        for unlike in _choose_words(len(words) - 1):
            alike = tuple("" if n in unlike else word for n, word in enumerate(words))
            groups[unlike, alike][short[key] & unlike].append(key)
    return {
        (min(one, other), max(one, other))
        for (unlike, _alike), members in groups.items()
        for initials, more in combinations_with_replacement(members, 2)
        if initials | more == unlike
        for one in members[initials]
        for other in members[more]
        if one != other
    }


@cache
def _choose_words(count: int) -> list[frozenset[int]]:
    """Return every choice of one or more of `count` given names; of very many only one, or all."""
    sizes = range(1, count + 1) if count <= _MANY_GIVEN_NAMES else (1, count)
    return [frozenset(choice) for size in sizes for choice in combinations(range(count), size)]


def _find_lesser(one: str, other: str) -> str:
    """Return which of two keys is the lesser spelling of the other; "" when they are two names."""
    words, others = words_of(one), words_of(other)
    if sorted(words) == sorted(others):
        # With a title, or written family name first: the other, or else the later in the alphabet, gives way.
        return max((one, other), key=lambda key: (len(key), key))
    if len(words) != len(others) or words[-1] != others[-1] or len(words) < 2:
        return ""
    pairs = list(zip(words[:-1], others[:-1], strict=True))
    if not all(a == b or _is_initial(a, b) or _is_initial(b, a) for a, b in pairs):
        return ""
    return one if sum(map(len, words)) < sum(map(len, others)) else other


def _is_initial(short: str, word: str) -> bool:
    return len(short.strip(".")) == 1 and word.startswith(short.strip("."))


def _meet(ones: list[Appearance], others: list[Appearance]) -> bool:
    """Whether two spellings can't be one person: of unlike affiliations, or in two places at once."""
    here = {id(session) for session, _person in ones} & {id(session) for session, _person in others}
    affiliations = {matching_key(p.affiliation) for _s, p in [*ones, *others] if p.affiliation}
    at_once = any(overlap(session, other) for session, _p in ones for other, _q in others)
    return bool(here) or len(affiliations) > 1 or at_once


def _part_namesakes(entries: list[Appearance]) -> list[Problem]:
    """Part those who stand under one name with unlike affiliations at the same hour."""
    if len({matching_key(person.affiliation) for _session, person in entries if person.affiliation}) < 2:
        return []
    clashing = set()
    for (session, person), (other_session, other) in combinations(entries, 2):
        one, two = matching_key(person.affiliation), matching_key(other.affiliation)
        if one and two and one != two and overlap(session, other_session):
            clashing |= {one, two}
    if not clashing:
        return []
    for _session, person in entries:
        if (affiliation := matching_key(person.affiliation)) in clashing:
            person.identity = f"{matching_key(person.name)}|{affiliation}"
    said = " and ".join(sorted({person.affiliation for _session, person in entries if person.identity}))
    return [_report(entries[0], f"“{entries[0][1].name}” of {said} at the same hour: read as two people")]


def overlap(one: SessionEntry, other: SessionEntry) -> bool:
    """Whether two sessions are at one hour. Rows of sessions are as good as entries."""
    has_times = one is not other and one.start and one.end and other.start and other.end
    is_same = (matching_key(one.title), one.start) == (matching_key(other.title), other.start)
    return bool(has_times and not is_same and one.start < other.end and other.start < one.end)


def _report(appearance: Appearance, message: str) -> Problem:
    session, person = appearance
    return Problem(message, session.source, person.line, person.name)
