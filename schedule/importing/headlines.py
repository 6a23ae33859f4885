"""The line under a speaker's name: "Senior Engineer, Example, Inc." """

from functools import lru_cache

from conference.text import matching_key

# What stands after a comma and yet is no company of its own: "OpenTeams, Inc."
_LEGAL_FORMS = frozenset(
    {"inc", "llc", "llp", "ltd", "limited", "plc", "corp", "corporation", "co", "gmbh", "ag", "kg", "se", "sa", "sas"}
    | {"sarl", "srl", "spa", "bv", "nv", "ab", "as", "aps", "oy", "pty", "ptyltd", "pteltd", "coltd", "pbc"}
)


# Asked for every headline three times, and people of one company have one line.
@lru_cache(maxsize=1_000)
def split_headline(headline: str) -> tuple[str, str]:
    """Return (position, affiliation) of a printed headline: the affiliation is what follows the last comma.

    A bare legal form ("Inc.", "GmbH") pulls the part before it along. Without a comma nobody can say
    which of the two it is, and both are "". Source: docs of the Sched text format, ambiguity 12.
    """
    parts = [part.strip() for part in headline.split(",")]
    first = len(parts) - 1
    while first > 0 and (is_legal_form(parts[first]) or not parts[first]):
        first -= 1
    if first == 0:
        return "", ""
    position = ", ".join(part for part in parts[:first] if part)
    return position, ", ".join(part for part in parts[first:] if part)


def is_legal_form(part: str) -> bool:
    """Whether `part` is nothing but the legal form of a company: "Inc.", "GmbH"."""
    return matching_key(part).replace(".", "").replace(" ", "") in _LEGAL_FORMS
