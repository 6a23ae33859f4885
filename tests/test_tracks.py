"""The mark of a track: its code of two letters and its form (look.md §3)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conference.tracks import FORMS, find_form, make_code


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Inference & Production", "IP"),
        ("Frameworks & Compilers", "FC"),
        ("Training Systems", "TS"),
        ("Keynote Sessions", "KS"),
        ("Agents & Interop AI", "AI"),
        ("Applications & Case Studies", "AC"),
        ("GenAI & Multimodal", "GM"),
        ("Responsible AI & Compliance", "RC"),
        ("Security & Privacy", "SP"),
    ],
)
def test_the_tracks_of_the_real_conference_have_the_codes_that_the_design_gives_them(name, code):
    assert make_code(name, set()) == code


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Boats and Nets", "BN"),
        ("boats AND nets", "BN"),
        ("Old Boats&New Nets", "ON"),
        ("Brandy Sandbanks", "BS"),
        ("The Art of Knots", "AK"),
        ("For the Love of It", "LI"),
        ("Of the", "OT"),
        ("Community", "CO"),
        ("X", "X"),
        ("& Company", "CO"),
        ("Tide/Wave", "TW"),
        ("3D Charts", "3C"),
        ("Ökologie", "ÖK"),
        ("O\u0308kologie", "ÖK"),
        ("ﬁsh ﬂoats", "FF"),
        ("ßtrand ßand", "SS"),
        ("海と 船", "海船"),
        ("!?", "X"),
    ],
)
def test_a_code_is_one_letter_of_each_side_or_of_two_telling_words_or_the_first_two(name, code):
    assert make_code(name, set()) == code


def test_on_a_clash_the_first_letter_goes_with_each_next_letter_and_then_with_a_digit():
    taken: set[str] = set()
    codes = []
    for _ in range(6):
        codes.append(make_code("Wind Sea", taken))
        taken.add(codes[-1])
    assert codes == ["WS", "WI", "WN", "WD", "WE", "WA"]
    assert make_code("Wind Sea", taken) == "W2"
    assert make_code("Wind Sea", taken | {"W2", "W3"}) == "W4"
    assert make_code("!?", {"X"}) == "X2"


@given(st.lists(st.text(min_size=1, max_size=30), max_size=20))
def test_codes_are_unique_and_have_one_to_three_characters(names):
    taken: set[str] = set()
    for name in names:
        code = make_code(name, taken)
        assert (code in taken, 1 <= len(code) <= 3) == (False, True)
        taken.add(code)


def test_the_form_changes_after_every_12_tracks_and_repeats_after_48():
    forms = [FORMS[find_form(position, None, [])] for position in (1, 12, 13, 24, 25, 36, 37, 48, 49)]
    assert forms == [
        *("solid", "solid", "outlined", "outlined", "pill", "pill", "outlined-pill", "outlined-pill"),
        "solid",
    ]


@pytest.mark.parametrize(
    ("hue", "earlier", "form"),
    [
        (100, [], "solid"),
        (100, [112], "solid"),
        (100, [88], "solid"),
        (100, [111], "outlined"),
        (100, [89], "outlined"),
        (5, [355], "outlined"),
        (355, [5], "outlined"),
        (355, [7], "solid"),
        (100, [100, 105, 300], "pill"),
        (100, [95, 100, 105], "outlined-pill"),
        (100, [95, 100, 105, 110], "solid"),
    ],
)
def test_a_hue_of_its_own_within_12_degrees_of_an_earlier_one_takes_the_next_form(hue, earlier, form):
    assert FORMS[find_form(30, hue, earlier)] == form
