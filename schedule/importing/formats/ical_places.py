"""The locations of a calendar: "Hall, Porto, Portugal" in every event is a room and the place of them all. Pure."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from conference.text import matching_key
from schedule.importing.formats.entries import read_line
from schedule.importing.zones import find_zone

# What share of the events with a location must have the same end, and how many there must be at least.
_SHARE = 0.9
_FEWEST = 3
_LONGEST_TAIL = 5


@dataclass(frozen=True, slots=True)
class Places:
    """What the locations have in common: their end, by matching keys, and the city and country in it."""

    tail: tuple[str, ...] = ()
    city: str = ""
    country: str = ""

    def room_of(self, location: str) -> str:
        """Return a location without the common end."""
        parts = split_location(location)
        count = len(self.tail)
        if count and len(parts) > count and tuple(matching_key(part) for part in parts[-count:]) == self.tail:
            parts = parts[:-count]
        return ", ".join(parts)


def split_location(location: str) -> list[str]:
    return [part for part in (part.strip() for part in read_line(location).split(",")) if part]


def find_places(locations: Iterable[str]) -> Places:
    """Return the end that (nearly) all locations share. Where they are all one, only a known city and country
    is an end: nobody can tell a floor from a town."""
    found = [parts for location in locations if (parts := split_location(location))]
    if not found:
        return Places()
    tail = _find_tail(found)
    city, country = _find_city(tail)
    keys = {tuple(matching_key(part) for part in parts) for parts in found}
    if len(keys) == 1 or len(found) < _FEWEST:
        if not city:
            return Places()
        tail = tail[tail.index(city) :]
    return Places(tuple(matching_key(part) for part in tail), city, country)


def _find_tail(found: list[list[str]]) -> list[str]:
    """Return the longest common end that leaves every location a room."""
    tail: list[str] = []
    while len(tail) < _LONGEST_TAIL:
        count = len(tail) + 1
        ends = Counter(tuple(matching_key(part) for part in parts[-count:]) for parts in found if len(parts) > count)
        end, events = ends.most_common(1)[0] if ends else ((), 0)
        if events < len(found) * _SHARE:
            break
        tail = next(p[-count:] for p in found if tuple(matching_key(part) for part in p[-count:]) == end)
    return tail


def _find_city(tail: list[str]) -> tuple[str, str]:
    """Return city and country in a common end: "Salt Lake City, UT, USA"; "" and "" if they are not known."""
    for part in tail[:-1]:
        if find_zone(part, tail[-1]):
            return part, tail[-1]
    return "", ""
