"""Real files of other formats, through the whole import: nothing lost, nothing doubled."""

from datetime import datetime
from io import BytesIO

import openpyxl
import pytest

from conference.models import Event
from schedule.importing import ReadOptions, Source, import_schedule
from schedule.models import Session
from tests.factories import make_event
from tests.seeds import require_sample, require_seeds

pytestmark = pytest.mark.django_db

SAMPLES = [
    ("sched-export.csv", "sched-csv", {"event_slug": "penguicon", "timezone": "America/Detroit"}, 401),
    ("sched-cruise-2019.ics", "icalendar", {"timezone": "America/New_York"}, 395),
    ("31c3-schedule.xml", "frab-xml", {"timezone": "Europe/Berlin"}, 138),
]


def prepare(name: str, options: dict) -> Source:
    if slug := options.get("event_slug"):
        Event.objects.create(
            name="Penguicon 2019",
            slug=slug,
            start_date="2019-05-03",
            end_date="2019-05-05",
            timezone=options["timezone"],
        )
    path = require_sample(name)
    return Source(path.name, path.read_bytes())


@pytest.mark.parametrize(("name", "format_name", "options", "entries"), SAMPLES)
def test_every_entry_of_a_real_file_becomes_a_session_and_a_second_run_changes_nothing(
    name, format_name, options, entries
):
    source = prepare(name, options)
    first = import_schedule([source], **options)
    (file,) = first.files
    assert (file.document.format, file.document.unclaimed_lines) == (format_name, [])
    assert (first.events[0].counts["sessions"]["created"], Session.objects.count()) == (entries, entries)
    second = import_schedule([source], **options)
    assert (second.has_changes, second.events[0].counts["sessions"]) == (False, {"unchanged": entries})


def test_several_formats_go_in_one_call():
    xml = prepare("31c3-schedule.xml", {})
    Event.objects.create(
        name="31. Chaos Communication Congress", slug="31c3", start_date="2014-12-27", end_date="2014-12-30",
        timezone="Europe/Berlin",
    )  # fmt: skip
    seeds = [Source(path.name, path.read_bytes()) for path in require_seeds()]
    import_schedule([xml, *seeds])
    assert [event.sessions.count() for event in Event.objects.order_by("name")] == [138, 41]


TABLE = (
    "Name,Begin,End,Where\nTides,2031-06-04 10:00,2031-06-04 10:30,Aula\nSand,2031-06-04 11:00,2031-06-04 12:00,Boat\n"
)


def test_a_plain_table_goes_into_an_event_by_its_header_or_by_columns_named_by_hand():
    make_event(name="Reef Days", slug="reef", timezone="Europe/Lisbon")
    import_schedule([Source("talks.csv", TABLE.encode())], event_slug="reef")
    odd = TABLE.replace("Name,Begin,End,Where", "A,B,C,D")
    columns = {"title": "A", "start": "B", "end": "C", "room": "D"}
    report = import_schedule([Source("odd.csv", odd.encode())], event_slug="reef", reading=ReadOptions(columns=columns))
    assert not report.has_changes
    assert list(Session.objects.order_by("start").values_list("title", "room__name")) == [
        ("Tides", "Aula"),
        ("Sand", "Boat"),
    ]


def test_a_workbook_goes_in_as_bytes():
    workbook = openpyxl.Workbook()
    for row in (
        ["Title", "Start", "End", "Room"],
        ["Tides", datetime(2031, 6, 4, 10), datetime(2031, 6, 4, 11), "Aula"],
    ):
        workbook.active.append(row)
    data = BytesIO()
    workbook.save(data)
    make_event(name="Reef Days", slug="reef", timezone="Europe/Lisbon")
    import_schedule([Source("talks.xlsx", data.getvalue())], event_slug="reef")
    assert [(s.title, s.start.isoformat()) for s in Session.objects.all()] == [("Tides", "2031-06-04T09:00:00+00:00")]
