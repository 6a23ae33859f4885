"""iCalendar, by cases (tests/parsing_cases), by a real calendar of Sched's, and by damage done to both."""

import re
import time
from collections import Counter
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedule.importing.decoding import decode_text
from schedule.importing.document import ReadOptions, ScheduleDocument
from schedule.importing.formats import ical
from schedule.importing.zones import find_zone
from tests.format_case import assert_read_or_refused, case_files, check_case, damage_often, refusal_of
from tests.parsing_case import read_case
from tests.seeds import require_sample

FILES = case_files("ical")
HEAD = "BEGIN:VCALENDAR\nVERSION:2.0\n"
EVENT = "BEGIN:VEVENT\nUID:1\nSUMMARY:One\nDTSTART:20310514T090000Z\nDTEND:20310514T100000Z\nEND:VEVENT\n"
WHOLE = f"{HEAD}{EVENT}END:VCALENDAR"


@pytest.fixture(scope="module", autouse=True)
def _known_towns():
    """Reading the list of towns takes seconds, once; no test is to be measured by it."""
    find_zone("Porto", "Portugal")


@cache
def _sample() -> tuple[ScheduleDocument, str]:
    path = require_sample("sched-cruise-2019.ics")
    text = decode_text(path.read_bytes(), path.name)
    return ical.parse(text, path.name), text


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_calendar_is_read_as_its_case_says(path):
    check_case(ical, path)


@pytest.mark.parametrize("text", ["", "\n", "BEGIN:VEVENT\nEND:VEVENT", "name,event_start", "<schedule>", "\x00"])
def test_what_is_no_calendar_is_not_taken_for_one_and_is_refused(text):
    assert not ical.recognises(text)
    assert refusal_of(ical, text) == [("This is no calendar: there is no line BEGIN:VCALENDAR in it.", None)]


def test_a_calendar_without_events_is_refused():
    assert refusal_of(ical, f"{HEAD}END:VCALENDAR") == [("No session in this file can be read.", None)]


def test_line_ends_a_byte_order_mark_and_small_letters_change_nothing():
    document = ical.parse(WHOLE, "a.ics")
    assert ical.parse("\ufeff" + WHOLE.replace("\n", "\r\n") + "\r\n", "a.ics") == document
    small = re.sub("^[A-Z]+:(?:V[A-Z]+)?", lambda found: found[0].lower(), WHOLE, flags=re.MULTILINE)
    assert ical.parse(small, "a.ics") == document


def test_a_text_cut_before_its_end_is_refused_with_its_last_line():
    for length in range(len(HEAD), len(WHOLE) - 1):
        text = WHOLE[:length]
        last = max(n for n, line in enumerate(text.split("\n"), start=1) if line.strip())
        assert [line for _, line in refusal_of(ical, text)] == [last]


def test_two_calendars_may_define_a_zone_of_one_name_differently():
    def read(offset: str):
        zone = (
            "BEGIN:VTIMEZONE\nTZID:Harbour\nBEGIN:STANDARD\nDTSTART:19700101T000000\n"
            f"TZOFFSETFROM:{offset}\nTZOFFSETTO:{offset}\nEND:STANDARD\nEND:VTIMEZONE\n"
        )
        event = EVENT.replace("DTSTART:", "DTSTART;TZID=Harbour:").replace("DTEND:", "DTEND;TZID=Harbour:")
        text = f"{HEAD}{zone}{event.replace('Z', '').replace('TID', 'TZID')}END:VCALENDAR"
        return ical.parse(text, "a.ics").sessions[0].start.hour

    assert [read("+0300"), read("+0500"), read("+0300")] == [6, 4, 6]


def test_prefixes_that_the_importer_was_told_are_kinds():
    options = ReadOptions(kinds={"masterclass": "workshop"})
    read = ical.parse(WHOLE.replace("One", "Masterclass: One"), "a.ics", options).sessions[0]
    assert (read.kind, read.title) == ("workshop", "One")


