"""Faults that a hostile tester found in exports and their addresses, each kept as the right behaviour."""

import io
import json
from datetime import date
from pathlib import Path

import jsonschema
import openpyxl
import pytest
from lxml import etree

from conference.dates import write_instant
from schedule.exports.files import FILE_FORMS
from schedule.importing import Source, import_schedule
from schedule.models import Session
from tests.factories import make_event, make_room, make_session, make_speaker
from tests.programmes import programme_of
from tests.test_exports import uids_by_four_libraries

pytestmark = pytest.mark.django_db

SCHEMAS = Path(__file__).parent / "schemas"


def check_json(content: bytes) -> None:
    schema = json.loads((SCHEMAS / "schedule.schema.json").read_text())
    jsonschema.validate(json.loads(content), schema, format_checker=jsonschema.FormatChecker())


# What refuses a file of a form that is not valid.
CHECKS = {
    "ics": uids_by_four_libraries,
    "json": check_json,
    "xml": lambda content: etree.XMLSchema(file=SCHEMAS / "schedule.xsd").assertValid(etree.fromstring(content)),
    "csv": bytes.decode,
    "xlsx": lambda content: openpyxl.load_workbook(io.BytesIO(content)),
    "md": bytes.decode,
    "txt": bytes.decode,
}


def check_all_forms(client, event, query: str = "") -> None:
    assert CHECKS.keys() == FILE_FORMS.keys()
    for ending, check in CHECKS.items():
        response = client.get(f"/{event.slug}/schedule.{ending}{query}")
        assert response.status_code == 200
        check(response.content)


@pytest.mark.parametrize("year", [1900, 2199])
@pytest.mark.parametrize("zone", ["Europe/Paris", "Africa/Monrovia", "Pacific/Apia"])
def test_the_first_and_last_hours_of_the_calendar_are_in_every_valid_form(client, zone, year):
    event = make_event(slug="bounds", timezone=zone, start_date=date(year, 1, 1), end_date=date(year, 12, 31))
    make_session(event, "First", f"{year}-01-01 00:00", room=make_room(event, "Pier"))
    make_session(event, "Five days", f"{year}-03-01 10:00", 5 * 24 * 60)
    make_session(event, "Last", f"{year}-12-31 23:30", 60)
    for shown_in in ("", "?tz=Africa/Monrovia", "?tz=America/Los_Angeles", "?tz=Pacific/Kiritimati"):
        check_all_forms(client, event, shown_in)


def test_an_offset_with_seconds_is_written_in_minutes_and_is_the_same_instant():
    event = make_event(timezone="Europe/Paris", start_date=date(1900, 5, 6), end_date=date(1900, 5, 6))
    start = make_session(event, "Tides", "1900-05-06 10:00").start.astimezone(event.zone)
    assert (start.isoformat(), write_instant(start)) == ("1900-05-06T10:00:00+00:09:21", "1900-05-06T09:59:39+00:09")


@pytest.mark.parametrize("ending", ["ics", "json", "xml", "csv", "xlsx"])
def test_a_session_at_the_first_hour_is_read_again_from_an_export(client, ending):
    event = make_event(slug="bounds", timezone="Europe/Paris", start_date=date(1900, 1, 1), end_date=date(1900, 1, 2))
    make_session(event, "First", "1900-01-01 00:00")
    before = programme_of(event)
    content = client.get(f"/bounds/schedule.{ending}").content
    Session.objects.all().delete()
    import_schedule([Source(f"a.{ending}", content)], event_slug="bounds")
    assert programme_of(event) == before


def test_texts_that_no_format_was_made_for_are_in_every_valid_form(client):
    event = make_event(slug="жук", name="Z" * 199)
    person = make_speaker(event, 'Ada; Love,lace: "x"\r\nATTENDEE:mailto:x', headline="x\ny", affiliation="q\n;")
    room = make_room(event, 'R;"\r\nX-EVIL:1')
    make_session(event, "a" + "\u0301" * 399, "2030-05-06 10:00", room=room, people=[person], abstract="\u0301" * 999)
    make_session(event, "\ufdd0\ufffe\uffff x", "2030-05-06 11:00", 25 * 60, abstract="word ; , \\ " * 90_000)
    make_session(event, 'x"\r\nSet-Cookie: a=b', "2030-05-06 12:00", status="cancelled", status_note="a\r\nb")
    check_all_forms(client, event)
    lines = client.get(f"/{event.slug}/schedule.ics").content.split(b"\r\n")
    assert [line for line in lines if line.startswith((b"ATTENDEE", b"X-EVIL"))] == []


