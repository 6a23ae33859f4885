"""What schedule.xml and schedule.json share: the words of frab, c3voc and pretalx for a programme.

Sources: the schemas of c3voc and frab, and what Giggity, EventFahrplan, ConfClerk and Engelsystem make of files.
"""

import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from conference.languages import find_language
from conference.models import Event, Room
from conference.text import make_slug
from conference.zones import present_name
from schedule.agenda import Row
from schedule.exports.programme import Programme

# Giggity drops a whole schedule for one session of a day or more; the end stands among the facts.
LONGEST_DURATION = timedelta(hours=23, minutes=59)
SHORTEST_PART = 4
# Rooms have no UUID of their own; this gives the same one at each export.
_NAMESPACE = uuid.UUID("5b0d8a3e-9a4c-4c5e-8f0e-2d6b6a1c7f10")
_CODE_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
# Zones of old that no app knows, and where the same clocks are kept; all others without a place are UTC.
_CLOCKS_OF_OLD = {
    "CST6CDT": "America/Chicago",
    "EST5EDT": "America/New_York",
    "MST7MDT": "America/Denver",
    "PST8PDT": "America/Los_Angeles",
}


@dataclass(frozen=True, slots=True)
class FrabDay:
    """A day, from 1, with its bounds: every session begins within them. Rooms in the programme's order, by name."""

    index: int
    date: date
    start: datetime
    end: datetime
    rooms: dict[str, list[Row]]


def build_days(programme: Programme, everywhere: str) -> list[FrabDay]:
    """Return the days of `programme` with the sessions that take place, each once; at least one day.

    Cancelled sessions are left out: the format can't say so, and apps would send people there. What spans all rooms
    stands in one called `everywhere`.
    """
    days = []
    viewing = programme.viewing
    for index, day in enumerate(programme.agenda.days, start=1):
        rooms: dict[str, list[Row]] = {}
        for row in (row for slot in day.slots for row in slot.rows if not row.session.is_cancelled):
            rooms.setdefault(name_room(row.session.room, everywhere), []).append(row)
        days.append(_make_day(viewing, index, day.date, rooms))
    return days or [_make_day(viewing, 1, programme.event.start_date, {})]


def _make_day(viewing, index: int, day: date, rooms: dict[str, list[Row]]) -> FrabDay:
    begin, end = (moment.astimezone(viewing.zone) for moment in viewing.day_bounds(day))
    return FrabDay(index, day, begin, end - timedelta(minutes=1), rooms)


def name_room(room: Room | None, everywhere: str) -> str:
    return room.name if room else everywhere


def name_zone(zone: ZoneInfo) -> str:
    """Return the name of a zone as apps know it: that of a place, or UTC."""
    name = present_name(zone.key)
    return name if "/" in name else _CLOCKS_OF_OLD.get(name, "UTC")


def make_room_guid(event: Event, room: Room | None) -> str:
    return str(uuid.uuid5(_NAMESPACE, f"{event.slug}/{room.slug if room else ''}"))


def make_acronym(event: Event) -> str:
    """Return what tells the event's ids from those of others: at least four of a to z and 0 to 9."""
    plain = re.sub("[^a-z0-9]", "", make_slug(event.slug).encode("ascii", "ignore").decode())
    return plain if len(plain) >= SHORTEST_PART else f"event{plain or event.pk}"


def make_event_slug(row: Row, acronym: str) -> str:
    """Return a name of one session for files and addresses: "acronym-12-opening"."""
    plain = re.sub("[^a-z0-9-]", "", row.session.slug).strip("-")
    return f"{acronym}-{row.session.pk}-{plain if len(plain) >= SHORTEST_PART else f'session{plain}'}"


def make_code(number: int) -> str:
    """Return the id of a session as six letters and digits."""
    code = ""
    while number:
        number, digit = divmod(number, len(_CODE_DIGITS))
        code = _CODE_DIGITS[digit] + code
    return code.rjust(6, "0")


def write_duration(length: timedelta) -> str:
    """Return a length as "01:05", between a minute and less than a day."""
    length = min(max(length, timedelta(minutes=1)), LONGEST_DURATION)
    hours, minutes = divmod(length // timedelta(minutes=1), 60)
    return f"{hours:02}:{minutes:02}"


def name_type(session) -> str:
    """Return the kind as other tools call it: "lightning talk"."""
    return session.kind.replace("-", " ")


def code_language(programme: Programme, session) -> str:
    return find_language(session.language) or programme.event.language


def list_links(session, make_absolute) -> Iterator[tuple[bool, str, str]]:
    """Yield the materials that have an address: whether it is a file of ours, its name, its address."""
    for material in session.materials.all():
        if material.address:
            yield bool(material.file), material.name, make_absolute(material.address)
