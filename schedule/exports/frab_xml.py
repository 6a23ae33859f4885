"""A programme as schedule.xml, in the form of frab and c3voc, as conference apps read it."""

import re
from collections.abc import Mapping
from xml.etree import ElementTree as ET

from django.utils.translation import gettext

from conference.dates import write_instant
from schedule.agenda import Row
from schedule.exports import frab
from schedule.exports.exact import Facts, write_exactly, write_facts
from schedule.exports.programme import Programme
from schedule.importing.formats import frab_xml

_DECLARATION = '<?xml version="1.0" encoding="utf-8"?>'
# Characters that XML 1.0 can't hold, not even escaped.
_NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_xml(programme: Programme) -> bytes:
    """Return `programme` as schedule.xml (UTF-8), from which the importer reads the same programme."""
    return write_exactly(programme, lambda facts: _write(programme, facts), frab_xml.parse).encode()


def _write(programme: Programme, facts: Mapping[str, Facts]) -> str:
    everywhere = gettext("All rooms")
    acronym = frab.make_acronym(programme.event)
    days = frab.build_days(programme, everywhere)
    root = ET.Element("schedule")
    ET.SubElement(root, "generator", name="Plenary")
    _add(root, "version", str(programme.event.programme_version))
    _add_conference(root, programme, acronym, days)
    for day in days:
        bounds = {"start": write_instant(day.start), "end": write_instant(day.end)}
        day_element = ET.SubElement(root, "day", index=str(day.index), date=day.date.isoformat(), **bounds)
        for name, rows in day.rooms.items():
            guid = frab.make_room_guid(programme.event, rows[0].session.room)
            room_element = ET.SubElement(day_element, "room", name=_clean(name), guid=guid)
            for row in rows:
                element = _add_event(room_element, programme, row, acronym, everywhere)
                said = facts.get(str(row.session.uid), {})
                if said and "uid" not in said:
                    element.append(_instruct(said))
    root.extend(_instruct(said) for said in facts.values() if "uid" in said)
    ET.indent(root)
    return f"{_DECLARATION}\n{ET.tostring(root, encoding='unicode')}\n"


def _add_conference(root: ET.Element, programme: Programme, acronym: str, days: list[frab.FrabDay]) -> None:
    event = programme.event
    conference = ET.SubElement(root, "conference")
    _add(conference, "acronym", acronym)
    _add(conference, "title", event.name)
    _add(conference, "start", min(days[0].date, event.start_date).isoformat())
    _add(conference, "end", max(days[-1].date, event.end_date).isoformat())
    _add(conference, "days", str(len(days)))
    _add(conference, "timeslot_duration", "00:05")
    _add(conference, "base_url", programme.make_absolute(event.get_absolute_url()))
    _add(conference, "time_zone_name", frab.name_zone(programme.viewing.zone))


def _add_event(parent: ET.Element, programme: Programme, row: Row, acronym: str, everywhere: str) -> ET.Element:
    session = row.session
    element = ET.SubElement(parent, "event", id=str(session.pk), guid=str(session.uid))
    _add(element, "date", write_instant(row.start))
    _add(element, "start", f"{row.start:%H:%M}")
    _add(element, "duration", frab.write_duration(session.duration))
    _add(element, "room", frab.name_room(session.room, everywhere))
    _add(element, "slug", frab.make_event_slug(row, acronym))
    _add(element, "url", programme.address_of(session.get_absolute_url()))
    _add(element, "title", session.title)
    _add(element, "subtitle", "")
    _add(element, "track", session.track.name if session.track else "")
    _add(element, "type", frab.name_type(session))
    _add(element, "language", frab.code_language(programme, session))
    _add(element, "abstract", session.abstract)
    _add(element, "description", "")
    recording = ET.SubElement(element, "recording")
    _add(recording, "license", "")
    _add(recording, "optout", "false")
    if session.recording_url:
        _add(recording, "url", session.recording_url)
    persons = ET.SubElement(element, "persons")
    for link in session.session_speakers.all():
        _add(persons, "person", link.speaker.name, id=str(link.speaker.pk))
    links, attachments = ET.SubElement(element, "links"), ET.SubElement(element, "attachments")
    for is_file, name, address in frab.list_links(session, programme.make_absolute):
        _add(attachments if is_file else links, "attachment" if is_file else "link", name, href=address)
    return element


def _add(parent: ET.Element, name: str, text: str, **attributes: str) -> None:
    ET.SubElement(parent, name, **attributes).text = _clean(text)


def _instruct(facts: Facts) -> ET.Element:
    """Return a processing instruction, which no schema forbids and no app minds."""
    # The end of one may stand in it only otherwise spelled, as JSON can.
    return ET.ProcessingInstruction(frab_xml.INSTRUCTION, write_facts(facts).replace("?>", "\\u003f>"))


def _clean(text: str) -> str:
    return _NO_XML.sub("", text)
