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
from schedule.importing.document import EventEntry, Problem, ScheduleDocument, ScheduleRefused, Severity
from schedule.importing.matching import SessionMatcher, SpeakerMatcher
from schedule.importing.merging import MergedProgramme, MergedSession, material_key
from schedule.importing.report import EventReport, Outcome
from schedule.importing.settling import settle, to_plain
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
        """Create the rooms or tracks that are missing, and return all by matching key."""
        rows = {row.name_key: row for row in model.objects.of(self.event)}
        wanted = {matching_key(get_name(m.entry)): m.entry for m in self.programme.sessions if get_name(m.entry)}
        taken = {row.slug for row in rows.values()}
        codes = {row.code for row in rows.values()} if model is Track else set()
        position = max((row.position for row in rows.values()), default=0)
        created = []
        for key in sorted(wanted.keys() - rows.keys()):
            position += 1
            entry = wanted[key]
            row = model(event=self.event, name=get_name(entry), position=position)
            row.slug = unique_slug(row.name, taken, model.slug_fallback)
            if model is Track:
                row.code = make_code(row.name, codes)
                codes.add(row.code)
            row.derive()
            taken.add(row.slug)
            self._check(row, entry.source, entry.line, row.name)
            created.append(row)
        model.objects.bulk_create(created, batch_size=BATCH)
        self.report.count(what, Outcome.CREATED, len(created))
        self.report.count(what, Outcome.UNCHANGED, len(wanted) - len(created))
        return rows | {row.name_key: row for row in created}

    # Speakers

    def write_speakers(self) -> dict[str, Speaker]:
        """Create or update the people, and return them by the matching key of the source's name."""
        matcher = SpeakerMatcher(self.event)
        taken = {row.slug for row in matcher.rows}
        found: dict[str, Speaker] = {}
        created, updated = [], []
        for key, person in self.programme.people.items():
            row = matcher.match(person)
            is_new = row is None
            if is_new:
                row = Speaker(event=self.event, slug=unique_slug(person.name, taken, "speaker"))
                taken.add(row.slug)
            said = {name: getattr(person, name) for name in ("name", "headline", "position", "affiliation")}
            said |= {"bio": person.bio, "is_bio_cut": person.bio_is_cut if person.bio else None}
            said["aliases"] = "\n".join(sorted({*row.alias_list, *person.aliases} - {row.name}))
            outcome = self._settle_row(row, said, person.name)
            if is_new or outcome is Outcome.UPDATED:
                self._check(row, self._source_of(key), person.line, person.name)
                (created if is_new else updated).append(row)
            self.report.count("speakers", Outcome.CREATED if is_new else outcome)
            found[key] = row
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
        said = {
            name: getattr(entry, name) for name in ("title", "kind", "abstract", "start", "end", "level", "language")
        }
        said |= {"room_id": room and room.pk, "track_id": track and track.pk, "fields": entry.fields}
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
            said = [[self.speakers[matching_key(person.name)].pk, person.role] for person in merged.entry.people]
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
            for position, material in enumerate(merged.entry.materials, start=len(holds) + 1):
                if material_key(material) not in holds | last:
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
        settlement = settle({name: getattr(row, name) for name in said}, row.source_values, said)
        if row.pk is None:
            # A field's default is nobody's choice.
            settlement = settle(dict.fromkeys(said), {}, said)
        for name, value in settlement.changes.items():
            setattr(row, name, value)
        self.report.kept += [f"{label}: {name.removesuffix('_id')}" for name in settlement.kept]
        told = row.source_values | {
            name: to_plain(value) for name, value in said.items() if value not in ("", None, {})
        }
        has_news = told != row.source_values
        row.source_values = told
        if hasattr(row, "derive"):
            row.derive()
        return Outcome.UPDATED if settlement.changes or (has_news and settlement.kept) else Outcome.UNCHANGED

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

    def _source_of(self, key: str) -> str:
        entries = (merged.entry for merged in self.programme.sessions)
        return next((e.source for e in entries if any(matching_key(p.name) == key for p in e.people)), "")


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


def bulk_update(model: type[models.Model], rows: list, exclude: set[str]) -> None:
    """Write all columns of `rows` but the key and `exclude`, in batches."""
    names = [f.name for f in model._meta.concrete_fields if not f.primary_key and f.name not in exclude]
    model.objects.bulk_update(rows, names, batch_size=BATCH)


# The order of rooms and tracks. A text has none, so there is an automatic one, the same whichever part of a
# schedule came first; once an organiser has changed it, it is theirs.


def automatic_order(event: Event, model: type[Room | Track]) -> list:
    """Rooms by first use, then most used; tracks by number of sessions; then by name (look.md §3)."""
    rows = model.objects.of(event).annotate(number=models.Count("sessions"), first=models.Min("sessions__start"))
    if model is Room:
        return sorted(rows, key=lambda row: (row.first is None, row.first or 0, -row.number, row.name_key))
    return sorted(rows, key=lambda row: (-row.number, row.name_key))


def automatic_codes(tracks: list[Track]) -> dict[int, str]:
    codes: dict[int, str] = {}
    for track in tracks:
        codes[track.pk] = make_code(track.name, set(codes.values()))
    return codes


def is_in_automatic_order(event: Event, model: type[Room | Track]) -> bool:
    rows = automatic_order(event, model)
    positions = [row.position for row in rows]
    has_own_codes = model is Track and automatic_codes(rows) != {row.pk: row.code for row in rows}
    return positions == sorted(positions) and not has_own_codes


def put_in_order(event: Event, model: type[Room | Track], keep: bool) -> None:
    """Number the rows anew, automatically unless the organiser's order is to be kept."""
    if keep:
        return
    rows = automatic_order(event, model)
    changed = []
    for position, row in enumerate(rows, start=1):
        if row.position != position:
            row.position = position
            changed.append(row)
    model.objects.bulk_update(changed, ["position"], batch_size=BATCH)
    if model is not Track:
        return
    codes = automatic_codes(rows)
    renamed = [row for row in rows if row.code != codes[row.pk]]
    for number, row in enumerate(renamed):
        row.code = f"~{number:02}"  # Two tracks may swap codes, and each must be unique at every moment.
    Track.objects.bulk_update(renamed, ["code"], batch_size=BATCH)
    for row in renamed:
        row.code = codes[row.pk]
    for row in changed + renamed:
        row.derive()
    Track.objects.bulk_update({*changed, *renamed}, ["code", "form"], batch_size=BATCH)
