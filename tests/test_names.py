"""How people's names are ordered, found in an index and shortened."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from speakers.index import build_index, build_letters
from speakers.names import find_letter, make_initials, make_sort_name


@pytest.mark.parametrize(
    ("name", "sort_name"),
    [
        ("Ada Winter", "Winter, Ada"),
        ("Ada Maria Winter", "Winter, Ada Maria"),
        ("Jan van Lunteren", "van Lunteren, Jan"),
        ("Maria de la Cruz", "de la Cruz, Maria"),
        ("Jan Van Der Berg", "Van Der Berg, Jan"),
        ("Jacob van 't Hoff", "van 't Hoff, Jacob"),
        ("Jacob van ’t Hoff", "van ’t Hoff, Jacob"),
        ("Ludwig von Au", "von Au, Ludwig"),
        ("Yann Le Bihan", "Le Bihan, Yann"),
        ("Van Nguyen", "Nguyen, Van"),
        ("Ada Winter Jr.", "Winter Jr., Ada"),
        ("Ada Winter, PhD", "Winter PhD, Ada"),
        ("Ada Winter III", "Winter III, Ada"),
        ("Plato", "Plato"),
        ("  Plato ", "Plato"),
        ("Ada  Winter", "Winter, Ada"),
        ("王小明", "王小明"),
        ("Ada Winter (Harbour)", "Ada Winter (Harbour)"),
        ("Jr.", "Jr."),
        ("", ""),
    ],
)
def test_a_name_is_sorted_by_family_name_with_its_particles(name, sort_name):
    assert make_sort_name(name) == sort_name


@given(st.text())
def test_sorting_a_name_loses_no_word(name):
    def words(text):
        return sorted(text.replace(",", " ").split())

    assert words(make_sort_name(name)) == words(name)


@pytest.mark.parametrize(
    ("sort_name", "letter"),
    [
        ("Winter, Ada", "W"),
        ("van Lunteren, Jan", "V"),
        ("Ødegård, Liv", "O"),
        ("Łukasik, Ewa", "L"),
        ("Ærø, Bo", "A"),
        ("ßand, Bo", "S"),
        ("'t Hooft, Jan", "T"),
        ("Алексеев, Пётр", "А"),
        ("Йонов, Пётр", "Й"),
        ("王小明", "王"),
        ("3Jane", "J"),
        ("404", "#"),
        ("", "#"),
    ],
)
def test_a_name_stands_under_its_first_letter_without_accents(sort_name, letter):
    assert find_letter(sort_name) == letter


@pytest.mark.parametrize(
    ("name", "initials"),
    [
        ("Ada Winter", "AW"),
        ("Ada Maria van Winter", "AW"),
        ("Plato", "P"),
        ("élodie öst", "ÉÖ"),
        ("Ada (Harbour)", "A"),
        ("ßo ﬁn", "SF"),
        ("王小明", "王"),
        ("404", "?"),
        ("", "?"),
    ],
)
def test_initials_are_those_of_the_first_and_the_last_word(name, initials):
    assert make_initials(name) == initials


def test_the_index_has_each_letter_once_and_under_it_the_people_in_order_with_their_rows():
    hooft = SimpleNamespace(pk=1, sort_name="'t Hooft, Jan")
    number = SimpleNamespace(pk=2, sort_name="404")
    tamm, alm, oe = (
        SimpleNamespace(pk=pk, sort_name=name) for pk, name in ((3, "Tamm, Bo"), (4, "Alm, Bo"), (5, "Ön, Bo"))
    )
    rows = [_row(4, 3), _row(3), _row()]
    groups = build_index([hooft, number, alm, oe, tamm], SimpleNamespace(rows=rows))
    assert [(group.letter, [(entry.speaker, entry.rows) for entry in group.entries]) for group in groups] == [
        ("#", [(number, [])]),
        ("A", [(alm, [rows[0]])]),
        ("O", [(oe, [])]),
        ("T", [(hooft, []), (tamm, [rows[0], rows[1]])]),
    ]
    letters = build_letters(groups)
    assert "".join(letter for letter, _has_people in letters) == "ABCDEFGHIJKLMNOPQRSTUVWXYZ#"
    assert [letter for letter, has_people in letters if has_people] == ["A", "O", "T", "#"]


def _row(*speaker_ids):
    links = [SimpleNamespace(speaker_id=pk) for pk in speaker_ids]
    return SimpleNamespace(session=SimpleNamespace(session_speakers=SimpleNamespace(all=lambda: links)))
