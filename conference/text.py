"""Comparing and naming text: the only place that says when two names are the same."""

import re
import unicodedata
from collections.abc import Container

from django.utils.text import slugify

# Letters that people type without their stroke or as two, and that Unicode does not decompose.
_PLAIN_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ё": "е"}
)
_QUOTES = str.maketrans(dict.fromkeys("‘’‚‛′`´ʼ", "'") | dict.fromkeys("“”„‟″«»", '"'))
_FIRST_CYRILLIC = "\u0400"
_WHITE_SPACE = re.compile(r"\s+")


def matching_key(text: str) -> str:
    """Fold `text` to the form in which two spellings of one name are equal.

    Width, case, accents on Latin and Greek letters, kinds of dash and quote, invisible
    characters and runs of white space make no difference; words and their order do.
    "Nicolò  Lucchesi" and "NICOLO LUCCHESI" give "nicolo lucchesi". Accents of other
    scripts stay: there they tell words apart (か and が). The folding of compatibility
    forms and case is Unicode's (NFKC_Casefold, UAX #15 and #31).
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    letters: list[str] = []
    for character in unicodedata.normalize("NFD", folded):
        category = unicodedata.category(character)
        if category in ("Cf", "Cc", "Cs") and not character.isspace():
            continue
        if category == "Mn" and letters and letters[-1] < _FIRST_CYRILLIC:
            continue
        letters.append("-" if category == "Pd" else character)
    plain = unicodedata.normalize("NFC", "".join(letters)).translate(_PLAIN_LETTERS).translate(_QUOTES)
    return _WHITE_SPACE.sub(" ", plain).strip()


def make_slug(text: str) -> str:
    """Return a readable part of a URL for `text`, without accents; "" when nothing readable is left."""
    return slugify(matching_key(text), allow_unicode=True)[:60].strip("-")


def unique_slug(text: str, taken: Container[str], fallback: str) -> str:
    """Return a slug of `text` that is not in `taken`: "talk", "talk-2", "talk-3" …

    `fallback` is the word used for a text without any letter or digit.
    """
    stem = make_slug(text) or fallback
    slug, number = stem, 1
    while slug in taken:
        number += 1
        slug = f"{stem}-{number}"
    return slug
