"""What an import does to people: the rows of speakers, and who stands in which session."""

from collections import defaultdict
from collections.abc import Collection

from conference.models import Event
from conference.text import matching_key, unique_slug
from schedule.importing.describing import describe_aliases, describe_person
from schedule.importing.document import PersonEntry, Problem
from schedule.importing.matching import SpeakerMatcher, Whereabouts
from schedule.importing.merging import MergedProgramme, MergedSession, merge_people
from schedule.importing.people import is_fuller, name_rank, person_key
from schedule.importing.report import Outcome
from schedule.importing.rows import BATCH, RowWriter, bulk_update
from schedule.importing.settling import TEXTS
from schedule.models import Session, SessionSpeaker
from speakers.models import Speaker

# Of what several sessions say of one person one is shown, whichever run they come with.
_MERGED = ("name", "headline", "bio")

# Who stands in a session, in order: the id of a person, or the key of one who was deleted here, and the role.
People = list[list]


class CastWriter:
    """Writes the people of one programme, then their places in its sessions."""

    def __init__(self, event: Event, programme: MergedProgramme, writer: RowWriter, is_restoring: bool):
        self.event = event
        self.programme = programme
        self.writer = writer
        self.report, self.journal = writer.report, writer.journal
        self.is_restoring = is_restoring
        self.problems: list[Problem] = []
        # By the matching key of a person's name: their row, the sessions that name them, and what those say.
        self.speakers: dict[str, Speaker] = {}
        self.sessions: dict[str, list[MergedSession]] = defaultdict(list)
        self.appearances: dict[str, list[tuple[MergedSession, PersonEntry]]] = defaultdict(list)
        for merged in programme.sessions:
            for person in merged.entry.people:
                key = person_key(person)
                self.sessions[key].append(merged)
                self.appearances[key].append((merged, person))

    def write_speakers(self, rows: dict[str, Session], left_alone: Collection[str], whereabouts: Whereabouts) -> None:
        """Create or update the people; `rows` are the sessions that are there, by key.

        Created is only who will stand in a session: who was deleted here, or speaks in sessions that are
        left alone, does not come back.
        """
        matcher = SpeakerMatcher(self.event, whereabouts)
        self.ids = {row.pk for row in matcher.rows}
        found = {key: matcher.match(person, self.sessions[key]) for key, person in self.programme.people.items()}
        self.speakers = {key: row for key, row in found.items() if row}
        taken = {row.slug for row in matcher.rows}
        for key in sorted(self._find_wanted(rows, left_alone) - self.speakers.keys()):
            person = self.programme.people[key]
            if not person.identity and (others := matcher.find_namesakes(person)):
                said = " and ".join(sorted({row.affiliation for row in others}))
                self._report(key, f"“{{}}” of {person.affiliation} and of {said} at the same hour: read as two people")
            slug = unique_slug(person.name, taken, "speaker")
            taken.add(slug)
            self.speakers[key] = Speaker(event_id=self.event.pk, slug=slug)
        self._settle_speakers()

    def _find_wanted(self, rows: dict[str, Session], left_alone: Collection[str]) -> set[str]:
        """Return the keys of those who will stand in a session; report who was deleted and comes back so."""
        wanted, deleted = set(), set()
        for merged in self.programme.sessions:
            if merged.key in left_alone:
                continue
            row = rows.get(merged.key)
            keys = {person_key(person) for person in merged.entry.people}
            if row is None or self.takes_source(row, merged):
                wanted |= keys
            elif not self.is_news(row, merged):
                deleted |= keys - self.speakers.keys()
        for key in sorted(deleted & wanted):
            self._report(key, "{} was deleted here, and is added again for another session")
        return wanted

    def _report(self, key: str, message: str) -> None:
        person, first = self.programme.people[key], self.sessions[key][0]
        self.problems.append(Problem(message.format(person.name), first.entry.source, person.line, person.name))

    def _settle_speakers(self) -> None:
        # Two names of the source may be one person here, merged by hand: then they speak together.
        keys_of: dict[str, list[str]] = defaultdict(list)
        for key, row in self.speakers.items():
            keys_of[row.slug].append(key)
        created, updated, told = [], [], []
        for row in {row.slug: row for row in self.speakers.values()}.values():
            is_new = row.pk is None
            person = merge_people([self.programme.people[key] for key in keys_of[row.slug]])
            before = row.source_values
            outcome = self._settle_speaker(row, person, keys_of[row.slug])
            if is_new or outcome is Outcome.UPDATED:
                self.writer.check(row, self.sessions[person_key(person)][0].entry.source, person.line, person.name)
                (created if is_new else updated).append(row)
            elif row.source_values != before:
                told.append(row)
            self.report.count("speakers", Outcome.CREATED if is_new else outcome)
        Speaker.objects.bulk_create(created, batch_size=BATCH)
        self.journal.created(created)
        bulk_update(Speaker, updated, exclude={"event", "photo", "links"})
        Speaker.objects.bulk_update(told, ["source_values"], batch_size=BATCH)

    def _settle_speaker(self, row: Speaker, person: PersonEntry, keys: list[str]) -> Outcome:
        """Settle one person, whom the source knows by `keys`."""
        places = self._find_places(keys)
        here = {title for titles in places.values() for title in titles}
        names = {self.programme.people[key].name for key in keys}
        said = describe_person(row, person, names)
        last = dict(row.source_values)
        elsewhere = [t for t in _MERGED if last.get(f"{t}_in") and here.isdisjoint(last[f"{t}_in"])]
        for text in elsewhere if not self.writer.prefer_source else ():
            if said.get(text) and _is_lesser(text, said[text], last.get(text, "")):
                said = {name: value for name, value in said.items() if name not in TEXTS.get(text, (text,))}
        if last.get("name") and (is_fuller(said.get("name", ""), last["name"]) or "name" in elsewhere):
            names |= {last["name"]}
        label = person.name
        outcomes = [self.writer.settle(row, said, label)]
        outcomes.append(self.writer.settle(row, describe_aliases(row, person, names, said.get("name")), label))
        for text in _MERGED:
            value = row.source_values.get(text)
            told = places.get((text, value), set()) | set(last.get(f"{text}_in", ()) if value == last.get(text) else ())
            if told and sorted(told) != row.source_values.get(f"{text}_in"):
                self.writer.tell(row, f"{text}_in", sorted(told))
        return Outcome.UPDATED if Outcome.UPDATED in outcomes else Outcome.UNCHANGED

    def _find_places(self, keys: list[str]) -> dict[tuple[str, str], set[str]]:
        """Return for each text that is said of a person the titles of the sessions that say it."""
        places: dict[tuple[str, str], set[str]] = defaultdict(set)
        for merged, person in (told for key in keys for told in self.appearances[key]):
            title = matching_key(merged.entry.title)
            for text in _MERGED:
                places[text, getattr(person, text)].add(title)
        return places

    # Who stands in a session

    def said(self, merged: MergedSession) -> People:
        """Return whom the source names. Two names may be one person here; a person stands once in a session."""
        roles: dict[int | str, str] = {}
        for person in merged.entry.people:
            key = person_key(person)
            row = self.speakers.get(key)
            roles.setdefault(row.pk if row and row.pk else key, person.role)
        return [[who, role] for who, role in roles.items()]

    def last_said(self, row: Session) -> People:
        """Return whom the source named before, with an id for each who has a row again."""
        rows = self.speakers
        return [
            [rows[who].pk if who in rows and rows[who].pk else who, role]
            for who, role in row.source_values.get("people", [])
        ]

    def is_news(self, row: Session, merged: MergedSession) -> bool:
        """Whether the source names others than before; who was deleted here since is no other."""
        said, last = self.said(merged), self.last_said(row)
        return len(said) != len(last) or any(
            role != last_role or (who != before and bool({who, before} & self.ids))
            for (who, role), (before, last_role) in zip(said, last, strict=True)
        )

    def takes_source(self, row: Session, merged: MergedSession) -> bool:
        """Whether the list of the source becomes that of the session: nobody changed it by hand, or it is to win."""
        holds, last = held_people(row), self.last_said(row)
        is_only_lacking = holds == [[who, role] for who, role in last if who in self.ids]
        return (
            holds == last
            or (self.is_restoring and is_only_lacking)
            or (self.writer.prefer_source and self.is_news(row, merged))
        )

    def write_places(self, rows: dict[str, Session], new: Collection[int]) -> set[str]:
        """Link sessions and people; a list that was changed by hand stays as it is. Return the keys of changed
        sessions."""
        self.by_id = {speaker.pk: speaker for speaker in self.speakers.values()}
        created, updated, gone, told, changed = [], [], [], [], set()
        for merged in self.programme.sessions:
            row = rows.get(merged.key)
            said = self.said(merged) if row else []
            if not said:
                continue
            links = [] if row.pk in new else row.links
            holds = [[link.speaker_id, link.role] for link in links]
            takes = row.pk in new or self.takes_source(row, merged)
            is_settled = takes or holds == said
            # As with any field: a conflict stays open until a person or --prefer settles it.
            is_kept = not is_settled and self.is_news(row, merged)
            if is_kept:
                self.report.kept.append(f"{row.title}: people")
            elif said != row.source_values.get("people"):
                self.writer.tell(row, "people", said)
                told.append(row)
            if holds == said or not takes:
                self.report.count("speaker slots", Outcome.UNCHANGED, len(holds))
                continue
            fresh, kept, others = self._arrange(row, said, [SessionSpeaker(**link._asdict()) for link in links])
            created += fresh
            updated += kept
            gone += others
            changed.add(merged.key)
        self._save_places(created, updated, gone)
        Session.objects.bulk_update(told, ["source_values"], batch_size=BATCH)
        return changed

    def _arrange(self, row: Session, said: People, links: list[SessionSpeaker]) -> tuple[list, list, list]:
        """Put `said` into `row`, unsaved; return the places that are new, those that stay, and those that go."""
        by_speaker = {link.speaker_id: link for link in links}
        created, updated = [], []
        for position, (speaker_id, role) in enumerate(said, start=1):
            link = by_speaker.pop(speaker_id, None)
            is_new = link is None
            if link:
                self.journal.will_change(link)
            else:
                link = SessionSpeaker(session_id=row.pk, speaker=self.by_id[speaker_id])
            link.position, link.role = position, role
            (created if is_new else updated).append(link)
        return created, updated, list(by_speaker.values())

    def _save_places(self, created: list, updated: list, gone: list) -> None:
        self.journal.deleted(gone)
        SessionSpeaker.objects.filter(pk__in=[link.pk for link in gone]).delete()
        SessionSpeaker.objects.bulk_create(created, batch_size=BATCH)
        self.journal.created(created)
        SessionSpeaker.objects.bulk_update(updated, ["position", "role"], batch_size=BATCH)
        self.report.count("speaker slots", Outcome.CREATED, len(created))
        self.report.count("speaker slots", Outcome.UPDATED, len(updated))
        if gone:
            self.report.count("speaker slots", Outcome.REMOVED, len(gone))


def _is_lesser(text: str, value: str, known: str) -> bool:
    """Whether of two texts about a person the known one is to be shown, wherever they come from."""
    if text == "name":
        return name_rank(value) > name_rank(known) and matching_key(value) == matching_key(known)
    return (len(value), value) < (len(known), known)


def held_people(row: Session) -> People:
    return [[link.speaker_id, link.role] for link in row.links]
