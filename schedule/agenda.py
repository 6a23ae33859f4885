"""Order, days and rows for the eye: sessions in, an agenda in one zone out. Pure; the only maker of local time."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from itertools import groupby

from django.utils.safestring import SafeString
from django.utils.translation import gettext

from conference.languages import find_language, lang_attributes
from conference.viewing import Viewing

# look.md §5: free time from this length on parts the day into blocks and shows as a dash in the rail.
SHORTEST_PAUSE = timedelta(minutes=20)
MOST_BARS = 6
MOST_PEOPLE = 4
PEOPLE_SHOWN_OF_MANY = 3


@dataclass(frozen=True, slots=True)
class PeopleLine:
    """The people of a row: "A, B · Company" when all share one, else "A (X), B (Y)"; `more` counts the rest."""

    people: list[tuple[str, str]]
    shared_affiliation: str
    more: int

    @classmethod
    def of(cls, session) -> "PeopleLine":
        speakers = [link.speaker for link in session.session_speakers.all()]
        affiliations = {speaker.affiliation for speaker in speakers}
        shared = affiliations.pop() if len(affiliations) == 1 else ""
        shown = speakers[:PEOPLE_SHOWN_OF_MANY] if len(speakers) > MOST_PEOPLE else speakers
        people = [(speaker.name, "" if shared else speaker.affiliation) for speaker in shown]
        return cls(people, shared, len(speakers) - len(shown))


@dataclass
class Row:
    """One session as it stands in an agenda. `start` and `end` are aware, in the zone it is viewed in.

    `start_offset` and `end_offset` count the calendar days from the day the row stands under ("+1"). Of a search,
    `terms` are marked in it, and `excerpt` says where else they stand. `changes` are said above the title.
    """

    session: object
    viewing: Viewing
    start: datetime | None = None
    end: datetime | None = None
    start_offset: int = 0
    end_offset: int = 0
    is_match: bool = True
    terms: tuple[str, ...] = ()
    excerpt: str = ""
    changes: tuple = ()

    @cached_property
    def people(self) -> PeopleLine:
        return PeopleLine.of(self.session)

    @property
    def url(self) -> str:
        """The address of the session's page, viewed as this row is."""
        return self.viewing.keep(self.session.get_absolute_url())

    @property
    def event_times(self) -> tuple[datetime, datetime] | None:
        """Start and end by the event's own clocks, None where they show the same."""
        if self.start is None or not self.viewing.is_elsewhere:
            return None
        start, end = (moment.astimezone(self.viewing.event_zone) for moment in (self.start, self.end))
        is_same = (start.utcoffset(), end.utcoffset()) == (self.start.utcoffset(), self.end.utcoffset())
        return None if is_same else (start, end)

    @cached_property
    def lang(self) -> SafeString | str:
        """The attributes of an element with a text of the session itself: in its language if it names one."""
        return lang_attributes(find_language(self.session.language) or self.viewing.language)

    @property
    def level_label(self) -> str:
        return level_label(self.session.level)

    @property
    def minutes(self) -> int:
        """Length in minutes, from the instants: a clock change makes no session longer."""
        return round((self.end.astimezone(UTC) - self.start.astimezone(UTC)) / timedelta(minutes=1))


