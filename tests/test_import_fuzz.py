"""Damaged schedules through the whole import, twice: read or refused, every unit accounted for, and stable."""

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conference.models import Event
from schedule.importing import ImportReport, ReadOptions, ScheduleRefused, Source, import_schedule
from schedule.importing.report import Outcome
from schedule.models import Session
from speakers.models import Speaker
from tests.factories import make_event
from tests.format_case import damage_often
from tests.parsing_case import CASES, read_case
from tests.test_import import pause, schedule, talk
from tests.test_import_formats import ROWS, calendar

pytestmark = pytest.mark.django_db

TEXTS = [
    schedule(talk(), talk("Waves", "Dr. Ana Reis", start="10:15", end="12:30", room="Boat"), pause()).data.decode(),
    calendar().data.decode(),
    ROWS + "t2,Waves,2031-06-04 10:15,2031-06-04 11:00,Boat,Talk\n",
    *(
        read_case(CASES / f"{name}.txt").text
        for name in ("frab-xml-cut-partial", "sched-csv-cut-partial", "table-people")
    ),
]
AS_FAR_AS_POSSIBLE = ReadOptions(is_partial_allowed=True)
NO_CHANGE = {Outcome.UNCHANGED, Outcome.LEFT_ALONE}


def assert_accounted_for(report: ImportReport) -> None:
    """Assert that every line, row or entry of the sources has a role, and every session an outcome."""
    for file in report.files:
        document = file.document
        assert set(document.unclaimed_lines) <= {problem.line for problem in document.problems}
        if document.unit != "line":
            assert document.line_roles.count("session") == len(document.sessions)
        twice = sum("stands twice: also" in problem.message for problem in report.problems)
        assert sum(file.sessions.values()) + twice == len(document.sessions)


def import_twice(text: str) -> None:
    source, problems, before = Source("a.txt", text.encode("utf-8", "surrogatepass")), [], Session.objects.count()
    try:
        first = import_schedule([source], event_slug="reef", reading=AS_FAR_AS_POSSIBLE)
    except ScheduleRefused as refused:
        problems = refused.problems
        assert (bool(problems), Session.objects.count()) == (True, before)
    else:
        problems = first.problems
        assert_accounted_for(first)
        second = import_schedule([source], event_slug="reef", reading=AS_FAR_AS_POSSIBLE)
        outcomes = {o for counts in second.events[0].counts.values() for o, number in counts.items() if number}
        assert (second.has_changes, second.events[0].outcome, outcomes - NO_CHANGE) == (False, Outcome.UNCHANGED, set())
        # Of the event, which was made by hand, something may be kept.
        names = {*Session.objects.values_list("title", flat=True), *Speaker.objects.values_list("name", flat=True)}
        assert names.isdisjoint(line.split(": ")[0] for line in second.events[0].kept)
    count = text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
    assert [p for p in problems if p.line is not None and not 1 <= p.line <= count] == []


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), text=st.sampled_from(TEXTS))
def test_a_damaged_schedule_is_imported_or_refused_and_the_second_run_changes_nothing(data, text):
    with transaction.atomic():
        Event.objects.all().delete()
        make_event(name="Reef Days 2031", slug="reef", timezone="Europe/Lisbon")
        if data.draw(st.booleans()):
            import_twice(data.draw(st.sampled_from(TEXTS)))
        import_twice(damage_often(text, data))
        transaction.set_rollback(True)
