"""What the Sched text format says, by cases (tests/parsing_cases) and by damage done to an invented text."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedule.importing.formats import sched_text
from tests.parsing_case import (
    CASES,
    assert_document_or_refusal,
    assert_stops_at_its_last_line,
    damage,
    outline_of,
    problems_of,
    read_case,
    schedule_of,
)

CASE_FILES = sorted(CASES.glob("sched-text-*.txt"))
# Numbers of the ambiguities in the description of the format; 17 has three more.
AMBIGUITIES = {str(number) for number in range(1, 36)} | {"17b", "17c", "17d"}
INVENTED = read_case(CASES / "sched-text-60-whole.txt").text


@pytest.mark.parametrize("path", CASE_FILES, ids=lambda path: path.stem)
def test_a_text_is_read_as_its_case_says(path):
    case = read_case(path)
    assert outline_of(case) == case.expected


def test_every_ambiguity_of_the_format_has_a_case():
    titles = [read_case(path).title for path in CASE_FILES]
    assert {number for title in titles for number in re.findall(r"#(\d+[a-d]?)", title)} == AMBIGUITIES


@pytest.mark.parametrize("text", ["", "\n", " \n\u00a0\n\t\n", "\ufeff"])
def test_an_empty_text_is_refused_without_a_line(text):
    assert problems_of(text) == [("The text is empty. Save the schedule page again.", None)]


def test_line_ends_after_the_last_line_change_nothing():
    document = sched_text.parse(INVENTED, "a.txt")
    for end in ("\n", "\r\n", "\n\n \n"):
        longer = sched_text.parse(INVENTED + end, "a.txt")
        assert (longer.event, longer.sessions, longer.problems) == (
            document.event,
            document.sessions,
            document.problems,
        )


def test_windows_line_ends_change_nothing():
    assert sched_text.parse(INVENTED.replace("\n", "\r\n"), "a.txt") == sched_text.parse(INVENTED, "a.txt")


def test_a_text_cut_anywhere_is_refused_with_the_line_where_it_stops():
    for length in range(1, len(INVENTED)):
        assert_stops_at_its_last_line(INVENTED[:length])


def test_every_problem_and_session_names_its_source():
    document = sched_text.parse(INVENTED, "harbour.txt")
    assert {problem.source for problem in document.problems} == {"harbour.txt"}
    assert {session.source for session in document.sessions} == {"harbour.txt"}


@pytest.mark.parametrize(
    ("text", "is_recognised"),
    [
        ("Harbour Days: Full Schedule\n\n14 May", True),
        ("Loading…\n\nOars\nWednesday May 14, 2031 9:00am - 9:30am PDT\n", True),
        ("Wednesday\u00a0May 14, 2031 09:00 - 09:30 WEST", True),
        ("We meet on Wednesday May 14, 2031 09:00 - 09:30 WEST or later", False),
        ("BEGIN:VCALENDAR", False),
        ("", False),
    ],
)
def test_a_schedule_is_recognised_by_its_first_line_or_a_time_range(text, is_recognised):
    assert sched_text.recognises(text) is is_recognised


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_adamaged_text_is_a_document_or_a_refusal_and_its_problems_name_lines_that_exist(data):
    lines = INVENTED.split("\n")
    for _ in range(data.draw(st.integers(1, 4))):
        damage(lines, data.draw(st.sampled_from(["drop", "double", "swap", "cut", "join"])), data)
    assert_document_or_refusal("\n".join(lines))


@given(st.text(alphabet="ab,-&:.→ \n\u00a0") | st.lists(st.sampled_from(INVENTED.split("\n"))).map("\n".join))
@settings(max_examples=100, deadline=None)
def test_any_text_is_a_document_or_a_refusal(text):
    assert_document_or_refusal(text)


def test_a_hundred_thousand_lines_take_time_in_proportion():
    heading = "09:00 WEST\n\nOars - Ada Byron, Sea Co\n\nWednesday May 14, 2031 09:00 - 09:30 WEST\n\nTide Hall\n\n"
    person = "Speakers\n\nAda Byron\n\nSkipper, Sea Co\n\nAda rows.\n\n"
    end = "Wednesday May 14, 2031 09:00 - 09:30 WEST\nTide Hall\n\nNets\n\nAudience Level Any\n\n"
    document = sched_text.parse(schedule_of((heading + person + end) * 4500), "a.txt")
    assert (len(document.sessions), document.unclaimed_lines) == (4500, [])
