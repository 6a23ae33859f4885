"""Where the words of a search stand in a text: found in its folded form, told as places in the text itself. Pure."""

import unicodedata
from collections.abc import Sequence

from conference.text import fold_letters, is_ignorable, matching_key, one_line

# An excerpt shows about this many characters before and after the first place found.
EXCERPT_BEFORE = 50
EXCERPT_AFTER = 90
_BACKTICK = {ord("`"): "'"}

Span = tuple[int, int]


def find_terms(text: str, terms: Sequence[str]) -> list[Span]:
    """Return the places of `terms` in `text`, in order and apart from each other, as (start, end).

    A term is a word of a `matching_key`. Where one character folds into several ("ß", "ﬁ") or several into one
    ("e" and an accent), a place holds all that took part: no letter is ever torn from its marks.
    """
    if not terms or not any(term in matching_key(text) for term in terms):
        return []
    if text.isascii() and text.isprintable():
        folded, places = text.lower().translate(_BACKTICK), [(n, n + 1) for n in range(len(text))]
    else:
        folded, places = fold_with_places(text)
    found = []
    for term in terms:
        at = folded.find(term)
        while at >= 0:
            found.append((places[at][0], places[at + len(term) - 1][1]))
            at = folded.find(term, at + 1)
    return _join(sorted(found))


def fold_with_places(text: str) -> tuple[str, list[Span]]:
    """Return the folded text, and for each of its characters the part of `text` that it comes from.

    Without blanks at its ends, the folded text is the text's `matching_key`.
    """
    letters: list[str] = []
    places: list[Span] = []
    for start, end in _find_clusters(text):
        for letter in fold_letters(text[start:end]):
            if letter.isspace():
                if letters and letters[-1] != " ":
                    letters.append(" ")
                    places.append((start, end))
            else:
                letters.append(letter)
                places.append((start, end))
    return "".join(letters), places


def find_excerpt(text: str, terms: Sequence[str]) -> str:
    """Return the part of `text` around the first of `terms`, on one line, cut at blanks; "" without any."""
    line = one_line(text)
    spans = find_terms(line, terms)
    if not spans:
        return ""
    first, last = spans[0][0] - EXCERPT_BEFORE, spans[0][1] + EXCERPT_AFTER
    start = line.find(" ", first, spans[0][0]) + 1 if first > 0 else 0
    end = line.rfind(" ", spans[0][1], last) if last < len(line) else len(line)
    # Without a blank nearby the word itself is long: it stands alone.
    start = start or (spans[0][0] if first > 0 else 0)
    end = end if end > 0 else spans[0][1]
    return f"{'…' if start else ''}{line[start:end]}{'…' if end < len(line) else ''}"


def _find_clusters(text: str) -> list[Span]:
    """Part `text` where folding never looks across: before every character that doesn't join the one before it."""
    starts = [n for n, character in enumerate(text) if n == 0 or not _is_joined(character)]
    return list(zip(starts, [*starts, len(text)][1:], strict=True))


def _is_joined(character: str) -> bool:
    """Whether folding may melt `character` into the one before: marks, what is invisible, parts of a syllable."""
    if character.isspace():
        return False
    if unicodedata.category(character)[0] == "M" or is_ignorable(character):
        return True
    first = unicodedata.normalize("NFKD", character)[0]
    return unicodedata.combining(first) > 0 or "\u1160" <= first <= "\u11ff"


def _join(spans: list[Span]) -> list[Span]:
    joined: list[Span] = []
    for start, end in spans:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
