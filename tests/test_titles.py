"""What a title line and a headline say: kind, text, people, position, affiliation; and what stated dates say."""

from datetime import date

import pytest

from schedule.importing.dates import parse_stated_days, parse_stated_year, split_off_days
from schedule.importing.headlines import split_headline
from schedule.importing.titles import Kind, Mention, is_break, looks_like_name, split_kind, split_people


@pytest.mark.parametrize(
    ("title", "kind", "rest"),
    [
        ("Keynote: Low Water", Kind.KEYNOTE, "Low Water"),
        ("Sponsored Keynote: Low Water", Kind.SPONSORED_KEYNOTE, "Low Water"),
        ("lightning talk:  Low   Water", Kind.LIGHTNING_TALK, "Low Water"),
        ("Workshop : Knots", Kind.WORKSHOP, "Knots"),
        ("Panel: Whose Sea?", Kind.PANEL, "Whose Sea?"),
        ("Panel Discussion: Whose Sea?", Kind.PANEL, "Whose Sea?"),
        ("Tutorial: Knots", Kind.TUTORIAL, "Knots"),
        ("Break: Tea", Kind.BREAK, "Tea"),
        ("Social: Sunset Row", Kind.SOCIAL, "Sunset Row"),
        ("BoF: Lighthouses", Kind.OTHER, "BoF: Lighthouses"),
        ("Birds of a Feather: Gulls", Kind.OTHER, "Birds of a Feather: Gulls"),
        ("(Virtual) Lightning Talk: Wind", Kind.LIGHTNING_TALK, "(Virtual) Wind"),
        ("[SOLD OUT] Workshop: Knots", Kind.WORKSHOP, "[SOLD OUT] Knots"),
        ("Lightning Talk: Wind: From Breeze To Storm", Kind.LIGHTNING_TALK, "Wind: From Breeze To Storm"),
        ("Wind: From Breeze To Storm", Kind.TALK, "Wind: From Breeze To Storm"),
        ("My Keynote: A Memory", Kind.TALK, "My Keynote: A Memory"),
        ("Keynote Sessions To Be Announced", Kind.TALK, "Keynote Sessions To Be Announced"),
        ("Keynote:", Kind.KEYNOTE, "Keynote"),
    ],
)
def test_only_a_known_word_before_a_colon_is_a_kind(title, kind, rest):
    assert split_kind(title) == (kind, rest)


@pytest.mark.parametrize(
    ("title", "kind", "rest"),
    [
        ("Masterclass: Knots", Kind.WORKSHOP, "Knots"),
        ("[SOLD OUT] MÁSTERCLASS : Knots", Kind.WORKSHOP, "[SOLD OUT] Knots"),
        ("Unconference: Gulls", Kind.OTHER, "Unconference: Gulls"),
        ("Panel: Whose Sea?", Kind.TALK, "Whose Sea?"),
        ("Keynote: Low Water", Kind.KEYNOTE, "Low Water"),
    ],
)
def test_further_words_can_be_kinds(title, kind, rest):
    kinds = {"masterclass": "workshop", "unconference": "other", "panel": "talk"}
    assert split_kind(title, kinds) == (kind, rest)


@pytest.mark.parametrize(
    ("title", "track", "has_people", "expected"),
    [
        ("Coffee Break", "", False, True),
        ("Networking Lunch (Level 2)", "", False, True),
        ("Morning Coffee & Tea", "", False, True),
        ("Pre-Registration", "", False, True),
        ("Registration Open", "", False, True),
        ("Badge Pick-Up", "", False, True),
        ("Coffee Break sponsored by Rope Works", "", False, True),
        ("Group Photo", "Breaks", False, True),
        ("Lunch", "", True, False),
        ("What Lunch Taught Me", "", False, False),
        ("Breaking the Ice", "", False, False),
        ("The Networking Evening", "", False, False),
    ],
)
def test_a_break_has_nobody_and_says_so_in_its_title_or_track(title, track, has_people, expected):
    assert is_break(title, track, has_people) is expected


