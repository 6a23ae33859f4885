"""schedule.xml, by cases (tests/parsing_cases), by a real one of frab's, and by damage done to both."""

import re
import time
from collections import Counter
from datetime import date, datetime, timedelta
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedule.importing.decoding import decode_text
from schedule.importing.document import EventEntry, ReadOptions, ScheduleDocument
from schedule.importing.formats import frab_xml
from tests.format_case import assert_read_or_refused, case_files, check_case, damage_often, refusal_of
from tests.parsing_case import read_case
from tests.seeds import require_sample

FILES = case_files("frab-xml")
WHOLE = (
    "<schedule><conference><title>Harbour</title><acronym>h31</acronym></conference>\n"
    "<day date='2031-05-14'{bounds}><room name='Deck'>\n"
    "<event id='1'><date>2031-05-14T10:00:00+01:00</date><duration>01:00</duration><title>One</title></event>\n"
    "</room></day></schedule>"
)


@cache
def _sample() -> tuple[ScheduleDocument, str]:
    path = require_sample("31c3-schedule.xml")
    text = decode_text(path.read_bytes(), path.name)
    return frab_xml.parse(text, path.name), text


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_schedule_is_read_as_its_case_says(path):
    check_case(frab_xml, path)


@pytest.mark.parametrize("text", ["", "\n", "<html><body>schedule</body></html>", "BEGIN:VCALENDAR", "<", "\x00"])
def test_what_is_no_schedule_is_not_taken_for_one_and_is_refused(text):
    assert not frab_xml.recognises(text)
    assert len(refusal_of(frab_xml, text)) == 1


def test_another_outermost_element_is_refused_with_its_line():
    message = "This is no schedule.xml: its outermost element is not <schedule>."
    assert refusal_of(frab_xml, "\n<rss/>") == [(message, 2)]


@pytest.mark.parametrize(
    ("before", "after"),
    [("\ufeff", ""), ("\n \n", ""), ("", "\n\n"), ("<?xml version='1.0' encoding='utf-16'?>", ""), ("<!-- c -->", "")],
)
def test_what_stands_around_the_schedule_changes_nothing(before, after):
    def read(text: str):
        document = frab_xml.parse(text, "a.xml")
        return document.event, [(s.title, s.start, s.room) for s in document.sessions]

    whole = WHOLE.replace("{bounds}", "").replace("One", "Ébbe")
    assert read(before + whole + after) == read(whole)


def test_line_ends_change_nothing():
    whole = WHOLE.replace("{bounds}", "")
    assert frab_xml.parse(whole.replace("\n", "\r\n"), "a.xml") == frab_xml.parse(whole, "a.xml")


@pytest.mark.parametrize(
    ("start", "end", "hour"),
    [
        ("14T04:00:00", "15T03:59:00", 4),
        ("14T11:00:00", "15T04:00:00", 4),
        ("14T09:00:00", "14T18:00:00", 4),
        ("14T06:00:00", "15T05:30:00", 6),
        ("14T00:00:00", "14T23:59:00", 0),
        ("14T18:00:00", "15T03:00:00", None),
        ("14T05:00:00", "15T08:00:00", None),
        ("tomorrow", "15T08:00:00", None),
    ],
)
def test_days_change_between_the_end_of_one_and_the_start_of_the_next(start, end, hour):
    bounds = f" start='2031-05-{start}+01:00' end='2031-05-{end}+01:00'"
    assert frab_xml.parse(WHOLE.replace("{bounds}", bounds), "a.xml").event.day_change_hour == hour


def test_an_entity_bomb_is_refused_at_once():
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    text = f'<!DOCTYPE s [<!ENTITY e0 "x">{entities}]>{WHOLE.replace("One", "&e11;")}'
    message = "The file has a DOCTYPE, which is not read: it could name other files. Delete it and import again."
    started = time.process_time()
    assert refusal_of(frab_xml, text) == [(message, 1)]
    assert time.process_time() - started < 1


def test_an_external_entity_is_refused():
    text = f'<!DOCTYPE s [<!ENTITY e SYSTEM "file:///etc/passwd">]>{WHOLE.replace("One", "&e;")}'
    assert len(refusal_of(frab_xml, text)) == 1


