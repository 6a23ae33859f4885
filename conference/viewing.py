"""How an address asks for a programme to be shown: in whose zone clocks are read, and whose days count.

`?tz=Asia/Tokyo` shows every time in that zone, under the event's own days; `&days=viewer` groups by that zone's
calendar days. Every link within the site keeps both, so that they live nowhere but in the address.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from urllib.parse import parse_qsl, urlencode
from zoneinfo import ZoneInfo

from django.utils.safestring import SafeString

from conference.languages import lang_attributes
from conference.zones import find_zone_name, name_city, present_name

LONGEST_NAME = 60
VIEWER = "viewer"


@dataclass(frozen=True, slots=True)
class Viewing:
    """A way to show a programme. `zone` is that of the clocks; days are the event's unless `has_viewer_days`.

    `unknown_zone` is what was asked for and is no zone; the event's own is shown then. `language` is that of the
    programme's texts, whatever the page's is.
    """

    event_zone: ZoneInfo
    day_change_hour: int
    zone: ZoneInfo
    has_viewer_days: bool = False
    unknown_zone: str = ""
    language: str = ""

    @classmethod
    def of(cls, event, query: Mapping[str, str]) -> "Viewing":
        """Return what `query` (request.GET) asks for; without a question, the event's own zone and days."""
        asked = query.get("tz", "").replace("\0", "").strip()[:LONGEST_NAME]
        name = find_zone_name(asked)
        zone = ZoneInfo(name) if name else event.zone
        has_viewer_days = not _is_same(zone, event.zone) and query.get("days") == VIEWER
        return cls(event.zone, event.day_change_hour, zone, has_viewer_days, "" if name else asked, event.language)

    @property
    def lang(self) -> SafeString | str:
        """The attributes of an element that holds text of the programme; nothing if the page is in its language."""
        return lang_attributes(self.language)

    @property
    def is_elsewhere(self) -> bool:
        """Whether clocks are shown in another zone than the event's."""
        return not _is_same(self.zone, self.event_zone)

    @property
    def event_city(self) -> str:
        """The place whose zone the event is in, in the active language."""
        return name_city(self.event_zone.key)

    @property
    def parameters(self) -> dict[str, str]:
        """What addresses must keep: nothing for the event's own zone."""
        if not self.is_elsewhere:
            return {}
        return {"tz": self.zone.key} | ({"days": VIEWER} if self.has_viewer_days else {})

    def keep(self, url: str) -> str:
        """Return `url`, an address of this site, with the parameters of this viewing."""
        if not self.parameters:
            return url
        path, hash_sign, fragment = url.partition("#")
        return f"{path}{'&' if '?' in path else '?'}{urlencode(self.parameters, safe='/')}{hash_sign}{fragment}"

    def change(self, url: str, zone_name: str, has_viewer_days: bool = False) -> str:
        """Return `url` for another zone, "" for the event's; a day asked for goes where days become others."""
        path, _mark, query = url.partition("?")
        dropped = {"tz", "days"} | ({"day"} if has_viewer_days or self.has_viewer_days else set())
        rest = [(name, value) for name, value in parse_qsl(query, keep_blank_values=True) if name not in dropped]
        if zone_name and zone_name not in (self.event_zone.key, present_name(self.event_zone.key)):
            rest += [("tz", zone_name)] + ([("days", VIEWER)] if has_viewer_days else [])
        return f"{path}?{urlencode(rest, safe='/')}" if rest else path

    def find_day(self, instant: datetime) -> date:
        """Return the day that `instant` belongs to: before the day-change hour it is still the day before."""
        zone, hour = self._day_rule
        return find_day(instant, zone, hour)

    def day_bounds(self, day: date) -> tuple[datetime, datetime]:
        """Return the instants (UTC) at which `day` begins and ends."""
        zone, hour = self._day_rule
        begin, end = (datetime.combine(d, time(hour), zone).astimezone(UTC) for d in (day, day + timedelta(days=1)))
        return begin, end

    @property
    def _day_rule(self) -> tuple[ZoneInfo, int]:
        """Where days are counted, and at which hour they begin there: a viewer's are plain calendar days."""
        return (self.zone, 0) if self.has_viewer_days else (self.event_zone, self.day_change_hour)


def _is_same(zone: ZoneInfo, other: ZoneInfo) -> bool:
    return present_name(zone.key) == present_name(other.key)


def find_day(instant: datetime, zone: ZoneInfo, day_change_hour: int) -> date:
    """Return the day that `instant` belongs to in `zone`, where days begin at `day_change_hour`."""
    local = instant.astimezone(zone)
    return local.date() - timedelta(days=local.hour < day_change_hour)
