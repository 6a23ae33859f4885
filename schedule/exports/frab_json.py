"""A programme as schedule.json, in the form of c3voc and pretalx."""

import json
from collections.abc import Mapping

from django.utils.translation import gettext

from conference.dates import write_instant
from conference.models import Track
from schedule.agenda import Row
from schedule.exports import frab
from schedule.exports.colours import COVER, PALETTE, TRACK, to_hex
from schedule.exports.exact import Facts, write_exactly
from schedule.exports.programme import Programme
from schedule.importing.formats import pretalx_json


def write_json(programme: Programme) -> bytes:
    """Return `programme` as schedule.json (UTF-8), from which the importer reads the same programme."""
    return write_exactly(programme, lambda facts: _write(programme, facts), pretalx_json.parse).encode()


def _write(programme: Programme, facts: Mapping[str, Facts]) -> str:
    event = programme.event
    schedule = {
        "url": programme.page_address,
        "version": str(event.programme_version),
        "base_url": programme.make_absolute(event.get_absolute_url()),
        "conference": _describe_conference(programme, facts),
    }
    if further := [said for said in facts.values() if "uid" in said]:
        schedule[pretalx_json.EXACT] = further
    whole = {
        "$schema": "https://c3voc.de/schedule/schema.json",
        "generator": {"name": "Plenary"},
        "schedule": schedule,
    }
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def _describe_conference(programme: Programme, facts: Mapping[str, Facts]) -> dict:
    event = programme.event
    everywhere = gettext("All rooms")
    acronym = frab.make_acronym(event)
    days = frab.build_days(programme, everywhere)
    shown = [row.session for day in days for rows in day.rooms.values() for row in rows]
    rooms = {frab.name_room(session.room, everywhere): session.room for session in shown}
    tracks = dict.fromkeys(session.track for session in shown if session.track)
    return {
        "acronym": acronym,
        "title": event.name,
        "start": min(days[0].date, event.start_date).isoformat(),
        "end": max(days[-1].date, event.end_date).isoformat(),
        "daysCount": len(days),
        "timeslot_duration": "00:05",
        "time_zone_name": frab.name_zone(programme.viewing.zone),
        "colors": {"primary": to_hex(*COVER, event.hue)},
        "rooms": [_describe_room(event, name, room) for name, room in rooms.items()],
        "tracks": [_describe_track(track) for track in tracks],
        "days": [
            {
                "index": day.index,
                "date": day.date.isoformat(),
                "day_start": write_instant(day.start),
                "day_end": write_instant(day.end),
                "rooms": {
                    name: [_describe_event(programme, row, acronym, everywhere, facts) for row in rows]
                    for name, rows in day.rooms.items()
                },
            }
            for day in days
        ],
    }


def _describe_room(event, name: str, room) -> dict:
    return {
        "name": name,
        "slug": room.slug if room else "",
        "guid": frab.make_room_guid(event, room),
        "description": room.floor if room else "",
        "capacity": room.capacity if room else None,
    }


def _describe_track(track: Track) -> dict:
    hue = track.hue if track.hue is not None else PALETTE[track.palette_row - 1]
    return {"name": track.name, "slug": track.slug, "color": to_hex(*TRACK, hue)}


def _describe_event(programme: Programme, row: Row, acronym: str, everywhere: str, facts) -> dict:
    session = row.session
    links = list(frab.list_links(session, programme.make_absolute))
    said = facts.get(str(session.uid), {})
    return {
        "guid": str(session.uid),
        "code": frab.make_code(session.pk),
        "id": session.pk,
        "logo": None,
        "date": write_instant(row.start),
        "start": f"{row.start:%H:%M}",
        "duration": frab.write_duration(session.duration),
        "room": frab.name_room(session.room, everywhere),
        "slug": frab.make_event_slug(row, acronym),
        "url": programme.address_of(session.get_absolute_url()),
        "title": session.title,
        "subtitle": "",
        "track": session.track.name if session.track else None,
        "type": frab.name_type(session),
        "language": frab.code_language(programme, session),
        "abstract": session.abstract,
        "description": "",
        "recording_license": "",
        "do_not_record": False,
        "persons": [_describe_person(link.speaker) for link in session.session_speakers.all()],
        "links": [{"title": name, "url": url, "type": "related"} for is_file, name, url in links if not is_file],
        "attachments": [{"title": name, "url": url, "type": "related"} for is_file, name, url in links if is_file],
    } | ({pretalx_json.EXACT: said} if said and "uid" not in said else {})


def _describe_person(speaker) -> dict:
    return {"id": speaker.pk, "name": speaker.name, "public_name": speaker.name, "biography": speaker.bio}
