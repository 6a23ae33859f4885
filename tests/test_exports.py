"""The schedule in many forms under one address: valid, the same as the page, and as real clients accept it."""

import csv
import io
import json
import re
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import ical.calendar_stream
import ics
import jsonschema
import openpyxl
import pytest
import vobject
from django.core.files.base import ContentFile
from icalendar import Calendar
from lxml import etree

from conference.models import Event
from schedule.exports.files import FILE_FORMS
from schedule.importing import ImportOptions, Source, import_schedule
from schedule.models import Session
from schedule.recording import record_changes
from tests.factories import make_event, make_material, make_room, make_session, make_speaker, make_track

pytestmark = pytest.mark.django_db

HERE = Path(__file__).parent
FIXTURES = HERE.parent / "fixtures" / "schedules"
WHEELS = HERE.parent / ".venv" / "wheels"
ODD = "\x00\x07\x1b[31m\u202e<b>&amp;</b> ]]> ?> -- ; , \\n \"'`|_*[x](y)"


def schedule_of(client, event, ending: str, query: str = "") -> bytes:
    response = client.get(f"/{event.slug}/schedule.{ending}{query}", headers={"host": "localhost"})
    assert response.status_code == 200
    return response.content


@pytest.fixture(params=["whole", "odd", "empty"])
def event(request):
    """A real schedule; one in which everything is as odd as can be; one without sessions."""
    if request.param == "whole":
        import_schedule([Source(path.name, path.read_bytes()) for path in sorted(FIXTURES.glob("pytorch*.txt"))])
        return Event.objects.get()
    event = make_event(slug="a", name="Ärger & <Söhne>", timezone="Asia/Kathmandu", day_change_hour=6)
    if request.param == "odd":
        odd = ODD.replace("\0", "")
        people = [make_speaker(event, f"Ann {odd}", bio=odd, affiliation=odd), make_speaker(event, "李 明")]
        rooms = [make_room(event, odd, capacity=7), make_room(event, "部屋", has_parallel_sessions=True)]
        track = make_track(event, f"=1+1 {odd}", hue=12)
        values = {"abstract": f"{odd}\n\n{odd}", "track": track, "people": people, "fields": {odd: odd}}
        make_session(event, f"@{odd}", "2030-05-06 05:59", 60 * 30, room=rooms[0], **values)
        make_session(event, "海", "2030-05-06 06:00", 1, room=rooms[1], language="日本語", **values)
        make_session(event, "Same time", "2030-05-06 06:00", 45, room=rooms[1], status="cancelled")
        make_session(event, "Night", "2030-05-07 01:30", 120, recording_url="https://example.org/r")
        session = make_session(event, "No time yet", stream_url="https://example.org/s")
        make_material(session, file=ContentFile(b"x", name="a.pdf"))
        make_material(make_session(event, "-2", "2030-05-07 10:00", 10), "Ä", "", url="https://example.org/ä?a=1&b=2")
    return event


# schedule.xml and schedule.json


def test_schedule_xml_holds_to_what_apps_need(client, event):
    etree.XMLSchema(file=HERE / "schemas" / "schedule.xsd").assertValid(
        etree.fromstring(schedule_of(client, event, "xml"))
    )


def test_schedule_xml_has_the_shape_of_frab(client, event):
    wheel = next(WHEELS.glob("wafer-*.whl"), None)
    if wheel is None:
        pytest.skip("make setup-test brings the wheel in which the schema lies")
    schema = zipfile.ZipFile(wheel).read("wafer/schedule/tests/frab.xml.xsd")
    etree.XMLSchema(etree.fromstring(schema)).assertValid(etree.fromstring(schedule_of(client, event, "xml")))


def test_schedule_json_holds_to_its_schema(client, event):
    schema = json.loads((HERE / "schemas" / "schedule.schema.json").read_text())
    jsonschema.validate(
        json.loads(schedule_of(client, event, "json")), schema, format_checker=jsonschema.FormatChecker()
    )


