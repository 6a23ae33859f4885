"""What an import does to rows: one event's merged programme into the database, changing only what changed."""

import uuid
from collections.abc import Callable
from datetime import date, timedelta

from django.core.exceptions import ValidationError
from django.db import models

from conference.frame import format_dates
from conference.models import Event, Room, Track
from conference.text import matching_key, unique_slug
from conference.tracks import make_code
from schedule.agenda import find_day
from schedule.importing.dates import parse_stated_days
from schedule.importing.document import EventEntry, PersonEntry, Problem, ScheduleDocument, ScheduleRefused, Severity
from schedule.importing.matching import SessionMatcher, SpeakerMatcher
from schedule.importing.merging import MergedProgramme, MergedSession, material_key, merge_people
from schedule.importing.ordering import is_in_automatic_order, put_in_order
from schedule.importing.report import EventReport, Outcome
from schedule.importing.settling import is_nothing, settle, to_plain
from schedule.models import Material, Session, SessionSpeaker
from speakers.models import Speaker

BATCH = 500
# So that an empty database filled again from the same text knows its sessions by the same uid.
UID_NAMESPACE = uuid.UUID("6f1c2c0e-5f0b-4c59-9d0e-2f8f3a1f7b11")

Progress = Callable[[int, int], None]


class EventImporter:
    """Writes one programme into one event. Call `run()` inside a transaction."""

    def __init__(self, event: Event, documents: list[ScheduleDocument], programme: MergedProgramme, progress: Progress):
        self.event = event
        self.documents = documents
        self.programme = programme
        self.progress = progress
        self.problems: list[Problem] = []
        self.outcomes: dict[str, Outcome] = {}
        # By the matching key of a person's name: the source that names them first.
        self.sources: dict[str, str] = {}
        for merged in programme.sessions:
            for person in merged.entry.people:
                self.sources.setdefault(matching_key(person.name), merged.entry.source)
        self.report = EventReport(event.name, event.slug, event.timezone, "", Outcome.UNCHANGED)

    def run(self) -> EventReport:
        """Write event, rooms, tracks, speakers, sessions, people and materials. Raises ScheduleRefused for a value
        that the database can't hold."""
        self.write_event()
        has_own_order = {model: not is_in_automatic_order(self.event, model) for model in (Room, Track)}
        self.rooms = self.write_named(Room, "rooms", lambda entry: entry.room)
        self.tracks = self.write_named(Track, "tracks", lambda entry: entry.track)
        self.speakers = self.write_speakers()
        self.write_sessions()
        for model, is_own in has_own_order.items():
            put_in_order(self.event, model, keep=is_own)
        if self.report.has_changes:
            self.event.mark_programme_changed()
        return self.report

    # Event

    def write_event(self) -> None:
        said = describe_event(self.event, self.documents, self.programme)
        is_new = self.event.pk is None
        outcome = self._settle_row(self.event, said, self.event.name)
        self.report.outcome = Outcome.CREATED if is_new else outcome
        if self.report.outcome is not Outcome.UNCHANGED:
            self._check(self.event, self.documents[0].source, 1, self.event.name)
            self.event.save()
        self.report.name, self.report.slug, self.report.timezone = (
            self.event.name, self.event.slug, self.event.timezone,
        )  # fmt: skip
        self.report.missing = [
            f"“{label}”"
            for label, url in (
                (self.event.registration_label, self.event.registration_url),
                (self.event.help_label, self.event.help_url),
            )
            if label and not url
        ]
        self.report.dates = format_dates(self.event.start_date, self.event.end_date)

    # Rooms and tracks

    def write_named(self, model: type[Room | Track], what: str, get_name) -> dict[str, Room | Track]:
        """Create the rooms or tracks that are missing, and return all by the matching key of the source's name.

        A row is known by the name that the source used for it before, then by its own.
        """
        existing = list(model.objects.of(self.event).order_by("id"))
        rows = {row.name_key: row for row in existing} | {row.source_key: row for row in existing if row.source_key}
        wanted = {matching_key(get_name(m.entry)): m.entry for m in self.programme.sessions if get_name(m.entry)}
        taken = {row.slug for row in existing}
        codes = {row.code for row in existing} if model is Track else set()
        position = max((row.position for row in existing), default=0)
        created, recognised = [], []
        for key, entry in sorted(wanted.items()):
            row = rows.get(key)
            if row is None:
                position += 1
                row = rows[key] = model(event=self.event, name=get_name(entry), position=position, source_key=key)
                row.slug = unique_slug(row.name, taken, model.slug_fallback)
                taken.add(row.slug)
                if model is Track:
                    row.code = make_code(row.name, codes)
                    codes.add(row.code)
                self._check(row, entry.source, entry.line, row.name)
                created.append(row)
            elif row.source_key != key:
                row.source_key = key
                recognised.append(row)
        model.objects.bulk_create(created, batch_size=BATCH)
        model.objects.bulk_update(recognised, ["source_key"], batch_size=BATCH)
        self.report.count(what, Outcome.CREATED, len(created))
        self.report.count(what, Outcome.UNCHANGED, len(wanted) - len(created))
        return rows

    # Speakers

    def write_speakers(self) -> dict[str, Speaker]:
        """Create or update the people, and return them by the matching key of the source's name."""
        matcher = SpeakerMatcher(self.event)
        taken = {row.slug for row in matcher.rows}
        found: dict[str, Speaker] = {}
        entries_of: dict[str, list[PersonEntry]] = {}
        for key, person in self.programme.people.items():
            row = matcher.match(person)
            if row is None:
                row = Speaker(event=self.event, slug=unique_slug(person.name, taken, "speaker"))
                taken.add(row.slug)
            found[key] = row
            # Two names of the source may be one person here, merged by hand: then they speak together.
            entries_of.setdefault(row.slug, []).append(person)
        created, updated = [], []
        for row in {row.slug: row for row in found.values()}.values():
            person = merge_people(entries_of[row.slug])
            is_new = row.pk is None
            outcome = self._settle_row(row, describe_person(row, person, entries_of[row.slug]), person.name)
            if is_new or outcome is Outcome.UPDATED:
                self._check(row, self.sources[matching_key(person.name)], person.line, person.name)
                (created if is_new else updated).append(row)
            self.report.count("speakers", Outcome.CREATED if is_new else outcome)
        Speaker.objects.bulk_create(created, batch_size=BATCH)
        bulk_update(Speaker, updated, exclude={"event", "photo", "links"})
        return found

    # Sessions

    def write_sessions(self) -> None:
        matcher = SessionMatcher(self.event)
        is_whole = all(document.is_whole for document in self.documents)
        matched, ambiguities = matcher.match(self.programme.sessions, is_whole)
        self.problems += ambiguities
        uids = (
            set(Session.objects.values_list("uid", flat=True)) if len(matched) < len(self.programme.sessions) else set()
        )
        created: list[Session] = []
        updated: list[Session] = []
        rows: dict[str, Session] = {}
        for number, merged in enumerate(self.programme.sessions, start=1):
            row = matched.get(merged.key) or self._new_session(merged, uids)
            outcome = self._settle_session(row, merged)
            is_new = row.pk is None
            if is_new or outcome is Outcome.UPDATED:
                self._check(row, merged.entry.source, merged.entry.line, merged.entry.title)
                (created if is_new else updated).append(row)
            self.outcomes[merged.key] = Outcome.CREATED if is_new else outcome
            rows[merged.key] = row
            self.progress(number, len(self.programme.sessions))
        Session.objects.bulk_create(created, batch_size=BATCH)
        bulk_update(Session, updated, exclude={"event", "uid"})
        new = {row.pk for row in created}
        self.write_people(rows, new)
        self.write_materials(rows, new)
        for outcome in self.outcomes.values():
            self.report.count("sessions", outcome)

    def _new_session(self, merged: MergedSession, uids: set[uuid.UUID]) -> Session:
        uid = uuid.uuid5(UID_NAMESPACE, f"{self.event.slug}|{merged.key}")
        if uid in uids:
            uid = uuid.uuid4()
        uids.add(uid)
        return Session(event=self.event, uid=uid)

    def _settle_session(self, row: Session, merged: MergedSession) -> Outcome:
        entry = merged.entry
        room = self.rooms[matching_key(entry.room)] if entry.room else None
        track = self.tracks[matching_key(entry.track)] if entry.track else None
        said = {name: getattr(entry, name) for name in ("title", "kind", "abstract", "level", "language")}
        said |= {"times": [entry.start, entry.end], "track_id": track and track.pk}
        said |= {f"field {key}": value for key, value in entry.fields.items()}
        # A session whose time was taken away by hand has no place for a room.
        if row.pk is None or row.start is not None:
            said["room_id"] = room and room.pk
        outcome = self._settle_row(row, said, entry.title)
        row.source_values["title_key"] = matching_key(entry.title)
        if row.source_key != merged.key:
            row.source_key = merged.key
            outcome = Outcome.UPDATED if row.pk else outcome
        return outcome

    def write_people(self, rows: dict[str, Session], new: set[int]) -> None:
        """Link sessions and people; a list that was changed by hand stays as it is."""
        created, updated, gone, told = [], [], [], []
        for merged in self.programme.sessions:
            row = rows[merged.key]
            # Two names may be one person here; a person stands once in a session.
            roles = {self.speakers[matching_key(p.name)].pk: p.role for p in reversed(merged.entry.people)}
            said = [[pk, role] for pk, role in reversed(roles.items())]
            links = (
                [] if row.pk in new else sorted(row.session_speakers.all(), key=lambda link: (link.position, link.pk))
            )
            holds = [[link.speaker_id, link.role] for link in links]
            last = row.source_values.get("people", [])
            if said != last:
                row.source_values["people"] = said
                told.append(row)
            if not said or holds == said:
                self.report.count("speaker slots", Outcome.UNCHANGED, len(said))
                continue
            if holds != last:
                if said != last:
                    self.report.kept.append(f"{row.title}: people")
                self.report.count("speaker slots", Outcome.UNCHANGED, len(holds))
                continue
            by_speaker = {link.speaker_id: link for link in links}
            for position, (speaker_id, role) in enumerate(said, start=1):
                link = by_speaker.pop(speaker_id, None)
                is_new = link is None
                link = link or SessionSpeaker(session=row, speaker_id=speaker_id)
                link.position, link.role = position, role
                (created if is_new else updated).append(link)
            gone += by_speaker.values()
            self._mark_updated(merged.key, row, new)
        SessionSpeaker.objects.filter(pk__in=[link.pk for link in gone]).delete()
        SessionSpeaker.objects.bulk_create(created, batch_size=BATCH)
        SessionSpeaker.objects.bulk_update(updated, ["position", "role"], batch_size=BATCH)
        Session.objects.bulk_update(told, ["source_values"], batch_size=BATCH)
        self.report.count("speaker slots", Outcome.CREATED, len(created))
        self.report.count("speaker slots", Outcome.UPDATED, len(updated))

    def write_materials(self, rows: dict[str, Session], new: set[int]) -> None:
        """Add the materials that the source names for the first time; one deleted by hand stays deleted."""
        created, told = [], []
        for merged in self.programme.sessions:
            row = rows[merged.key]
            holds = set() if row.pk in new else {(m.name, m.file_type) for m in row.materials.all()}
            last = {tuple(known) for known in row.source_values.get("materials", [])}
            said = [material_key(material) for material in merged.entry.materials]
            known = holds | last
            for position, material in enumerate(merged.entry.materials, start=len(holds) + 1):
                if material_key(material) not in known:
                    created.append(
                        Material(session=row, name=material.name, file_type=material.file_type, url=material.url,
                                 position=position)
                    )  # fmt: skip
                    self._check(created[-1], merged.entry.source, material.line, material.name)
                    self._mark_updated(merged.key, row, new)
            if not last.issuperset(said):
                row.source_values["materials"] = sorted(last | set(said))
                told.append(row)
            self.report.count("materials", Outcome.UNCHANGED, len(last & set(said)))
        Material.objects.bulk_create(created, batch_size=BATCH)
        Session.objects.bulk_update(told, ["source_values"], batch_size=BATCH)
        self.report.count("materials", Outcome.CREATED, len(created))

    # Steps that all of them share

    def _mark_updated(self, key: str, row: Session, new: set[int]) -> None:
        if row.pk not in new:
            self.outcomes[key] = Outcome.UPDATED

    def _settle_row(self, row: models.Model, said: dict[str, object], label: str) -> Outcome:
        """Apply the three-way merge to `row` and remember what the source said."""
        # A new row's defaults are nobody's choice.
        current = {name: read_value(row, name) if row.pk else None for name in said}
        settlement = settle(current, row.source_values, said)
        for name, value in settlement.changes.items():
            write_value(row, name, value)
        self.report.kept += [f"{label}: {FIELD_WORDS.get(name, name)}" for name in settlement.kept]
        told = row.source_values | {name: to_plain(value) for name, value in said.items() if not is_nothing(value)}
        has_news = told != row.source_values
        row.source_values = told
        if hasattr(row, "derive"):
            row.derive()
        return Outcome.UPDATED if settlement.changes or has_news else Outcome.UNCHANGED

    def _check(self, row: models.Model, source: str, line: int, text: str) -> None:
        """Refuse a value that a column can't hold, with the line it comes from."""
        relations = {f.name for f in row._meta.fields if f.is_relation}
        try:
            row.clean_fields(exclude=relations)
            if not isinstance(row, Material):
                row.clean()
        except ValidationError as error:
            faults = "; ".join(f"{name}: {' '.join(said)}" for name, said in error.message_dict.items())
            raise ScheduleRefused(Problem(faults, source, line, text, Severity.ERROR)) from None


