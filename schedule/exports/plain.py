"""A programme to read without a browser: plain text for terminals and mails, Markdown for wikis."""

import re
import textwrap
from collections.abc import Iterator
from datetime import datetime, time

from django.utils.translation import gettext

from conference.dates import format_dates, format_day
from conference.zones import ZoneWords
from schedule.agenda import Day, Row
from schedule.exports.programme import Programme

WIDTH = 79
_INDENT = " " * 13
# A terminal obeys control characters, and nobody sees those that turn the direction of reading.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_MARKDOWN = re.compile(r"([\\`*_\[\]|~])")
_DASH = "–"


def write_text(programme: Programme) -> bytes:
    """Return `programme` as plain text of 79 columns, UTF-8."""
    blocks = ["\n".join([programme.event.name, *_describe(programme)])]
    for day in programme.agenda.days:
        title = format_day(day.date, "long")
        blocks.append(f"{title}\n{'=' * len(title)}")
        blocks += [_write_row(row) for row in _rows_of(day)]
    if programme.agenda.unscheduled:
        title = gettext("Time to be announced")
        blocks += [f"{title}\n{'=' * len(title)}", *map(_write_row, programme.agenda.unscheduled)]
    if not programme.sessions:
        blocks.append(gettext("No sessions match."))
    return (_clean("\n\n".join(blocks)) + "\n").encode()


def write_markdown(programme: Programme) -> bytes:
    """Return `programme` as Markdown: a heading and a table for each day, titles as links, UTF-8."""
    *described, address = _describe(programme)
    blocks = [f"# {_escape(programme.event.name)}", "  \n".join([*map(_escape, described), f"<{address}>"])]
    for day in programme.agenda.days:
        blocks += [f"## {_escape(format_day(day.date, 'long'))}", _write_table(programme, _rows_of(day))]
    if programme.agenda.unscheduled:
        heading = f"## {gettext('Time to be announced')}"
        blocks += [heading, _write_table(programme, iter(programme.agenda.unscheduled))]
    return (_clean("\n\n".join(blocks)) + "\n").encode()


def _describe(programme: Programme) -> list[str]:
    """Return the dates, the place, and on whose clocks the times are; the page's address last."""
    event = programme.event
    place = ", ".join(part for part in (event.venue, event.city, event.country) if part)
    dates = format_dates(event.start_date, event.end_date)
    zone = ZoneWords.at(datetime.combine(event.start_date, time(12), event.zone), programme.viewing.zone)
    clocks = gettext("All times %(city)s (%(zone)s)") % {
        "city": zone.city,
        "zone": f"{zone.abbreviation}, {zone.offset}",
    }
    return [f"{dates} · {place}" if place else dates, clocks, programme.page_address]


def _rows_of(day: Day) -> Iterator[Row]:
    return (row for slot in day.slots for row in slot.rows)


def _write_row(row: Row) -> str:
    lines = [_state(row) + row.session.title, *filter(None, (_where(row), _who(row)))]
    wrapped = [part for line in lines for part in textwrap.wrap(line, WIDTH - len(_INDENT))]
    return "\n".join(f"{_when(row) if number == 0 else '':12} {line}".rstrip() for number, line in enumerate(wrapped))


def _write_table(programme: Programme, rows: Iterator[Row]) -> str:
    names = [gettext("Time"), gettext("Session"), gettext("Room"), gettext("Track"), gettext("Speakers")]
    lines = ["| " + " | ".join(names) + " |", "|" + " --- |" * len(names)]
    for row in rows:
        session = row.session
        title = f"[{_escape(_state(row) + session.title)}]({programme.address_of(session.get_absolute_url())})"
        room, track = (_escape(part.name) if part else "" for part in (session.room, session.track))
        lines.append("| " + " | ".join([_when(row), title, room, track, _escape(_who(row))]) + " |")
    return "\n".join(lines)


def _when(row: Row) -> str:
    if row.start is None:
        return ""
    return f"{row.start:%H:%M}{_DASH}{row.end:%H:%M}" + (f" +{row.end_offset}" if row.end_offset > 0 else "")


def _state(row: Row) -> str:
    return f"{gettext('Cancelled')}: " if row.session.is_cancelled else ""


def _where(row: Row) -> str:
    session = row.session
    room = session.room.name if session.room else gettext("All rooms") if row.start and not session.is_break else ""
    return " · ".join(filter(None, (room, session.track.name if session.track else "", row.level_label)))


def _who(row: Row) -> str:
    people = [link.speaker for link in row.session.session_speakers.all()]
    return ", ".join(f"{p.name} ({p.affiliation})" if p.affiliation else p.name for p in people)


def _escape(text: str) -> str:
    """Return a text of one line in which Markdown finds no mark-up and a browser no tag."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split())).replace("&", "&amp;").replace("<", "&lt;")


def _clean(text: str) -> str:
    return _CONTROLS.sub("", text)