def test_both_say_the_same_within_the_limits_of_apps(client, event):
    root = etree.fromstring(schedule_of(client, event, "xml"))
    conference = json.loads(schedule_of(client, event, "json"))["schedule"]["conference"]
    said = [
        [element.get("guid"), *(element.findtext(name) for name in ("title", "date", "duration", "room", "slug"))]
        for element in root.iter("event")
    ]
    also = [
        [e["guid"], e["title"], e["date"], e["duration"], e["room"], e["slug"]]
        for day in conference["days"] for events in day["rooms"].values() for e in events
    ]  # fmt: skip
    clean = re.compile("[\x00-\x08\x0b-\x1f]")
    assert said == [[clean.sub("", text) for text in event] for event in also]
    shown = event.sessions.public().scheduled().exclude(status="cancelled")
    assert sorted(guid for guid, *_ in said) == sorted(str(session.uid) for session in shown)
    for day in root.iter("day"):
        begin, end = datetime.fromisoformat(day.get("start")), datetime.fromisoformat(day.get("end"))
        starts = [datetime.fromisoformat(element.findtext("date")) for element in day.iter("event")]
        assert all(begin <= start <= end for start in starts)
        assert all(room.get("name") == e.findtext("room") for room in day for e in room)
    assert [int(day.get("index")) for day in root.iter("day")] == list(range(1, int(root.findtext(".//days")) + 1))


# Calendars


def uids_by_four_libraries(content: bytes) -> list[str]:
    """The UIDs of a calendar, on which all libraries agree without a fault; lines are no longer than they may be."""
    assert max(len(line) for line in content.split(b"\r\n")) <= 75
    text = content.decode()
    calendar = Calendar.from_ical(text)
    entries = calendar.walk("VEVENT")
    assert [calendar.errors, *(entry.errors for entry in entries)] == [[]] * (len(entries) + 1)
    strict = getattr(vobject.readOne(text), "vevent_list", [])
    assert all(entry.validate(raiseException=True) for entry in strict)
    found = [
        [str(entry["UID"]) for entry in entries],
        [entry.uid for entry in ics.Calendar(text).events],
        [entry.uid for entry in ical.calendar_stream.IcsCalendarStream.calendar_from_ics(text).events],
        [entry.uid.value for entry in strict],
    ]
    assert all(sorted(uids) == sorted(set(found[0])) for uids in found)
    return sorted(found[0])


def test_four_libraries_read_the_calendar_of_every_schedule(client, event):
    uids = sorted(str(uid) for uid in event.sessions.public().scheduled().values_list("uid", flat=True))
    assert uids_by_four_libraries(schedule_of(client, event, "ics")) == uids


def test_four_libraries_read_the_calendar_of_every_part_and_of_a_personal_schedule(client, event):
    scheduled = list(event.sessions.public().scheduled())
    paths = [f"sessions/{session.pk}.ics" for session in scheduled[:3]]
    paths += [f"rooms/{room.slug}.ics" for room in event.rooms.public()]
    paths += [f"tracks/{track.slug}.ics" for track in event.tracks.public()]
    paths += [f"speakers/{person.pk}.ics" for person in event.speakers.public()[:3]]
    for path in [*paths, "now.ics", "now.ics?at=2026-04-08T14:40"]:
        uids_by_four_libraries(client.get(f"/{event.slug}/{path}").content)
    chosen = {"changes": [[str(session.uid), True, 1] for session in scheduled]}
    kept = client.post(f"/{event.slug}/my/keep/", json.dumps(chosen), content_type="application/json").json()
    feed = client.get(f"{kept['feed'].partition('testserver')[2]}?alarm=10").content
    assert uids_by_four_libraries(feed) == sorted(str(session.uid) for session in scheduled)


