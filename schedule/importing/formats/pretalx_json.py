"""schedule.json, as pretalx and the tools of c3voc write it: what schedule.xml says, in JSON."""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

from schedule.importing.document import ReadOptions, ScheduleDocument, ScheduleRefused
from schedule.importing.formats.entries import Notes
from schedule.importing.formats.frab import RawConference, RawDay, RawEvent, RawLink, RawPerson, build_document

FORMAT = "pretalx-json"
# Under which our own exports say what schedule.json has no place for (formats/exact.py).
EXACT = "plenary"
DEFAULTS = ReadOptions()
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}]', re.DOTALL)
_WORDS = {"dict": "an object", "list": "a list", "str": "text", "NoneType": "nothing", "bool": "true or false"}
# A text in several languages: the first of these that it has.
_LANGUAGES = ("en", "de")


class Located(dict):
    """An object of the file and the line it begins on."""

    line = 0


def recognises(text: str) -> bool:
    """Whether `text` is a JSON object that speaks of a conference and its days."""
    return text.lstrip("\ufeff \t\r\n").startswith("{") and '"conference"' in text and '"days"' in text


def parse(text: str, source: str, options: ReadOptions = DEFAULTS) -> ScheduleDocument:
    """Read schedule.json. Times are instants where the file gives offsets.

    An event that can't be read is left out with a warning that gives its path ("days[0].rooms.Hall[3]"),
    and then the document is no longer whole. Raises ScheduleRefused for what is no such file, or a cut one:
    of half a JSON text nothing can be read.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    notes = Notes(source, text.split("\n"))
    root = _load(notes, text)
    return build_document(notes, _Walker(notes, options).read_root(root), FORMAT, options)


def _load(notes: Notes, text: str) -> Any:
    """Return the JSON value, numbers as they are written, every object with its line."""
    objects: list[Located] = []

    def keep(pairs: list[tuple[str, Any]]) -> Located:
        objects.append(Located(pairs))
        return objects[-1]

    try:
        root = json.loads(text, object_pairs_hook=keep, parse_int=str, parse_float=str, parse_constant=str)
    except json.JSONDecodeError as error:
        raise _broken(notes, text, error) from error
    except RecursionError as error:
        raise notes.refuse("The objects and lists are nested too deep. This is no schedule.") from error
    _locate(text, objects)
    return root


def _locate(text: str, objects: list[Located]) -> None:
    """Give each object its line. They were made in the order in which they end."""
    line_starts = [0, *(found.end() for found in re.finditer("\n", text))]
    begun: list[int] = []
    ended = iter(objects)
    for found in _TOKEN.finditer(text):
        if found[0] == "{":
            begun.append(found.start())
        elif found[0] == "}":
            next(ended).line = bisect_right(line_starts, begun.pop())


def _broken(notes: Notes, text: str, error: json.JSONDecodeError) -> ScheduleRefused:
    is_at_end = not text[error.pos :].strip() or error.msg.startswith("Unterminated string")
    if is_at_end:
        return notes.refuse("The JSON breaks off in this line. Save the whole file again.", notes.last_line)
    return notes.refuse(f"The JSON is damaged here ({error.msg}, character {error.colno}). Correct it.", error.lineno)


class _Walker:
    """Goes through the values; what is of another type than it should be is reported with its path."""

    def __init__(self, notes: Notes, options: ReadOptions):
        self.notes = notes
        self.options = options
        self.line = 1

    def read_root(self, root: Any) -> RawConference:
        root = self._object(root, "")
        schedule = self._object(root.get("schedule", root), "schedule")
        head = self._object(schedule.get("conference"), "conference")
        if not head:
            raise self.notes.refuse("This is no schedule.json: it has no schedule.conference.", None)
        texts = self._texts(schedule, ("url", "base_url"), "schedule")
        # A title that the file itself calls by another name.
        texts |= self._texts(head, ("title", "acronym", "start", "end", "time_zone_name"), "conference")
        texts["days"] = self._text(head.get("daysCount"), "conference.daysCount")
        if address := self._text(head.get("url"), "conference.url"):
            texts["base_url"] = address
        conference = RawConference(head.line, texts)
        for _path, value in self._items(schedule.get(EXACT), f"schedule.{EXACT}"):
            conference.further.append((json.dumps(value), getattr(value, "line", head.line)))
        for path, value in self._items(head.get("days"), "days"):
            self.line = head.line
            self._read_day(conference, self._object(value, path), path)
        return conference

    def _read_day(self, conference: RawConference, value: Located, path: str) -> None:
        if not value:
            return
        line = value.line
        texts = self._texts(value, ("date", "day_start", "day_end"), path)
        day = RawDay(line, texts["date"], texts["day_start"], texts["day_end"])
        conference.days.append(day)
        rooms = self._object(value.get("rooms"), f"{path}.rooms")
        for room, events in rooms.items():
            self.line = line
            for place, event in self._items(events, f"{path}.rooms.{room}"):
                self.line = line
                self._read_event(conference, day, room, event, place)

    def _read_event(self, conference: RawConference, day: RawDay, room: str, value: Any, path: str) -> None:
        event = self._object(value, path)
        names = ("id", "guid", "date", "start", "duration", "room", "title", "subtitle", "track", "type", "language")
        names = (*names, "abstract", "description", "do_not_record", "recording_url", "video_download_url")
        texts = self._texts(event, names, path)
        texts["license"] = self._text(event.get("recording_license"), f"{path}.recording_license")
        recording = event.get("recording")
        if isinstance(recording, dict):
            said = self._texts(recording, ("optout", "license", "url"), f"{path}.recording")
            texts |= {"optout": said["optout"], "license": said["license"] or texts["license"]}
            texts["recording_url"] = texts["recording_url"] or said["url"]
        texts["recording_url"] = texts["recording_url"] or texts["video_download_url"]
        texts["exact"] = json.dumps(event[EXACT]) if EXACT in event else ""
        people = [self._read_person(person, at) for at, person in self._items(event.get("persons"), f"{path}.persons")]
        links = [
            self._read_link(link, at)
            for name in ("links", "attachments")
            for at, link in self._items(event.get(name), f"{path}.{name}")
        ]
        conference.events.append(RawEvent(event.line or self.line, day, path, room, texts, people, links))

    def _read_person(self, value: Any, path: str) -> RawPerson:
        if isinstance(value, str):
            return RawPerson(value, self.line)
        person = self._object(value, path)
        names = ("public_name", "name", "full_public_name", "id", "code", "biography")
        texts = self._texts(person, names, path)
        name = texts["public_name"] or texts["name"] or texts["full_public_name"]
        return RawPerson(name, person.line or self.line, texts["id"] or texts["code"], texts["biography"])

    def _read_link(self, value: Any, path: str) -> RawLink:
        if isinstance(value, str):
            return RawLink("", value, self.line)
        link = self._object(value, path)
        texts = self._texts(link, ("title", "name", "url", "href"), path)
        return RawLink(texts["title"] or texts["name"], texts["url"] or texts["href"], link.line or self.line)

    # Types

    def _object(self, value: Any, path: str) -> Located:
        if isinstance(value, Located):
            self.line = value.line or self.line
            return value
        if value is not None:
            self._warn_of_type(value, path, "an object")
        return Located()

    def _items(self, value: Any, path: str) -> Iterator[tuple[str, Any]]:
        """Yield path and value of each item of a list; nothing for what is none, with a problem."""
        if value is not None and not isinstance(value, list):
            self._warn_of_type(value, path, "a list")
        for n, item in enumerate(value if isinstance(value, list) else []):
            yield f"{path}[{n}]", item

    def _texts(self, value: Located, names: tuple[str, ...], path: str) -> dict[str, str]:
        return {name: self._text(value.get(name), f"{path}.{name}") for name in names}

    def _text(self, value: Any, path: str) -> str:
        """Return a value as text; of a text in several languages one."""
        if isinstance(value, str):
            return value
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, Located):
            texts = {key: text for key, text in value.items() if isinstance(text, str) and text}
            if texts and len(texts) <= len(value):
                return next(
                    (texts[language] for language in _LANGUAGES if language in texts), next(iter(texts.values()))
                )
        if value is not None and value != {}:
            self._warn_of_type(value, path, "text")
        return ""

    def _warn_of_type(self, value: Any, path: str, wanted: str) -> None:
        found = _WORDS.get("dict" if isinstance(value, dict) else type(value).__name__, "another value")
        message = f"{path or 'The file'} is {found} where {wanted} should be; it is not read."
        self.notes.warn(message, self.line)
