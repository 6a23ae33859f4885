"""What the Sched text format says, by cases (tests/parsing_cases) and by damage done to an invented text."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedule.importing.decoding import decode_text
from schedule.importing.document import ReadOptions, ScheduleRefused
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
from tests.seeds import SEEDS

CASE_FILES = sorted(CASES.glob("sched-text-*.txt"))
# Numbers of the ambiguities in the description of the format; 17 has three more.
AMBIGUITIES = {str(number) for number in range(1, 36)} | {"17b", "17c", "17d"}
INVENTED = read_case(CASES / "sched-text-60-whole.txt").text
RENDERED = read_case(CASES / "sched-text-70-rendered-new.txt").text
RENDERED_OLD = read_case(CASES / "sched-text-71-rendered-old.txt").text
PAGES = SEEDS.parent / "samples" / "sched-pages"
PARTIAL = ReadOptions(is_partial_allowed=True)


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


def test_of_a_text_cut_anywhere_the_whole_sessions_are_read_if_a_part_is_wanted():
    whole = sched_text.parse(INVENTED, "a.txt")
    counts = set()
    for length in range(1, len(INVENTED)):
        try:
            document = sched_text.parse(INVENTED[:length], "a.txt", PARTIAL)
        except ScheduleRefused:
            continue
        counts.add(len(document.sessions))
        assert (document.sessions, document.is_whole) == (whole.sessions[: len(document.sessions)], False)
        assert document.unclaimed_lines == []
    assert counts == {1, 2, 3}


@pytest.mark.parametrize("text", [RENDERED, RENDERED_OLD], ids=["two ranges", "one range"])
def test_a_rendered_page_cut_after_any_line_before_its_last_time_is_refused_with_the_line_where_it_stops(text):
    lines = text.split("\n")
    roles = sched_text.parse(text, "a.txt").line_roles
    ends_of_sessions = {"range", "room", "track", "field"}
    for count in range(1, len(roles) - roles[::-1].index("range") - 1):
        last = max(n for n in range(count) if roles[n] != "blank" or n == 0)
        if roles[last] not in ends_of_sessions or roles[last - 1] == "title":
            assert_stops_at_its_last_line("\n".join(lines[:count]))


@pytest.mark.parametrize("text", [RENDERED, RENDERED_OLD], ids=["two ranges", "one range"])
def test_of_a_rendered_page_cut_anywhere_only_whole_sessions_are_read_if_a_part_is_wanted(text):
    whole = sched_text.parse(text, "a.txt")
    for length in range(1, len(text)):
        try:
            document = sched_text.parse(text[:length], "a.txt", PARTIAL)
        except ScheduleRefused:
            continue
        read = [(session.title, session.abstract, session.people) for session in document.sessions]
        assert read == [(s.title, s.abstract, s.people) for s in whole.sessions[: len(read)]]
        assert set(document.unclaimed_lines) <= {problem.line for problem in document.problems}


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
        ("Low Water\nThe Sched app allows you to plan.", True),
        ("BEGIN:VCALENDAR", False),
        ("", False),
    ],
)
def test_a_schedule_is_recognised_by_its_head_or_a_time_range(text, is_recognised):
    assert sched_text.recognises(text) is is_recognised


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_a_damaged_text_is_a_document_or_a_refusal_and_its_problems_name_lines_that_exist(data):
    lines = INVENTED.split("\n")
    for _ in range(data.draw(st.integers(1, 4))):
        damage(lines, data.draw(st.sampled_from(["drop", "double", "swap", "cut", "join"])), data)
    assert_document_or_refusal("\n".join(lines))


@given(st.data(), st.sampled_from([RENDERED, RENDERED_OLD]), st.booleans())
@settings(max_examples=200, deadline=None)
def test_a_damaged_rendered_page_is_a_document_or_a_refusal(data, text, is_partial_allowed):
    lines = text.split("\n")
    for _ in range(data.draw(st.integers(1, 4))):
        damage(lines, data.draw(st.sampled_from(["drop", "double", "swap", "cut", "join"])), data)
    assert_document_or_refusal("\n".join(lines), ReadOptions(is_partial_allowed))


@given(st.lists(st.sampled_from((RENDERED + RENDERED_OLD + INVENTED).split("\n"))).map("\n".join), st.booleans())
@settings(max_examples=200, deadline=None)
def test_any_lines_of_pages_are_a_document_or_a_refusal(text, is_partial_allowed):
    assert_document_or_refusal(text, ReadOptions(is_partial_allowed))


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


@pytest.mark.parametrize("first_range", ["Wednesday May 14, 2031 9:00am - 9:30am PDT\n", ""])
def test_a_hundred_thousand_lines_of_a_rendered_page_take_time_in_proportion(first_range):
    head = f"9:00am PDT\n\nOars - Ada Byron, Sea Co\n{first_range}Row.\n\n8:00\n\nBow\n\n"
    person = "Speakers\navatar for Ada Byron\n\nAda Byron\n\nSkipper, Sea Co\nAda rows.\n\n\n"
    end = "Wednesday May 14, 2031 9:00am - 9:30am PDT\nTide Hall\n\u00a0 Nets\n  • Audience Level Any\n\n"
    document = sched_text.parse("Loading…\n" + (head + person + end) * 4500, "a.txt")
    assert (len(document.sessions), document.unclaimed_lines) == (4500, [])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_half_a_character_at_the_end_is_dropped_if_a_part_is_wanted(encoding):
    data = "Ebbe → Flut →".encode(encoding)[:-1]
    with pytest.raises(ScheduleRefused):
        decode_text(data, "a.txt")
    assert decode_text(data, "a.txt", is_partial_allowed=True) == "Ebbe → Flut "


def test_prefixes_of_titles_that_the_importer_is_told_are_kinds():
    text = RENDERED.replace("Workshop: Knots", "Master Class : Knots")
    kinds = [
        [str(session.kind) for session in sched_text.parse(text, "a.txt", options).sessions]
        for options in (ReadOptions(), ReadOptions(kinds={"master class": "workshop"}))
    ]
    assert kinds == [["break", "keynote", "talk"], ["break", "keynote", "workshop"]]


@pytest.mark.parametrize(
    ("page", "sessions", "unclaimed", "last_line"),
    [
        ("cppcon2019-full", 1, [], 40),
        ("graphqlconf2024-pdt-tba-breaks", 2, [8], 35),
        ("kccncna2024-1113-venue-grand-ballroom", 0, [], 18),
        ("mcpdevsummitna26-0403-day-unfiltered", 1, [], 49),
        ("osseu2020-gmt-empty-heading-no-room", 2, [], 37),
        ("ossna2023-full-12h-pdt", 1, [], 41),
        ("pytorch2024-single-event-lossy", 0, [], 5),
        ("pytorchconfeu2026-0407-company-intermediate", 0, [], 22),
    ],
)
def test_the_first_lines_of_a_captured_page_are_refused_as_cut_and_read_as_a_part(page, sessions, unclaimed, last_line):
    path = PAGES / f"sched-{page}.txt"
    if not path.exists():
        pytest.skip(f"the captured pages are not in {PAGES}")
    text = path.read_bytes().decode(errors="ignore")
    assert [line for _, line in problems_of(text)] == [last_line]
    if not sessions:
        with pytest.raises(ScheduleRefused):
            sched_text.parse(text, "a.txt", PARTIAL)
        return
    document = sched_text.parse(text, "a.txt", PARTIAL)
    assert (len(document.sessions), document.unclaimed_lines, document.is_whole) == (sessions, unclaimed, False)
