"""What a search shows of its matches: which come first, what is marked, and why the others are there. Pure."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from conference.highlights import find_excerpt
from conference.text import matching_key
from schedule.agenda import Row

# Above the list stand at most this many, and only where the list itself is longer.
MOST_BEST = 5
IN_TITLE, IN_PEOPLE, ELSEWHERE = range(3)


def read_terms(question: str) -> tuple[str, ...]:
    """Return the words of a search as they are compared, each once."""
    return tuple(dict.fromkeys(matching_key(question).split()))


def explain_matches(
    rows: Sequence[Row], terms: tuple[str, ...], find_abstracts: Callable[[list[int]], Mapping[int, str]]
) -> None:
    """Give every row its terms to mark, and an excerpt where some of them stand in none of its visible texts.

    `find_abstracts` returns the abstracts of sessions by id; it is asked once, and only for those that need one.
    """
    hidden: dict[int, list[str]] = {}
    for row in rows:
        row.terms = terms
        if missing := _find_hidden(row, terms):
            hidden[row.session.pk] = missing
    abstracts = find_abstracts(list(hidden)) if hidden else {}
    for row in rows:
        if missing := hidden.get(row.session.pk):
            row.excerpt = _find_reason(row.session, missing, abstracts.get(row.session.pk, ""))


def find_best(rows: Sequence[Row], terms: tuple[str, ...]) -> list[Row]:
    """Return the rows that answer best, the best first, then by time: title before people before all else.

    Within these, words that begin so come before words that hold a term somewhere inside. Nothing is best where
    all are alike, where the list is hardly longer, or where a first letter is all there is of a word.
    """
    if len(rows) <= MOST_BEST or all(len(term) == 1 and term.isascii() for term in terms):
        return []
    ranks = [_rank(row.session, terms) for row in rows]
    order = sorted(range(len(rows)), key=lambda n: (ranks[n], n))
    return [rows[n] for n in order[:MOST_BEST] if ranks[n] < max(ranks)]


def _rank(session, terms: tuple[str, ...]) -> tuple[int, bool]:
    title = session.title_key
    people = " ".join(link.speaker.search_text for link in session.session_speakers.all())
    for rank, text in ((IN_TITLE, title), (IN_PEOPLE, f"{title} {people}")):
        if _has_all(text, terms):
            return rank, not all(re.search(rf"(?<!\w){re.escape(term)}", text) for term in terms)
    return ELSEWHERE, False


def _has_all(text: str, terms: Iterable[str]) -> bool:
    return all(term in text for term in terms)


def _find_hidden(row: Row, terms: tuple[str, ...]) -> list[str]:
    """Return the terms that stand in nothing a row shows."""
    session, line = row.session, row.people
    names = [part for person in line.people for part in person]
    shown = [session.title, *names, line.shared_affiliation, session.room and session.room.name]
    keys = " ".join(matching_key(text) for text in [*shown, session.track and session.track.name] if text)
    return [term for term in terms if term not in keys]


def _find_reason(session, missing: list[str], abstract: str) -> str:
    """Return the part of a session's other texts that holds one of `missing`: its people's lines, then the abstract."""
    people = [link.speaker for link in session.session_speakers.all()]
    lines = [f"{person.name}, {text}" for person in people for text in (person.headline, person.affiliation) if text]
    lines += [person.name for person in people]
    return next(filter(None, (find_excerpt(text, missing) for text in [*lines, abstract])), "")
