"""The people of a session: name, headline, biography, one after the other and nothing between them."""

from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise

from conference.text import matching_key
from schedule.importing.document import PersonEntry
from schedule.importing.formats.sched_text.avatars import Marked, find_marked, is_avatar, is_mark_of_person
from schedule.importing.formats.sched_text.reading import Paragraph, Reading
from schedule.importing.headlines import is_legal_form, split_headline
from schedule.importing.titles import AND, looks_like_name, possible_names

ROLES = {
    "Speakers": "speaker",
    "Moderators": "moderator",
    "Panelists": "panelist",
    "Hosts": "host",
    "Chairs": "chair",
    "Artists": "speaker",
}
# What Sched lists as well, and who stands on no stage.
OTHERS = frozenset({"Sponsors", "Exhibitors", "Staff", "Attendees"})
HEADINGS = ROLES.keys() | OTHERS

_LONGEST_HEADLINE = 200
_SHORTEST_SENTENCE = 8


@dataclass(frozen=True, slots=True)
class Section:
    """What stands under "Speakers" or another of the headings: its line, the role, the paragraphs."""

    line: int
    role: str
    paragraphs: list[Paragraph]


@dataclass(frozen=True, slots=True)
class Candidates:
    """Who may begin in a section, by matching key, as far as the title tells.

    `names` stand in both; `sure` are those of them that can be no affiliation; `surnames` belong to
    names of the title that the section lacks.
    """

    names: frozenset[str]
    sure: frozenset[str]
    surnames: frozenset[str]

    @classmethod
    def of(cls, title: str, section: Section) -> "Candidates":
        named, sure = possible_names(title), possible_names(title, only_after=AND)
        present = {matching_key(paragraph.lines[0]) for paragraph in section.paragraphs}
        missing = [key for key, name in named.items() if key not in present and looks_like_name(name)]
        surnames = frozenset(key.split()[-1] for key in missing)
        return cls(frozenset(named.keys() & present), frozenset(sure.keys() & present), surnames)


def split_sections(reading: Reading, body: list[Paragraph]) -> tuple[list[Paragraph], list[Section]]:
    """Split what stands between a session's ranges into its abstract and the sections of its people.

    A heading stands alone, and a name follows; of two equal headings the last one counts, since the
    first may be part of the abstract.
    """
    headings = [
        n for n, p in enumerate(body) if p.lines[0] in HEADINGS and p.is_single and _is_followed_by_name(body, n)
    ]
    starts = sorted({body[n].text: n for n in headings}.values())
    for n, paragraph in enumerate(body):
        if n not in starts and not HEADINGS.isdisjoint(paragraph.lines):
            _warn_of_hidden_heading(reading, paragraph)
    ends = [*starts, len(body)][1:]
    sections = []
    for start, end in zip(starts, ends, strict=True):
        heading, found = body[start], body[start + 1 : end]
        reading.claim("people heading", heading.line)
        if not found:
            reading.warn(f'Nobody stands under "{heading.text}".', heading.line)
        if heading.text in OTHERS:
            _leave_out(reading, heading, found)
        else:
            sections.append(Section(heading.line, ROLES[heading.text], found))
    return body[: min(starts, default=len(body))], sections


def isolate_headings(body: list[Paragraph]) -> list[Paragraph]:
    """Give headings of people paragraphs of their own, as far as somebody follows who has a mark, or a name alone."""
    lines = [(paragraph, n) for paragraph in body for n in range(len(paragraph.lines))]
    cuts: defaultdict[int, set[int]] = defaultdict(set)
    for (paragraph, n), *following in zip(lines, lines[1:], [*lines[2:], None], strict=False):
        if paragraph.lines[n] not in HEADINGS:
            continue
        texts = [one[0].lines[one[1]] for one in following if one]
        is_last = n == len(paragraph.lines) - 1
        if is_mark_of_person(*texts) or (is_last and looks_like_name(texts[0])):
            cuts[paragraph.line] |= {n, n + 1}
    return [part for paragraph in body for part in paragraph.cut_at(cuts[paragraph.line])]