def sequence_of(client, event, session) -> int:
    calendar = Calendar.from_ical(schedule_of(client, event, "ics"))
    return next(int(entry["SEQUENCE"]) for entry in calendar.walk("VEVENT") if entry["UID"] == str(session.uid))


def test_the_sequence_rises_with_time_room_title_and_status_and_never_falls(client):
    event = make_event()
    other = make_session(event, "Other", "2030-05-06 08:00")
    session = make_session(event, "Knots", "2030-05-06 10:00")
    rooms = [make_room(event), make_room(event)]
    edits = [
        {"abstract": "Of rope."},
        {"room": rooms[0]},
        {"start": session.start + timedelta(minutes=5)},
        {"title": "KNOTS"},
        {"status": "cancelled"},
        {"status": "confirmed"},
        {"room": rooms[1], "title": "Bends"},
        {"status": "draft"},
        {"status": "confirmed"},
    ]
    found = [sequence_of(client, event, session)]
    for edit in edits:
        with record_changes(event):
            for name, value in edit.items():
                setattr(session, name, value)
            session.save()
        if session.status != "draft":
            found.append(sequence_of(client, event, session))
    assert found == [0, 0, 1, 2, 3, 4, 5, 7, 8]
    assert sequence_of(client, event, other) == 0


@pytest.mark.parametrize(
    ("path", "name", "titles"),
    [
        ("rooms/pier.ics", "Pier · Tides", ["A", "B"]),
        ("rooms/pier.ics?track=nets", "Pier · Tides", ["B"]),
        ("tracks/nets.ics", "Nets · Tides", ["B", "C"]),
        ("speakers/{speaker}.ics", "Ada Byron · Tides", ["C"]),
        ("now.ics?at=2030-05-06T10:10", "Tides", ["A", "B"]),
        ("now.ics?at=2030-05-06T10:10&room=quay", "Tides", []),
        ("sessions/{session}.ics", "Tides", ["C"]),
    ],
)
def test_what_belongs_together_is_a_calendar_of_its_own(client, path, name, titles):
    event = make_event(name="Tides")
    pier, nets, ada = make_room(event, "Pier"), make_track(event, "Nets"), make_speaker(event, "Ada Byron")
    make_room(event, "Quay")
    make_session(event, "A", "2030-05-06 10:00", room=pier)
    make_session(event, "B", "2030-05-06 11:00", room=pier, track=nets)
    session = make_session(event, "C", "2030-05-07 11:00", track=nets, people=[ada])
    response = client.get(f"/{event.slug}/{path.format(speaker=ada.pk, session=session.pk)}")
    calendar = Calendar.from_ical(response.content)
    found = [str(entry["SUMMARY"]) for entry in calendar.walk("VEVENT")]
    assert (str(calendar["X-WR-CALNAME"]), found) == (name, titles)


# Tables


def test_a_row_is_a_session_under_columns_that_stay(client):
    event = make_event(slug="tides")
    room, track, ada = make_room(event, "Pier"), make_track(event, "Nets"), make_speaker(event, "Ada Byron")
    session = make_session(
        event, "Knots", "2030-05-06 10:00", 45, room=room, track=track, people=[ada], kind="workshop", level="Any",
        abstract="Of rope.\n\nAnd more.", stream_url="https://example.org/live",
    )  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(schedule_of(client, event, "csv", "?tz=Asia/Tokyo").decode("utf-8-sig"))))
    assert rows == [
        {
            "uid": str(session.uid),
            "title": "Knots",
            "kind": "workshop",
            "status": "confirmed",
            "start": "2030-05-06T17:00:00+09:00",
            "end": "2030-05-06T17:45:00+09:00",
            "local_day": "2030-05-06",
            "local_start": "17:00",
            "local_end": "17:45",
            "room": "Pier",
            "track": "Nets",
            "level": "Any",
            "language": "",
            "speakers": "Ada Byron",
            "moderators": "",
            "panelists": "",
            "hosts": "",
            "chairs": "",
            "abstract": "Of rope.\n\nAnd more.",
            "url": f"http://localhost/tides/sessions/{session.pk}-knots/?tz=Asia/Tokyo",
            "stream_url": "https://example.org/live",
            "recording_url": "",
            "materials": "",
            "plenary": "",
        }
    ]


