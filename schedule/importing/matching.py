"""Which existing row an entry is. One query a table, then only dictionaries."""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cached_property

from rapidfuzz import fuzz

from conference.models import Event
from conference.text import matching_key
from schedule.importing.document import PersonEntry, Problem
from schedule.importing.merging import MergedSession, session_key, title_key_of
from schedule.importing.people import is_spelling_of, overlap, words_of
from schedule.importing.rows import attach
from schedule.models import Material, Session, SessionSpeaker, Tombstone
from speakers.models import Speaker

# Of 100: titles of which fewer letters agree are two sessions.
NEAR_TITLE = 75
# Of a person in a session every column, so that a light row can become a model again where one is to change.
LINK = tuple(f.attname for f in SessionSpeaker._meta.concrete_fields)


def match_event(name: str) -> Event | None:
    """Return the event that the source calls `name`, also if it was renamed by hand since; None if there is none."""
    key = matching_key(name)
    if not key:
        return None
    for event in Event.objects.order_by("id"):
        if key in (matching_key(event.name), matching_key(event.source_values.get("name", ""))):
            return event
    return None


@dataclass
class SessionMatch:
    """Rows by the sessions' keys; what remembers those that were deleted here by hand; sessions that may be
    several rows, and those rows; and what to tell of it."""

    rows: dict[str, Session] = field(default_factory=dict)
    buried: dict[str, Tombstone] = field(default_factory=dict)
    ambiguous: set[str] = field(default_factory=set)
    taken: set[int] = field(default_factory=set)
    doubtful: set[int] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)

    def take(self, merged: MergedSession, row: Session) -> None:
        self.rows[merged.key] = row
        self.taken.add(row.pk)


