"""What documents say of one row, by its columns. Pure, but that it looks at the row that is there."""

from collections.abc import Collection
from datetime import date, timedelta

from conference.models import Event
from conference.text import matching_key
from schedule.importing.dates import parse_stated_days
from schedule.importing.document import (
    EventEntry,
    PersonEntry,
    Problem,
    ScheduleDocument,
    ScheduleRefused,
    Severity,
)
from schedule.importing.merging import MergedProgramme
from schedule.importing.people import is_fuller, name_rank
from speakers.models import Speaker

_EVENT_TEXTS = (
    *("name", "stated_dates", "city", "country", "venue", "website_url", "notice"),
    *("registration_label", "help_label"),
)


def describe_person(row: Speaker, person: PersonEntry, names: Collection[str]) -> dict[str, object]:
    """Return what the source says of a person, by column, but the aliases, which depend on the name they get.

    `names` are all it has for them. Known by an alias only, they keep their name, unless that is a lesser spelling
    and nobody chose it by hand.
    """
    said: dict[str, object] = {name: getattr(person, name) for name in ("headline", "position", "affiliation")}
    last = row.source_values.get("name", "")
    own = [name for name in names if matching_key(name) in (row.name_key, matching_key(last))]
    if row.pk is None or own:
        said["name"] = min(own, key=name_rank, default=person.name)
    elif row.name == last and is_fuller(person.name, last):
        said["name"] = person.name
    return said | {"bio": person.bio, "is_bio_cut": person.bio_is_cut if person.bio else None}


def describe_aliases(row: Speaker, person: PersonEntry, names: Collection[str], said: object) -> dict[str, object]:
    """Return the other spellings of a person who has got their name: those of now, and those known before.

    The name that the source `said` is none of them, also where another was given by hand.
    """
    aliases = {*row.alias_list, *person.aliases, *names} - {row.name, said, row.source_values.get("name")}
    return {"aliases": "\n".join(sorted(aliases))}


def describe_event(event: Event, documents: list[ScheduleDocument], programme: MergedProgramme) -> dict[str, object]:
    """Return what the documents say of the event, by column. Days only ever widen: a part knows a part of them."""
    said: dict[str, object] = {}
    for entry in (document.event for document in documents):
        for name in _EVENT_TEXTS:
            said[name] = max(said.get(name, ""), getattr(entry, name), key=lambda text: (len(text), text))
    said["timezone"] = event.timezone
    hours = [d.event.day_change_hour for d in documents if d.event.day_change_hour is not None]
    if hours:
        said["day_change_hour"] = max(hours)
    days = find_days(event, [document.event for document in documents], programme)
    for name in ("start_date", "end_date"):
        if known := event.source_values.get(name):
            days.append(date.fromisoformat(known))
    return said | {"start_date": min(days), "end_date": max(days)}


def find_days(event: Event, entries: list[EventEntry], programme: MergedProgramme) -> list[date]:
    """Return the days with sessions, and the stated ones in the sessions' year where they hold those."""
    starts = [merged.entry.start for merged in programme.sessions if merged.entry.start]
    viewing = event.viewing
    days = sorted({viewing.find_day(start) for start in starts})
    days += [day for entry in entries for day in (entry.start_date, entry.end_date) if day]
    if not days:
        raise ScheduleRefused(Problem("no session has a time, and the source states no dates", severity=Severity.ERROR))
    first, last = min(days), max(days)
    for entry in entries:
        stated = parse_stated_days(entry.stated_dates, first.year)
        # An organiser's slip of a month or more is no range of days.
        if stated and stated[0] <= first and last <= stated[1] and stated[1] - stated[0] < timedelta(days=31):
            days += stated
    return days
