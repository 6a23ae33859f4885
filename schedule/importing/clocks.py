"""The zone of an event, and a document's wall-clock times as instants of it: only here do they become that. Pure."""

from datetime import timedelta
from zoneinfo import ZoneInfo

from conference.dates import POSSIBLE_YEARS, find_year
from schedule.importing.document import Problem, ScheduleDocument, ScheduleRefused, SessionEntry, Severity
from schedule.importing.reading import refusal
from schedule.importing.zones import find_contradictions, find_zone, read_wall_clock

# What a moment without a length lasts here: a session ends after it starts, and this is the least of it.
SHORTEST = timedelta(minutes=1)
# What lasts longer is more often a slip in its end than an exhibition.
LONGEST = timedelta(days=14)


def find_event_zone(name: str, own: str, documents: list[ScheduleDocument], asked: str) -> str:
    """Return the IANA zone of the event `name`: the one asked for, its `own`, the source's, or its place's.

    Raises ScheduleRefused where nothing tells, and where what is asked for is not the event's own.
    """
    if own and asked not in ("", own):
        raise refusal(f"“{name}” is in {own}, not {asked}: leave --timezone out, or change the event's zone")
    # Of several the last by name, so that the order of files makes no difference.
    place = max((d.event for d in documents), key=lambda entry: (entry.city, entry.country))
    stated = max(d.event.timezone for d in documents)
    if found := asked or own or stated or find_zone(place.city, place.country):
        return found
    where = f"{place.city}, {place.country}".strip(", ") or "a place that the text does not name"
    raise refusal(
        f"no time zone is known for {where}; give it with --timezone, for example --timezone Europe/Paris",
        documents[0].source,
    )


def read_clocks(document: ScheduleDocument, zone: ZoneInfo) -> list[Problem]:
    """Give every session of `document` instants in place of wall-clock times of `zone`; return what was odd.

    Raises ScheduleRefused for a session that ends before it starts, or is in a year of no conference.
    """
    _check_years(document, zone)
    problems = _find_wrong_labels(document, zone)
    for entry in document.sessions:
        faults = _read_entry(entry, zone)
        problems += [Problem(fault, document.source, entry.line, entry.title) for fault in faults]
    return problems


def _check_years(document: ScheduleDocument, zone: ZoneInfo) -> None:
    for entry in document.sessions:
        for moment in filter(None, (entry.start, entry.end)):
            if (year := find_year(moment, zone)) not in POSSIBLE_YEARS:
                raise _refuse(entry, f"the session is in the year {year}, which is a slip; correct it")


def _find_wrong_labels(document: ScheduleDocument, zone: ZoneInfo) -> list[Problem]:
    wall_clocks = [s for s in document.sessions if s.start is not None and s.start.tzinfo is None]
    labelled = [(entry.start, entry.zone_label) for entry in wall_clocks]
    problems = []
    for label, local in find_contradictions(zone, labelled).items():
        entry = next(entry for entry in wall_clocks if entry.zone_label == label and entry.start == local)
        message = f"times are printed as {label}, but {zone.key} has {local.replace(tzinfo=zone):%Z} then and is used"
        problems.append(Problem(message, document.source, entry.line, entry.title))
    return problems


def _read_entry(entry: SessionEntry, zone: ZoneInfo) -> list[str]:
    """Turn the times of one session into instants; return what was odd, in sentences."""
    if entry.start is None or entry.end is None:
        has_half = entry.start is not None or entry.end is not None
        entry.start, entry.end, entry.room = None, None, ""
        return (
            ["a start without an end, or an end without a start: read as a session without a time"] if has_half else []
        )
    faults = []
    for name in ("start", "end"):
        moment = getattr(entry, name)
        if moment.tzinfo is None:
            instant = read_wall_clock(moment, zone, entry.zone_label)
            faults += [instant.fault] if instant.fault else []
            setattr(entry, name, instant.value)
    if entry.end == entry.start:
        entry.end += SHORTEST
        faults.append("a moment without a length: kept as one minute")
    if entry.end - entry.start > LONGEST:
        faults.append(f"the session lasts {(entry.end - entry.start).days} days: see whether its end is right")
    if entry.end < entry.start:
        raise _refuse(entry, f"the session ends before it starts once its times are read in {zone.key}")
    return faults


def _refuse(entry: SessionEntry, message: str) -> ScheduleRefused:
    return ScheduleRefused(Problem(message, entry.source, entry.line, entry.title, Severity.ERROR))
