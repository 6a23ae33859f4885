"""What runs at an instant and what comes next, room by room. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from conference.dates import POSSIBLE_YEARS
from schedule.agenda import Row

# Whoever looks an hour before the first session wants to know of it, not of tomorrow's.
NEXT_WITHIN = timedelta(hours=12)
_LOST_PLUS = re.compile(r"(?<=T\d\d:\d\d) (?=\d\d:)|(?<=T\d\d:\d\d:\d\d) (?=\d\d:)")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The programme at one instant. `running` and `coming` are rows, each in the order of time, then room.

    `first` is the start of the programme while nothing of it has begun, `is_over` tells that all of it has ended.
    """

    instant: datetime
    running: list[Row]
    coming: list[Row]
    first: datetime | None
    is_over: bool


def build_moment(rows: Iterable[Row], instant: datetime) -> Snapshot:
    """Find what runs at `instant` (aware): from its start up to, not including, its end; and what each room has next.

    A session without a room is next for everybody, and so only the first of them is. Cancelled ones do not run.
    """
    timed = [row for row in rows if row.start is not None and not row.session.is_cancelled]
    running = [row for row in timed if row.start <= instant < row.end]
    later = [row for row in timed if instant < row.start <= instant + NEXT_WITHIN]
    coming: dict[int | None, Row] = {}
    for row in sorted(later, key=lambda row: row.start.astimezone(UTC)):
        coming.setdefault(row.session.room_id, row)
    first = min((row.start for row in timed), default=None, key=lambda start: start.astimezone(UTC))
    return Snapshot(
        instant,
        running,
        list(coming.values()),
        first if first and first > instant else None,
        bool(timed) and all(row.end <= instant for row in timed),
    )


def parse_instant(text: str, zone: tzinfo) -> datetime | None:
    """Return the instant that "2026-04-08T10:50" names on the clocks of `zone`, or with an offset; None for no time."""
    try:
        # A plus sign typed into an address arrives as a blank.
        moment = datetime.fromisoformat(_LOST_PLUS.sub("+", text.strip()))
    except ValueError:
        return None
    if moment.year not in POSSIBLE_YEARS:
        return None
    return moment.replace(tzinfo=zone) if moment.tzinfo is None else moment.astimezone(zone)
