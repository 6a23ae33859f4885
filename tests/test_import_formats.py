"""One programme in several formats by turns: none undoes what another knows, and the second time nothing changes."""

from itertools import permutations

import pytest

from conference.models import Event
from schedule.importing import Source, import_schedule
from schedule.models import Session
from tests.factories import make_event
from tests.test_import import pause, schedule, talk
from tests.test_import_seeds import dump_database

pytestmark = pytest.mark.django_db

CALENDAR = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Reef//EN
X-WR-CALNAME:Reef Days 2031
BEGIN:VEVENT
UID:tides@reef.example
DTSTART;TZID=Europe/Lisbon:20310604T100000
DTEND;TZID=Europe/Lisbon:20310604T103000
SUMMARY:{title}
LOCATION:Aquário
STATUS:{status}
END:VEVENT
END:VCALENDAR
"""
ROWS = """ID,Title,Start,End,Room,Type
t1,Tides,2031-06-04 10:00,2031-06-04 10:30,Aquário,Keynote
"""


def calendar(title: str = "Tides", status: str = "CONFIRMED") -> Source:
    return Source("reef.ics", CALENDAR.format(title=title, status=status).replace("\n", "\r\n").encode())


TEXT, TABLE = schedule(talk()), Source("reef.csv", ROWS.encode())


def take(source: Source) -> bool:
    """Import into the one event; return whether anything changed."""
    return import_schedule([source], event_slug="reef").has_changes


@pytest.fixture(autouse=True)
def reef() -> Event:
    return make_event(name="Reef Days 2031", slug="reef", timezone="Europe/Lisbon")


@pytest.mark.parametrize("order", list(permutations([TEXT, calendar(), TABLE])))
def test_formats_that_take_turns_change_nothing_from_the_second_time_on(order):
    assert take(order[0])
    for source in order[1:]:
        take(source)
    before = dump_database()
    assert [take(source) for source in [*order, *order]] == [False] * 6
    assert (dump_database(), Session.objects.get().kind) == (before, "keynote")


def test_formats_that_came_in_one_call_change_nothing_one_by_one():
    import_schedule([TEXT, calendar(), TABLE], event_slug="reef")
    assert [take(source) for source in (TABLE, TEXT, calendar())] == [False] * 3


def test_a_source_takes_back_what_it_said_itself_and_no_other_does():
    found = []
    for source in (TEXT, calendar(status="CANCELLED"), TEXT, TEXT, schedule(talk(end="10:45")), TEXT, calendar()):
        take(source)
        found.append(Session.objects.get().status)
    assert found == ["confirmed", *["cancelled"] * 5, "confirmed"]


def test_a_calendar_without_people_takes_nobody_off_and_is_no_edit_by_hand():
    take(TEXT)
    take(calendar())
    take(schedule(talk(name="Bo Lima")))
    assert [link.speaker.name for link in Session.objects.get().session_speakers.all()] == ["Bo Lima"]


def test_a_session_named_talk_is_renamed_by_any_format():
    take(schedule(talk("Confirmed"), pause()))
    Session.objects.filter(kind="talk").update(source_id="uid:tides@reef.example")
    take(calendar("talk"))
    assert Session.objects.get(kind="talk").title == "talk"


def test_what_a_whole_source_lacks_is_gone_in_whichever_format_it_was_there():
    take(calendar())
    take(schedule(talk(), pause(day="Thursday June 5, 2031")))
    assert import_schedule([schedule(pause(), pause(day="Thursday June 5, 2031"))], event_slug="reef").events[
        0
    ].gone == ["Tides"]
