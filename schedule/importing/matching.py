"""Which existing row an entry is. One query a table, then only dictionaries."""

from collections import defaultdict
from datetime import timedelta

from conference.models import Event
from conference.text import matching_key
from schedule.importing.document import PersonEntry, Problem
from schedule.importing.merging import MergedSession, session_key
from schedule.models import Session
from speakers.models import Speaker


def match_event(name: str) -> Event | None:
    """Return the event that the source calls `name`, also if it was renamed by hand since; None if there is none."""
    key = matching_key(name)
    if not key:
        return None
    for event in Event.objects.order_by("id"):
        if key in (matching_key(event.name), matching_key(event.source_values.get("name", ""))):
            return event
    return None


class SessionMatcher:
    """Finds the row of a session: by what the source last called it, then as it stands now, then by title alone."""

    def __init__(self, event: Event):
        self.rows = list(
            event.sessions.select_related("room", "track")
            .prefetch_related("session_speakers", "materials")
            .order_by("id")
        )
        self._by_source = {row.source_key: row for row in self.rows if row.source_key}
        self._by_key: dict[str, list[Session]] = defaultdict(list)
        self._by_title: dict[str, list[Session]] = defaultdict(list)
        for row in self.rows:
            self._by_key[session_key(row.title, row.start, row.room.name if row.room else "")].append(row)
            self._by_title[row.source_values.get("title_key") or row.title_key].append(row)

    def match(self, sessions: list[MergedSession], is_whole: bool) -> tuple[dict[str, Session], list[Problem]]:
        """Return rows by the sessions' keys, and a problem for each session with two possible rows.

        No row is given to two sessions. A title alone decides only where one session and one row are
        left with it: then the session has moved. In a part of a schedule (`is_whole` false) that needs
        people too: another day's coffee break is no moved one.
        """
        found: dict[str, Session] = {}
        taken: set[int] = set()
        problems: list[Problem] = []
        for merged in sessions:
            candidates = [self._by_source[merged.key]] if merged.key in self._by_source else self._by_key[merged.key]
            free = [row for row in candidates if row.pk not in taken]
            if free:
                found[merged.key] = free[0]
                taken.add(free[0].pk)
        left: dict[str, list[MergedSession]] = defaultdict(list)
        for merged in sessions:
            if merged.key in found:
                continue
            if not is_whole and not merged.entry.people:
                twins = [row for row in self._by_title[matching_key(merged.entry.title)] if is_near(row, merged)]
                problems += [_ambiguity(merged, twins)] if twins else []
            else:
                left[matching_key(merged.entry.title)].append(merged)
        for title, waiting in left.items():
            free = [row for row in self._by_title[title] if row.pk not in taken]
            if len(waiting) == 1 and len(free) == 1:
                found[waiting[0].key] = free[0]
                taken.add(free[0].pk)
            elif waiting and free:
                problems += [_ambiguity(merged, free) for merged in waiting]
        return found, problems


def is_near(row: Session, merged: MergedSession) -> bool:
    """Whether a row begins within half a day of a session: on the same day, as people count."""
    start = merged.entry.start
    return bool(row.start and start and abs(row.start - start) < timedelta(hours=12))


def _ambiguity(merged: MergedSession, rows: list[Session]) -> Problem:
    ids = ", ".join(f"{row.pk} ({row.start:%Y-%m-%d %H:%M} UTC)" if row.start else str(row.pk) for row in rows)
    message = f"may be one of the existing sessions {ids} moved; it was added as a new one: remove what is too much"
    return Problem(message, merged.entry.source, merged.entry.line, merged.entry.title)


class SpeakerMatcher:
    """Finds the row of a person by name: as the source last wrote it, as it stands now, or as an alias."""

    def __init__(self, event: Event):
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

    def match(self, person: PersonEntry) -> Speaker | None:
        """Return the row of `person`; of several with the name, the one with the same affiliation, else the first."""
        rows = self._by_key[matching_key(person.name)]
        same = [row for row in rows if matching_key(row.affiliation) == matching_key(person.affiliation)]
        return (same or rows or [None])[0]