class SessionMatcher:
    """Finds the row of a session, from the surest sign to the weakest; no row is given to two sessions.

    1. The source's own id, or ours where an export of ours comes back. 2. Title, start and room as the source last
    said them. 3. The same as they stand now. 4. The title alone: the session has moved. 5. Slot and people with a
    near title: it was renamed. Whoever has two candidates is left alone and reported. A session that was deleted here
    by hand is known by 1, 2 and 4; `is_restoring` looks for a row of it all the same.
    """

    def __init__(self, event: Event, is_restoring: bool = False):
        self.event = event
        self.is_restoring = is_restoring
        self.tombstones = list(event.tombstones.order_by("id"))
        self.rows = list(event.sessions.order_by("id"))
        if self.rows:
            self._attach_places()
            self._attach_people_and_materials()
        self._by_id = _index(self.rows, lambda row: row.source_id)
        self._by_source = _index(self.rows, lambda row: row.source_key)

    # The weaker signs are looked for only where the surer ones fail.

    @cached_property
    def _by_uid(self) -> dict[str, list[Session]]:
        return _index(self.rows, lambda row: str(row.uid))

    @cached_property
    def _by_key(self) -> dict[str, list[Session]]:
        return _index(self.rows, _present_key)

    @cached_property
    def _by_title(self) -> dict[str, list[Session]]:
        return _index(self.rows, lambda row: row.source_values.get("title_key") or row.title_key)

    @cached_property
    def _by_slot(self) -> dict[tuple, list[Session]]:
        return _index(self.rows, lambda row: (row.start, row.room.name_key if row.room else ""))

    @cached_property
    def _names(self) -> dict[int, str]:
        return dict(self.event.speakers.values_list("pk", "name_key"))

    def _attach_places(self) -> None:
        """Give the rows their rooms and tracks. SQLite refuses a prefetch, which asks for each of a thousand by id."""
        rooms, tracks = self.event.rooms.in_bulk(), self.event.tracks.in_bulk()
        for row in self.rows:
            attach(row, "room", rooms)
            attach(row, "track", tracks)

    def _attach_people_and_materials(self) -> None:
        """Give the rows plain lists of both, people as light rows: managers and models would take longer than all."""
        links, materials = defaultdict(list), defaultdict(list)
        places = SessionSpeaker.objects.filter(session__event=self.event.pk).in_order()
        for link in places.values_list(*LINK, named=True):
            links[link.session_id].append(link)
        for material in Material.objects.filter(session__event=self.event.pk):
            materials[material.session_id].append(material)
        for row in self.rows:
            row.links, row.known_materials = links[row.pk], materials[row.pk]

    def match(self, sessions: list[MergedSession], is_whole: bool) -> SessionMatch:
        """Find the rows of `sessions`. In a part of a schedule (`is_whole` false) a moved session is known again
        only if it has people: another day's coffee break is no moved one."""
        match = SessionMatch(buried=self._find_buried(sessions))
        sessions = [merged for merged in sessions if self.is_restoring or merged.key not in match.buried]
        for find in (
            lambda merged: self._by_id[merged.entry.source_id] if merged.entry.source_id else [],
            lambda merged: self._by_uid[merged.entry.source_id.partition(":")[2]] if merged.entry.source_id else [],
            lambda merged: self._by_source[merged.key],
            lambda merged: self._by_key[merged.key],
        ):
            for merged in _waiting(sessions, match):
                self._take_one(match, merged, find(merged))
        for waiting in self._by_waiting_title(sessions, match, is_whole).values():
            free = self._free(match, self._by_title[matching_key(waiting[0].entry.title)])
            if not free:
                self._bury_moved(match, waiting)
            elif len(waiting) == 1:
                self._take_one(match, waiting[0], free)
            else:
                for merged in waiting:
                    _leave_alone(match, merged, free)
        for merged in _waiting(sessions, match):
            if self.is_restoring or merged.key not in match.buried:
                self._match_renamed(match, merged)
        return match

    def _find_buried(self, sessions: list[MergedSession]) -> dict[str, Tombstone]:
        """Return what remembers the sessions that were deleted here, known by id, or by title, start and room."""
        by_id = {stone.source_id: stone for stone in self.tombstones if stone.source_id}
        by_key = {stone.source_key: stone for stone in self.tombstones}
        found = {merged.key: by_id.get(merged.entry.source_id) or by_key.get(merged.key) for merged in sessions}
        return {key: stone for key, stone in found.items() if stone}

    def _bury_moved(self, match: SessionMatch, waiting: list[MergedSession]) -> None:
        """Know sessions again that were deleted here and moved in the source since, unless others may be meant."""
        title = matching_key(waiting[0].entry.title)
        known = {stone.pk for stone in match.buried.values()}
        stones = [s for s in self.tombstones if s.pk not in known and title_key_of(s.source_key) == title]
        # Two ids of one kind are two sessions; without one, the title is all there is.
        kinds = {stone.source_id.partition(":")[0] for stone in stones} - {""}
        waiting = [merged for merged in waiting if merged.entry.source_id.partition(":")[0] not in kinds]
        if len(waiting) <= len(stones):
            match.buried |= {merged.key: stone for merged, stone in zip(waiting, stones, strict=False)}
        elif stones:
            message = f"one of these may be “{stones[0].title}”, which was deleted here; added as new ones"
            match.problems += [_report(merged, message) for merged in waiting]

    def _by_waiting_title(self, sessions, match: SessionMatch, is_whole: bool) -> dict[str, list[MergedSession]]:
        left: dict[str, list[MergedSession]] = defaultdict(list)
        for merged in _waiting(sessions, match):
            title = matching_key(merged.entry.title)
            if is_whole or merged.entry.people:
                left[title].append(merged)
            elif twins := [row for row in self._by_title[title] if is_near(row, merged)]:
                match.problems.append(_report(merged, f"may be {_name(twins)} moved; added as a new one"))
        return left

    def _match_renamed(self, match: SessionMatch, merged: MergedSession) -> None:
        people = {matching_key(person.name) for person in merged.entry.people}
        slot = (merged.entry.start, matching_key(merged.entry.room))
        near = [
            row
            for row in self._free(match, self._by_slot[slot])
            if people
            and {self._names[link.speaker_id] for link in row.links} == people
            and fuzz.ratio(row.title_key, matching_key(merged.entry.title)) >= NEAR_TITLE
        ]
        if self._take_one(match, merged, near):
            match.problems.append(_report(merged, f"retitled? It was {_name(near)}, same time, same people"))

    def _take_one(self, match: SessionMatch, merged: MergedSession, candidates: list[Session]) -> bool:
        """Take the only free candidate; with two, leave the session alone. Return whether one was taken."""
        free = self._free(match, candidates)
        if len(free) == 1:
            match.take(merged, free[0])
        elif free:
            _leave_alone(match, merged, free)
        return len(free) == 1

    @staticmethod
    def _free(match: SessionMatch, rows: list[Session]) -> list[Session]:
        return [row for row in rows if row.pk not in match.taken]


def _index(rows: list, key) -> dict:
    found: dict = defaultdict(list)
    for row in rows:
        if sign := key(row):
            found[sign].append(row)
    return found


def _present_key(row: Session) -> str:
    return session_key(row.title, row.start, row.room.name if row.room else "")


def _waiting(sessions: list[MergedSession], match: SessionMatch) -> list[MergedSession]:
    return [merged for merged in sessions if merged.key not in match.rows and merged.key not in match.ambiguous]


