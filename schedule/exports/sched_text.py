"""A programme as the text of a Sched page, which the importer reads back as the same programme.

The text is not trusted but tried: it is read by the importer's own parser, and what a session would lose is added
to it as an exact line (formats/exact.py), until nothing is lost.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate

from conference.dates import POSSIBLE_YEARS, format_dates
from conference.models import Event
from schedule.exports.exact import make_entry
from schedule.exports.sched_lines import Writing, write_exact
from schedule.importing.clocks import read_clocks
from schedule.importing.document import (
    ReadOptions,
    ScheduleDocument,
    ScheduleRefused,
    SessionEntry,
)
from schedule.importing.formats import sched_text
from schedule.importing.formats.sched_text.blocks import FOOTER, TITLE_ENDING, is_mark
from schedule.importing.formats.sched_text.header import read_header
from schedule.importing.formats.sched_text.reading import Reading
from schedule.importing.merging import merge_documents, session_key
from schedule.importing.people import person_key
from schedule.importing.titles import split_kind

# Read and corrected so often at most; before the last times, whatever is still not right is protected.
_ROUNDS = 8
_PATIENCE = 4
# A file with many of these is no text to whoever reads it; an exact line spells them out.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class ScheduleText:
    """The text, and in sentences what of the programme is not in it."""

    text: str
    losses: list[str]


def write_sched_text(event: Event, sessions: Iterable) -> ScheduleText:
    """Write `sessions` (with_details(), and in the order wanted) of `event` as the text of a Sched page.

    Sessions without a time are left out, since the format has no place for them; `losses` names them. Raises
    ValueError if no session is left.
    """
    sessions = list(sessions)
    written = [s for s in sessions if s.start and s.start.astimezone(event.zone).year in POSSIBLE_YEARS]
    if not written:
        raise ValueError("no session has a time, and the text format has no place for one without")
    writings = [Writing(make_entry(session), event.zone) for session in written]
    for writing in writings:
        if event.kinds and split_kind(writing.entry.title, event.kinds)[1] != writing.entry.title:
            # What the event's own words for kinds would do elsewhere is not to be seen here.
            writing.exact |= {"title": writing.entry.title, "kind": writing.entry.kind}
    text = _write_until_equal(event, writings)
    return ScheduleText(text, [*_find_losses(sessions, written), *_find_joined(event, text, writings)])


def _write_until_equal(event: Event, writings: list[Writing]) -> str:
    """Return the text from which exactly what `writings` hold is read; raise ValueError if there is none."""
    for number in range(_ROUNDS):
        parts = [_write_head(event), *(writing.write(n) for n, writing in enumerate(writings, start=1))]
        text = "\n\n".join([*parts, *(writing.heading for writing in writings), f"{FOOTER}\n"])
        unlike = list(_find_unlike(event, text, parts, writings))
        if not unlike:
            return text
        for writing, lacks in unlike:
            writing.exact |= lacks
            writing.is_protected = writing.is_protected or not lacks or number >= _PATIENCE
    titles = ", ".join(f"“{writing.entry.title}”" for writing, _lacks in unlike)
    raise ValueError(f"no text is read back as these sessions, which is a fault of Plenary: {titles}")


def _find_unlike(event: Event, text: str, parts: list[str], writings: list[Writing]) -> Iterator:
    """Yield the sessions that are read otherwise from `text`, and what they lack; {} if they can't be read at all."""
    if controlled := [writing for part, writing in zip(parts[1:], writings, strict=True) if _CONTROL.search(part)]:
        yield from ((writing, {}) for writing in controlled)
        return
    starts = list(accumulate((part.count("\n") + 2 for part in parts), initial=1))[1:-1]
    try:
        document = _read_back(event, text)
    except ScheduleRefused as refusal:
        places = {bisect_right(starts, problem.line or 0) - 1 for problem in refusal.problems}
        found = [writings[n] for n in sorted(places) if n >= 0 and not writings[n].is_protected]
        yield from ((writing, {}) for writing in found or writings)
        return
    read: dict[int, list[SessionEntry]] = {n: [] for n in range(len(writings))}
    for entry in document.sessions:
        read[bisect_right(starts, entry.line) - 1].append(entry)
    for n, writing in enumerate(writings):
        if len(read[n]) != 1:
            yield writing, {}
        elif lacks := writing.lacks(read[n][0]):
            yield writing, lacks