def _leave_out(reading: Reading, heading: Paragraph, paragraphs: list[Paragraph]) -> None:
    for paragraph in paragraphs:
        reading.claim("left out", *paragraph.numbers)
    reading.warn(f'Who stands under "{heading.text}" is not imported.', heading.line)


def _is_followed_by_name(body: list[Paragraph], heading: int) -> bool:
    """Whether what follows a heading can be a name, something short that is no sentence (or nothing at all)."""
    if heading + 1 == len(body):
        return True
    first = body[heading + 1].lines[0]
    if looks_like_name(first) or is_avatar(first):
        return True
    return len(first) <= 60 and not first.endswith((".", ":", "!", "?", "→"))


def _warn_of_hidden_heading(reading: Reading, paragraph: Paragraph) -> None:
    for number, text in zip(paragraph.numbers, paragraph.lines, strict=True):
        if text in HEADINGS:
            reading.warn(f'"{text}" is read as text here, not as the heading of people.', number)


def find_lost_heading(body: list[Paragraph], title: str) -> int | None:
    """Return the line where a session without sections nevertheless lists a person of its title, None if nowhere."""
    names = {key for key, name in possible_names(title).items() if looks_like_name(name)}
    lines = [(n, text) for paragraph in body for n, text in zip(paragraph.numbers, paragraph.lines, strict=True)]
    for (number, text), (_, after) in pairwise(lines):
        if is_avatar(text):
            return number
        if names and len(text) <= 60 and "," in after and matching_key(text) in names:
            return number
    return None


def read_people(reading: Reading, section: Section, title: str) -> list[PersonEntry]:
    """Read the people of one section. `title` is the title line without its kind.

    Only a name that the title mentions begins the next person, since a biography may look like anything;
    and whatever follows the end of a biography that was cut. A title without names leaves guessing. Where
    each person has a mark ("avatar for NAME"), it alone counts.
    """
    if (marked := find_marked(section.paragraphs)) is not None:
        return _read_marked(reading, section, marked)
    candidates = Candidates.of(title, section)
    paragraphs = _split_heads(section.paragraphs, candidates)
    starts = _find_starts(reading, paragraphs, candidates)
    ends = [*starts, len(paragraphs)][1:]
    people = []
    for start, end in zip(starts, ends, strict=True):
        line = paragraphs[start].line
        reading.claim("person", line)
        people.append(_read_person(reading, section.role, reading.one_line(line), line, paragraphs[start + 1 : end]))
    return people


def _read_marked(reading: Reading, section: Section, marked: list[Marked]) -> list[PersonEntry]:
    """Read people before each of whom a mark stands; what precedes the first mark belongs to nobody."""
    for number in reading.numbers(section.line + 1, marked[0].line):
        reading.warn("This stands before the first person and is not imported.", number)
    people = []
    for person in marked:
        reading.claim("avatar", person.line)
        if person.is_nameless:
            reading.warn(f"{person.name}: the name stands only beside the picture.", person.line)
            people.append(_read_person(reading, section.role, person.name, person.line, person.paragraphs))
        else:
            name, *rest = person.paragraphs
            reading.claim("person", name.line)
            people.append(_read_person(reading, section.role, reading.one_line(name.line), name.line, rest))
    return people


def _split_heads(paragraphs: list[Paragraph], candidates: Candidates) -> list[Paragraph]:
    """Give name and headline lines of their own to people whose blank lines were lost."""
    whole: list[Paragraph] = []
    seen: set[str] = set()
    for paragraph in paragraphs:
        key = matching_key(paragraph.lines[0])
        is_head = not whole or (key in candidates.names and key not in seen)
        rest: Paragraph | None = paragraph
        for _ in range(2 if is_head else 0):
            if rest and not rest.is_single:
                head, rest = rest.split(1)
                whole.append(head)
        if rest:
            whole.append(rest)
        seen.add(key)
    return whole


