"""The title line as a cross-check: the section says who speaks, the title says it once more."""

from collections import defaultdict
from collections.abc import Iterable
from typing import TypeVar

from conference.text import matching_key
from schedule.importing.document import PersonEntry
from schedule.importing.formats.sched_text.reading import Reading
from schedule.importing.headlines import split_headline
from schedule.importing.titles import Mention, is_variant

Named = TypeVar("Named", PersonEntry, Mention)


def check_mentions(reading: Reading, title_line: int, people: list[PersonEntry], mentions: list[Mention]) -> None:
    """Compare the people of a session with those its title mentions: warn of differences, keep other spellings.

    Nobody is added: the section is the authority, except that a name all in small letters is shown as
    the title spells it.
    """
    pairs = _match(people, mentions)
    for person, mention in pairs:
        _compare_names(reading, person, mention)
        _compare_affiliations(reading, title_line, person, mention)
    matched = {id(one) for pair in pairs for one in pair}
    missing = [person.name for person in people if id(person) not in matched and person.role == "speaker"]
    strangers = [mention.name for mention in mentions if id(mention) not in matched]
    if mentions and (missing or strangers):
        message = f"The title names {_count(len(mentions))}, the list of people {_count(len(people))}."
        message += f" Not in the title: {', '.join(missing)}." if missing else ""
        message += f" Only in the title: {', '.join(strangers)}." if strangers else ""
        reading.warn(f"{message} The list is used.", title_line)


def _count(number: int) -> str:
    return "1 person" if number == 1 else f"{number} people"


def _match(people: list[PersonEntry], mentions: list[Mention]) -> list[tuple[PersonEntry, Mention]]:
    """Pair people with mentions by name, never by position; then by surname where only one of each is left."""
    by_key = {matching_key(mention.name): mention for mention in mentions}
    pairs = [(person, by_key[key]) for person in people if (key := matching_key(person.name)) in by_key]
    if len(pairs) == len(people):
        return pairs
    paired = {matching_key(person.name) for person, _ in pairs}
    people_left = _group_by_surname(person for person in people if matching_key(person.name) not in paired)
    mentions_left = _group_by_surname(mention for key, mention in by_key.items() if key not in paired)
    for surname, alike in mentions_left.items():
        found = people_left.get(surname, [])
        if len(alike) == len(found) == 1 and is_variant(found[0].name, alike[0].name):
            pairs.append((found[0], alike[0]))
    return pairs + _match_longer(people, mentions, pairs)


def _match_longer(
    people: list[PersonEntry], mentions: list[Mention], pairs: list[tuple[PersonEntry, Mention]]
) -> list[tuple[PersonEntry, Mention]]:
    """Pair who is left with a mention that has one short word more: "Ada Byron" with "Ada Byron PT"."""
    paired = {id(one) for pair in pairs for one in pair}
    by_key = {matching_key(mention.name): mention for mention in mentions if id(mention) not in paired}
    shorter = {key.rpartition(" ")[0]: mention for key, mention in by_key.items() if len(key.rpartition(" ")[2]) <= 3}
    left = [(matching_key(person.name), person) for person in people if id(person) not in paired]
    return [(person, shorter[key]) for key, person in left if key in shorter]


def _group_by_surname(named: Iterable[Named]) -> dict[str, list[Named]]:
    groups: defaultdict[str, list[Named]] = defaultdict(list)
    for one in named:
        groups[matching_key(one.name).rpartition(" ")[2]].append(one)
    return groups


def _compare_names(reading: Reading, person: PersonEntry, mention: Mention) -> None:
    if person.name == mention.name:
        return
    if person.name.islower():
        person.aliases.append(person.name)
        message = f'"{mention.name}" is shown, as the title has it; the list of people has "{person.name}".'
        person.name = mention.name
    else:
        person.aliases.append(mention.name)
        message = f'"{person.name}" is "{mention.name}" in the title: read as one person.'
    reading.warn(message, person.line)


def _compare_affiliations(reading: Reading, title_line: int, person: PersonEntry, mention: Mention) -> None:
    if mention.affiliation == person.affiliation:
        return
    said = mention.affiliation, split_headline(mention.affiliation)[1], mention.affiliation.rpartition(" at ")[2]
    printed = {matching_key(affiliation) for affiliation in said} - {""}
    listed = {matching_key(person.affiliation), matching_key(person.headline)} - {""}
    if printed and listed and not printed & listed:
        shown = person.affiliation or person.headline
        message = (
            f'{person.name}: the title says "{mention.affiliation}", the list of people "{shown}"; the list is used.'
        )
        reading.warn(message, title_line)
