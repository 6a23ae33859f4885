"""What is exported: sessions of one event, as the page of the same address shows them."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from uuid import UUID

from conference.models import Event
from conference.viewing import Viewing
from schedule.agenda import Agenda, build_agenda
from schedule.facets import make_url
from schedule.models import Session, SessionChange


@dataclass(frozen=True)
class Programme:
    """Sessions in order, with details and materials (SessionQuerySet.exported()), in the zone they are viewed in.

    `make_absolute` turns a path of this site into an address. `name` is what belongs together: the event's name,
    that of a room, of a person. `asked` are the filters that left these sessions.
    """

    event: Event
    viewing: Viewing
    sessions: list[Session]
    make_absolute: Callable[[str], str]
    name: str = ""
    asked: Mapping[str, list[str] | str] = field(default_factory=dict)

    @cached_property
    def agenda(self) -> Agenda:
        return build_agenda(self.sessions, self.viewing)

    @cached_property
    def sequences(self) -> dict[UUID, int]:
        return SessionChange.objects.sequences_of(self.event)

    def address_of(self, path: str) -> str:
        """Return the absolute address of a page, shown in the same zone."""
        return self.make_absolute(self.viewing.keep(path))

    @property
    def page_address(self) -> str:
        """The absolute address of the page that shows the same sessions."""
        return self.make_absolute(make_url(self.viewing.keep(self.event.get_absolute_url()), dict(self.asked)))

    def named(self, name: str) -> "Programme":
        """Return the same sessions as the programme of `name` at this event."""
        return replace(self, name=f"{name} · {self.event.name}")

    def only(self, ids: Collection[int]) -> "Programme":
        """Return the programme without the sessions whose id is not in `ids`."""
        return replace(self, sessions=[session for session in self.sessions if session.pk in ids])
