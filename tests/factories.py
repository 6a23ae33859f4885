"""Rows for tests, each with what it must have; a test names what it is about."""

from datetime import UTC, date, datetime, timedelta
from itertools import count
from zoneinfo import ZoneInfo

from conference.models import Event, Room, Track
from schedule.models import Material, Session, SessionSpeaker
from speakers.models import Speaker

_numbers = count(1)
FIRST_DAY = date(2030, 5, 6)


def make_event(**values) -> Event:
    """A public two-day event in Berlin on 6 and 7 May 2030 (a Monday and a Tuesday)."""
    number = next(_numbers)
    defaults = {
        "name": f"Event {number}",
        "slug": f"event-{number}",
        "start_date": FIRST_DAY,
        "end_date": FIRST_DAY + timedelta(days=1),
        "timezone": "Europe/Berlin",
        "city": "Berlin",
        "country": "Germany",
    }
    return _save(Event(**defaults | values))


def make_room(event: Event, name: str = "", **values) -> Room:
    return _save(Room(event=event, name=name or f"Room {next(_numbers)}", **values))


def make_track(event: Event, name: str = "", **values) -> Track:
    return _save(Track(event=event, name=name or f"Track {next(_numbers)}", **values))


def make_speaker(event: Event, name: str = "", **values) -> Speaker:
    return _save(Speaker(event=event, name=name or f"Ada Number{next(_numbers)}", **values))


def make_session(event: Event, title: str = "", start: str = "", minutes: int = 30, people=(), **values) -> Session:
    """A confirmed session; `start` is wall-clock time of the event's zone, "2030-05-06 10:00"."""
    if start:
        local = datetime.fromisoformat(start).replace(tzinfo=ZoneInfo(event.timezone))
        values["start"] = local.astimezone(UTC)
        values["end"] = values["start"] + timedelta(minutes=minutes)
    session = _save(Session(event=event, title=title or f"Session {next(_numbers)}", **values))
    for position, speaker in enumerate(people, start=1):
        _save(SessionSpeaker(session=session, speaker=speaker, position=position))
    return session


def make_material(session: Session, name: str = "Slides", file_type: str = "pdf", **values) -> Material:
    return _save(Material(session=session, name=name, file_type=file_type, **values))


def _save(row):
    row.full_clean()
    row.save()
    return row
