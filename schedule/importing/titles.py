"""The title line of a session: "Keynote: TEXT - Ada Byron, Example & Bob Stone, Sample"."""

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise

from conference.text import matching_key
from speakers.names import PARTICLES


class Kind(StrEnum):
    """What a session is. `Session.Kind` mirrors these values."""

    KEYNOTE = "keynote"
    SPONSORED_KEYNOTE = "sponsored-keynote"
    TALK = "talk"
    LIGHTNING_TALK = "lightning-talk"
    WORKSHOP = "workshop"
    PANEL = "panel"
    TUTORIAL = "tutorial"
    BREAK = "break"
    SOCIAL = "social"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Mention:
    """A person as the title line names them. `affiliation` may hold a position as well."""

    name: str
    affiliation: str = ""


_KINDS = {
    "keynote": Kind.KEYNOTE,
    "sponsored keynote": Kind.SPONSORED_KEYNOTE,
    "talk": Kind.TALK,
    "lightning talk": Kind.LIGHTNING_TALK,
    "workshop": Kind.WORKSHOP,
    "panel": Kind.PANEL,
    "panel discussion": Kind.PANEL,
    "tutorial": Kind.TUTORIAL,
    "break": Kind.BREAK,
    "social": Kind.SOCIAL,
    "bof": Kind.OTHER,
    "birds of a feather": Kind.OTHER,
    "poster": Kind.OTHER,
    "poster session": Kind.OTHER,
    "demo": Kind.OTHER,
}
_PREFIX = re.compile(r"(?P<mark>(?:\([^()]*\)|\[[^\[\]]*\]) ?)?(?P<kind>[^:]+?) ?: ?(?P<rest>.*)")
_NO_MORE_KINDS: Mapping[str, str] = {}
# After the people: "… - Ada Byron, Sea Co [Pre-Registration Required, Additional Fee]".
_MARK_AFTER_PEOPLE = re.compile(r"(.*[^ ]) (\[[^\[\]]*\])")
_BREAK_ENDING = re.compile(r"\b(?:breaks?|registration|badge pick-?up)$")
_ASIDE = re.compile(r"(?: ?\([^()]*\)| ?\[[^\[\]]*\]| sponsored by .*)$")
_MEALS = frozenset({"coffee", "tea", "lunch", "breakfast", "brunch", "dinner", "refreshments", "snacks"})
_BESIDE_MEALS = frozenset({"and", "&", "+", "-", "/", "the", "morning", "afternoon", "evening", "networking", "buffet"})
_DASH = " [-‐-―−] "
AND = frozenset({" & ", " and "})
_NAME_SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv", "phd", "ph.d", "md", "m.d"})
_SEPARATOR = re.compile(rf"({_DASH}| & | and |, ?)")


def split_kind(title: str, more_kinds: Mapping[str, str] = _NO_MORE_KINDS) -> tuple[Kind, str]:
    """Return the kind that a title line begins with, and the title without that prefix.

    Only a known word before a colon is a kind; anything else belongs to the title. A prefix that says
    more than its kind ("BoF: …") stays, and so does a mark before it ("(Virtual) Workshop: …").
    `more_kinds` are further prefixes by matching key ("masterclass": "workshop").
    """
    title = " ".join(title.split())
    found = _PREFIX.fullmatch(title) if ":" in title else None
    key = matching_key(found["kind"]) if found else ""
    if not found or (key not in _KINDS and key not in more_kinds):
        return Kind.TALK, title
    kind = Kind(more_kinds[key]) if key in more_kinds else _KINDS[key]
    if kind is Kind.OTHER or not found["rest"]:
        return kind, title.removesuffix(":").rstrip()
    return kind, (found["mark"] or "") + found["rest"]


def is_break(title: str, track: str, has_people: bool) -> bool:
    """Whether a session is a pause: nobody speaks, and its title is plainly one or its track is "Breaks"."""
    if has_people:
        return False
    if matching_key(track) in ("break", "breaks"):
        return True
    plain = _ASIDE.sub("", matching_key(title))
    words = set(plain.replace(",", " ").split())
    is_meal = bool(words & _MEALS) and words <= _MEALS | _BESIDE_MEALS
    return is_meal or bool(_BREAK_ENDING.search(plain)) or plain in ("registration open", "cloakroom")


def looks_like_name(text: str) -> bool:
    """Whether `text` could be a person's name: two to five words, each with a capital (or without case)."""
    words = text.split()
    if not 2 <= len(words) <= 5 or len(text) > 60 or re.search(r"[\d,:;!?/→]", text):
        return False
    if text.endswith(".") and not re.search(r" (?:[JS]r|[A-Z])\.$", text):
        return False
    capitals = [word for word in words if word[0].isalpha() and word[0] == word[0].upper()]
    return len(capitals) >= 2 and all(word in capitals or word.casefold() in PARTICLES for word in words)


def is_variant(name: str, other: str) -> bool:
    """Whether two names of two to five words end in the same surname: "Dave Grove", "David Grove"."""
    words, others = matching_key(name).split(), matching_key(other).split()
    return 2 <= len(words) <= 5 and 2 <= len(others) <= 5 and words[-1] == others[-1]


