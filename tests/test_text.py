"""When two names are the same, and which part of an address a name becomes."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from conference.text import _fold, make_slug, matching_key, unique_slug


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Nicolò Conti", "nicolo conti"),
        ("NICOLO  CONTI", "nicolo conti"),
        (unicodedata.normalize("NFD", "Zoë Ångström"), "zoe angstrom"),
        ("Ｆｕｌｌ Ｗｉｄｔｈ", "full width"),
        ("ﬁsh", "fish"),
        ("Weiß", "weiss"),
        ("WEIẞ", "weiss"),
        ("Søren Ærø", "soren aero"),
        ("Łukasz Żółty", "lukasz zolty"),
        ("Đặng Þór Œuvre", "dang thor oeuvre"),
        ("İzmir ışık", "izmir isik"),
        ("Ἀθῆναι", "αθηναι"),
        ("ΟΔΥΣΣΕΎΣ", "οδυσσευσ"),
        ("Алёна", "алена"),
        ("Андрей", "андрей"),
        ("Low–Water", "low-water"),
        ("Low—Water", "low-water"),
        ("Low‑Water", "low-water"),
        ("O’Brien", "o'brien"),
        ("O´Brien", "o'brien"),
        ("O`Brien", "o'brien"),
        ("“Knots” «Sails» 12″", '"knots" "sails" 12"'),
        ("Low\u200bWa\u00adter\ufeff", "lowwater"),
        ("⚓\ufe0f Harbour", "⚓ harbour"),
        ("Low\u00a0\t\n Water ", "low water"),
        ("", ""),
        ("\u200b\u200d\u3164", ""),
    ],
)
def test_a_key_is_blind_to_case_width_accents_dashes_quotes_and_what_nobody_sees(text, key):
    assert matching_key(text) == key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("か", "が"),
        ("ハ", "パ"),
        ("й", "и"),
        ("їжак", "іжак"),
        ("Low Water", "Water Low"),
        ("Low Water", "LowWater"),
        ("C", "C++"),
        ("C#", "C++"),
        ("कि", "क"),
    ],
)
def test_a_key_keeps_apart_what_are_different_words(one, other):
    assert matching_key(one) != matching_key(other)


@pytest.mark.parametrize("word", ["が", "パ", "й", "ї", "한글", "ก็"])
def test_a_key_is_the_same_for_composed_and_decomposed_text(word):
    assert matching_key(unicodedata.normalize("NFD", word)) == matching_key(unicodedata.normalize("NFC", word)) == word


tricky = st.text(alphabet=st.sampled_from("aßøıİéеёи\u0301\u0308\u0306\u3099か“‘´″‴\u200d\ufe0f\u034f –ﬁǽΣ\u1680"))


@given(st.one_of(st.text(), tricky))
@example("“\u0301")
@example("е“\u0308")
@example("ё\u0308")
@example("е\u1680\u0308")
def test_the_key_of_a_key_is_itself(text):
    assert matching_key(matching_key(text)) == matching_key(text)


@given(st.one_of(st.text(), tricky))
def test_a_slug_is_short_and_has_letters_digits_and_single_marks_only(text):
    slug = make_slug(text)
    assert (len(slug) <= 60, slug.strip("-")) == (True, slug)
    assert all(unicodedata.category(character)[0] in "LN" or character in "-_" for character in slug)


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Low Water: What Remains?", "low-water-what-remains"),
        ("Nicolò & Łukasz – Straße", "nicolo-lukasz-strasse"),
        ("../../etc/passwd", "etcpasswd"),
        ("低い水", "低い水"),
        ("Низкая вода", "низкая-вода"),
        ("C++", "c"),
        ("!?", ""),
        ("🌊", ""),
        ("wave " * 30, "wave-wave-wave-wave-wave-wave-wave-wave-wave-wave-wave-wave"),
    ],
)
def test_a_slug_is_readable_and_nothing_when_there_is_nothing_to_read(text, slug):
    assert make_slug(text) == slug


def test_a_slug_that_is_taken_gets_the_next_free_number():
    assert unique_slug("Low Water", set(), "talk") == "low-water"
    assert unique_slug("Low Water", {"low-water"}, "talk") == "low-water-2"
    assert unique_slug("Low Water", {"low-water", "low-water-2", "low-water-4"}, "talk") == "low-water-3"


def test_a_text_without_a_letter_takes_the_word_for_its_kind():
    assert unique_slug("!?", set(), "room") == "room"
    assert unique_slug("!?", {"room"}, "room") == "room-2"


@given(st.text(alphabet=st.characters(max_codepoint=127)))
def test_plain_text_is_folded_the_same_on_the_short_way(text):
    assert matching_key(text) == _fold(text)