@pytest.mark.parametrize(
    ("title", "names", "text", "mentions"),
    [
        ("Oars - Ada Byron, Sea Co", ["Ada Byron"], "Oars", [("Ada Byron", "Sea Co")]),
        ("Oars - Big - Ada Byron", ["Ada Byron"], "Oars - Big", [("Ada Byron", "")]),
        ("Oars – ada byron, Sea Co", ["Ada Byron"], "Oars", [("ada byron", "Sea Co")]),
        ("Oars - Ada Byron, Sea Co", [], "Oars - Ada Byron, Sea Co", []),
        ("Oars - Ada Byron, Sea Co", ["Bob Stone"], "Oars - Ada Byron, Sea Co", []),
        ("- Ada Byron, Sea Co", ["Ada Byron"], "- Ada Byron, Sea Co", []),
        ("Oars", ["Ada Byron"], "Oars", []),
        ("Oars [Full] - Ada Byron, Sea Co", ["Ada Byron"], "Oars [Full]", [("Ada Byron", "Sea Co")]),
        ("Oars - Ada Byron, Sea Co [Full, Fee]", ["Ada Byron"], "Oars [Full, Fee]", [("Ada Byron", "Sea Co")]),
        ("Oars - Sea Co [Full, Fee]", ["Ada Byron"], "Oars - Sea Co [Full, Fee]", []),
        (
            "Oars - Ada Byron, Bob Stone & Cy Reed, Sea Co",
            ["Cy Reed", "Ada Byron", "Bob Stone"],
            "Oars",
            [("Ada Byron", "Sea Co"), ("Bob Stone", "Sea Co"), ("Cy Reed", "Sea Co")],
        ),
        (
            "Oars - Ada Byron and Bob Stone, Research & Development, Sea and Air Co",
            ["Ada Byron", "Bob Stone"],
            "Oars",
            [
                ("Ada Byron", "Research & Development, Sea and Air Co"),
                ("Bob Stone", "Research & Development, Sea and Air Co"),
            ],
        ),
        (
            "Oars - Ada Byron, Skipper,Sea Co, Bob Stone, Galley - Lisbon",
            ["Ada Byron", "Bob Stone"],
            "Oars",
            [("Ada Byron", "Skipper,Sea Co"), ("Bob Stone", "Galley - Lisbon")],
        ),
        (
            "Oars - Sam Rook, Jr., Sea Co & Ada Byron",
            ["Sam Rook, Jr.", "Ada Byron"],
            "Oars",
            [("Sam Rook, Jr.", "Sea Co"), ("Ada Byron", "")],
        ),
        (
            "Oars - Edward Teach & Ada Byron, Sea Co",
            ["Ed Teach", "Ada Byron"],
            "Oars",
            [("Edward Teach", "Sea Co"), ("Ada Byron", "Sea Co")],
        ),
        (
            "Oars - Dan Pike, Fish & Ada Byron, Sea Co",
            ["Ada Byron"],
            "Oars",
            [("Dan Pike", "Fish"), ("Ada Byron", "Sea Co")],
        ),
        (
            "Oars - Ada Byron, Sea Co & Dan Pike, Fish",
            ["Ada Byron"],
            "Oars",
            [("Ada Byron", "Sea Co"), ("Dan Pike", "Fish")],
        ),
    ],
)
def test_the_text_ends_where_a_name_of_the_section_begins(title, names, text, mentions):
    assert split_people(title, names) == (text, [Mention(*mention) for mention in mentions])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada Byron", True),
        ("Jan van der Meer", True),
        ("Sam Rook Jr.", True),
        ("Ana María de la Cruz", True),
        ("Ada", False),
        ("ada byron", False),
        ("Deckhand on Boats", False),
        ("Skipper, Sea Co", False),
        ("Ada Byron rows.", False),
        ("Route 66 Riders", False),
    ],
)
def test_a_name_is_two_to_five_words_with_capitals(text, expected):
    assert looks_like_name(text) is expected


@pytest.mark.parametrize(
    ("headline", "position", "affiliation"),
    [
        ("Skipper, Sea Co", "Skipper", "Sea Co"),
        ("Head of Winds, Tides and Waves, Sea Co", "Head of Winds, Tides and Waves", "Sea Co"),
        ("Skipper, Sea Co, Inc.", "Skipper", "Sea Co, Inc."),
        ("Skipper, Sea Co, Pty, Ltd", "Skipper", "Sea Co, Pty, Ltd"),
        ("Skipper, Seewerft, GmbH", "Skipper", "Seewerft, GmbH"),
        ("Sea Co, Inc.", "", ""),
        ("Skipper,Sea Co", "Skipper", "Sea Co"),
        ("Skipper,", "", ""),
        ("Skipper at Sea Co", "", ""),
        ("", "", ""),
    ],
)
def test_the_affiliation_follows_the_last_comma_with_its_legal_form(headline, position, affiliation):
    assert split_headline(headline) == (position, affiliation)


@pytest.mark.parametrize(
    ("text", "days", "year"),
    [
        ("7-8 April, 2025", ((4, 7), (4, 8)), 2025),
        ("May 10-12, 2023", ((5, 10), (5, 12)), 2023),
        ("June 24–26, 2019", ((6, 24), (6, 26)), 2019),
        ("October 23-26, 2017 - Prague, Czech Republic", ((10, 23), (10, 26)), 2017),
        ("October 4-6 in Berlin, Germany", ((10, 4), (10, 6)), None),
        ("November 12-15", ((11, 12), (11, 15)), None),
        ("May 19 - 20 | In-Person Only", ((5, 19), (5, 20)), None),
        ("Tuesday, September 10 - Thursday, September 12, 2024", ((9, 10), (9, 12)), 2024),
        ("Monday, 8 September - Wednesday, 10 September, 2025", ((9, 8), (9, 10)), 2025),
        ("30th April to 2nd May", ((4, 30), (5, 2)), None),
        ("Sept 3", ((9, 3), (9, 3)), None),
        ("February 30", None, None),
        ("8-7 April", None, None),
        ("Paris, France", None, None),
        ("2025", None, 2025),
        ("", None, None),
    ],
)
def test_stated_days_are_read_in_the_year_of_the_sessions(text, days, year):
    expected = tuple(date(2031, month, day) for month, day in days) if days else None
    assert (parse_stated_days(text, 2031), parse_stated_year(text)) == (expected, year)


def test_stated_days_may_cross_a_new_year():
    assert parse_stated_days("December 30 - January 2", 2031) == (date(2031, 12, 30), date(2032, 1, 2))


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("7-8 April, 2025", []),
        ("October 23-26, 2017 - Prague, Czech Republic", ["Prague, Czech Republic"]),
        ("October 4-6 in Berlin, Germany", ["Berlin, Germany"]),
        ("May 19 - 20 | In-Person Only", ["In-Person Only"]),
        ("Porto, Portugal | Monday, 8 September - Wednesday, 10 September, 2025", ["Porto, Portugal"]),
        ("Paris, France", []),
    ],
)
def test_what_stands_beside_stated_days_is_split_off(text, sides):
    assert split_off_days(text) == sides
