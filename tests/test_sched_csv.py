"""Sched's session export, by cases (tests/parsing_cases), by a real one, and by damage done to both."""

import csv
import html
import io
import time
from collections import Counter
from datetime import datetime
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedule.importing.decoding import decode_text
from schedule.importing.document import ReadOptions, ScheduleDocument
from schedule.importing.formats import sched_csv
from tests.format_case import assert_read_or_refused, case_files, check_case, damage_often, refusal_of
from tests.parsing_case import read_case
from tests.seeds import require_sample

FILES = case_files("sched-csv")
HEADER = "name,event_start,event_end,event_type,id"
ROW = "One,2031-05-14 09:00:00,2031-05-14 10:00:00,Nets,a1"


@cache
def _sample() -> tuple[ScheduleDocument, str]:
    path = require_sample("sched-export.csv")
    text = decode_text(path.read_bytes(), path.name)
    return sched_csv.parse(text, path.name), text


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_export_is_read_as_its_case_says(path):
    check_case(sched_csv, path)


@pytest.mark.parametrize(
    "text",
    ["", "\n", "name,start\nOne,2031", "BEGIN:VCALENDAR", '"', "<schedule>", '{"conference": {"days": []}}', "\x00"],
)
def test_what_is_no_export_is_not_taken_for_one(text):
    assert not sched_csv.recognises(text)
    assert_read_or_refused(sched_csv, text)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_cells_may_be_separated_in_three_ways(delimiter):
    text = f"{HEADER}\n{ROW}".replace(",", delimiter)
    assert sched_csv.recognises(text)
    assert sched_csv.parse(text, "a.csv") == sched_csv.parse(f"{HEADER}\n{ROW}", "a.csv")


def test_line_ends_and_a_byte_order_mark_change_nothing():
    text = f'{HEADER},description\n{ROW},"one\ntwo"\n'
    assert sched_csv.parse("\ufeff" + text.replace("\n", "\r\n"), "a.csv") == sched_csv.parse(text, "a.csv")


def test_the_order_of_the_columns_changes_nothing():
    rows = list(csv.reader([HEADER, ROW]))
    turned = "\n".join(",".join(reversed(row)) for row in rows)
    assert sched_csv.parse(turned, "a.csv") == sched_csv.parse(f"{HEADER}\n{ROW}", "a.csv")


def test_prefixes_that_the_importer_was_told_are_kinds():
    text = f"{HEADER}\n{ROW}".replace("One", "Masterclass: One")
    read = sched_csv.parse(text, "a.csv", ReadOptions(kinds={"masterclass": "workshop"})).sessions[0]
    assert (read.kind, read.title) == ("workshop", "One")


def test_a_header_without_rows_is_refused():
    assert refusal_of(sched_csv, HEADER) == [("No session in this file can be read.", None)]


def test_a_cell_that_is_too_long_is_refused_with_its_row():
    message = (
        "A cell of this row is longer than 131,072 characters. Shorten it, or import the rows before it with --partial."
    )
    assert refusal_of(sched_csv, f"{HEADER}\n{ROW}\n{'x' * 200_000},,,,") == [(message, 3)]


def test_the_real_export_is_read_row_by_row():
    document, text = _sample()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert document.line_roles == ["header", *["session"] * 401]
    assert [s.source_id for s in document.sessions] == [f"sched:{row['id']}" for row in rows]
    assert document.is_whole
    assert document.unit == "row"
    assert [text.split("\n")[s.line - 1].split('"')[1] for s in document.sessions] == [r["event_key"] for r in rows]


def test_the_real_export_keeps_every_time_of_its_rows():
    document, text = _sample()
    timed = [row for row in csv.DictReader(io.StringIO(text)) if "TBA" not in row["event_start"]]
    assert [(s.start, s.end) for s in document.sessions if s.start] == [
        (datetime.fromisoformat(row["event_start"]), datetime.fromisoformat(row["event_end"])) for row in timed
    ]
    assert len([s for s in document.sessions if s.start and s.start.date() != s.end.date()]) == 24
    message = "The session has no time; it is read as one that is not scheduled, and without its room."
    assert [(problem.message, problem.line) for problem in document.problems] == [(message, 26), (message, 290)]


def test_the_real_export_has_these_people_rooms_and_tracks():
    document, text = _sample()
    cells = [html.unescape(row["speakers"]) for row in csv.DictReader(io.StringIO(text))]
    named = {" ".join(name.split()) for cell in cells for name in cell.split(",")} - {""}
    assert {person.name for s in document.sessions for person in s.people} == named
    assert len(named) == 238
    assert len({s.room for s in document.sessions if s.room}) == 26
    assert Counter(s.track for s in document.sessions if s.track) == {
        "Tech": 66, "Lit": 64, "Gaming": 58, "Life": 39, "DIY": 32, "Media": 31, "After Dark": 21, "Food": 17,
        "Mayhem": 15, "Cosplay": 13, "Penguicon": 12, "Science": 9, "Anime": 9, "Diversity": 9, "Special Event": 4,
    }  # fmt: skip


def test_the_real_export_leaves_no_markup_in_abstracts():
    assert [s.title for s in _sample()[0].sessions if "<" in s.abstract or "&nbsp" in s.abstract] == []


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_a_damaged_export_is_read_or_refused(data):
    text = read_case(data.draw(st.sampled_from(FILES))).text
    assert_read_or_refused(
        sched_csv, damage_often(text, data), ReadOptions(is_partial_allowed=data.draw(st.booleans()))
    )


@given(st.data())
@settings(max_examples=15, deadline=None)
def test_the_damaged_real_export_is_read_or_refused(data):
    assert_read_or_refused(sched_csv, damage_often(_sample()[1], data))


@given(st.lists(st.lists(st.text(max_size=12), min_size=5, max_size=5), min_size=1, max_size=5))
@settings(max_examples=150, deadline=None)
def test_any_cells_give_a_session_or_a_problem(rows):
    written = io.StringIO()
    csv.writer(written).writerows([HEADER.split(","), ROW.split(","), *rows])
    document = assert_read_or_refused(sched_csv, written.getvalue())
    assert document is None or document.sessions[0].title == "One"


@pytest.mark.parametrize("piece", ["\n", ",", '"', '""', "x", '"\n', f"{ROW}\n", "a, ", "x\n", ",,,,\n", "<b>"])
def test_hostile_text_takes_time_in_proportion_to_its_length(piece):
    started = time.process_time()
    for before in ("", "One,2031-05-14 09:00:00,2031-05-14 10:00:00,Nets,"):
        assert_read_or_refused(sched_csv, f"{HEADER}\n{ROW}\n{before}{piece * 8_000}")
    people = f"name,event_start,event_type,speakers\nOne - {'a & ' * 20_000},,{'a, ' * 20_000},{'a, ' * 20_000}"
    assert_read_or_refused(sched_csv, people)
    assert time.process_time() - started < 6
