"""The mark of a track: its two-letter code, its row in the palette and its form (look.md §3). Pure."""

import re
import unicodedata
from collections.abc import Container
from string import ascii_uppercase

PALETTE_ROWS = 12
FORMS = ("solid", "outlined", "pill", "outlined-pill")
# Two hues closer than this can't be told apart, so the later track takes the next form.
NEAR_HUES = 12

_SMALL_WORDS = {"of", "the", "for"}
_PAIR = re.compile(r"\s*(?:&|\band\b)\s*", re.IGNORECASE)
_WORD = re.compile(r"\w+")


def make_code(name: str, taken: Container[str]) -> str:
    """Return a code of 1 to 3 capital letters or digits for the track `name` that is not in `taken`.

    "Responsible AI & Compliance" gives "RC", "Training Systems" "TS", "Community" "CO"; on a clash
    the first letter goes with each next letter of the name, then with a digit.
    """
    name = unicodedata.normalize("NFKC", name).upper()
    letters = [c for c in name if c.isalnum()] or ["X"]
    candidates = [_plain_code(name) or letters[0]]
    candidates += [letters[0] + letter for letter in letters[1:]]
    candidates += [f"{letters[0]}{number}" for number in range(2, 100)]
    # More than a hundred tracks of one initial: any code is better than none.
    candidates += [f"{letter}{number}" for letter in ascii_uppercase for number in range(100)]
    return next(code for code in candidates if code not in taken)


def _plain_code(name: str) -> str:
    left, *rest = _PAIR.split(name, maxsplit=1)
    sides = [_WORD.findall(left), _WORD.findall(rest[0]) if rest else []]
    if all(sides):
        return sides[0][0][0] + sides[1][0][0]
    words = _WORD.findall(name)
    telling = [word for word in words if word.lower() not in _SMALL_WORDS] or words
    if len(telling) > 1:
        return telling[0][0] + telling[1][0]
    return telling[0][:2] if telling else ""


def find_form(position: int, hue: int | None, earlier_hues: list[int]) -> int:
    """Return the index in FORMS for the track at `position` (1-based, the organiser's order).

    Without a hue of its own a track takes the palette's, and the form changes every 12 tracks.
    With one, the form counts the earlier tracks with a hue of their own that is too near.
    """
    if hue is None:
        return (position - 1) // PALETTE_ROWS % len(FORMS)
    near = sum(1 for other in earlier_hues if min((hue - other) % 360, (other - hue) % 360) < NEAR_HUES)
    return near % len(FORMS)