def test_a_file_name_holds_nothing_that_ends_it(client):
    event = make_event(slug="reef")
    session = make_session(event, 'x"; filename="evil.exe\r\nSet-Cookie: a=b', "2030-05-06 10:00")
    room = make_room(event, "Übung 部屋")
    names = [
        client.get(f"/reef/{path}.ics").headers["Content-Disposition"]
        for path in (f"sessions/{session.pk}", f"rooms/{room.slug}", "schedule")
    ]
    assert names == [
        'inline; filename="x-filenameevilexe-set-cookie-ab.ics"',
        'inline; filename="ubung.ics"',
        'inline; filename="reef.ics"',
    ]


ODD_VALUES = (
    *("%00", "%01", "%E2%80%8B", "%ff%fe", "%ED%A0%80", "%0d%0aX:y", "9" * 400, "x" * 10_000, "2030-13-45"),
    *("0001-01-01", "9999-12-31T23:59:59", "Europe%00Berlin", "posix/Europe/Paris", "../../etc/passwd"),
)


@pytest.mark.parametrize("name", ["q", "tz", "day", "track", "at"])
@pytest.mark.parametrize("path", ["", "grid/", "schedule.ics", "schedule.xml", "now.ics", "changes.atom"])
def test_nothing_in_a_query_is_too_odd(client, path, name):
    event = make_event(slug="reef")
    make_session(event, "Knots", "2030-05-06 10:00")
    queries = [*(f"{name}={value}" for value in ODD_VALUES), f"{name}=a&" * 900]
    assert {client.get(f"/reef/{path}", QUERY_STRING=query).status_code for query in queries} <= {200, 302}


def test_a_search_for_nothing_visible_asks_nothing(client):
    event = make_event(slug="reef")
    make_session(event, "Knots", "2030-05-06 10:00")
    for query in ("%01", "%E2%80%8B", "%00"):
        assert client.get("/reef/schedule.csv", QUERY_STRING=f"q={query}").content.count(b"Knots") == 1


def test_addresses_that_are_nearly_right_are_nowhere(client):
    make_event(slug="reef")
    paths = ("schedule.", "schedule.ICS", "schedule.ics/", "schedule..ics", "schedule.ics%00", "schedule.%0d%0aX:y")
    paths += ("rooms/%00.ics", "rooms/%ff.ics", "tracks/%0d%0a.ics", "sessions/0.ics", f"sessions/{'9' * 18}.ics")
    assert {client.get(f"/reef/{path}").status_code for path in paths} == {404}


def test_a_form_is_read_and_not_written(client):
    make_event(slug="reef")
    asked = {name: getattr(client, name)("/reef/schedule.ics") for name in ("head", "post", "put", "delete", "options")}
    assert {name: (r.status_code, r.headers.get("Allow"), len(r.content) == 0) for name, r in asked.items()} == {
        "head": (200, None, True),
        **dict.fromkeys(("post", "put", "delete", "options"), (405, "GET, HEAD", True)),
    }


@pytest.mark.parametrize(
    ("zone", "name"),
    [("EST5EDT", "America/New_York"), ("Zulu", "UTC"), ("Japan", "Asia/Tokyo"), ("Europe/Paris", "Europe/Paris")],
)
def test_apps_are_told_a_zone_by_the_name_of_a_place(client, zone, name):
    event = make_event()
    make_session(event, "A", "2030-05-06 10:00")
    xml = client.get(f"/{event.slug}/schedule.xml?tz={zone}").content.decode()
    conference = client.get(f"/{event.slug}/schedule.json?tz={zone}").json()["schedule"]["conference"]
    assert (f"<time_zone_name>{name}</time_zone_name>" in xml, conference["time_zone_name"]) == (True, name)


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
@pytest.mark.parametrize("abstract", ["x" * 140_000, "long\r\n" * 8_000, "'=1", "''=1", "  - a\n  =b"])
def test_a_table_with_long_and_odd_cells_is_read_back_whole(client, ending, abstract):
    event, copy = make_event(), make_event()
    make_session(event, "A", "2030-05-06 10:00", abstract=abstract)
    content = client.get(f"/{event.slug}/schedule.{ending}").content
    import_schedule([Source(f"a.{ending}", content)], event_slug=copy.slug)
    assert copy.sessions.get().abstract == abstract


@pytest.mark.parametrize("uid", ['"\\ud800"', '"\\u0000"', "5", '["x"]'])
def test_an_id_that_can_be_none_is_none(uid):
    event = make_event(slug="reef")
    said = f'{{"uid": {uid}, "title": "Some day"}}'
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", "UID:1", "DTSTART:20300506T080000Z"]
    lines += ["DTEND:20300506T090000Z"]
    lines += ["SUMMARY:Ropes", "END:VEVENT", f"X-PLENARY-SESSION:{said}", "END:VCALENDAR", ""]
    import_schedule([Source("a.ics", "\r\n".join(lines).encode())], event_slug="reef")
    assert sorted(event.sessions.values_list("title", "source_id")) == [("Ropes", "uid:1"), ("Some day", "")]