def test_the_real_schedule_is_read_event_by_event():
    document, text = _sample()
    assert document.line_roles == ["session"] * 138
    assert document.unit == "entry"
    assert document.is_whole
    assert [s.source_id for s in document.sessions] == [f"guid:{g}" for g in re.findall("<event guid='([^']*)'", text)]
    lines = text.split("\n")
    assert [s.line for s in document.sessions] == [n for n, line in enumerate(lines, start=1) if "<event " in line]


def test_the_real_schedule_has_four_days_that_end_in_the_night():
    assert _sample()[0].event == EventEntry(
        name="31. Chaos Communication Congress",
        start_date=date(2014, 12, 27),
        end_date=date(2014, 12, 30),
        day_change_hour=4,
    )


def test_the_real_schedule_keeps_every_time():
    document, text = _sample()
    starts = [datetime.fromisoformat(found) for found in re.findall("<date>(.*)</date>", text)]
    hours = [timedelta(hours=int(h), minutes=int(m)) for h, m in re.findall("<duration>(..):(..)</duration>", text)]
    assert [(s.start, s.end - s.start) for s in document.sessions] == list(zip(starts, hours, strict=True))
    assert len([s for s in document.sessions if s.start.date() != s.end.date()]) == 11


def test_the_real_schedule_has_these_people_rooms_tracks_languages_and_kinds():
    sessions = _sample()[0].sessions
    people = [person for s in sessions for person in s.people]
    assert (len(people), len({person.source_id for person in people})) == (211, 198)
    assert Counter(s.room for s in sessions) == {"Saal 1": 41, "Saal 2": 36, "Saal G": 31, "Saal 6": 30}
    assert Counter(s.language for s in sessions) == {"en": 113, "de": 25}
    assert Counter(s.kind for s in sessions) == {"talk": 133, "other": 4, "panel": 1}
    assert Counter(s.track for s in sessions) == {
        "Security & Hacking": 38, "Ethics, Society & Politics": 34, "Hardware & Making": 21, "Science": 20,
        "Art & Culture": 10, "Entertainment": 7, "CCC": 5, "Other": 3,
    }  # fmt: skip


def test_the_real_schedule_keeps_every_link_and_mends_five():
    document, text = _sample()
    assert len([m for s in document.sessions for m in s.materials]) == text.count("<link ")
    assert [problem.line for problem in document.problems] == [2510, 3645, 3760, 4301, 4302]
    assert [s.title for s in document.sessions if "<" in re.sub("<[^a-z/]", "", s.abstract)] == []


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_a_damaged_schedule_is_read_or_refused(data):
    text = read_case(data.draw(st.sampled_from(FILES))).text
    assert_read_or_refused(frab_xml, damage_often(text, data), ReadOptions(is_partial_allowed=data.draw(st.booleans())))


@given(st.data())
@settings(max_examples=15, deadline=None)
def test_the_damaged_real_schedule_is_read_or_refused(data):
    assert_read_or_refused(frab_xml, damage_often(_sample()[1], data))


@given(st.sampled_from(["date", "start", "duration", "title", "room", "type", "guid"]), st.text(max_size=20))
@settings(max_examples=200, deadline=None)
def test_any_value_of_an_element_breaks_no_other_event(name, value):
    value = re.sub("[<&\x00-\x1f\ud800-\udfff\ufffe\uffff]", "", value)
    odd = f"<event><{name}>{value}</{name}><duration>1:00</duration><title>Two</title></event>"
    text = WHOLE.replace("{bounds}", "").replace("</room>", f"{odd}</room>")
    document = assert_read_or_refused(frab_xml, text)
    assert document.sessions[0].title == "One"


@pytest.mark.parametrize("piece", ["<day>", "<a>", "<event>", "<abstract><b>", "&lt;", "<!-- ", "x\n", "<![CDATA["])
def test_hostile_text_takes_time_in_proportion_to_its_length(piece):
    started = time.process_time()
    assert_read_or_refused(frab_xml, WHOLE.replace("{bounds}", "").replace("One", piece * 50_000))
    assert time.process_time() - started < 4