@pytest.mark.parametrize("title", ["=1+1", "+49 30", "-2", "@SUM(A1)", "'=1", "\t=1"])
def test_no_cell_is_a_formula(client, title):
    event = make_event()
    make_session(event, title, "2030-05-06 10:00", abstract=title)
    make_session(event, "With much to say", "2030-05-06 10:00", fields={"Notes": "=" * 100_000})
    rows = list(csv.reader(io.StringIO(schedule_of(client, event, "csv").decode("utf-8-sig"))))
    assert [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@", "\t", "\r"))] == []
    sheet = openpyxl.load_workbook(io.BytesIO(schedule_of(client, event, "xlsx"))).active
    assert [cell.value for row in sheet for cell in row if cell.data_type == "f"] == []


def edit_cells(content: bytes, **edits: str) -> bytes:
    """The CSV as somebody saves it who wrote `edits` into the cells of the first row."""
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
    rows[0] |= edits
    file = io.StringIO()
    writer = csv.DictWriter(file, rows[0])
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue().encode()


def test_who_edits_a_cell_means_the_new_text_and_the_rest_stays(client):
    event = make_event()
    ada, bob = make_speaker(event, "Ada Byron", bio="Of engines."), make_speaker(event, "Bob Stone", bio="Of stones.")
    make_session(
        event, "Keynote: <b>ropes</b>", "2030-05-06 10:00", people=[ada, bob], fields={"Seats": "20"},
        abstract="&lt;one&gt;", kind="talk",
    )  # fmt: skip
    content = schedule_of(client, event, "csv")
    edited = edit_cells(content, title="Ropes", speakers="Bob Stone", room="Pier", Mast="5 m")
    copy = make_event()
    import_schedule([Source("edited.csv", edited)], event_slug=copy.slug)
    session = copy.sessions.get()
    people = [(link.speaker.name, link.speaker.bio) for link in session.session_speakers.all()]
    assert (session.title, session.room.name, session.abstract, session.fields, people) == (
        "Ropes",
        "Pier",
        "&lt;one&gt;",
        {"Seats": "20", "Mast": "5 m"},
        [("Bob Stone", "Of stones.")],
    )


def test_a_table_imported_where_it_came_from_finds_its_sessions_by_their_uid(client):
    event = make_event()
    session = make_session(event, "Knots", "2030-05-06 10:00")
    make_session(event, "Ropes", "2030-05-06 10:00")
    edited = edit_cells(
        schedule_of(client, event, "csv"),
        title="All about bends",
        start="2030-05-07T15:00:00+02:00",
        end="2030-05-07T16:00:00+02:00",
    )
    report = import_schedule(
        [Source("edited.csv", edited)], event_slug=event.slug, options=ImportOptions(prefer_source=True)
    )
    session.refresh_from_db()
    assert (session.title, event.sessions.count(), report.problems) == ("All about bends", 2, [])


# Text


def test_text_and_markdown_read_without_a_browser(client):
    event = make_event(slug="tides", name="Tides *2030*", venue="Hall")
    ada = make_speaker(event, "Ada Byron", affiliation="Sea | Co")
    make_session(event, "Knots_and_[bends]", "2030-05-06 10:00", room=make_room(event, "Pier"), people=[ada])
    make_session(event, "\x1b[31mRed " + "word " * 20, "2030-05-06 23:30", 60, status="cancelled")
    pk = event.sessions.first().pk
    assert schedule_of(client, event, "txt").decode() == (
        "Tides *2030*\n6–7 May 2030 · Hall, Berlin, Germany\nAll times Berlin (CEST, UTC+2)\nhttp://localhost/tides/\n\n"
        "Monday 6 May\n============\n\n"
        "10:00–10:30  Knots_and_[bends]\n             Pier\n             Ada Byron (Sea | Co)\n\n"
        "23:30–00:30 +1 Cancelled: [31mRed word word word word word word word word word\n"
        "             word word word word word word word word word word word\n             All rooms\n"
    )
    assert schedule_of(client, event, "md").decode().split("\n")[:8] == [
        "# Tides \\*2030\\*",
        "",
        "6–7 May 2030 · Hall, Berlin, Germany  ",
        "All times Berlin (CEST, UTC+2)  ",
        "<http://localhost/tides/>",
        "",
        "## Monday 6 May",
        "",
    ]
    row = f"| 10:00–10:30 | [Knots\\_and\\_\\[bends\\]](http://localhost/tides/sessions/{pk}-knots_and_bends/) | Pier |"
    assert row in schedule_of(client, event, "md").decode()


@pytest.mark.parametrize("ending", ["txt", "md", "json"])
def test_a_file_of_a_part_names_the_page_of_that_part(client, ending):
    event = make_event(slug="tides")
    make_session(event, "Knots", "2030-05-06 10:00")
    file = client.get("/tides/schedule." + ending, {"tz": "Asia/Tokyo", "kind": ["talk", "panel"], "q": "knots"})
    assert "http://testserver/tides/?tz=Asia/Tokyo&kind=talk&kind=panel&q=knots" in file.content.decode()


@pytest.mark.parametrize("agent", ["curl/8.5.0", "Wget/1.21", "HTTPie/3.2"])
def test_a_terminal_gets_text_where_a_browser_gets_the_page(client, agent):
    event = make_event(slug="tides")
    make_session(event, "Knots", "2030-05-06 10:00")
    text = client.get("/tides/?q=knots", headers={"user-agent": agent, "accept": "*/*", "host": "localhost"})
    assert (text.content, text.headers["Cache-Control"]) == (
        schedule_of(client, event, "txt", "?q=knots"),
        "private, no-cache",
    )
    page = client.get("/tides/", headers={"user-agent": agent, "accept": "text/html"})
    preview = client.get("/tides/", headers={"user-agent": "LinkPreview/1.0", "accept": "*/*"})
    assert [r.headers["Content-Type"] for r in (page, preview)] == ["text/html; charset=utf-8"] * 2
    assert client.get("/fr/tides/", headers={"user-agent": agent}).content.decode().split("\n")[5] == "lundi 6 mai"


# All of them


def test_an_unknown_form_and_an_event_that_is_not_public_are_not_found(client):
    event, hidden = make_event(), make_event(is_public=False)
    paths = [f"/{event.slug}/schedule.doc", *(f"/{hidden.slug}/schedule.{ending}" for ending in FILE_FORMS)]
    assert [client.get(path).status_code for path in paths] == [404] * len(paths)


@pytest.mark.parametrize("ending", FILE_FORMS)
def test_every_form_holds_what_the_page_shows_of_the_same_question(client, ending):
    event = make_event()
    make_session(event, "Wanted", "2030-05-06 10:00", room=make_room(event, "Pier"))
    make_session(event, "Elsewhere", "2030-05-06 10:00", room=make_room(event, "Quay"))
    content = schedule_of(client, event, ending, "?room=pier")
    if ending == "xlsx":
        content = zipfile.ZipFile(io.BytesIO(content)).read("xl/worksheets/sheet1.xml")
    assert (b"Wanted" in content, b"Elsewhere" in content) == (True, False)


@pytest.mark.parametrize("number", [2, 40])
@pytest.mark.parametrize("ending", FILE_FORMS)
def test_a_file_takes_the_same_number_of_queries_for_few_and_many(client, django_assert_num_queries, ending, number):
    event = make_event()
    room, track = make_room(event), make_track(event)
    for _ in range(number):
        session = make_session(event, start="2030-05-06 10:00", room=room, track=track, people=[make_speaker(event)])
        make_material(session)
    # The event, sessions, people, materials; a calendar also counts the changes.
    with django_assert_num_queries(5 if ending == "ics" else 4):
        schedule_of(client, event, ending)


@pytest.mark.parametrize("number", [2, 40])
@pytest.mark.parametrize(
    ("path", "queries"), [("rooms/pier.ics", 6), ("tracks/nets.ics", 6), ("now.ics?at=2030-05-06T10:10", 5)]
)
def test_a_calendar_of_a_part_takes_the_same_number_of_queries_for_few_and_many(
    client, django_assert_num_queries, path, queries, number
):
    event = make_event()
    room, track = make_room(event, "Pier"), make_track(event, "Nets")
    for _ in range(number):
        make_session(event, start="2030-05-06 10:00", room=room, track=track, people=[make_speaker(event)])
    with django_assert_num_queries(queries):
        client.get(f"/{event.slug}/{path}")


@pytest.mark.parametrize("ending", sorted(set(FILE_FORMS) - {"xlsx"}))
def test_the_same_data_gives_the_same_bytes(client, ending):
    event = make_event()
    make_session(event, start="2030-05-06 10:00", people=[make_speaker(event)])
    assert schedule_of(client, event, ending) == schedule_of(client, event, ending)


def test_the_page_offers_its_files_with_their_number(client):
    event = make_event(slug="tides")
    make_session(event, "A", "2030-05-06 10:00", room=make_room(event, "Pier"))
    make_session(event, "B", "2030-05-06 10:00")
    page = client.get("/tides/?room=pier&tz=Asia/Tokyo").content.decode()
    menu = page[page.index('id="files-menu"') :].partition("</div>")[0]
    query = "?tz=Asia/Tokyo&amp;room=pier"
    assert re.search("<h2>(.*)</h2>", menu)[1] == "1 session, as shown here"
    assert re.findall('href="([^"]+)"', menu) == [
        f"webcal://testserver/tides/schedule.ics{query}",
        *(f"/tides/schedule.{ending}{query}" for ending in ("ics", "xlsx", "csv", "txt", "md", "xml", "json")),
        "/api/v1/docs/",
    ]


def test_a_draft_is_in_no_form(client):
    event = make_event()
    draft = Session.Status.DRAFT
    make_session(event, "Public", "2030-05-06 10:00")
    make_session(event, "Secret", "2030-05-06 10:00", status=draft, people=[make_speaker(event, "Hidden Person")])
    for ending in FILE_FORMS:
        content = schedule_of(client, event, ending)
        if ending == "xlsx":
            content = zipfile.ZipFile(io.BytesIO(content)).read("xl/worksheets/sheet1.xml")
        assert (ending, b"Secret" in content, b"Hidden" in content) == (ending, False, False)


@pytest.mark.parametrize("ending", FILE_FORMS)
def test_odd_questions_and_odd_rows_break_no_form(client, ending):
    event = make_event()
    make_session(event, "A", "2030-05-06 10:00", people=[make_speaker(event, "Ada; B")], abstract="x" * 100_000)
    # Written past all checks: years that no import would take.
    for year in (1901, 2199):
        start = datetime(year, 12, 31, 23, 59, tzinfo=UTC)
        Session(event=event, title="\u0301" * 399 + "x", start=start, end=start + timedelta(days=2)).save()
    queries = [
        "",
        "?tz=%00",
        f"?tz={'x' * 9000}",
        "?day=2030-13-99",
        "?q=%00%ff",
        "?room=a&room=",
        "?&&&==",
        "?tz=Etc/GMT%2B5",
    ]
    statuses = [client.get(f"/{event.slug}/schedule.{ending}{query}").status_code for query in queries]
    assert statuses == [200] * len(queries)
    assert client.head(f"/{event.slug}/schedule.{ending}").status_code == 200
    assert client.post(f"/{event.slug}/schedule.{ending}").status_code == 405
