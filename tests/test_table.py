"""Plain tables, by cases (tests/parsing_cases), as workbooks made here, and by damage done to both."""

import io
import zipfile
from datetime import date, datetime, time, timedelta

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedule.importing.document import (
    EventEntry,
    PersonEntry,
    Problem,
    ReadOptions,
    ScheduleDocument,
    ScheduleRefused,
    SessionEntry,
)
from schedule.importing.formats import table, table_xlsx
from schedule.importing.formats.table_cells import read_duration, read_moment
from tests.format_case import assert_read_or_refused, case_files, check_case, damage_often, refusal_of
from tests.parsing_case import CASES, read_case
from tests.seeds import SEEDS

FILES = case_files("table")
OTHERS = [path for path in sorted(CASES.glob("*.txt")) if not path.name.startswith("table-")]
HEADER = "Title,Start,End,Room"
ROW = "Boats,2031-05-14 09:00,2031-05-14 10:00,Deck"
BOATS = SessionEntry(
    "Boats", 2, "a.csv", start=datetime(2031, 5, 14, 9), end=datetime(2031, 5, 14, 10), room="Deck"
)  # fmt: skip
ALPHABET = "aZé0129:.-/–,;|\t\n\"'() &#*@+hT日\x00\ud800\u202e"


def workbook(*sheets: list[list[object]], merged: tuple[str, ...] = ()) -> bytes:
    """Return a workbook with these sheets, and cells of the last one merged."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for n, rows in enumerate(sheets, start=1):
        sheet = book.create_sheet(f"Sheet {n}")
        for row in rows:
            sheet.append(row)
    for area in merged:
        sheet.merge_cells(area)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def problems_of(document: ScheduleDocument) -> list[tuple[int | None, str]]:
    return [(problem.line, problem.message) for problem in document.problems]


def assert_workbook_is_read_or_refused(data: bytes) -> None:
    """Assert that nothing but a document or a refusal comes of a workbook, and that every row has a role."""
    table_xlsx.recognises(data)
    try:
        document = table_xlsx.parse(data, "a.xlsx")
    except ScheduleRefused as refused:
        problems = refused.problems
        assert problems
    else:
        assert document.unclaimed_lines == []
        assert document.line_roles.count("session") == len(document.sessions) > 0


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_table_is_read_as_its_case_says(path):
    check_case(table, path)


@pytest.mark.parametrize("path", OTHERS, ids=lambda path: path.stem)
def test_the_other_formats_are_not_taken_for_a_table(path):
    assert not table.recognises(read_case(path).text)


def test_real_files_of_other_formats_are_not_taken_for_a_table():
    files = [path for path in SEEDS.parent.rglob("*") if path.suffix in (".txt", ".csv", ".ics", ".xml", ".html")]
    assert [path.name for path in files if table.recognises(path.read_text("utf-8", "replace"))] == []


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "\n",
            "a",
            "Title\nBoats",
            "Title,Room\nBoats,Deck",
            "Start,End\n09:00,10:00",
            '"',
            "|",
            "|-|\n|-|",
            "\x00",
        ),
        *("Title, start and all the rest of it", '["Title", "Start"]', "event_key,name,event_start"),
    ],
)
def test_what_has_no_fitting_header_is_not_taken_for_a_table(text):
    assert not table.recognises(text)
    assert_read_or_refused(table, text)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_cells_may_be_separated_in_four_ways(delimiter):
    text = f"{HEADER}\n{ROW}\n".replace(",", delimiter)
    assert table.recognises(text)
    assert table.parse(text, "a.csv") == ScheduleDocument(
        "a.csv", "table", EventEntry(), [BOATS], ["header", "session"], [], is_whole=True, unit="row"
    )


def test_line_ends_and_a_byte_order_mark_change_nothing():
    text = f'{HEADER},About\n{ROW},"one\ntwo"\n'
    assert table.parse("\ufeff" + text.replace("\n", "\r\n"), "a.csv") == table.parse(text, "a.csv")


@pytest.mark.parametrize(
    "name",
    ["Start", "start time", "START_TIME", "StartTime", "Début", "BEGINN", "Hora inicio", "Start (Europe/Oslo)"],
)
def test_columns_are_known_in_four_languages_however_they_are_written(name):
    assert table.recognises(f"Room,{name},Title\n")


def test_a_column_can_be_named_by_hand():
    text = "Name,Wording,Begin,Ends when,Start\nAda Byron,Boats,2031-05-14 09:00,10:00,port\n"
    options = ReadOptions(columns={"title": "wording", "start": "BEGIN", "end": "Ends when"})
    session = SessionEntry("Boats", 2, "a.csv", start=BOATS.start, end=BOATS.end, fields={"Start": "port"})
    session.people = [PersonEntry("Ada Byron", 2)]
    assert table.parse(text, "a.csv", options).sessions == [session]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (
            {"title": "Name"},
            "There is no column “Name” for title; the columns are “Title”, “Start”, “End”, “Room”.",
        ),
        (
            {"shoe size": "Title"},
            "“shoe size” is nothing that a column can be; there are title, start, end, date, end_date, year, time, "
            "duration, timezone, room, kind, track, level, language, abstract, speakers, moderators, panelists, hosts, "
            "chairs, affiliation, position, bio, status, id, stream_url, recording_url, materials, url.",
        ),
    ],
)
def test_a_column_by_hand_that_is_not_there_is_refused_with_those_that_are(columns, message):
    options = ReadOptions(columns=columns)
    assert [text for text, _ in refusal_of(table, f"{HEADER}\n{ROW}", options)] == [message]
    data = workbook([HEADER.split(","), ROW.split(",")])
    assert [text for text, _ in refusal_of(table_xlsx, data, options)] == [message]
    markdown = f"|{HEADER}|\n|-|-|-|-|\n|{ROW}|".replace(",", "|")
    assert [text for text, _ in refusal_of(table, markdown, options)] == [message]


def test_a_table_without_a_fitting_header_is_refused_with_its_columns():
    assert refusal_of(table, "Wording,Hour\nBoats,9") == [
        (
            "No header row names a column of titles and one of start times. If it is only called otherwise, say it by "
            "hand (--columns title=…,start=…); the columns are “Wording”, “Hour”.",
            1,
        )
    ]


@pytest.mark.parametrize(
    "text",
    [
        *("2031-05-14 09:30", "2031/5/14 9:30", "14.05.2031 09.30", "14 May 2031, 9h30", "May 14th, 2031 at 9:30 AM"),
        *("Wed 14-May-31 0930", "14. Mai 2031 um 9:30 Uhr", "le mercredi 14 mai 2031 à 9 h 30", "2031-05-14T09:30:00"),
        *("miércoles 14 de mayo de 2031 a las 9:30", "14 May 2031 – 09:30", "mer. 14 mai 2031 9h30"),
    ],
)
def test_a_moment_is_read_however_it_is_written(text):
    moment = read_moment(text)
    said = (moment.day.numbers, moment.day.order, moment.day.year, moment.clock.since_midnight)
    assert said == ((14, 5), "dmy", 2031, timedelta(hours=9, minutes=30))


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("10:00-10:30", "10:00", "10:30"),
        ("10:00 – 10:30 Uhr", "10:00", "10:30"),
        ("9 - 10:30 am", "9:00", "10:30"),
        ("11 to 1 pm", "11:00", "13:00"),
        ("9 - 10 pm", "21:00", "22:00"),
        ("de 10h à 11h30", "10:00", "11:30"),
        ("von 10 bis 11 Uhr", "10:00", "11:00"),
        ("23:00 - 24:00", "23:00", "24:00"),
        ("12:00 am - 12:00 pm", "0:00", "12:00"),
    ],
)
def test_a_range_is_read_however_it_is_written(text, start, end):
    moment = read_moment(text)
    clocks = [clock.since_midnight // timedelta(minutes=1) for clock in (moment.clock, moment.end_clock)]
    assert [f"{minutes // 60}:{minutes % 60:02}" for minutes in clocks] == [start, end]


@pytest.mark.parametrize(
    "text", ["", "10", "25:00", "9:75", "13 pm", "soon", "8-9 May 2031", "May 2031", "10:00 - ", "-"]
)
def test_what_is_half_a_moment_is_none(text):
    assert read_moment(text) is None


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        *(("30 min", 30), ("30", 30), ("0:30", 30), ("1h", 60), ("1h30", 90), ("1 h 30 min", 90), ("90'", 90)),
        *(("1,5 Std.", 90), ("2 hours", 120), ("PT45M", 45), ("00:45:00", 45), ("1 hour and 15 minutes", 75)),
        *(("2", None), ("0", None), ("PT", None), ("long", None), ("", None), ("9999", None)),
    ],
)
def test_a_duration_is_read_however_it_is_written(text, minutes):
    assert read_duration(text) == (timedelta(minutes=minutes) if minutes else None)


# Workbooks


def test_a_workbook_is_read_with_its_dates_merged_cells_and_rows_above_the_header():
    rows = [
        ["Harbour Days 2031"],
        [],
        ["Date", "Start", "End", "Title", "Room", "Duration", "Seats"],
        [date(2031, 5, 14), time(9), time(9, 30), "Boats", "Deck", None, 30.0],
        [None, time(9, 30), None, "Ropes", None, timedelta(minutes=45), None],
        [],
        [48_013, 0.5, None, "Nets", "Deck", time(0, 20), True],
    ]
    data = workbook([["Read me first"]], rows, merged=("A4:A5", "E4:E5", "A1:G1"))
    assert table_xlsx.recognises(data)
    day = datetime(2031, 5, 14)
    nets = datetime(2031, 6, 14, 12)
    assert table_xlsx.parse(data, "a.xlsx") == ScheduleDocument(
        "a.xlsx",
        "table-xlsx",
        EventEntry(),
        [
            SessionEntry(
                *("Boats", 4, "a.xlsx"),
                start=day.replace(hour=9),
                end=day.replace(hour=9, minute=30),
                room="Deck",
                fields={"Seats": "30"},
            ),
            SessionEntry(
                *("Ropes", 5, "a.xlsx"),
                **{"start": day.replace(hour=9, minute=30), "end": day.replace(hour=10, minute=15), "room": "Deck"},
            ),
            SessionEntry(
                *("Nets", 7, "a.xlsx"),
                **{"start": nets, "end": nets.replace(minute=20), "room": "Deck", "fields": {"Seats": "yes"}},
            ),
        ],
        ["note", "blank", "header", "session", "session", "blank", "session"],
        [],
        is_whole=True,
        unit="row",
    )


def test_a_second_sheet_that_fits_is_named_and_the_document_is_not_whole():
    sheet = [HEADER.split(","), ROW.split(",")]
    document = table_xlsx.parse(workbook(sheet, [["Notes"]], sheet), "a.xlsx")
    message = "Only the sheet “Sheet 1” is read. “Sheet 3” would fit as well: save each as a file of its own."
    assert (len(document.sessions), document.is_whole, problems_of(document)) == (1, False, [(None, message)])


def test_a_formula_without_a_saved_value_is_reported():
    document = table_xlsx.parse(workbook([[*HEADER.split(","), "Seats"], [*ROW.split(","), "=1+1"]]), "a.xlsx")
    message = (
        "A formula has no saved value, so the cell seems empty. "
        "Open the workbook in Excel or LibreOffice and save it again."
    )
    assert (document.sessions[0].fields, problems_of(document)) == ({}, [(2, message)])


def test_problems_of_a_workbook_name_the_row_and_its_text():
    document = table_xlsx.parse(workbook([HEADER.split(","), ROW.split(","), [None, "x", None, "Deck"]]), "a.xlsx")
    assert document.problems == [Problem("The row has no title; it is left out.", "a.xlsx", 3, "x | Deck")]


def test_a_workbook_that_would_grow_too_large_is_refused():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b"<workbook/>")
        archive.writestr("xl/worksheets/sheet1.xml", b" " * (40 * 1024 * 1024))
    message = "The workbook is too large (40 MB unpacked). Export the one sheet as CSV."
    assert refusal_of(table_xlsx, file.getvalue()) == [(message, None)]


def test_one_long_text_in_many_cells_is_refused():
    rows = [[*ROW.split(","), *["x" * 30_000] * 100] for _ in range(6)]
    message = "The workbook holds too much text. Export the one sheet as CSV."
    assert refusal_of(table_xlsx, workbook([HEADER.split(","), *rows])) == [(message, None)]


def _with_part(data: bytes, name: str, change) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w") as new:
        for part in old.namelist():
            new.writestr(part, change(old.read(part)) if part == name else old.read(part))
    return file.getvalue()


def test_what_is_no_workbook_or_a_dangerous_one_is_refused():
    data = workbook([HEADER.split(","), ROW.split(",")])
    sheet = "xl/worksheets/sheet1.xml"
    doctype = _with_part(data, sheet, lambda xml: b'<!DOCTYPE a [<!ENTITY b "c">]>' + xml)
    broken = _with_part(data, sheet, lambda xml: xml[:300])
    damaged = "This is no Excel workbook (.xlsx), or a damaged one. Save it again, or export the sheet as CSV."
    old = "This is an old (.xls) or locked workbook. Save it as .xlsx without a password, or as CSV."
    parse_error = "The workbook is damaged (ParseError). Save it again, or export the sheet as CSV."
    assert [table_xlsx.recognises(bad) for bad in (b"", b"PK\x03\x04", data[:900], ROW.encode())] == [False] * 4
    assert [refusal_of(table_xlsx, bad) for bad in (b"", b"PK\x03\x04", data[:900], doctype)] == [[(damaged, None)]] * 4
    assert refusal_of(table_xlsx, b"\xd0\xcf\x11\xe0\xa1") == [(old, None)]
    assert refusal_of(table_xlsx, broken) == [(parse_error, None)]
    assert refusal_of(table_xlsx, workbook([])) == [("There is no table with a header row in it.", None)]


# Damage and size


@settings(max_examples=150, deadline=None)
@given(data=st.data(), path=st.sampled_from(FILES))
def test_a_damaged_table_is_read_or_refused_and_every_row_accounted_for(data, path):
    assert_read_or_refused(table, damage_often(read_case(path).text, data))


@settings(max_examples=150, deadline=None)
@given(cells=st.lists(st.text(st.sampled_from(ALPHABET), max_size=20), max_size=12), delimiter=st.sampled_from(",;\t|"))
def test_any_cells_under_a_header_are_read_or_refused(cells, delimiter):
    header = delimiter.join(["Title", "Date", "Time", "Duration", "Speakers", "Bio", "Status", "Slides"])
    assert_read_or_refused(table, f"{header}\nA{delimiter}" + delimiter.join(cells))


@settings(max_examples=300, deadline=None)
@given(parts=st.lists(st.sampled_from([*"0123456789 :.-/–+apmhTZ日²", "May", " to ", "UTC", "14.5.2031", "10:30"])))
def test_any_moment_and_duration_is_read_or_none(parts):
    text = "".join(parts)
    moment = read_moment(text)
    assert moment is None or moment.day or moment.clock
    duration = read_duration(text)
    assert duration is None or duration > timedelta()


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**6), 10**6),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text("aZ0:- 日\n", max_size=8),
    st.datetimes(datetime(1901, 1, 1), datetime(9999, 12, 31)),
    st.times(),
    st.timedeltas(timedelta(), timedelta(days=9)),
)


@settings(max_examples=40, deadline=None)
@given(rows=st.lists(st.lists(VALUES, max_size=6), max_size=4))
def test_a_workbook_with_any_values_is_read_or_refused(rows):
    assert_workbook_is_read_or_refused(workbook([["Title", "Date", "Start", "End", "Duration", "Room"], *rows]))


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_a_workbook_with_damaged_bytes_is_read_or_refused(data):
    content = bytearray(WORKBOOK)
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    assert_workbook_is_read_or_refused(bytes(content))


WORKBOOK = workbook([HEADER.split(","), ROW.split(","), ROW.split(",")], merged=("D2:D3",))


@pytest.mark.parametrize(
    "text",
    [
        f"{HEADER}\n" + "\n" * 100_000 + ROW,
        f"{HEADER}\n" + "x" * 100_000 + f",{ROW}",
        f"{HEADER},Speakers\n{ROW}," + "A & " * 30_000,
        f"{HEADER},Speakers\n{ROW}," + "(" * 60_000 + ";" * 60_000,
        f"{HEADER}\n" + "," * 1_000_000,
        "|" * 500_000 + "\n" + "|-" * 500_000,
        "|Title|Start|\n|-|-|\n|" + "__a" * 100_000 + "|" + "[" * 100_000 + "|",
        " " * 300_000 + "|" + " " * 300_000 + "\n" + " " * 300_000 + "|" + " " * 300_000,
        f"{HEADER}\n" + "-" * 100_000 + "," + "9" * 100_000,
    ],
    ids=range(9),
)
def test_long_and_odd_texts_are_read_in_linear_time(text):
    assert_read_or_refused(table, text)
