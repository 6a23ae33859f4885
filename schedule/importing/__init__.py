"""Schedules in: text of any number of sources → documents → one programme an event → the database.

`import_schedule` is the one public name; command, admin and tests call it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.core.exceptions import ValidationError
from django.db import transaction

from conference.models import ZONE_NAMES, Event, validate_event_slug
from conference.text import make_slug, matching_key, unique_slug
from schedule.importing.decoding import decode_text
from schedule.importing.document import Problem, ScheduleDocument, ScheduleRefused, Severity
from schedule.importing.formats import sched_text
from schedule.importing.importer import EventImporter
from schedule.importing.matching import match_event
from schedule.importing.merging import merge_documents
from schedule.importing.report import FileReport, ImportReport
from schedule.importing.zones import find_contradictions, find_zone, read_wall_clock

__all__ = ["ImportReport", "ScheduleRefused", "Source", "import_schedule"]

# Tried in this order; each module has FORMAT, recognises(text) and parse(text, source).
FORMATS = (sched_text,)


@dataclass(frozen=True, slots=True)
class Source:
    """A file or a pasted text: the name that problems use for it, and its bytes."""

    name: str
    data: bytes


def import_schedule(
    sources: Iterable[Source],
    *,
    event_slug: str = "",
    timezone: str = "",
    is_dry_run: bool = False,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> ImportReport:
    """Import `sources`, in any order, into the events they name, all or nothing.

    `event_slug` puts everything into that event, which is created if there is none; `timezone` (IANA
    name) settles the zone of a schedule that does not say where it is; `is_dry_run` takes everything
    back at the end; `progress` is called with the number of sessions done and their total.
    Raises ScheduleRefused with every problem that stands in the way; then nothing was written.
    """
    documents = read_sources(sources)
    if timezone and timezone not in ZONE_NAMES:
        raise _refusal(f"{timezone!r} is not a time zone; give an IANA name such as Europe/Paris")
    report = ImportReport(is_dry_run)
    with transaction.atomic():
        for group in group_by_event(documents, event_slug):
            _import_event(group, event_slug, timezone, progress, report)
        transaction.set_rollback(is_dry_run)
    return report


def read_sources(sources: Iterable[Source]) -> list[ScheduleDocument]:
    """Decode and parse every source. Raises ScheduleRefused with the problems of all that can't be read."""
    documents: list[ScheduleDocument] = []
    problems: list[Problem] = []
    for source in sources:
        try:
            documents.append(_parse(decode_text(source.data, source.name), source.name))
        except ScheduleRefused as refusal:
            problems += refusal.problems
    if problems:
        raise ScheduleRefused(*problems)
    return documents


def _parse(text: str, name: str) -> ScheduleDocument:
    for reader in FORMATS:
        if reader.recognises(text):
            return reader.parse(text, name)
    raise _refusal(
        "this is not a schedule that can be read: no line such as “Wednesday April 8, 2026 09:00 - 09:10 CEST” in it; "
        "save the expanded “Full Schedule” page as text",
        name,
    )


def group_by_event(documents: list[ScheduleDocument], event_slug: str) -> list[list[ScheduleDocument]]:
    """Return the documents of each event, by its name; with a slug given, all are of that one event."""
    if event_slug:
        return [documents] if documents else []
    groups: dict[str, list[ScheduleDocument]] = defaultdict(list)
    for document in documents:
        if not matching_key(document.event.name):
            raise _refusal("the text does not name its event; say which with --event", document.source)
        groups[matching_key(document.event.name)].append(document)
    return list(groups.values())


def _import_event(documents, event_slug, timezone, progress, report: ImportReport) -> None:
    event = _find_or_make_event(documents, event_slug)
    problems = [problem for document in documents for problem in document.problems]
    problems += _settle_zone(event, documents, timezone)
    programme = merge_documents(documents)
    importer = EventImporter(event, documents, programme, progress)
    report.events.append(importer.run())
    report.problems += problems + programme.problems + importer.problems
    for document in documents:
        file = FileReport(document.source, document)
        file.sessions.update(importer.outcomes[m.key] for m in programme.sessions if document.source in m.sources)
        report.files.append(file)


def _find_or_make_event(documents: list[ScheduleDocument], event_slug: str) -> Event:
    name = max((document.event.name for document in documents), key=len)
    if event_slug:
        try:
            Event._meta.get_field("slug").run_validators(event_slug)
            validate_event_slug(event_slug)
        except ValidationError as error:
            raise _refusal(f"--event {event_slug}: {' '.join(error.messages)}") from None
        found = Event.objects.filter(slug=event_slug).first()
        if found is None and not name:
            raise _refusal(f"there is no event {event_slug!r}, and the text does not name its event")
        if found is None and (same := match_event(name)):
            raise _refusal(f"there is no event {event_slug!r}, but “{name}” is /{same.slug}/: give --event {same.slug}")
        return found or Event(name=name, slug=event_slug)
    if found := match_event(name):
        return found
    taken = set(Event.objects.values_list("slug", flat=True))
    slug = unique_slug(name, taken, "event")
    try:
        validate_event_slug(slug)
    except ValidationError:
        slug = unique_slug(f"{make_slug(name)} event", taken, "event")
    return Event(name=name, slug=slug)


# Zones: only here do wall clocks become instants.


def _settle_zone(event: Event, documents: list[ScheduleDocument], timezone: str) -> list[Problem]:
    """Choose the event's zone and turn every wall-clock time of `documents` into an instant of it."""
    if event.timezone and timezone not in ("", event.timezone):
        raise _refusal(
            f"“{event.name}” is in {event.timezone}, not {timezone}: leave --timezone out, or change the event's zone"
        )
    place = next((d.event for d in documents if d.event.city), documents[0].event)
    found = timezone or event.timezone or place.timezone or find_zone(place.city, place.country)
    if not found:
        where = f"{place.city}, {place.country}".strip(", ") or "a place that the text does not name"
        raise _refusal(
            f"no time zone is known for {where}; give it with --timezone, for example --timezone Europe/Paris",
            documents[0].source,
        )
    event.timezone = found
    zone = ZoneInfo(found)
    return [problem for document in documents for problem in _read_clocks(document, zone)]


def _read_clocks(document: ScheduleDocument, zone: ZoneInfo) -> list[Problem]:
    problems: list[Problem] = []
    wall_clocks = [s for s in document.sessions if s.start is not None and s.start.tzinfo is None]
    labelled = [(entry.start, entry.zone_label) for entry in wall_clocks]
    for label, local in find_contradictions(zone, labelled).items():
        entry = next(entry for entry in wall_clocks if entry.zone_label == label and entry.start == local)
        message = f"times are printed as {label}, but {zone.key} has {local.replace(tzinfo=zone):%Z} then and is used"
        problems.append(Problem(message, document.source, entry.line, entry.title))
    for entry in wall_clocks:
        label = entry.zone_label
        start, end = (read_wall_clock(local, zone, label) for local in (entry.start, entry.end))
        problems += [
            Problem(instant.fault, document.source, entry.line, entry.title)
            for instant in (start, end)
            if instant.fault
        ]
        if end.value <= start.value:
            message = "the session ends before it starts once its times are read in " + zone.key
            raise ScheduleRefused(Problem(message, document.source, entry.line, entry.title, Severity.ERROR))
        entry.start, entry.end = start.value, end.value
    return problems


def _refusal(message: str, source: str = "") -> ScheduleRefused:
    return ScheduleRefused(Problem(message, source, severity=Severity.ERROR))
