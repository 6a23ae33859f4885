"""Time zones: which there are, how people name them, and which one an address asks for."""

import zoneinfo
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.resources import files
from zoneinfo import ZoneInfo

from babel import Locale, UnknownLocaleError
from babel.dates import get_timezone_location, get_timezone_name
from django.utils.translation import get_language, to_locale

from conference.templatetags.marks import utc_offset, zone_label
from conference.text import matching_key

# "localtime" and "Factory" are files of the zone database, and no places.
ZONE_NAMES = frozenset(zoneinfo.available_timezones() - {"localtime", "Factory"})
_BY_LOWER_CASE = {name.lower(): name for name in ZONE_NAMES}


def find_zone_name(text: str) -> str:
    """Return the IANA name that `text` means, blind to case, "" if it is none. A name of old gives the present one."""
    return present_name(_BY_LOWER_CASE.get(text.strip().lower().replace(" ", "_"), ""))


def present_name(name: str) -> str:
    """Return what an IANA zone is called now: "Asia/Kolkata" for "Asia/Calcutta"."""
    return _read_renamed().get(name, name)


@cache
def _read_renamed() -> dict[str, str]:
    """Return the links of the database from a name that is no place of its own to one that is."""
    places = {name for _country, name in _read_zone_table()}
    links = [line.split() for line in _read_table("tzdata.zi") if line.startswith("L ")]
    return {alias: name for _letter, name, alias in links if alias not in places and name in places}


@dataclass(frozen=True, slots=True)
class ZoneWords:
    """A time zone said in words of the active language, with the offset it has at one instant (aware, in it)."""

    name: str
    instant: datetime

    @classmethod
    def at(cls, instant: datetime, zone: ZoneInfo) -> "ZoneWords":
        return cls(zone.key, instant.astimezone(zone))

    @property
    def city(self) -> str:
        """The place it is named after: "Paris", "Kolkata" for Asia/Calcutta."""
        return name_city(self.name)

    @property
    def full_name(self) -> str:
        """What people there call it at this instant: "Central European Summer Time"."""
        return get_timezone_name(self.instant, width="long", locale=_language())

    @property
    def abbreviation(self) -> str:
        """What is printed beside times: "CEST", "UTC+5:45"."""
        return zone_label(self.instant)

    @property
    def offset(self) -> str:
        """The distance from UTC: "UTC+2"."""
        return utc_offset(self.instant)


def name_city(name: str) -> str:
    """Return the city of an IANA zone in the active language."""
    return _name_city(name, _language())


@cache
def _name_city(name: str, language: str) -> str:
    return get_timezone_location(ZoneInfo(name), locale=language, return_city=True)


def _language() -> str:
    locale = to_locale(get_language() or "en")
    return locale if _is_known(locale) else "en"


@cache
def _is_known(locale: str) -> bool:
    try:
        return bool(Locale.parse(locale))
    except (UnknownLocaleError, ValueError):
        return False


@dataclass(frozen=True, slots=True)
class ZoneChoice:
    """One zone of the picker: its country, its words, and where the offset sorts it."""

    country: str
    words: ZoneWords

    @property
    def search_key(self) -> str:
        """What a search is compared with; a blank stands before every word."""
        words = self.words
        told = (self.country, words.city, words.name.replace("_", " "), words.full_name, words.abbreviation)
        return f" {matching_key(' '.join((*told, words.offset)))}"


def list_zones(instant: datetime) -> list[ZoneChoice]:
    """Return a zone for every place that keeps its own time, from west to east as of `instant`, then by city.

    Source: zone.tab of the time zone database, which has each zone under its present name.
    """
    territories = Locale.parse(_language()).territories
    choices = [ZoneChoice("", ZoneWords.at(instant, ZoneInfo("UTC")))]
    choices += [
        ZoneChoice(territories.get(country, country), ZoneWords.at(instant, ZoneInfo(name)))
        for country, name in _read_zone_table()
        if name in ZONE_NAMES
    ]
    return sorted(choices, key=lambda choice: (choice.words.instant.utcoffset(), matching_key(choice.words.city)))


@cache
def _read_zone_table() -> list[tuple[str, str]]:
    """Return country code and zone of every line of zone.tab."""
    rows = [line.split("\t") for line in _read_table("zone.tab")]
    return [(row[0], row[2]) for row in rows]


def _read_table(name: str) -> list[str]:
    lines = files("tzdata").joinpath("zoneinfo", name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]
