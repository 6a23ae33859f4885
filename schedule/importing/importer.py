"""What an import does to rows: one event's merged programme into the database, changing only what changed."""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count

from conference.dates import format_dates
from conference.models import Event, Room, Track
from conference.text import matching_key, unique_slug
from conference.tracks import make_code
from schedule.changes import Seen
from schedule.importing.cast import CastWriter
from schedule.importing.describing import describe_event
from schedule.importing.document import Problem, ScheduleDocument, ScheduleRefused, SessionEntry, Severity
from schedule.importing.journal import Journal
from schedule.importing.matching import SessionMatcher, Whereabouts
from schedule.importing.merging import MergedProgramme, MergedSession, material_key
from schedule.importing.ordering import is_in_automatic_order, put_in_order
from schedule.importing.report import EventReport, Outcome
from schedule.importing.rows import BATCH, RowWriter, attach, bulk_update
from schedule.models import Material, Session
from schedule.recording import see_sessions, write_changes

# So that an empty database filled again from the same text knows its sessions by the same uid.
UID_NAMESPACE = uuid.UUID("6f1c2c0e-5f0b-4c59-9d0e-2f8f3a1f7b11")

# More than that is a column of something else, and codes of two letters would run out.
MOST_TRACKS = 1_000

# What a format says of a session that knows nothing better.
USUAL = {"kind": Session.Kind.TALK, "status": Session.Status.CONFIRMED}

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """What a person decides about an import.

    `prefer_source`: where here and source both changed, the source wins. `cancel_missing`: what a whole
    source lacks now is cancelled, not only flagged. `restore`: what was deleted here by hand comes back.
    """

    prefer_source: bool = False
    cancel_missing: bool = False
    restore: bool = False


