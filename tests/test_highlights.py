"""Marking what was searched: in folded text, at the right places of the text as it is written."""

import html
import re
from itertools import pairwise

import pytest
from django.template import Context, Template
from django.utils.html import conditional_escape
from hypothesis import given
from hypothesis import strategies as st

from conference.highlights import find_excerpt, find_terms, fold_with_places
from conference.text import matching_key

TEXTS = st.text(max_size=40) | st.text(alphabet="aAeéßﬁı İŞşσςΣκ́̈ㄱ가각ｶﾞェ½Ⅷ…´`’–\u00ad\u200d\u3000\tðØ", max_size=30)


def marked(text: str, query: str) -> list[str]:
    """The parts of `text` that a search for `query` marks."""
    return [text[start:end] for start, end in find_terms(text, matching_key(query).split())]


@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        ("Mesut Özil", "ozil", ["Özil"]),
        ("Mesut O\u0308zil plays", "özil", ["O\u0308zil"]),
        ("STRASSE und Straße", "strasse", ["STRASSE", "Straße"]),
        ("Größe", "s", ["ß"]),
        ("Ｆｕｌｌ width", "full", ["Ｆｕｌｌ"]),
        ("The ﬁrst ofﬁce", "fi", ["ﬁ", "ﬁ"]),
        ("Ørsted & Łódź", "orsted lodz", ["Ørsted", "Łódź"]),
        ("O’Brien", "o'brien", ["O’Brien"]),
        ("re–entry", "re-entry", ["re–entry"]),
        ("hyp\u00adhen", "hyphen", ["hyp\u00adhen"]),
        ("ガイド", "ガ", ["ガ"]),
        ("ｶﾞｲﾄﾞ", "ガイド", ["ｶﾞｲﾄﾞ"]),
        ("\u1100\u1161 word", "가", ["\u1100\u1161"]),
        ("GPU gpu Gpu", "gpu", ["GPU", "gpu", "Gpu"]),
        ("banana", "ana", ["anana"]),
        ("PyTorch", "torch py", ["PyTorch"]),
        ("two\n\twords", "two words", ["two", "words"]),
        ("nothing here", "other", []),
        ("nothing asked", "", []),
    ],
)
def test_a_term_marks_what_a_reader_takes_for_it(text, query, expected):
    assert marked(text, query) == expected


@given(TEXTS)
def test_the_text_folded_piece_by_piece_is_its_matching_key(text):
    folded, places = fold_with_places(text)
    assert (folded.strip(), len(places)) == (matching_key(text), len(folded))


@given(TEXTS, st.integers(0, 40), st.integers(1, 6))
def test_every_part_of_a_text_is_found_in_it_and_every_place_holds_it(text, start, length):
    term = matching_key(text)[start : start + length]
    terms = term.split()
    spans = find_terms(text, terms)
    assert bool(spans) == bool(terms)
    assert spans == sorted(spans)
    assert all(any(term in matching_key(text[a:b]) for term in terms) for a, b in spans)
    assert all(before[1] < after[0] for before, after in pairwise(spans))


@given(TEXTS | st.text(alphabet="a<>&\"' ", max_size=20), st.sampled_from(["a", "<", "&", "amp", "lt"]))
def test_marks_take_nothing_from_the_text_and_let_no_markup_in(text, term):
    printed = Template("{{ text|marked:terms }}").render(Context({"text": text, "terms": (term,)}))
    plain = re.sub("</?mark>", "", printed)
    assert html.unescape(plain) == html.unescape(conditional_escape(text))
    assert "<" not in plain


def test_without_terms_a_text_is_printed_as_ever():
    assert Template("{{ text|marked:terms }}").render(Context({"text": "a < b", "terms": ()})) == "a &lt; b"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A short text on tides.", "A short text on tides."),
        (
            "Grains of sand " * 8 + "under the tides of\nthe moon and " + "many other words " * 9,
            "…of sand Grains of sand Grains of sand under the tides of the moon and many other words many other words "
            "many other words many other words many…",
        ),
        ("x" * 200 + "tides" + "y" * 200, "…tides…"),
        ("Nothing.", ""),
    ],
)
def test_an_excerpt_shows_the_words_around_the_first_place(text, expected):
    assert find_excerpt(text, ["tides"]) == expected