def _write_head(event: Event) -> str:
    """Return the head: what people read, and in an exact line what has no place in it or would be misread."""
    exact: dict[str, object] = {"timezone": event.timezone}
    exact |= {"start_date": event.start_date.isoformat(), "end_date": event.end_date.isoformat()}
    exact |= {name: getattr(event, name) for name in ("venue", "website_url") if getattr(event, name)}
    if event.day_change_hour != Event._meta.get_field("day_change_hour").default:
        exact["day_change_hour"] = event.day_change_hour
    dates = event.stated_dates or format_dates(event.start_date, event.end_date)
    place = f"{event.city}, {event.country}" if event.city and event.country else ""
    notice = f"Note: {event.notice}" if event.notice else ""
    lines = [f"{event.name}{TITLE_ENDING}", dates, place, event.registration_label, notice]
    # Each line alone is safe or left to the exact line; together they can't disturb each other.
    lines = [line for line in lines if line and not _is_misread(line)]
    read = read_header(Reading.of("\n".join(lines), ""), len(lines) + 1, is_rendered=False).event
    wanted = {name: getattr(event, name) for name in ("name", "city", "country", "registration_label", "notice")}
    wanted["stated_dates"] = event.stated_dates
    exact |= {name: value for name, value in wanted.items() if value != getattr(read, name)}
    if not lines or not lines[0].endswith(TITLE_ENDING):
        lines.insert(0, f"Schedule{TITLE_ENDING}")
    return "\n\n".join(["\n".join(lines), write_exact(exact)])


def _is_misread(line: str) -> bool:
    """Whether a line of the head would be taken for the time of a session, or is no single line."""
    return _CONTROL.search(line) is not None or "\n" in line or is_mark(Reading.of(line, ""), 1)


def _find_losses(sessions: list, written: list) -> list[str]:
    """Say what the format has no place for."""
    kept = {session.pk for session in written}
    left_out = [session.title for session in sessions if session.pk not in kept]
    losses = [f"“{title}” has no time that the format can say: left out" for title in left_out]
    noted = [session.title for session in written if session.status_note]
    losses += [f"“{title}”: the note beside “Cancelled” is left out" for title in noted]
    files = sum(bool(material.file) for session in written for material in session.materials.all())
    if files:
        losses.append(f"{files} uploaded files are named, but not in the text")
    return losses


def _read_back(event: Event, text: str) -> ScheduleDocument:
    """Read the text as an importer into an empty event would. Raises ScheduleRefused."""
    document = sched_text.parse(text, "export", ReadOptions())
    read_clocks(document, event.zone)
    return document


def _find_joined(event: Event, text: str, writings: list[Writing]) -> list[str]:
    """Say which sessions, and which people, the importer would take for one."""
    document = _read_back(event, text)
    counts = Counter(session_key(entry.title, entry.start, entry.room) for entry in document.sessions)
    keys = {key for key, count in counts.items() if count > 1}
    double = {e.title for e in document.sessions if session_key(e.title, e.start, e.room) in keys}
    losses = [f"“{title}” stands twice at one time in one room: one session when imported" for title in sorted(double)]
    merge_documents([document])
    names: dict[str, dict[str, str]] = {}
    for writing, entry in zip(writings, document.sessions, strict=True):
        for own, read in zip(writing.entry.people, entry.people, strict=False):
            names.setdefault(person_key(read), {})[own.source_id] = own.name
    joined = [" and ".join(f"“{name}”" for name in found.values()) for found in names.values() if len(found) > 1]
    return losses + [f"{said} are read as one person when imported" for said in joined]
