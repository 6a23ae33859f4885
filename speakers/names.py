"""How people's names are ordered and shortened. Pure."""

from conference.text import matching_key

# Words that belong to the family name after them: "van Lunteren", "Le Bihan", "de la Cruz".
PARTICLES = frozenset(
    {"van", "von", "der", "den", "de", "del", "della", "di", "da", "dal", "do", "dos", "das", "du", "des", "la", "le"}
    | {"los", "el", "al", "af", "ap", "bin", "bint", "ibn", "ben", "san", "ter", "ten", "vande", "vander", "vom"}
    | {"zu", "zum", "zur", "y", "e", "'t"}
)
SUFFIXES = frozenset(["jr", "jr.", "sr", "sr.", "ii", "iii", "iv", "phd", "ph.d.", "md", "m.d.", "esq", "esq."])


def make_sort_name(name: str) -> str:
    """Return `name` as "family name, given names", particles kept with the family name.

    "Jan van Lunteren" gives "van Lunteren, Jan". A name of one word, or written without blanks
    (as in Chinese), stays as it is. A guess: the organiser can correct it.
    """
    words = name.split()
    tail: list[str] = []
    while len(words) > 1 and words[-1].strip(",").casefold() in SUFFIXES | {""}:
        tail.insert(0, words.pop())
    words = [word.strip(",") for word in words]
    if len(words) < 2 or words[-1].startswith("("):
        return name.strip()
    first = len(words) - 1
    while first > 1 and matching_key(words[first - 1]) in PARTICLES:
        first -= 1
    return f"{' '.join([*words[first:], *tail])}, {' '.join(words[:first])}"


def find_letter(sort_name: str) -> str:
    """Return the capital letter under which `sort_name` stands in an index; "#" when it has none.

    Accents are off for Latin and Greek, so "Ødegård" stands under O.
    """
    for character in matching_key(sort_name):
        if character.isalpha():
            return character.upper()[:1]
    return "#"


def make_initials(name: str) -> str:
    """Return at most two initials: of the first and the last word that begins with a letter."""
    letters = [word[0].upper()[0] for word in name.split() if word[0].isalpha()]
    return letters[0] + letters[-1] if len(letters) > 1 else "".join(letters) or "?"