class EventImporter:
    """Writes one programme into one event. Call `run()` inside a transaction."""

    def __init__(
        self,
        event: Event,
        documents: list[ScheduleDocument],
        programme: MergedProgramme,
        options: ImportOptions,
        progress: Progress,
    ):
        self.event = event
        self.options = options
        self.documents = documents
        self.programme = programme
        self.progress = progress
        self.problems: list[Problem] = []
        # By the sessions' keys: their rows, and what became of them; and the ids of those that are new.
        self.rows: dict[str, Session] = {}
        self.new: set[int] = set()
        self.outcomes: dict[str, Outcome] = {}
        # What attendees saw before; empty where they see no change.
        self.seen: Mapping[uuid.UUID, Seen] = {}
        # Rows of which the source said something that changes nothing to see.
        self.told: list[Session] = []
        self.formats = {document.source: document.format for document in documents}
        self.report = EventReport(event.name, event.slug, event.timezone, "", Outcome.UNCHANGED)
        self.journal = Journal()
        self.writer = RowWriter(self.report, self.journal, options.prefer_source)
        self.cast = CastWriter(event, programme, self.writer, options.restore)

    def run(self) -> EventReport:
        """Write event, rooms, tracks, speakers, sessions, people and materials. Raises ScheduleRefused for a value
        that the database can't hold."""
        self.write_event()
        self.match_sessions()
        has_own_order = {model: not is_in_automatic_order(self.event, model) for model in (Room, Track)}
        self.rooms = self.write_named(Room, "rooms", lambda entry: entry.room)
        self.tracks = self.write_named(Track, "tracks", lambda entry: entry.track)
        self.by_id = {
            model: {row.pk: row for row in rows.values()} for model, rows in ((Room, self.rooms), (Track, self.tracks))
        }
        self.write_sessions()
        for model, is_own in has_own_order.items():
            put_in_order(self.event, model, is_own, self.journal)
        if self.report.has_changes:
            self.event.mark_programme_changed()
            write_changes(self.event, self.seen)
        return self.report

    # Event

    def write_event(self) -> None:
        said = describe_event(self.event, self.documents, self.programme)
        is_new = self.event.pk is None
        outcome = self.writer.settle(self.event, said, self.event.name)
        self.report.outcome = Outcome.CREATED if is_new else outcome
        if self.report.outcome is not Outcome.UNCHANGED:
            self.writer.check(self.event, ", ".join(self.formats), None, self.event.name)
            self.event.save()
            if is_new:
                self.journal.created([self.event])
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
        """Create the rooms or tracks that sessions lack, and return all by the matching key of the source's name.

        A row is known by the name that the source used for it before, then by its own.
        """
        existing = list(model.objects.of(self.event).order_by("id"))
        rows = {row.name_key: row for row in existing if row.source_key in ("", row.name_key)}
        rows |= {row.source_key: row for row in existing if row.source_key}
        names = {row.name_key for row in existing}
        wanted = {matching_key(get_name(m.entry)): m.entry for m in self.sessions if get_name(m.entry)}
        taken = {row.slug for row in existing}
        codes = {row.code for row in existing} if model is Track else set()
        new = sorted(wanted.keys() - rows.keys())
        if model is Track:
            _check_number(len(existing), [wanted[key] for key in new])
        recognised = []
        for key in sorted(wanted.keys() & rows.keys()):
            if rows[key].source_key != key:
                self.journal.will_change(rows[key])
                rows[key].source_key = key
                recognised.append(rows[key])
        for position, key in enumerate(new, start=1 + max((row.position for row in existing), default=0)):
            entry = wanted[key]
            name = self._find_free_name(get_name(entry), entry, names)
            row = rows[key] = model(event=self.event, name=name, position=position, source_key=key)
            row.slug = unique_slug(row.name, taken, model.slug_fallback)
            taken.add(row.slug)
            if model is Track:
                row.code = make_code(row.name, codes)
                codes.add(row.code)
            self.writer.check(row, entry.source, entry.line, row.name)
        created = [rows[key] for key in new]
        model.objects.bulk_create(created, batch_size=BATCH)
        self.journal.created(created)
        model.objects.bulk_update(recognised, ["source_key"], batch_size=BATCH)
        self.report.count(what, Outcome.CREATED, len(created))
        self.report.count(what, Outcome.UNCHANGED, len(wanted) - len(created))
        return rows

    def _find_free_name(self, name: str, entry: SessionEntry, names: set[str]) -> str:
        """Return `name`, or the like of it if a person gave it to another one: both stay, and a person decides."""
        free = name
        if matching_key(name) in names:
            free = next(f"{name} ({n})" for n in count(2) if matching_key(f"{name} ({n})") not in names)
            message = f"“{name}” is the name of another one here, given by hand; added as “{free}”"
            self.problems.append(Problem(message, entry.source, entry.line, name))
        names.add(matching_key(free))
        return free

    # Sessions

    def match_sessions(self) -> None:
        """Find the rows that are there, and which sessions are left alone: deleted here by hand, or ambiguous."""
        self.matcher = SessionMatcher(self.event, self.options.restore)
        self.is_whole = all(document.is_whole for document in self.documents)
        self.match = self.matcher.match(self.programme.sessions, self.is_whole)
        self.problems += self.match.problems
        buried = {} if self.options.restore else self.match.buried
        if self.options.restore:
            stones = list({stone.pk: stone for stone in self.match.buried.values()}.values())
            self.journal.deleted(stones)
            self.event.tombstones.filter(pk__in=[stone.pk for stone in stones]).delete()
        self.report.buried = [merged.entry.title for merged in self.programme.sessions if merged.key in buried]
        self.outcomes |= dict.fromkeys([*buried, *self.match.ambiguous], Outcome.LEFT_ALONE)
        self.sessions = [merged for merged in self.programme.sessions if merged.key not in self.outcomes]

    def write_sessions(self) -> None:
        """Create or update the sessions with their people."""
        whereabouts = Whereabouts(self.matcher.rows, self.match)
        self.cast.write_speakers(self.match.rows, self.outcomes.keys(), whereabouts)
        self.problems += self.cast.problems
        match, sessions = self.match, self.sessions
        uids = set(Session.objects.values_list("uid", flat=True)) if len(match.rows) < len(sessions) else set()
        created: list[Session] = []
        updated: list[Session] = []
        for number, merged in enumerate(sessions, start=1):
            row = match.rows.get(merged.key) or self._new_session(merged, uids)
            outcome = self._settle_session(row, merged)
            is_new = row.pk is None
            if is_new:
                # Told before the row is written, so that it is written once.
                self._tell_details(row, merged)
            if is_new or outcome is Outcome.UPDATED:
                # Validation looks at them.
                attach(row, "room", self.by_id[Room])
                attach(row, "track", self.by_id[Track])
                self.writer.check(row, merged.entry.source, merged.entry.line, merged.entry.title)
                (created if is_new else updated).append(row)
            self.outcomes[merged.key] = Outcome.CREATED if is_new else outcome
            self.rows[merged.key] = row
            self.progress(number, len(sessions))
        updated += self._find_gone()
        if self.matcher.rows and (created or updated):
            self.seen = see_sessions(self.event)
        Session.objects.bulk_create(created, batch_size=BATCH)
        self.journal.created(created)
        bulk_update(Session, updated, exclude={"event", "uid"})
        Session.objects.bulk_update(
            [row for row in self.told if row not in created], ["source_values"], batch_size=BATCH
        )
        self.new = {row.pk for row in created}
        for key in self.cast.write_places(self.rows, self.new):
            self._mark_updated(key, self.rows[key])
        self.write_materials()
        for outcome in self.outcomes.values():
            self.report.count("sessions", outcome)

    def _find_gone(self) -> list[Session]:
        """Flag the sessions that a whole source had and now lacks; cancel them if asked. Return the changed rows."""
        known = {row.pk for row in self.rows.values()} | self.match.doubtful
        formats = set(self.formats.values())
        changed = []
        for row in self.matcher.rows:
            is_gone = self.is_whole and row.pk not in known and bool(formats & known_formats(row))
            # Cancelled by an import before and confirmed by hand since: a person decided.
            is_confirmed_by_hand = row.source_values.get("status") == Session.Status.CANCELLED
            is_to_cancel = (
                is_gone
                and self.options.cancel_missing
                and row.status == Session.Status.CONFIRMED
                and not is_confirmed_by_hand
            )
            if is_to_cancel or (is_gone and not row.is_gone):
                self.journal.will_change(row)
                row.is_gone = True
                if is_to_cancel:
                    # By the source, so to say: if it has the session again, that is taken back.
                    row.status = Session.Status.CANCELLED
                    row.source_values = row.source_values | {"status": row.status}
                self.report.count("sessions", Outcome.UPDATED)
                changed.append(row)
            if is_gone:
                is_off = row.status == Session.Status.CANCELLED
                (self.report.cancelled if is_off else self.report.gone).append(row.title)
        return changed

    def _new_session(self, merged: MergedSession, uids: set[uuid.UUID]) -> Session:
        uid = uuid.uuid5(UID_NAMESPACE, f"{self.event.slug}|{merged.key}")
        if uid in uids:
            uid = uuid.uuid4()
        uids.add(uid)
        return Session(event_id=self.event.pk, uid=uid)

    def _settle_session(self, row: Session, merged: MergedSession) -> Outcome:
        decided = self._find_deciders(row, merged)
        outcome = self.writer.settle(row, self._describe_session(row, merged), merged.entry.title)
        formats = self._formats_of(merged)
        known = {
            "source_key": merged.key,
            "source_id": choose_id(row.source_id, merged.entry.source_id),
            "source_format": row.source_format or min(formats),
            "is_gone": False,
        }
        if any(getattr(row, name) != value for name, value in known.items()):
            self.journal.will_change(row)
            for name, value in known.items():
                setattr(row, name, value)
            row.source_values = row.source_values | {"title_key": matching_key(merged.entry.title)}
            outcome = Outcome.UPDATED
        # Which formats had it is no news to anybody.
        told = decided | {"formats": sorted(known_formats(row) | formats)}
        if any(row.source_values.get(name) != value for name, value in told.items()):
            for name, value in told.items():
                self.writer.tell(row, name, value)
            self.told += [row] if row.pk else []
        return outcome

    def _formats_of(self, merged: MergedSession) -> set[str]:
        return {self.formats[source] for source in merged.sources}

    def _find_deciders(self, row: Session, merged: MergedSession) -> dict[str, list[str]]:
        """Return which formats say something better than the usual of a session, to be kept."""
        deciders = {}
        for name, usual in USUAL.items():
            if (value := getattr(merged.entry, name)) != usual:
                agree = row.source_values.get(f"{name}_from", []) if row.source_values.get(name) == value else []
                deciders[f"{name}_from"] = sorted({*agree, *(self.formats[source] for source in merged.deciders[name])})
        return deciders

    def _describe_session(self, row: Session, merged: MergedSession) -> dict[str, object]:
        entry = merged.entry
        room = self.rooms[matching_key(entry.room)] if entry.room else None
        track = self.tracks[matching_key(entry.track)] if entry.track else None
        names = ("title", "kind", "abstract", "level", "language", "stream_url", "recording_url")
        said: dict[str, object] = {name: getattr(entry, name) for name in names}
        said |= {"times": [entry.start, entry.end], "track_id": track and track.pk, "status": entry.status}
        said |= {f"field {key}": value for key, value in entry.fields.items()}
        formats, known = self._formats_of(merged), known_formats(row)
        for name, usual in USUAL.items():
            deciders = row.source_values.get(f"{name}_from") or known
            # Where another format said better, this one may just not know it.
            if said[name] == usual and deciders and formats.isdisjoint(deciders):
                del said[name]
        # A session whose time was taken away by hand has no place for a room.
        if row.pk is None or row.start is not None:
            said["room_id"] = room and room.pk
        return said

    def _tell_details(self, row: Session, merged: MergedSession) -> None:
        """Remember the people and materials that the source names for a new session."""
        if people := self.cast.said(merged):
            self.writer.tell(row, "people", people)
        if materials := merged.entry.materials:
            self.writer.tell(row, "materials", sorted({material_key(material) for material in materials}))

    def write_materials(self) -> None:
        """Add the materials that the source names for the first time; one deleted by hand stays deleted."""
        created, told = [], []
        for merged in self.programme.sessions:
            row = self.rows.get(merged.key)
            if row is None:
                continue
            is_new = row.pk in self.new
            holds = set() if is_new else {material_key(material) for material in row.known_materials}
            last = set() if is_new else {tuple(known) for known in row.source_values.get("materials", [])}
            said = [material_key(material) for material in merged.entry.materials]
            known = holds | last
            for position, material in enumerate(merged.entry.materials, start=len(holds) + 1):
                if material_key(material) not in known:
                    created.append(
                        Material(session=row, name=material.name, file_type=material.file_type, url=material.url,
                                 position=position)
                    )  # fmt: skip
                    self.writer.check(created[-1], merged.entry.source, material.line, material.name)
                    self._mark_updated(merged.key, row)
            if not is_new and not last.issuperset(said):
                self.writer.tell(row, "materials", sorted(last | set(said)))
                told.append(row)
            self.report.count("materials", Outcome.UNCHANGED, len(last & set(said)))
        Material.objects.bulk_create(created, batch_size=BATCH)
        self.journal.created(created)
        Session.objects.bulk_update(told, ["source_values"], batch_size=BATCH)
        self.report.count("materials", Outcome.CREATED, len(created))

    def _mark_updated(self, key: str, row: Session) -> None:
        if row.pk not in self.new:
            self.outcomes[key] = Outcome.UPDATED


def _check_number(there: int, new: list[SessionEntry]) -> None:
    """Refuse more tracks than a programme has, at the first that is too many."""
    if new and there + len(new) > MOST_TRACKS:
        entry = new[max(MOST_TRACKS - there, 0)]
        message = f"{there + len(new):,} tracks, and {MOST_TRACKS:,} are the most: is this one a track?"
        raise ScheduleRefused(Problem(message, entry.source, entry.line, entry.track, Severity.ERROR))


def known_formats(row: Session) -> set[str]:
    """Return the formats of the sources that had a session."""
    return {*row.source_values.get("formats", []), row.source_format} - {""}


def choose_id(known: str, said: str) -> str:
    """Return the id to keep: a source may give another id, but two formats with ids of their own take no turns."""
    is_of_other_kind = known and known.partition(":")[0] != said.partition(":")[0]
    return known if is_of_other_kind or not said else said
