"""What a hostile file says as facts (formats/exact.py): warned of, never a traceback, and nothing dangerous kept."""

import csv
import io
import re

import pytest

from schedule.exports.sched_text import write_sched_text
from schedule.importing import ScheduleRefused, Source, import_schedule
from schedule.models import Material, Session
from speakers.models import Speaker
from tests.factories import make_event, make_session, make_speaker
from tests.programmes import sessions_of

pytestmark = pytest.mark.django_db

THEIRS = "11111111-1111-4111-8111-111111111111"
ENDINGS = ("csv", "ics", "json", "xml", "txt")


@pytest.fixture
def exports(client):
    """An exported session with one person, in every form that has facts; the event is empty again."""
    event = make_event(slug="tides", name="Tides")
    make_session(event, "Knots", "2030-05-06 10:00", people=[make_speaker(event, "Ada Byron")], abstract="Of rope.")
    written = {ending: client.get(f"/tides/schedule.{ending}").content for ending in ENDINGS}
    # The text for terminals is none to import.
    written["txt"] = write_sched_text(event, sessions_of(event)).text.encode()
    Session.objects.all().delete()
    Speaker.objects.all().delete()
    return written


def say(ending: str, content: bytes, facts: str) -> bytes:
    """Return an export in which the session has these facts in place of its own."""
    text = content.decode("utf-8-sig")
    if ending == "csv":
        head, row = csv.reader(io.StringIO(text))
        file = io.StringIO()
        csv.writer(file).writerows([head, [*row[:-1], f'{{"facts": {facts}, "cells": {{}}}}']])
        return file.getvalue().encode()
    # Its own facts become those of nobody.
    text = (
        text.replace("X-PLENARY-EXACTLY", "X-NOBODY")
        .replace('"plenary":', '"nobody":')
        .replace("<?plenary", "<?nobody")
    )
    place, said = {
        "ics": ("END:VEVENT", f"X-PLENARY-EXACTLY:{facts}\r\nEND:VEVENT"),
        "json": ('"guid":', f'"plenary": {facts}, "guid":'),
        "xml": ("</event>", f"<?plenary {facts}?></event>"),
        "txt": ("\n\n10:00 CEST\n\nGet", f"\n\nExactly {facts}\n\n10:00 CEST\n\nGet"),
    }[ending]
    return text.replace(place, said).encode()


def read(ending: str, content: bytes) -> list[str]:
    """Import a file; return what it warns of, or why it was refused."""
    try:
        return [
            problem.message
            for problem in import_schedule([Source(f"a.{ending}", content)], event_slug="tides").problems
        ]
    except ScheduleRefused as refused:
        return [str(refused)]


NOT_SET = {
    "status": '"draft"',
    "kind": '["talk"]',
    "stream_url": '"javascript:alert(1)"',
    "recording_url": '"data:text/html,x"',
    "materials": '[["Slides", "pdf", "javascript:alert(1)"]]',
    "people": '{"Ada Byron": {"aliases": ["Bob Stone"], "role": "draft"}}',
    "fields": '{"Seats": ["20"]}',
    "title": '["a"]',
    "start": '"0001-01-01T00:00:00+14:00"',
    "is_public": "true",
    "event_id": "1",
    "source_id": '"guid:x"',
}


@pytest.mark.parametrize("ending", ENDINGS[:-1])
@pytest.mark.parametrize("name", NOT_SET)
def test_a_fact_that_can_not_be_is_warned_of_and_not_kept(exports, ending, name):
    said = read(ending, say(ending, exports[ending], f'{{"{name}": {NOT_SET[name]}}}'))
    assert any(f'can\'t set "{name}"' in message for message in said)
    session = Session.objects.get()
    kept = (session.title, session.status, session.kind, session.stream_url, session.recording_url, session.start.year)
    assert kept == ("Knots", "confirmed", "talk", "", "", 2030)
    assert (Material.objects.count(), Speaker.objects.exclude(aliases="").count()) == (0, 0)


@pytest.mark.parametrize("name", NOT_SET)
def test_a_text_with_a_fact_that_can_not_be_is_refused_with_its_line(exports, name):
    said = read("txt", say("txt", exports["txt"], f'{{"{name}": {NOT_SET[name]}}}'))
    assert (len(said), f'"{name}" can\'t be set to this' in said[0], Session.objects.count()) == (1, True, 0)


ABSURD = (
    *("[]", "1", "null", "{", '{"title": "a", "title": "b"}', '{"title": "\\ud800"}', '{"start": NaN}'),
    *('{"a": ' * depth + "1" + "}" * depth for depth in (300, 900, 990, 5_000)),
    *(f'{{"fields": {"[" * depth}{"]" * depth}}}' for depth in (300, 900, 990, 100_000)),
    f'{{"start": {"9" * 5_000}}}',
    '{"title": "", "people": [{"name": ""}, {"name": "\\u200b"}]}',
    f'{{"people": [{{"name": "{"n" * 3_000}", "headline": "{"h" * 3_000}"}}]}}',
    f'{{"title": "{"t" * 3_000}", "level": "{"l" * 300}", "abstract": "{"<script>" * 50_000}"}}',
    f'{{"materials": [["{"m" * 3_000}", "{"p" * 300}", ""]]}}',
)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("facts", ABSURD, ids=range(len(ABSURD)))
def test_absurd_facts_are_read_or_refused_in_words(client, exports, ending, facts):
    said = read(ending, say(ending, exports[ending], facts))
    assert all("Traceback" not in message for message in said)
    assert {client.get(f"/tides/{path}").status_code for path in ("", "schedule.xml", "schedule.ics")} == {200}
    assert "" not in [*Session.objects.values_list("title", flat=True), *Speaker.objects.values_list("name", flat=True)]


@pytest.mark.parametrize("ending", ENDINGS[:-1])
def test_the_id_of_a_session_of_another_event_is_no_match(exports, ending):
    other = make_event(slug="other")
    make_session(other, "Theirs", "2030-05-06 10:00", uid=THEIRS)
    content = re.sub(rb"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", THEIRS.encode(), exports[ending])
    read(ending, say(ending, content, f'{{"uid": "{THEIRS}"}}'))
    assert [(s.event.slug, s.title, str(s.uid) == THEIRS) for s in Session.objects.order_by("id")] == [
        ("other", "Theirs", True),
        ("tides", "Knots", False),
    ]
