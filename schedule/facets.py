"""What the filter column shows: choices with counts, chips, and ways out of an empty result. Pure."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from urllib.parse import urlencode

from django.utils.translation import gettext

from schedule.agenda import level_label

SHOWN_OF_LONG_FACET = 8
MOST_WAYS_OUT = 5
# Of a session that came between two queries.
NO_ANSWER: frozenset[str] = frozenset()
# Facets whose choices are the programme's own words.
OF_PROGRAMME = frozenset({"track", "room", "company", "language", "speaker"})
_LEVELS = {"beginner": 0, "intermediate": 1, "advanced": 2, "expert": 3, "any": 9, "all": 9}


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a facet. `count` sessions would be left with it, the other facets kept.

    `is_of_programme`: its label is a text of the programme, in whatever language.
    """

    value: str
    label: str
    count: int = 0
    is_selected: bool = False
    track: object | None = None
    is_of_programme: bool = False


@dataclass(frozen=True, slots=True)
class Facet:
    """One question of the filter: its parameter in the address, its heading, its choices."""

    name: str
    label: str
    choices: list[Choice]

    @property
    def is_long(self) -> bool:
        return len(self.choices) > SHOWN_OF_LONG_FACET + 2

    @property
    def first_choices(self) -> list[Choice]:
        """The choices in sight: all of a short facet; of a long one the first eight and what is selected."""
        if not self.is_long:
            return self.choices
        return self.choices[:SHOWN_OF_LONG_FACET] + [c for c in self.choices[SHOWN_OF_LONG_FACET:] if c.is_selected]

    @property
    def further_choices(self) -> list[Choice]:
        return [c for c in self.choices[SHOWN_OF_LONG_FACET:] if not c.is_selected] if self.is_long else []


@dataclass(frozen=True, slots=True)
class Chip:
    """An active value and the address of the page without it."""

    label: str
    url: str
    track: object | None = None
    is_of_programme: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """An address with a label and the number of sessions it leads to. `date` where the label is a day."""

    label: str
    url: str
    count: int
    is_current: bool = False
    date: object | None = None


@dataclass
class Selection:
    """A visitor's filter, answered. `matches` is None when nothing is asked.

    `count` sessions match, of `total` on the days shown; `unknown` are values that the event does not have, as
    (facet, value); `question_count` counts what is asked besides the day.
    """

    matches: frozenset[int] | None
    count: int
    total: int
    facets: list[Facet]
    chips: list[Chip] = field(default_factory=list)
    unknown: list[tuple[str, str]] = field(default_factory=list)
    ways_out: list[Link] = field(default_factory=list)
    q: str = ""
    question_count: int = 0
    clear_url: str = ""


@dataclass(frozen=True, slots=True)
class Option:
    """A value that the event's sessions have, before counting: how it is written, shown and sorted."""

    value: str
    label: str
    sort: tuple
    track: object | None = None


def _people(session) -> list:
    return [link.speaker for link in session.session_speakers.all()]


def _of_track(session) -> list[Option]:
    track = session.track
    return [Option(track.slug, track.name, (track.position, track.pk), track)] if track else []


def _of_room(session) -> list[Option]:
    room = session.room
    return [Option(room.slug, room.name, (room.position, room.pk))] if room else []


def _of_kind(session) -> list[Option]:
    kinds = list(session.Kind.values)
    return [Option(session.kind, str(session.Kind(session.kind).label), (kinds.index(session.kind),))]


def _of_level(session) -> list[Option]:
    slug = session.level_slug
    return [Option(slug, level_label(session.level), (_LEVELS.get(slug, 5), slug))] if slug else []


def _of_language(session) -> list[Option]:
    slug = session.language_slug
    return [Option(slug, session.language, (slug,))] if slug else []


def _of_company(session) -> list[Option]:
    people = {p.affiliation_slug: p for p in _people(session) if p.affiliation_slug}
    return [Option(slug, person.affiliation, (slug,)) for slug, person in people.items()]


def _of_speaker(session) -> list[Option]:
    return [Option(p.slug, p.name, (p.sort_key, p.slug)) for p in _people(session)]


def _of_materials(session) -> list[Option]:
    return [Option("yes", gettext("Has materials"), ())] if session.has_materials else []


_VALUES_OF: dict[str, Callable[..., list[Option]]] = {
    "track": _of_track,
    "room": _of_room,
    "kind": _of_kind,
    "level": _of_level,
    "company": _of_company,
    "language": _of_language,
    "speaker": _of_speaker,
    "materials": _of_materials,
}
# Facets that may have dozens of values: the most frequent first.
_BY_FREQUENCY = ("company", "speaker")


def build_selection(
    sessions: list,
    shown: list,
    labels: dict[str, str],
    active: dict[str, list[str] | str],
    answers: dict[int, frozenset[str]],
    days: dict[int, date],
    path: str,
) -> Selection:
    """Count and word everything the page says about a visitor's filter.

    `sessions` are all that are public, `shown` those of the days asked for; `labels`, `active` and
    `answers` are SessionFilter's .labels, .active and .find_matches(); `days` gives the day of every
    scheduled session; `path` is the page's own address, without a query.
    """
    asked = frozenset(active)
    matches = frozenset(pk for pk, said in answers.items() if said >= asked) if asked else None
    options = {name: _collect_options(sessions, name) for name in _VALUES_OF}
    selection = Selection(
        matches=matches,
        count=len(shown) if matches is None else len(matches),
        total=len(shown),
        facets=_build_facets(shown, options, labels, active, answers),
        chips=_build_chips(options, active, path),
        unknown=_find_unknown(options, labels, active, {str(day) for day in days.values()}),
        q=str(active.get("q", "")),
        question_count=len(asked - {"day"}),
        clear_url=make_url(path, {"day": active.get("day", [])}),
    )
    if asked and not matches:
        selection.ways_out = _find_ways_out(options, active, answers, len(sessions), path)
    return selection