def _leave_alone(match: SessionMatch, merged: MergedSession, rows: list[Session]) -> None:
    match.ambiguous.add(merged.key)
    match.doubtful |= {row.pk for row in rows}
    message = f"may be {_name(rows)}; left alone: tell them apart by hand, and import again"
    match.problems.append(_report(merged, message))


def is_near(row: Session, merged: MergedSession) -> bool:
    """Whether a row begins within half a day of a session: on the same day, as people count."""
    start = merged.entry.start
    return bool(row.start and start and abs(row.start - start) < timedelta(hours=12))


def _name(rows: list[Session]) -> str:
    said = [f"“{row.title}” (id {row.pk}{f', {row.start:%Y-%m-%d %H:%M} UTC' if row.start else ''})" for row in rows]
    return " or ".join(said)


def _report(merged: MergedSession, message: str) -> Problem:
    return Problem(message, merged.entry.source, merged.entry.line, merged.entry.title)


class Whereabouts:
    """Where the people who are here stand: in the sessions of this run, and at which hours in others."""

    def __init__(self, rows: list[Session], match: SessionMatch):
        self._others: dict[int, list[Session]] = defaultdict(list)
        self._here: dict[str, set[int]] = {}
        for row in rows:
            for link in row.links if row.pk not in match.taken else ():
                self._others[link.speaker_id].append(row)
        for key, row in match.rows.items():
            self._here[key] = {link.speaker_id for link in row.links}

    def stands_in(self, speaker: Speaker, sessions: list[MergedSession]) -> bool:
        return any(speaker.pk in self._here.get(merged.key, ()) for merged in sessions)

    def is_elsewhere(self, speaker: Speaker, sessions: list[MergedSession]) -> bool:
        """Whether somebody has another session at the hour of one of `sessions`. In the same room it is none:
        the source may have put the one in the other's place."""
        return any(
            overlap(row, merged.entry) and not (row.room and row.room.name_key == matching_key(merged.entry.room))
            for row in self._others[speaker.pk]
            for merged in sessions
        )


class SpeakerMatcher:
    """Finds the row of a person by name: as the source last wrote it, as it stands now, or as an alias."""

    def __init__(self, event: Event, whereabouts: Whereabouts):
        self.whereabouts = whereabouts
        self.rows = list(event.speakers.order_by("id"))
        self._by_key: dict[str, list[Speaker]] = defaultdict(list)
        for names in (
            lambda row: [row.source_values.get("name", "")],
            lambda row: [row.name],
            lambda row: row.alias_list,
        ):
            for row in self.rows:
                for key in filter(None, map(matching_key, names(row))):
                    if row not in self._by_key[key]:
                        self._by_key[key].append(row)

    @cached_property
    def _by_family(self) -> dict[str, list[Speaker]]:
        return _index(self.rows, lambda row: words_of(row.name_key)[-1])

    @cached_property
    def _by_words(self) -> dict[tuple[str, ...], list[Speaker]]:
        return _index(self.rows, lambda row: tuple(sorted(words_of(row.name_key))))

    def _find_spellings(self, person: PersonEntry) -> list[Speaker]:
        """Return the only row whose name may be another spelling of the person's, with no other affiliation."""
        key, affiliation = matching_key(person.name), matching_key(person.affiliation)
        words = words_of(key)
        near = {row.pk: row for row in [*self._by_family[words[-1]], *self._by_words[tuple(sorted(words))]]}
        found = [
            row
            for row in near.values()
            if is_spelling_of(key, row.name_key)
            and (not affiliation or not row.affiliation or matching_key(row.affiliation) == affiliation)
        ]
        return found if len(found) == 1 else []

    def find_namesakes(self, person: PersonEntry) -> list[Speaker]:
        """Return the rows with the name of `person`, whoever they are."""
        return self._by_key[matching_key(person.name)]

    def match(self, person: PersonEntry, sessions: list[MergedSession]) -> Speaker | None:
        """Return the row of `person`, who stands in `sessions`.

        Of several with the name it is the one with the same affiliation, else who stands there already, else the
        first. One of two namesakes is known by the affiliation alone; and whoever is elsewhere at that hour, with
        another affiliation or under another spelling, is somebody else.
        """
        named = self.find_namesakes(person)
        affiliation = matching_key(person.affiliation)
        same = [row for row in named if matching_key(row.source_values.get("affiliation", "")) == affiliation]
        same = same or [row for row in named if matching_key(row.affiliation) == affiliation]
        if same or person.identity:
            return (same or [None])[0]
        rows = [
            row
            for row in named or self._find_spellings(person)
            if (named and not (affiliation and row.affiliation)) or not self.whereabouts.is_elsewhere(row, sessions)
        ]
        return min(rows, key=lambda row: not self.whereabouts.stands_in(row, sessions), default=None)
