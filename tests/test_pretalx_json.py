"""schedule.json, by cases (tests/parsing_cases), against schedule.xml of the same meaning, and by damage."""

import json
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedule.importing.document import ReadOptions
from schedule.importing.formats import frab_xml, pretalx_json
from tests.format_case import assert_read_or_refused, case_files, check_case, damage_often, refusal_of
from tests.parsing_case import read_case

FILES = case_files("pretalx-json")
NO_CONFERENCE = "This is no schedule.json: it has no schedule.conference."
EVENT = {
    "id": 11, "guid": "g-11", "date": "2031-05-14T10:00:00+01:00", "start": "10:00", "duration": "01:00",
    "room": "Deck", "title": "Low Water", "subtitle": "Why", "track": "Nets", "type": "Workshop", "language": "en",
    "abstract": "In short.", "description": "At length.", "do_not_record": True,
    "persons": [{"id": 5, "public_name": "Ada Byron"}],
    "links": [{"title": "Tides", "url": "https://example.org/tides"}],
    "attachments": [{"title": "Slides", "url": "https://example.org/slides.pdf"}],
}  # fmt: skip
XML = """<schedule><conference><acronym>h31</acronym><title>Harbour</title><days>1</days>
<time_zone_name>Europe/Lisbon</time_zone_name></conference>
<day index='1' date='2031-05-14' start='2031-05-14T04:00:00+01:00' end='2031-05-15T03:59:00+01:00'><room name='Deck'>
<event guid='g-11' id='11'><date>2031-05-14T10:00:00+01:00</date><start>10:00</start><duration>01:00</duration>
<room>Deck</room><title>Low Water</title><subtitle>Why</subtitle><track>Nets</track><type>Workshop</type>
<language>en</language><abstract>In short.</abstract><description>At length.</description>
<recording><optout>true</optout></recording><persons><person id='5'>Ada Byron</person></persons>
<links><link href='https://example.org/tides'>Tides</link></links>
<attachments><attachment href='https://example.org/slides.pdf'>Slides</attachment></attachments>
</event></room></day></schedule>"""


def _text(*events: object) -> str:
    day = {
        "date": "2031-05-14", "day_start": "2031-05-14T04:00:00+01:00", "day_end": "2031-05-15T03:59:00+01:00",
        "rooms": {"Deck": list(events)},
    }  # fmt: skip
    head = {"acronym": "h31", "title": "Harbour", "daysCount": 1, "time_zone_name": "Europe/Lisbon", "days": [day]}
    return json.dumps({"schedule": {"conference": head}}, indent=1)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_schedule_is_read_as_its_case_says(path):
    check_case(pretalx_json, path)


@pytest.mark.parametrize("text", ["", "\n", "[]", "{}", '"', "BEGIN:VCALENDAR", "<schedule>", "\x00", "1", "null"])
def test_what_is_no_schedule_is_not_taken_for_one_and_is_refused(text):
    assert not pretalx_json.recognises(text)
    assert len(refusal_of(pretalx_json, text)) == 1


def test_json_and_xml_of_one_schedule_say_the_same():
    def strip(document):
        for session in document.sessions:
            for entry in (session, *session.people, *session.materials):
                entry.line = 0
        return document.event, document.sessions, document.line_roles, document.is_whole

    as_json, as_xml = pretalx_json.parse(_text(EVENT), "a"), frab_xml.parse(XML, "a")
    assert strip(as_json) == strip(as_xml)


def test_an_event_is_known_by_the_line_its_object_begins_on():
    text = _text(EVENT, EVENT | {"guid": "g-12", "title": 'A "{" in a title \\'})
    lines = [n for n, line in enumerate(text.split("\n"), start=1) if '"id": 11' in line]
    assert [s.line + 1 for s in pretalx_json.parse(text, "a").sessions] == lines


@pytest.mark.parametrize("piece", ["[", '{"a":', '[{"a":'])
def test_values_nested_too_deep_are_refused(piece):
    message = "The objects and lists are nested too deep. This is no schedule."
    assert refusal_of(pretalx_json, f'{{"conference": {piece * 100_000}') == [(message, None)]


@pytest.mark.parametrize("value", [None, True, 7, "text", [], {}, [[]], {"a": 1}, 10**400])
@pytest.mark.parametrize(
    "name", ["schedule", "conference", "days", "rooms", "Deck", "title", "persons", "date", "links"]
)
def test_a_value_of_another_type_is_a_problem_and_nothing_worse(name, value):
    text = _text(EVENT)
    found = re.search(rf'"{name}": ', text)
    end = json.JSONDecoder().raw_decode(text, found.end())[1]
    written = "9" * 5000 if value == 10**400 else json.dumps(value)
    assert_read_or_refused(pretalx_json, text[: found.end()] + written + text[end:])


def test_a_cut_file_is_refused_also_where_parts_are_allowed():
    text = _text(EVENT)
    for length in range(1, len(text), 7):
        last = max(n for n, line in enumerate(text[:length].split("\n"), start=1) if line.strip())
        refused = refusal_of(pretalx_json, text[:length], ReadOptions(is_partial_allowed=True))
        assert [line for _, line in refused] == [last]


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_a_damaged_schedule_is_read_or_refused(data):
    text = read_case(data.draw(st.sampled_from(FILES))).text
    assert_read_or_refused(pretalx_json, damage_often(text, data))


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(sorted(EVENT)), inner, max_size=4),
        max_leaves=12,
    )
)
@settings(max_examples=200, deadline=None)
def test_any_value_in_the_place_of_an_event_breaks_no_other(value):
    document = assert_read_or_refused(pretalx_json, _text(value, EVENT))
    assert document.sessions[-1].title == "Low Water"
    assert len(document.line_roles) == 2


def test_hostile_text_takes_time_in_proportion_to_its_length():
    started = time.process_time()
    for piece in ("{}", '""', '"\\\\"', "\n"):
        assert_read_or_refused(pretalx_json, f'{{"conference": [{(piece + ",") * 100_000}1]}}')
        assert_read_or_refused(pretalx_json, _text(EVENT | {"abstract": piece * 100_000}))
    assert time.process_time() - started < 6