def _find_unknown(options, labels, active, days: set[str]) -> list[tuple[str, str]]:
    """Return the values asked for that the event does not have, as (heading, value)."""
    unknown = [
        (labels[name], value) for name in options for value in active.get(name, []) if value not in options[name]
    ]
    # A day is known by having sessions.
    return unknown + [(labels["day"], value) for value in active.get("day", []) if value not in days]


def _collect_options(sessions: list, name: str) -> dict[str, Option]:
    found: dict[str, Option] = {}
    frequency: Counter[str] = Counter()
    for session in sessions:
        for option in _VALUES_OF[name](session):
            found.setdefault(option.value, option)
            frequency[option.value] += 1
    order = sorted(found.values(), key=lambda o: (-frequency[o.value] if name in _BY_FREQUENCY else 0, o.sort))
    return {option.value: option for option in order}


def _build_facets(shown, options, labels, active, answers) -> list[Facet]:
    facets = []
    for name, known in options.items():
        others = frozenset(active) - {name}
        counts = Counter(
            option.value
            for session in shown
            if not active or answers.get(session.pk, NO_ANSWER) >= others
            for option in _VALUES_OF[name](session)
        )
        selected = active.get(name, [])
        choices = [
            Choice(o.value, o.label, counts[o.value], o.value in selected, o.track, name in OF_PROGRAMME)
            for o in known.values()
        ]
        # A facet with one answer for every session asks nothing.
        if len(choices) > 1 or selected or name in ("track", "room", "materials"):
            facets.append(Facet(name, labels[name], choices))
    return [facet for facet in facets if facet.choices]


def _build_chips(options, active, path: str) -> list[Chip]:
    chips = []
    for name, values in active.items():
        if name == "q":
            rest = {other: value for other, value in active.items() if other != "q"}
            chips.append(Chip(_in_quotes(values), make_url(path, rest)))
        elif name != "day" or len(values) > 1:
            # One day is a tab; several are a filter like any other.
            for value in values:
                option = options.get(name, {}).get(value)
                rest = active | {name: [other for other in values if other != value]}
                label, track = (option.label, option.track) if option else (value, None)
                chips.append(Chip(label, make_url(path, rest), track, bool(option) and name in OF_PROGRAMME))
    return chips


def _find_ways_out(options, active, answers, total: int, path: str) -> list[Link]:
    """Offer less of the filter: without the day, without one facet, with one alone, without any; never with 0."""
    offers: list[tuple[str, set[str]]] = []
    day = {"day"} & set(active)
    asked = [name for name in active if name != "day"]
    if day and asked:
        offers.append((gettext("Same filters, all days"), set(asked)))
    quoted = {name: _quote(options, name, active[name]) for name in asked}
    if len(asked) > 2:
        offers += [(gettext("Without %(choice)s") % {"choice": quoted[n]}, {*asked} - {n} | day) for n in asked]
    if len(asked) > 1:
        offers += [(gettext("Only %(choice)s") % {"choice": quoted[n]}, {n} | day) for n in asked]
    links = []
    for label, kept in offers:
        count = sum(1 for said in answers.values() if said >= kept)
        if count:
            links.append(Link(label, make_url(path, {n: v for n, v in active.items() if n in kept}), count))
    links = sorted(links, key=lambda link: link.count)[: MOST_WAYS_OUT - 1]
    if total:
        links.append(Link(gettext("Clear all filters"), path, total))
    return links


def _quote(options, name: str, values: list[str] | str) -> str:
    if isinstance(values, str):
        return _in_quotes(values)
    return ", ".join(options[name][value].label if value in options[name] else value for value in values)


def _in_quotes(text: str) -> str:
    """Print `text` in the quotation marks of the language."""
    return gettext("“%(text)s”") % {"text": text}


def build_day_links(
    days: dict[int, date], active: dict[str, list[str] | str], answers: dict[int, frozenset[str]], path: str
) -> list[Link]:
    """Return the day tabs, each with the sessions it would leave, and "All days" where there is a choice.

    `days` gives the day of every scheduled session; the rest of the filter is kept in the addresses.
    """
    asked = active.get("day", [])
    others = {name: value for name, value in active.items() if name != "day"}
    matching = Counter(day for pk, day in days.items() if answers.get(pk, NO_ANSWER) >= others.keys())
    links = []
    for day in sorted(set(days.values())):
        is_current = asked == [str(day)] or len(set(days.values())) == 1
        links.append(Link("", make_url(path, {"day": [str(day)]} | others), matching[day], is_current, day))
    if len(links) > 1:
        links.append(Link(gettext("All days"), make_url(path, others), matching.total(), not asked))
    return links


def make_url(path: str, parameters: dict[str, list[str] | str]) -> str:
    """Return `path`, which may have a query already, with the parameters that have a value, lists repeated."""
    query = urlencode({name: value for name, value in parameters.items() if value}, doseq=True)
    return f"{path}{'&' if '?' in path else '?'}{query}" if query else path