def test_the_real_calendar_is_read_line_by_line():
    document, text = _sample()
    assert Counter(document.line_roles) == {
        "event": 790, "time": 790, "title": 395, "abstract": 395, "track": 395, "room": 395, "other": 395,
        "id": 395, "link": 395, "calendar": 9,
    }  # fmt: skip
    assert len(document.line_roles) == len(text.rstrip("\n").split("\n"))
    assert [s.source_id for s in document.sessions] == [f"sched:{uid}" for uid in re.findall(r"^UID:(.*)", text, re.M)]
    assert (len(document.sessions), document.is_whole) == (395, True)


def test_the_real_calendar_names_its_event_in_words():
    event = _sample()[0].event
    assert (event.name, event.timezone, event.city) == ("JoCo Cruise 2019", "", "")


def test_the_real_calendar_has_one_event_without_length_and_shouts_its_categories():
    document, _ = _sample()
    assert [(problem.line, problem.message) for problem in document.problems] == [
        (23, "The session ends when it starts. Give it an end."),
        (58, "All categories are in capitals; they are written like “Gaming”."),
    ]
    assert [s.line for s in document.sessions if s.start == s.end] == [23]


def test_the_real_calendar_has_these_tracks_and_rooms():
    sessions = _sample()[0].sessions
    assert Counter(s.track for s in sessions) == {
        "": 104, "Shadow Cruise": 153, "Gaming": 46, "Reading / Performance": 24, "Main Concert": 16, "Workshop": 15,
        "Office Hours": 10, "Q&A / Panel": 9, "Signing": 8, "Party": 7, "Live Podcast": 3,
    }  # fmt: skip
    rooms = {s.room for s in sessions if s.room}
    assert len(rooms) == 35
    assert [room for room in rooms if room.endswith(",")] == []


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_a_damaged_calendar_is_read_or_refused(data):
    text = read_case(data.draw(st.sampled_from(FILES))).text
    assert_read_or_refused(ical, damage_often(text, data), ReadOptions(is_partial_allowed=data.draw(st.booleans())))


@given(st.data())
@settings(max_examples=8, deadline=None)
def test_the_damaged_real_calendar_is_read_or_refused(data):
    assert_read_or_refused(ical, damage_often(_sample()[1], data))


@given(st.sampled_from(["SUMMARY", "DTSTART", "DTEND", "DURATION", "LOCATION", "CATEGORIES", "UID", "RECURRENCE-ID",
                        "STATUS", "URL", "ATTACH", "SEQUENCE", "X-ALT-DESC", "DTSTART;TZID=", "CONFERENCE"]),
       st.text(max_size=20))  # fmt: skip
@settings(max_examples=200, deadline=None)
def test_any_value_of_a_property_breaks_no_other_event(name, value):
    odd = f"BEGIN:VEVENT\nUID:2\nSUMMARY:Two\n{name}:{value.translate({10: None, 13: None})}\nEND:VEVENT\n"
    document = assert_read_or_refused(ical, f"{HEAD}{odd}{EVENT}END:VCALENDAR")
    assert document.sessions[-1].title == "One"


@pytest.mark.parametrize(
    "piece",
    ["BEGIN:VEVENT\n", "BEGIN:X\n", "END:VEVENT\n", "\n", " x\n", "x\n", "X-A:", "\\n", "A=B;", ",", EVENT[:40]],
)
def test_hostile_text_takes_time_in_proportion_to_its_length(piece):
    started = time.process_time()
    for before in ("", "BEGIN:VEVENT\nDESCRIPTION:", "BEGIN:VEVENT\nDTSTART;", "BEGIN:VEVENT\nCATEGORIES:"):
        assert_read_or_refused(ical, f"{HEAD}{before}{piece * 20_000}\n{EVENT}END:VCALENDAR")
    assert time.process_time() - started < 8
