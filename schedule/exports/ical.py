"""Sessions as iCalendar (RFC 5545 and 7986), by the library `icalendar`, as real calendars accept it."""

import logging
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from types import MappingProxyType

from django.utils.translation import gettext
from icalendar import Alarm, Calendar, vText, vUri
from icalendar import Event as CalendarEvent

from conference.models import Event
from schedule.exports.exact import Facts, write_exactly, write_facts
from schedule.exports.programme import Programme
from schedule.importing.formats import ical
from schedule.importing.formats.ical import ABSTRACT_AT, EXACTLY, FURTHER

logger = logging.getLogger(__name__)
# How often a calendar that is subscribed to should ask again: rooms change while people walk.
REFRESH_INTERVAL = timedelta(hours=1)
_STATUS = {"confirmed": "CONFIRMED", "cancelled": "CANCELLED", "draft": "TENTATIVE"}
# What no text of a calendar may hold, and some readers stop at.
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def write_calendar(programme: Programme) -> bytes:
    """Return `programme` as a calendar from which the importer reads the same programme."""
    writer = CalendarWriter(programme)
    return write_exactly(programme, lambda facts: writer.write(facts).decode(), ical.parse).encode()


@dataclass(frozen=True)
class CalendarWriter:
    """Writes a programme as a calendar. The same data gives the same bytes: a stamp is the programme's, never now.

    Times are UTC, so that no calendar needs to know a zone. `alarm_minutes` reminds so long before each session.
    """

    programme: Programme
    alarm_minutes: int | None = None

    def write(self, facts: Mapping[str, Facts] = MappingProxyType({})) -> bytes:
        """Return the calendar, UTF-8, CRLF, folded at 75 octets. Sessions without a time are left out.

        `facts` by uid are put beside what a calendar has a place for. A row that can't be written is left out and
        logged: it must not take the others with it.
        """
        calendar = self._begin()
        for session in self.programme.sessions:
            if session.start is None:
                continue
            try:
                calendar.add_component(self._build_entry(session, facts.get(str(session.uid), {})))
            except (ValueError, OverflowError):
                logger.exception("The session %s can't be written into a calendar.", session.pk)
        for said in facts.values():
            if "uid" in said:
                calendar.add(FURTHER, write_facts(said))
        return calendar.to_ical()

    def _begin(self) -> Calendar:
        calendar = Calendar()
        calendar.add("prodid", "-//Plenary//Plenary//EN")
        calendar.add("version", "2.0")
        calendar.add("x-wr-calname", _clean(self.programme.name or self.event.name))
        calendar.add("x-wr-timezone", self.programme.viewing.zone.key)
        calendar.add("refresh-interval", REFRESH_INTERVAL, parameters={"VALUE": "DURATION"})
        # What Outlook and older calendars know instead.
        calendar.add("x-published-ttl", "PT1H")
        return calendar

    @property
    def event(self) -> Event:
        return self.programme.event

    @property
    def _stamp(self) -> datetime:
        return self.event.programme_changed_at.astimezone(UTC).replace(microsecond=0)

    def _build_entry(self, session, facts: Facts) -> CalendarEvent:
        address = self.programme.address_of(session.get_absolute_url())
        entry = CalendarEvent()
        entry.add("uid", str(session.uid))
        entry.add("dtstamp", self._stamp)
        entry.add("last-modified", self._stamp)
        entry.add("sequence", self.programme.sequences.get(session.uid, 0))
        entry.add("dtstart", session.start.astimezone(UTC))
        entry.add("dtend", session.end.astimezone(UTC))
        entry.add("summary", _clean(session.title))
        entry.add("location", _clean(self._describe_place(session)))
        before, description = self._describe(session, address)
        entry.add("description", description)
        entry.add("url", address)
        entry.add("status", _STATUS[session.status])
        if session.track:
            entry.add("categories", [vText(_clean(session.track.name))])
        if session.stream_url:
            label = {"VALUE": "URI", "FEATURE": "VIDEO", "LABEL": gettext("Stream")}
            entry.add("conference", vUri(session.stream_url), parameters=label)
        if session.abstract:
            entry.add(ABSTRACT_AT, str(before))
        if facts and "uid" not in facts:
            entry.add(EXACTLY, write_facts(facts))
        if self.alarm_minutes and not session.is_cancelled:
            entry.add_component(_build_alarm(session.title, self.alarm_minutes))
        return entry

    def _describe_place(self, session) -> str:
        """Return room and address. Giggity refuses every entry without LOCATION, so it is never empty."""
        event = self.event
        place = [session.room.name if session.room else "", event.venue, event.city, event.country]
        return ", ".join(dict.fromkeys(part for part in place if part)) or event.name

    def _describe(self, session, address: str) -> tuple[int, str]:
        """Return the description, links first, and where in it the abstract begins."""
        people = [f"{link.speaker.name}, {link.speaker.affiliation}".strip(", ") for link in _people(session)]
        links = "\n".join(part for part in (address, session.stream_url) if part)
        note = gettext("Cancelled") if session.is_cancelled else ""
        note = f"{note}: {session.status_note}" if note and session.status_note else note
        parts = [_clean(part) for part in (links, note, "\n".join(people)) if part]
        before = "\n\n".join(parts) + "\n\n"
        abstract = _clean(session.abstract)
        return len(before), f"{before}{abstract}" if abstract else before.rstrip("\n")


def _people(session) -> Iterable:
    return session.session_speakers.all()


def _clean(text: str) -> str:
    return _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def _build_alarm(title: str, minutes: int) -> Alarm:
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", _clean(title))
    alarm.add("trigger", -timedelta(minutes=minutes))
    return alarm
