"""Sessions as iCalendar (RFC 5545), by the library `icalendar`, as real calendars accept it."""

from collections.abc import Callable, Iterable
from datetime import UTC, timedelta

from django.utils.translation import gettext
from icalendar import Alarm, Calendar, vText
from icalendar import Event as CalendarEvent

from conference.models import Event

_STATUS = {"confirmed": "CONFIRMED", "cancelled": "CANCELLED", "draft": "TENTATIVE"}


def build_calendar(
    event: Event,
    sessions: Iterable,
    make_absolute: Callable[[str], str],
    is_personal: bool = False,
    alarm_minutes: int | None = None,
) -> bytes:
    """Return a calendar of `sessions` (scheduled, with_details()) of `event`, UTF-8, CRLF, folded.

    `is_personal` names it as an attendee's own; `alarm_minutes` reminds so long before each session.

    Instants are UTC; `make_absolute` turns a path into an address. The same data gives the same bytes:
    DTSTAMP is the time of the programme's last change, never now.
    """
    calendar = Calendar()
    calendar.add("prodid", "-//Plenary//Plenary//EN")
    calendar.add("version", "2.0")
    name = gettext("My schedule: %(event)s") % {"event": event.name} if is_personal else event.name
    calendar.add("x-wr-calname", name)
    calendar.add("x-wr-timezone", event.timezone)
    stamp = event.programme_changed_at.astimezone(UTC).replace(microsecond=0)
    for session in sessions:
        entry = _build_entry(event, session, stamp, make_absolute)
        if alarm_minutes and not session.is_cancelled:
            entry.add_component(_build_alarm(session.title, alarm_minutes))
        calendar.add_component(entry)
    return calendar.to_ical()


def _build_alarm(title: str, minutes: int) -> Alarm:
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", title)
    alarm.add("trigger", -timedelta(minutes=minutes))
    return alarm


def _build_entry(event: Event, session, stamp, make_absolute: Callable[[str], str]) -> CalendarEvent:
    address = make_absolute(session.get_absolute_url())
    entry = CalendarEvent()
    entry.add("uid", str(session.uid))
    entry.add("dtstamp", stamp)
    entry.add("dtstart", session.start.astimezone(UTC))
    entry.add("dtend", session.end.astimezone(UTC))
    entry.add("summary", session.title)
    # Giggity refuses every entry without LOCATION, so it is never left out.
    place = [session.room.name if session.room else event.venue, event.city, event.country]
    entry.add("location", ", ".join(part for part in place if part) or event.name)
    people = [f"{link.speaker.name}, {link.speaker.affiliation}".strip(", ") for link in session.session_speakers.all()]
    parts = [address, "\n".join(people), session.abstract]
    entry.add("description", "\n\n".join(part for part in parts if part))
    entry.add("url", address)
    entry.add("status", _STATUS[session.status])
    if session.track:
        entry.add("categories", [vText(session.track.name)])
    return entry
