"""The zones that a calendar names: IANA's, Windows', and those it defines itself. Pure."""

import hashlib
from dataclasses import InitVar, dataclass, field
from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo

import icalendar
from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

from schedule.importing.formats.entries import Notes, find_iana_zone
from schedule.importing.formats.ical_lines import Component

UNIVERSAL = frozenset({"UTC", "GMT", "Etc/UTC", "Etc/GMT", "Zulu", "Etc/Zulu", "UCT", "Etc/UCT", "Universal"})


@dataclass(slots=True)
class Zones:
    """The zones of one calendar by their TZID, None for one that nobody knows. `components` define
    some of them."""

    notes: Notes
    components: InitVar[list[Component]]
    defined: dict[str, Component] = field(default_factory=dict)
    known: dict[str, tzinfo | None] = field(default_factory=dict)

    def __post_init__(self, components: list[Component]) -> None:
        for component in components:
            if name := component.find("TZID"):
                self.defined.setdefault(name.value, component)

    def place(self, moment: datetime, zone_id: str, line: int) -> datetime:
        """Give a wall-clock time its zone. One that the calendar defines is turned into UTC, the same instant."""
        if zone_id not in self.known:
            self.known[zone_id] = self._find(zone_id)
            if self.known[zone_id] is None:
                message = f"The zone “{zone_id[:60]}” is not known; its times are read by the event's own clock."
                self.notes.warn(message, line)
        zone = self.known[zone_id]
        placed = moment.replace(tzinfo=zone)
        return placed if zone is None or isinstance(zone, ZoneInfo) else placed.astimezone(UTC)

    @property
    def common_zone(self) -> str:
        """The zone of all times that were placed, "" if they have several, none, or UTC."""
        names = {zone.key if isinstance(zone, ZoneInfo) else "" for zone in self.known.values()}
        return names.pop() if len(names) == 1 and not names & UNIVERSAL else ""

    def _find(self, zone_id: str) -> tzinfo | None:
        """Find a zone by its name, or the end of it ("/example.org/Europe/Berlin"), or its definition."""
        parts = zone_id.strip("/").split("/")
        names = ["/".join(parts[-count:]) for count in (len(parts), 3, 2) if count <= len(parts)]
        component = self.defined.get(zone_id)
        if component and (place := component.find("X-LIC-LOCATION")):
            names.append(place.value)
        for name in [*names, WINDOWS_TO_OLSON.get(zone_id, "")]:
            if known := find_iana_zone(name):
                return ZoneInfo(known)
        return _make_zone(self.notes.lines, component) if component else None


def _make_zone(lines: list[str], component: Component) -> tzinfo | None:
    """Return the zone that a calendar defines itself, None if it can't be read.

    Under a name of its own: the library keeps zones by name, and two calendars may define one differently.
    """
    block = lines[component.first - 1 : component.last]
    name = hashlib.sha256("\n".join(block).encode("utf-8", "replace")).hexdigest()
    texts = [f"TZID:{name}" if line.upper().startswith("TZID") else line for line in block]
    try:
        return icalendar.Timezone.from_ical("\r\n".join([*texts, ""])).to_tz()
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError):
        return None