def describe_person(row: Speaker, person: PersonEntry, entries: list[PersonEntry]) -> dict[str, object]:
    """Return what the source says of a person, by column. Known by an alias only, they keep their name."""
    said: dict[str, object] = {name: getattr(person, name) for name in ("headline", "position", "affiliation")}
    names = {entry.name for entry in entries}
    known = {row.name_key, matching_key(row.source_values.get("name", ""))}
    if row.pk is None or any(matching_key(name) in known for name in names):
        own = [name for name in names if matching_key(name) in known]
        said["name"] = max(own, default=person.name)
    said |= {"bio": person.bio, "is_bio_cut": person.bio_is_cut if person.bio else None}
    aliases = {*row.alias_list, *person.aliases, *names} - {row.name, said.get("name", row.name)}
    return said | {"aliases": "\n".join(sorted(aliases))}


def describe_event(event: Event, documents: list[ScheduleDocument], programme: MergedProgramme) -> dict[str, object]:
    """Return what the documents say of the event, by column. Days only ever widen: a part knows a part of them."""
    said: dict[str, object] = {}
    for entry in (document.event for document in documents):
        for name in ("name", "stated_dates", "city", "country", "notice", "registration_label", "help_label"):
            said[name] = max(said.get(name, ""), getattr(entry, name), key=lambda text: (len(text), text))
    said["timezone"] = event.timezone
    days = find_days(event, [document.event for document in documents], programme)
    for name in ("start_date", "end_date"):
        if known := event.source_values.get(name):
            days.append(date.fromisoformat(known))
    return said | {"start_date": min(days), "end_date": max(days)}