def possible_names(title: str, only_after: Container[str] | None = None) -> dict[str, str]:
    """Return, by matching key, what stands between separators after the title's first " - ".

    People's names are among them, if the title names people at all. `only_after` narrows it to parts
    with one of these separators before them: an affiliation stands after ", ", hardly after " & ".
    """
    tokens = _split_tokens(title)
    first = next((n for n, (separator, _) in enumerate(tokens) if _is_dash(separator)), len(tokens))
    keyed = [(separator, part, matching_key(part)) for separator, part in tokens[first:]]
    names: dict[str, str] = {}
    for (separator, part, key), (_, after, key_after) in pairwise([*keyed, ("", "", "")]):
        if only_after is None or separator in only_after:
            names[key] = part
            if key_after.strip(".") in _NAME_SUFFIXES:
                name = f"{part}, {after}"
                names[matching_key(name)] = name
    names.pop("", None)
    return names


def split_people(title: str, names: Iterable[str]) -> tuple[str, list[Mention]]:
    """Split a title line without its kind into its text and the people it names, in the title's order.

    `names` are those of the session's own section: the text ends at the first " - " whose right side
    begins with one of them, or one of the same surname, or a stranger before one of them. No such place:
    the whole is text.
    Someone without an affiliation takes the next one's; a mark in brackets after the people stays in
    the text. Source: title line rules 1 to 3 of the Sched format.
    """
    title = " ".join(title.split())
    marked = _MARK_AFTER_PEOPLE.fullmatch(title) if title.endswith("]") else None
    tokens = _split_tokens(marked[1] if marked else title)
    by_key = {matching_key(name): name for name in names}
    first = _find_tail(tokens, by_key)
    text = "".join(separator + part for separator, part in tokens[:first]).strip()
    if first is None or not text:
        return title, []
    people = _read_tail(_join_suffixes(tokens[first:], by_key), by_key)
    return f"{text} {marked[2]}" if marked else text, people


# A title is asked for its parts three times in turn.
@lru_cache(maxsize=100)
def _split_tokens(title: str) -> tuple[tuple[str, str], ...]:
    """Return the parts of a title with the separator before each; joined, they are the title again."""
    pieces = ["", *_SEPARATOR.split(" ".join(title.split()))]
    return tuple(zip(pieces[::2], pieces[1::2], strict=True))


def _is_dash(separator: str) -> bool:
    return len(separator) == 3 and separator != " & "


def _find_tail(tokens: Sequence[tuple[str, str]], by_key: dict[str, str]) -> int | None:
    after_dashes = [n for n, (separator, _) in enumerate(tokens) if _is_dash(separator)]
    joined = {n: ", ".join(part for _, part in tokens[n : n + 2]) for n in after_dashes}
    for n in after_dashes:
        if matching_key(tokens[n][1]) in by_key or matching_key(joined[n]) in by_key:
            return n
    surnames = {key.split()[-1] for key in by_key if 2 <= len(key.split()) <= 5}
    for n in after_dashes:
        words = matching_key(tokens[n][1]).split()
        if 2 <= len(words) <= 5 and words[-1] in surnames:
            return n
    last_name = max((n for n, (_, part) in enumerate(tokens) if matching_key(part) in by_key), default=0)
    return next((n for n in after_dashes if n < last_name and looks_like_name(tokens[n][1])), None)


def _join_suffixes(tokens: Sequence[tuple[str, str]], by_key: dict[str, str]) -> list[tuple[str, str]]:
    """Put a name that holds a comma ("Sam Rook, Jr.") together again."""
    joined: list[tuple[str, str]] = []
    for separator, part in tokens:
        if joined and separator.startswith(",") and matching_key(f"{joined[-1][1]}, {part}") in by_key:
            joined[-1] = (joined[-1][0], f"{joined[-1][1]}, {part}")
        else:
            joined.append((separator, part))
    return joined


def _read_tail(tokens: Sequence[tuple[str, str]], by_key: dict[str, str]) -> list[Mention]:
    """Read names and affiliations: a part that is a name of the section begins a person, the rest belongs to them."""
    people: list[tuple[str, str]] = []
    keys = [matching_key(part) for _, part in tokens]
    surnames = {key.split()[-1] for key in by_key.keys() - set(keys) if 2 <= len(key.split()) <= 5}
    for n, (separator, part) in enumerate(tokens):
        next_separator = tokens[n + 1][0] if n + 1 < len(tokens) else ""
        is_person = not people or keys[n] in by_key
        if not is_person and separator in AND:
            is_person = _begins_person(part, next_separator, people[-1][1], surnames)
        if is_person:
            people.append((part, ""))
        else:
            name, affiliation = people[-1]
            people[-1] = (name, affiliation + separator + part if affiliation else part)
    return _share_affiliations(people)


def _begins_person(part: str, next_separator: str, affiliation_before: str, surnames: set[str]) -> bool:
    """Whether a part after "&" that is no name of the section is nevertheless somebody, not half an affiliation."""
    words = matching_key(part).split()
    if not affiliation_before or (2 <= len(words) <= 5 and words[-1] in surnames):
        return True
    return looks_like_name(part) and next_separator.startswith(",")


def _share_affiliations(people: list[tuple[str, str]]) -> list[Mention]:
    mentions: list[Mention] = []
    affiliation = ""
    for name, own in reversed(people):
        affiliation = own or affiliation
        mentions.append(Mention(name, affiliation))
    return mentions[::-1]
