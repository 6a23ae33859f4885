"""The lines under the track: "Audience Level Intermediate", key and value with nothing between them."""

import re
from collections import defaultdict
from collections.abc import Iterable

from schedule.importing.formats.sched_text.reading import Reading

LEVEL = "Audience Level"
LANGUAGE = "Language"
SLIDES = "Slides Attached"

# Longest first, so that "Audience Level Any" is not "Audience: Level Any".
_KNOWN = (
    "Content Experience Level",
    "Experience Level",
    LEVEL,
    SLIDES,
    "Session Slides",
    "Virtual",
    LANGUAGE,
    "Company",
    "Audience",
    "Subject",
    "Tags",
)
_KNOWN_BEGINNINGS = tuple(f"{key} " for key in _KNOWN)
_LONGEST_KEY = 3
_BULLET = re.compile("^[•·∙▪◦‣*] ?")


def has_bullet(line: str) -> bool:
    """Whether a line stands in a list: "• Audience Level Any"."""
    return _BULLET.match(line) is not None


def strip_bullet(line: str) -> str:
    """Return a line without the mark of the list it stands in."""
    return _BULLET.sub("", line, count=1)


def is_known_field(line: str) -> bool:
    """Whether a folded line begins with a field name that Sched or its organisers commonly use."""
    return line.startswith(_KNOWN_BEGINNINGS)


def is_part_of_known(line: str) -> bool:
    """Whether a folded line is the beginning of a known field name, or the name without a value."""
    return any(key.startswith(line) for key in _KNOWN)


def find_common_keys(lines: Iterable[str]) -> frozenset[str]:
    """Return the beginnings, up to three words, that differing lines of a text share: its unknown field names."""
    lines_by_key: defaultdict[str, set[str]] = defaultdict(set)
    for line in lines:
        words = line.split(" ")
        for count in range(1, min(len(words), _LONGEST_KEY + 1)):
            lines_by_key[" ".join(words[:count])].add(line)
    return frozenset(key for key, found in lines_by_key.items() if len(found) > 1)


def read_field(reading: Reading, number: int, common_keys: frozenset[str]) -> tuple[str, str]:
    """Return key and value of a field line: a known key, else one that several lines share, else all but one word."""
    line = strip_bullet(reading.one_line(number))
    known = next((key for key in _KNOWN if line.startswith(f"{key} ")), None)
    if known:
        return known, line.removeprefix(known).strip()
    words = line.split(" ")
    for count in range(min(len(words) - 1, _LONGEST_KEY), 0, -1):
        if " ".join(words[:count]) in common_keys:
            return " ".join(words[:count]), " ".join(words[count:])
    key, value = (" ".join(words[:-1]), words[-1]) if len(words) > 1 else (line, "")
    reading.warn(f'The field was split by guess: "{key}" is the name, "{value}" the value.', number)
    return key, value