def find_days(event: Event, entries: list[EventEntry], programme: MergedProgramme) -> list[date]:
    """Return the days with sessions, and the stated ones in the sessions' year where they hold those."""
    starts = [merged.entry.start for merged in programme.sessions if merged.entry.start]
    days = sorted({find_day(start, event.zone, event.day_change_hour) for start in starts})
    for entry in entries:
        stated = parse_stated_days(entry.stated_dates, days[0].year)
        # An organiser's slip of a month or more is no range of days.
        if stated and stated[0] <= days[0] and days[-1] <= stated[1] and stated[1] - stated[0] < timedelta(days=31):
            days += stated
    return days


# What a field of a row is called in a report, where the column's name is no word for people.
FIELD_WORDS = {"room_id": "room", "track_id": "track", "is_bio_cut": "bio is cut"}


def read_value(row: models.Model, name: str) -> object:
    """Return what `row` holds: a column, "times" (start and end as one), or one further field ("field KEY")."""
    if name == "times":
        return [row.start, row.end] if row.start else None
    key = name.removeprefix("field ")
    return getattr(row, name) if key == name else row.fields.get(key)


def write_value(row: models.Model, name: str, value: object) -> None:
    """Set what `read_value` reads."""
    key = name.removeprefix("field ")
    if name == "times":
        row.start, row.end = value
    elif key != name:
        row.fields = row.fields | {key: value}
    else:
        setattr(row, name, value)


def bulk_update(model: type[models.Model], rows: list, exclude: set[str]) -> None:
    """Write all columns of `rows` but the key and `exclude`, in batches."""
    names = [f.name for f in model._meta.concrete_fields if not f.primary_key and f.name not in exclude]
    model.objects.bulk_update(rows, names, batch_size=BATCH)