@dataclass
class Slot:
    """What begins at one moment. `begins_block` is true at the start of the day and after a pause."""

    start: datetime
    start_offset: int
    rows: list[Row]
    begins_block: bool = False
    follows_pause: bool = False

    @property
    def anchor(self) -> str:
        return make_anchor(self.start)

    @property
    def event_start(self) -> datetime | None:
        """Its start by the event's own clocks, None where they show the same."""
        times = self.rows[0].event_times
        return times[0] if times and times[0].utcoffset() != self.start.utcoffset() else None

    @property
    def viewing(self) -> Viewing:
        return self.rows[0].viewing

    @cached_property
    def sessions(self) -> list[Row]:
        return [row for row in self.rows if not row.session.is_break and row.is_match]

    @cached_property
    def breaks(self) -> list[Row]:
        return [row for row in self.rows if row.session.is_break and row.is_match]

    @property
    def has_match(self) -> bool:
        return any(row.is_match for row in self.rows)

    @property
    def is_break(self) -> bool:
        """Whether nothing but breaks begins here, so that the rail shows a dash."""
        return all(row.session.is_break for row in self.rows)

    @property
    def bars(self) -> list[Row]:
        """The rows that the rail draws above the time, in room order; over six, six shared out by track."""
        rows = [row for row in self.rows if not row.session.is_break]
        if len(rows) <= MOST_BARS:
            return rows
        by_track = sorted(rows, key=lambda row: (not row.is_match, row.session.track_id or 0))
        return [by_track[index * len(rows) // MOST_BARS] for index in range(MOST_BARS)]


@dataclass
class Day:
    """One day of the event and the slots that begin on it."""

    date: date
    slots: list[Slot] = field(default_factory=list)

    @property
    def begin(self) -> datetime:
        return self.slots[0].viewing.day_bounds(self.date)[0]

    @property
    def end(self) -> datetime:
        return self.slots[0].viewing.day_bounds(self.date)[1]

    @property
    def matching_slots(self) -> list[Slot]:
        return [slot for slot in self.slots if slot.has_match]


@dataclass
class Agenda:
    """Days in order; `unscheduled` are the rows whose time is not known yet."""

    days: list[Day]
    unscheduled: list[Row]

    @property
    def matching_days(self) -> list[Day]:
        return [day for day in self.days if any(slot.has_match for slot in day.slots)]

    @property
    def matching_unscheduled(self) -> list[Row]:
        return [row for row in self.unscheduled if row.is_match]

    @property
    def slots(self) -> list[Slot]:
        return [slot for day in self.days for slot in day.slots]

    @property
    def rows(self) -> list[Row]:
        """Every row once: by time, those without a time last."""
        return [row for slot in self.slots for row in slot.rows] + self.unscheduled


def level_label(level: str) -> str:
    """Return an audience level as attendees read it: "Any" is "All levels"."""
    return gettext("All levels") if level.casefold() in ("any", "all") else level


def make_anchor(start: datetime) -> str:
    """Return the id that the slot beginning at `start` has in its page, the same in every zone: "t-20260408T0835Z"."""
    return f"t-{start.astimezone(UTC):%Y%m%dT%H%MZ}"


def build_row(session, viewing: Viewing, is_match: bool = True) -> Row:
    """Return the row of one session (start and end aware or both None) as it is viewed."""
    if session.start is None:
        return Row(session, viewing, is_match=is_match)
    start, end = session.start.astimezone(viewing.zone), session.end.astimezone(viewing.zone)
    day = viewing.find_day(start)
    return Row(session, viewing, start, end, (start.date() - day).days, (end.date() - day).days, is_match)


def build_agenda(sessions: Iterable, viewing: Viewing, matches: Collection[int] | None = None) -> Agenda:
    """Arrange `sessions` by day and start.

    Takes sessions in the order of `SessionQuerySet.in_order()`, how they are viewed, and the ids that the
    visitor's filter leaves (None: all). Every session stands once, under the day on which it begins; the
    others stay in it with `is_match` false, for rail and grid.
    """
    rows = [build_row(s, viewing, matches is None or s.pk in matches) for s in sessions]
    timed = [row for row in rows if row.start is not None]
    days: list[Day] = []
    for day, rows_of_day in groupby(timed, key=lambda row: row.start.date() - timedelta(days=row.start_offset)):
        # By instant: when clocks go back, two times an hour apart compare as equal.
        groups = [list(group) for _instant, group in groupby(rows_of_day, key=lambda row: row.start.astimezone(UTC))]
        slots = [Slot(group[0].start, group[0].start_offset, group) for group in groups]
        _mark_blocks(slots)
        days.append(Day(day, slots))
    return Agenda(days, [row for row in rows if row.start is None])


@dataclass(frozen=True)
class Neighbours:
    """Ids of the sessions around one: before and after it in the programme and in its room, and at the same time."""

    previous_session: int | None
    next_session: int | None
    previous_here: int | None
    next_here: int | None
    parallel: list[int]

    @property
    def ids(self) -> set[int]:
        around = (self.previous_session, self.next_session, self.previous_here, self.next_here)
        return {pk for pk in around if pk is not None} | set(self.parallel)


def find_neighbours(outline: Iterable, session) -> Neighbours:
    """Return what stands around `session`; nothing where it has no time.

    `outline` holds the scheduled sessions in order, each with pk, start, end and room_id.
    """
    programme = list(outline)
    here = [other for other in programme if session.room_id and other.room_id == session.room_id]
    parallel = [
        other.pk
        for other in programme
        if session.start and other.start < session.end and other.end > session.start and other.pk != session.pk
    ]
    return Neighbours(*_around(programme, session.pk), *_around(here, session.pk), parallel)


def _around(programme: list, pk: int) -> tuple[int | None, int | None]:
    place = next((n for n, other in enumerate(programme) if other.pk == pk), None)
    if place is None:
        return None, None
    before = programme[place - 1].pk if place else None
    after = programme[place + 1].pk if place + 1 < len(programme) else None
    return before, after


def _mark_blocks(slots: list[Slot]) -> None:
    """Find the slots before which everybody was free or on a break."""
    busy_until: datetime | None = None
    after_break = True
    for slot in slots:
        start = slot.start.astimezone(UTC)
        is_free = busy_until is not None and start - busy_until >= SHORTEST_PAUSE
        slot.follows_pause = is_free and not after_break
        if slot.is_break:
            after_break = True
            continue
        slot.begins_block = after_break or is_free
        after_break = False
        ends = [row.end.astimezone(UTC) for row in slot.rows if not row.session.is_break]
        busy_until = max([*ends, busy_until] if busy_until else ends)
