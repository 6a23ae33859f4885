"""What organisers may know of stars: counts, and which parallel sessions share them; never of a handful of people."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from conference.models import Event
from schedule.models import Session, Star

# Below this, a count would tell of persons.
LEAST = 5
MOST_CLASHES = 50


@dataclass(frozen=True, slots=True)
class Demand:
    """A session and the number of lists that hold it; None where too few to say."""

    session: Session
    count: int | None


@dataclass(frozen=True, slots=True)
class Clash:
    """Two sessions at once, and the number of lists that hold both."""

    first: Session
    second: Session
    count: int


def find_demand(event: Event) -> tuple[list[Demand], list[Clash]]:
    """Return every scheduled session of `event`, most wanted first, and the clashes that most lists have.

    Only lists on the server count: what a browser keeps for itself nobody sees.
    """
    sessions = list(event.sessions.public().scheduled().select_related("room", "track").in_order())
    lists: dict[int, set[str]] = {}
    starred = Star.objects.filter(schedule__event=event, is_starred=True).values_list("schedule_id", "session_uid")
    for schedule_id, uid in starred:
        lists.setdefault(schedule_id, set()).add(str(uid))
    counts = Counter(uid for uids in lists.values() for uid in uids)
    demand = [Demand(s, counts[str(s.uid)] if counts[str(s.uid)] >= LEAST else None) for s in sessions]
    demand.sort(key=lambda one: -(one.count or 0))
    return demand, _find_clashes(sessions, lists.values())


def _find_clashes(sessions: list[Session], lists: Iterable[set[str]]) -> list[Clash]:
    by_uid = {str(session.uid): session for session in sessions if not session.is_cancelled}
    together: Counter[tuple[str, str]] = Counter()
    for uids in lists:
        held = sorted(uids & by_uid.keys())
        together.update(pair for pair in combinations(held, 2) if _overlap(by_uid[pair[0]], by_uid[pair[1]]))
    found = [Clash(by_uid[one], by_uid[two], count) for (one, two), count in together.items() if count >= LEAST]
    return sorted(found, key=lambda clash: (-clash.count, clash.first.start))[:MOST_CLASHES]


def _overlap(one: Session, other: Session) -> bool:
    return one.start < other.end and other.start < one.end