def _find_starts(reading: Reading, paragraphs: list[Paragraph], candidates: Candidates) -> list[int]:
    """Return where in a section each person begins."""
    starts: list[int] = []
    used: set[str] = set()
    for n, paragraph in enumerate(paragraphs):
        key = matching_key(paragraph.text) if paragraph.is_single else ""
        is_headline = bool(starts) and n == starts[-1] + 1
        if starts and (not key or key in used):
            continue
        if not starts or _is_named(paragraphs, n, key, candidates, is_headline):
            starts.append(n)
        elif is_headline:
            # A biography that is just the company's name is not the company, come to speak.
            used.add(matching_key(split_headline(paragraph.text)[1]))
        elif _is_start(reading, paragraphs, n, candidates):
            starts.append(n)
        if starts[-1] == n:
            used.add(key)
    return starts


def _is_named(paragraphs: list[Paragraph], n: int, key: str, candidates: Candidates, is_headline: bool) -> bool:
    """Whether a person of the title begins at paragraph `n`, which also must have a headline under it."""
    if key in candidates.sure:
        return True
    if is_headline or key not in candidates.names or n + 1 == len(paragraphs):
        return False
    return _is_headline(paragraphs[n + 1]) and matching_key(paragraphs[n + 1].text) not in candidates.names


def _is_start(reading: Reading, paragraphs: list[Paragraph], n: int, candidates: Candidates) -> bool:
    """Whether a person begins at paragraph `n` although the title does not mention this very name."""
    text, after = paragraphs[n].text, paragraphs[n + 1] if n + 1 < len(paragraphs) else None
    if _strip_cut_mark(paragraphs[n - 1].text)[1]:
        if after and _is_headline(after) and (looks_like_name(text) or "," in after.text) and len(text) <= 60:
            return True
        message = "This stands after the end of a biography and is read as a part of it: is it a file or a person?"
        reading.warn(message, paragraphs[n].line)
        return False
    if not after or not looks_like_name(text) or "," not in after.text or not _is_headline(after):
        return False
    if matching_key(text).split()[-1] in candidates.surnames:
        return True
    if candidates.names:
        reading.warn(
            "Read as a part of the biography before it, since the title names no such person.", paragraphs[n].line
        )
        return False
    reading.warn("Read as the next person by guess, since the title names nobody.", paragraphs[n].line)
    return True


def _is_headline(paragraph: Paragraph) -> bool:
    """Whether a paragraph can be the line under a name: one line, no sentence, no biography that was cut."""
    text = paragraph.text
    if not paragraph.is_single or len(text) > _LONGEST_HEADLINE or _strip_cut_mark(text)[1]:
        return False
    is_sentence = text.endswith(".") and text.count(" ") >= _SHORTEST_SENTENCE
    return not is_sentence or is_legal_form(text.rpartition(" ")[2])


def _read_person(reading: Reading, role: str, name: str, line: int, rest: list[Paragraph]) -> PersonEntry:
    """Read what stands under a name: one line is the headline, the rest the biography."""
    person = PersonEntry(name=name, line=line, role=role)
    if rest and not rest[0].is_single:
        headline, bio = rest[0].split(1)
        rest = [headline, bio, *rest[1:]] if bio else [headline, *rest[1:]]
    if rest and _is_headline(rest[0]):
        headline, *rest = rest
        reading.claim("headline", headline.line)
        person.headline = reading.one_line(headline.line)
        person.position, person.affiliation = split_headline(person.headline)
    else:
        reading.warn(f"{person.name} has no headline (position, affiliation).", line)
    for paragraph in rest:
        reading.claim("bio", *paragraph.numbers)
    texts = [_strip_cut_mark(paragraph.text) for paragraph in rest]
    person.bio_is_cut = any(is_cut for _, is_cut in texts)
    person.bio = "\n\n".join(text for text, _ in texts if text)
    return person


def _strip_cut_mark(text: str) -> tuple[str, bool]:
    """Return a text without the "... Read More →" that the page put where it cut, and whether it was there."""
    head = text.removesuffix("→").rstrip() if text.endswith("→") else ""
    if not head.endswith("Read More"):
        return text, False
    return head.removesuffix("Read More").rstrip().removesuffix("...").removesuffix("…").rstrip(), True
