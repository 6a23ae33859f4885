"""The language of the programme's own texts, which stay as they are on pages in any language."""

import re
from functools import cache

from babel import Locale
from django.core.exceptions import ValidationError
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from conference.text import matching_key

# BCP 47, as far as pages need it: language, script, region.
_TAG = re.compile(r"[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?")
# Languages in which organisers name languages.
_NAMED_IN = ("en", "fr", "de", "es", "it", "pt", "nl", "pl", "ja", "zh", "ru", "ar")


def validate_language(tag: str) -> None:
    """Refuse what is no language tag ("fr", "pt-BR")."""
    if not _TAG.fullmatch(tag):
        raise ValidationError(_("“%(tag)s” is not a language. Examples: en, fr, pt-BR."), params={"tag": tag})


def find_language(text: str) -> str:
    """Return the code of the language that `text` names, as "de" for "de", "German" or "Deutsch"; "" if it is none."""
    return _codes_by_name().get(matching_key(text), "")


@cache
def _codes_by_name() -> dict[str, str]:
    codes: dict[str, str] = {}
    for locale in map(Locale.parse, _NAMED_IN):
        for code, name in locale.languages.items():
            if len(code) == 2:
                codes.setdefault(matching_key(name), code)
    own = {code: Locale.parse(code).languages.get(code, "") for code in _NAMED_IN}
    return codes | {matching_key(name): code for code, name in own.items() if name} | {c: c for c in codes.values()}


def lang_attributes(tag: str) -> SafeString | str:
    """Return the attributes of an element whose text is in the language `tag`; nothing if the page is in it as well."""
    if not tag or tag.split("-")[0] == (get_language() or "").split("-")[0]:
        return ""
    return format_html(' lang="{}" dir="auto"', tag)
