"""Comparing and naming text: the only place that says when two names are the same."""

import re
import unicodedata
from collections.abc import Container
from functools import lru_cache

from django.utils.text import slugify

# Letters that people type without their stroke or as two, and that Unicode does not decompose.
_PLAIN_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
)
_QUOTES = str.maketrans(dict.fromkeys("‘’‚‛′`´ʼ", "'") | dict.fromkeys("“”„‟″«»", '"'))
_FIRST_CYRILLIC = "\u0400"
# Into how many characters folding turns one at most: "ﷺ" is a whole sentence. Columns for keys allow for it.
LONGEST_FOLDING = 18
# Of ASCII nothing else needs folding: controls that are no white space go, the backtick is a quote.
_ASCII = dict.fromkeys(code for code in (*range(32), 127) if not chr(code).isspace()) | {ord("`"): "'"}
LONGEST_REMEMBERED = 200
MOST_REMEMBERED = 65_536
_WHITE_SPACE = re.compile(r"\s+")
# What Unicode calls ignorable and not "format": fillers and selectors of another look of a character.
_IGNORABLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")


def matching_key(text: str) -> str:
    """Fold `text` to the form in which two spellings of one name are equal.

    Width, case, accents on Latin and Greek letters, kinds of dash and quote, invisible
    characters and runs of white space make no difference; words and their order do.
    "Nicolò  Lucchesi" and "NICOLO LUCCHESI" give "nicolo lucchesi". Accents of other
    scripts stay: there they tell words apart (か and が). The folding of compatibility
    forms and case is Unicode's (NFKC_Casefold, UAX #15 and #31).
    """
    return _KEYS[text]


class _Keys(dict[str, str]):
    """Keys by text, folded when first asked for. Names and titles come again and again during an import and are
    remembered; abstracts do not."""

    def __missing__(self, text: str) -> str:
        key = _fold(text)
        if len(text) <= LONGEST_REMEMBERED:
            if len(self) >= MOST_REMEMBERED:
                self.clear()
            self[text] = key
        return key


_KEYS = _Keys()


def _fold(text: str) -> str:
    if text.isascii():
        return " ".join(text.lower().translate(_ASCII).split())
    return _WHITE_SPACE.sub(" ", fold_letters(text)).strip()


def fold_letters(text: str) -> str:
    """Fold as `matching_key` does, but leave white space where it is."""
    # Quotes go first: NFKC takes the acute accent of "O´Brien" for a blank with a mark on it.
    folded = unicodedata.normalize("NFKC", text.translate(_QUOTES)).casefold()
    spaced = _WHITE_SPACE.sub(" ", _IGNORABLE.sub("", unicodedata.normalize("NFD", folded).translate(_QUOTES)))
    letters: list[str] = []
    for character in spaced:
        category = unicodedata.category(character)
        if category in ("Cf", "Cc", "Cs"):
            continue
        if category == "Mn" and letters and _is_plain_with(letters[-1], character):
            continue
        letters.append("-" if category == "Pd" else character)
    return unicodedata.normalize("NFC", "".join(letters)).translate(_PLAIN_LETTERS)


def is_ignorable(character: str) -> bool:
    """Whether folding drops `character`, which nobody sees."""
    return unicodedata.category(character) in ("Cf", "Cc", "Cs") or bool(_IGNORABLE.match(character))


def _is_plain_with(letter: str, mark: str) -> bool:
    """Whether `letter` is read the same without `mark`: Latin and Greek always, in Cyrillic only ё as е."""
    return letter < _FIRST_CYRILLIC or (letter, mark) == ("е", "\u0308")


def one_line(text: str) -> str:
    """Return `text` with every run of white space as one blank: names and titles stand on one line."""
    return " ".join(text.split())


# Levels, languages and affiliations come again with every row.
@lru_cache(maxsize=2_000)
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
