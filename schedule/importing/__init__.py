"""Schedules in: text of any number of sources → documents → one programme an event → the database.

`import_schedule` is the one public name; command, admin and tests call it.
"""

import gc
import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from django.core.exceptions import ValidationError
from django.db import transaction

from conference.models import Event, validate_event_slug
from conference.text import make_slug, matching_key, unique_slug
from conference.zones import ZONE_NAMES
from schedule.importing.clocks import find_event_zone, read_clocks
from schedule.importing.document import ReadOptions, ScheduleDocument, ScheduleRefused
from schedule.importing.importer import EventImporter, ImportOptions
from schedule.importing.journal import describe, fingerprint
from schedule.importing.matching import match_event
from schedule.importing.merging import merge_documents
from schedule.importing.reading import AS_IT_SAYS, FORMAT_NAMES, Source, read_sources, refusal
from schedule.importing.report import FileReport, ImportReport
from schedule.models import ImportRun, Session

__all__ = [
    "FORMAT_NAMES",
    "ImportOptions",
    "ImportReport",
    "ReadOptions",
    "ScheduleRefused",
    "Source",
    "import_schedule",
]

# What nobody decided otherwise: nothing typed by a person is overwritten, nothing cancelled, nothing brought back.
CAREFULLY = ImportOptions()


@contextmanager
def hold_garbage_collection() -> Iterator[None]:
    """Let the collector of cycles rest: what an import makes lives to its end, and is looked through in vain."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@hold_garbage_collection()
def import_schedule(
    sources: Iterable[Source],
    *,
    event_slug: str = "",
    timezone: str = "",
    format_name: str = "",
    reading: ReadOptions = AS_IT_SAYS,
    options: ImportOptions = CAREFULLY,
    is_dry_run: bool = False,
    user=None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> ImportReport:
    """Import `sources`, in any order, into the events they name, all or nothing.

    `event_slug` puts everything into that event, which is created if there is none; `timezone` (IANA
    name) settles the zone of a schedule that does not say where it is; `format_name` is one of FORMATS
    where the content misleads; `reading` and `options` say how to read and how to meet the database;
    `is_dry_run` takes everything back at the end; `user` stands in the history; `progress` is called
    with the number of sessions done and their total.
    Raises ScheduleRefused with every problem that stands in the way; then nothing was written.
    """
    sources = name_apart(sources)
    documents = read_sources(sources, format_name, reading)
    if timezone and timezone not in ZONE_NAMES:
        raise refusal(f"{timezone!r} is not a time zone; give an IANA name such as Europe/Paris")
    report = ImportReport(is_dry_run)
    with transaction.atomic():
        for group in group_by_event(documents, event_slug):
            event = find_or_make_event(group, event_slug)
            if event.kinds:
                # Only now is it known which event's own words for kinds the titles use.
                own = replace(reading, kinds=check_kinds(event) | dict(reading.kinds))
                names = {document.source for document in group}
                group = read_sources([source for source in sources if source.name in names], format_name, own)
            run = _import_event(event, group, timezone, options, progress, report)
            _remember(run, group, sources, user, report)
        transaction.set_rollback(is_dry_run)
    return report


def group_by_event(documents: list[ScheduleDocument], event_slug: str) -> list[list[ScheduleDocument]]:
    """Return the documents of each event, by its name; with a slug given, all are of that one event.

    A document that names no event goes with the only one that the others name.
    """
    if event_slug:
        return [documents] if documents else []
    groups: dict[str, list[ScheduleDocument]] = defaultdict(list)
    for document in documents:
        groups[matching_key(document.event.name)].append(document)
    nameless = groups.pop("", [])
    if nameless and len(groups) != 1:
        raise refusal("the source does not name its event; say which with --event", nameless[0].source)
    for group in groups.values():
        group += nameless
    return list(groups.values())


def check_kinds(event: Event) -> dict[str, str]:
    """Return the event's own prefixes. Raises ScheduleRefused for one that means no kind there is."""
    unknown = sorted(set(event.kinds.values()) - set(Session.Kind.values))
    if unknown:
        known = ", ".join(Session.Kind.values)
        raise refusal(f"“{event.name}” reads a prefix as {', '.join(unknown)}, which is no kind; there are {known}")
    return event.kinds


def _import_event(event: Event, documents, timezone, options: ImportOptions, progress, report: ImportReport):
    """Import what belongs to one event; add to `report`; return the importer with its journal and outcomes."""
    if event.pk:
        # One import of an event at a time; on SQLite the transaction itself is the lock.
        Event.objects.select_for_update().get(pk=event.pk)
    problems = [problem for document in documents for problem in document.problems]
    event.timezone = find_event_zone(event.name, event.timezone, documents, timezone)
    problems += [problem for document in documents for problem in read_clocks(document, event.zone)]
    programme = merge_documents(documents)
    importer = EventImporter(event, documents, programme, options, progress)
    report.events.append(importer.run())
    report.problems += problems + programme.problems + importer.problems
    for document in documents:
        file = FileReport(document.source, document)
        file.sessions.update(importer.outcomes[m.key] for m in programme.sessions if document.source in m.sources)
        report.files.append(file)
    return importer


def _remember(importer: EventImporter, documents, sources: list[Source], user, report: ImportReport) -> None:
    """Write the run into the event's history, if it did anything; also a dry run, which takes it back."""
    journal = importer.journal.close()
    report.events[-1].diff = describe(journal)
    report.fingerprint += fingerprint(journal)
    if not report.events[-1].has_changes:
        return
    read = {document.source: document.format for document in documents}
    ImportRun.objects.create(
        event=importer.event,
        event_name=importer.event.name,
        user=user,
        sources=[describe_source(source, read[source.name]) for source in sources if source.name in read],
        report=report.render(),
        journal=journal,
    )


def name_apart(sources: Iterable[Source]) -> list[Source]:
    """Return the sources with names that tell them apart: two uploads may both be schedule.txt."""
    named: dict[str, Source] = {}
    for source in sources:
        name, number = source.name, 1
        while name in named:
            number += 1
            name = f"{source.name} ({number})"
        named[name] = Source(name, source.data)
    return list(named.values())


def describe_source(source: Source, format_name: str) -> dict[str, object]:
    """Return what the history keeps of a source: enough to know it again, not its text."""
    sha256 = hashlib.sha256(source.data).hexdigest()
    return {"name": source.name, "format": format_name, "bytes": len(source.data), "sha256": sha256}


def find_or_make_event(documents: list[ScheduleDocument], event_slug: str) -> Event:
    name = max((document.event.name for document in documents), key=lambda name: (len(name), name))
    if event_slug:
        try:
            Event._meta.get_field("slug").run_validators(event_slug)
        except ValidationError as error:
            raise refusal(f"--event {event_slug}: {' '.join(error.messages)}") from None
        found = Event.objects.filter(slug=event_slug).first()
        if found is None and not name:
            raise refusal(f"there is no event {event_slug!r}, and the source names none: add it in the admin first")
        if found is None and (same := match_event(name)):
            raise refusal(
                f"there is no event {event_slug!r}, but “{name}” is /{same.slug}/: give --event {same.slug}, or "
                "add the other one in the admin first"
            )
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
