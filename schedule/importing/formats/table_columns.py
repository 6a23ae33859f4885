"""The header row of a plain table: which column holds what, by its name in four languages or as said by hand. Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from conference.text import matching_key
from schedule.importing.formats.entries import read_line

# What columns are called in English, German, French and Spanish; the most telling name first, since of two
# that fit the first is taken. The words are tried in this order: a "Topic" is a title only where nothing else is.
SYNONYMS = {
    "title": "title|session title|talk title|titel|vortragstitel|titre|título|session name|talk|vortrag|session"
    "|sessions|subject|presentation|présentation|presentación|charla|ponencia|conférence|intitulé|séance|sesión|beitrag"
    "|programmpunkt|veranstaltung|agenda item|event name|event|activity|actividad|activité|what|was|name|nom|nombre"
    "|thema|sujet|tema|topic",
    "start": "start|start time|starts|starts at|start at|start datetime|start date time|start date and time|date time"
    "|date and time|datum uhrzeit|datum und uhrzeit|date et heure|fecha y hora|begin|begins|begin time|beginning|from"
    "|time from|startzeit|beginn|anfang|von|début|heure de début|heure début|de|inicio|hora de inicio|hora inicio"
    "|comienzo|desde|when|wann|quand|cuándo",
    "end": "end|end time|ends|ends at|end at|end datetime|end date time|end date and time|finish|finishes|finish time"
    "|to|time to|until|till|endzeit|ende|bis|fin|heure de fin|heure fin|hora de fin|hora fin|final|hasta",
    "date": "date|start date|session date|day|datum|tag|startdatum|jour|date de début|fecha|día|fecha de inicio",
    "end_date": "end date|enddatum|date de fin|fecha de fin",
    "year": "year|jahr|année|año",
    "time": "time|times|time slot|slot|start end|from to|von bis|uhrzeit|zeit|zeitraum|heure|heures|horaire|horaires"
    "|hora|horas|horario",
    "duration": "duration|length|minutes|mins|dauer|länge|durée|duración",
    "timezone": "time zone|tz|zeitzone|fuseau horaire|zona horaria",
    "room": "room|room name|location|venue|hall|stage|place|where|raum|saal|ort|bühne|wo|salle|lieu|scène|où|sala|lugar"
    "|escenario|dónde|auditorium",
    "kind": "kind|type|session type|talk type|session format|format|event type|art|typ|type de session|tipo"
    "|tipo de sesión|formato",
    "track": "track|tracks|session track|stream|category|categories|theme|topic|topics|thema|themenbereich|kategorie"
    "|parcours|thème|thématique|catégorie|tema|categoría",
    "level": "level|audience level|session level|difficulty|niveau|schwierigkeit|schwierigkeitsgrad|nivel",
    "language": "language|lang|session language|sprache|langue|idioma|lengua",
    "abstract": "abstract|description|session description|summary|details|about|beschreibung|zusammenfassung|inhalt"
    "|résumé|descriptif|descripción|resumen",
    "speakers": "speakers|speaker|speaker names|speaker name|presenters|presenter|presenter name|presented by|by|who"
    "|lecturers|lecturer|authors|author|people|sprecher|sprecher in|sprecher innen|sprecherinnen|referent|referenten"
    "|referent in|referent innen|referierende|vortragende|vortragender|redner|redner in|redner innen|wer|intervenant"
    "|intervenants|intervenante|intervenantes|intervenant e s|orateur|orateurs|conférencier|conférenciers|qui"
    "|ponente|ponentes|orador|oradores|quién|name|nom|nombre",
    "moderators": "moderators|moderator|moderated by|moderation|moderatoren|modérateur|modérateurs|moderador"
    "|moderadores",
    "panelists": "panelists|panelist|panellists|panellist|panel members|podiumsgäste|panélistes|panelistas",
    "hosts": "hosts|host|gastgeber|hôte|hôtes|animateur|anfitrión|anfitriones",
    "chairs": "chairs|chair|session chair|session chairs|sitzungsleitung|président de séance",
    "affiliation": "affiliation|affiliations|speaker affiliation|company|companies|speaker company|company name"
    "|organization|organisation|speaker organization|speaker organisation|institution|employer|firma|unternehmen"
    "|institut|entreprise|société|empresa|organización|institución",
    "position": "position|job title|speaker title|speaker position|role|job|funktion|beruf|fonction|poste"
    "|cargo|puesto",
    "bio": "bio|biography|bios|speaker bio|speaker bios|speaker biography|about the speaker|biografie|biographie"
    "|biografía",
    "status": "status|state|session status|zustand|statut|état|estado",
    "id": "id|session id|talk id|submission id|identifier|code|guid|uid|uuid|kennung|identifiant|identificador",
    "stream_url": "stream url|livestream|live stream|live url|stream link|streaming url|live link",
    "recording_url": "recording|recording url|video|video url|youtube|aufzeichnung|enregistrement|grabación",
    "materials": "slides|materials|material|attachments|files|presentation slides|slides url|slides link|folien"
    "|unterlagen|supports|diapositives|diapositivas|materiales",
    "url": "url|link|session url|website|web|page|web page|lien|enlace|webseite|site web",
}  # fmt: skip
# Of these there may be several: "Speaker 1", "Speaker 2 Company", "Speaker 2 Bio".
_NUMBERED = frozenset({"speakers", "affiliation", "position", "bio", "moderators", "panelists", "hosts", "chairs"})
_ASIDE = re.compile(r"(.*\S)\s*[(\[]([^()\[\]]+)[)\]]\s*")
_DIGITS = re.compile(r"[0-9]+")
_LONGEST_NAME = 80
MOST_COLUMNS = 256


def fold_name(text: str) -> str:
    """Return what two names of one column have in common: "Start time", "start_time" and "StartTime"."""
    return re.sub(r"[\W_]+", "", matching_key(text))


_WORDS = {word: [fold_name(name) for name in names.split("|")] for word, names in SYNONYMS.items()}


@dataclass(slots=True)
class Column:
    """A column: its place from 0, its name as written, our word for it or "", its number, what stands in brackets."""

    place: int
    name: str
    word: str = ""
    number: int = 0
    aside: str = ""


class UnknownColumn(Exception):
    """A column asked for by hand is not in the table, or our word for it is none."""


def find_columns(cells: Sequence[str], by_hand: Mapping[str, str]) -> list[Column] | None:
    """Return the columns of a header row; None if `cells` is none: it names a title and a time at least.

    `by_hand` names the column of a word of SYNONYMS; those are not looked for.
    """
    if len(cells) > MOST_COLUMNS or sum(bool(cell.strip()) for cell in cells) < 2:
        return None
    columns = _name_columns(cells)
    by_key: dict[str, list[Column]] = {}
    for column in columns:
        if len(column.name) <= _LONGEST_NAME:
            by_key.setdefault(fold_name(column.name), []).append(column)
    for word, name in by_hand.items():
        found = by_key.get(fold_name(name), [])
        if not found:
            return None
        found[0].word, found[0].aside = word, _split_aside(found[0].name)[1]
    _match_words(columns, skipped=by_hand.keys())
    words = {column.word for column in columns}
    return columns if "title" in words and words & {"start", "time"} else None


def check_words(by_hand: Mapping[str, str]) -> None:
    """Raise UnknownColumn for a word by hand that is none of ours."""
    for word in by_hand:
        if word not in SYNONYMS:
            raise UnknownColumn(f"“{word}” is nothing that a column can be; there are {', '.join(SYNONYMS)}.")


def explain_misfit(header: Sequence[str], by_hand: Mapping[str, str]) -> str:
    """Say what the row that is most like a header lacks, and which columns it has."""
    names = [column.name for column in _name_columns(header[:MOST_COLUMNS]) if column.name]
    if not names:
        return "There is no table with a header row in it."
    there_are = f"the columns are {', '.join(f'“{name}”' for name in names[:40])}"
    keys = {fold_name(name) for name in names}
    for word, name in by_hand.items():
        if fold_name(name) not in keys:
            return f"There is no column “{name}” for {word}; {there_are}."
    return (
        "No header row names a column of titles and one of start times. If it is only called otherwise, say it by "
        f"hand (--columns title=…,start=…); {there_are}."
    )


def _name_columns(cells: Iterable[str]) -> list[Column]:
    columns, taken = [], set()
    for place, cell in enumerate(cells):
        name = read_line(cell)[:200]
        if name in taken:
            name = f"{name} {place + 1}"
        taken.add(name or None)
        columns.append(Column(place, name))
    return columns


def _match_words(columns: list[Column], skipped: Iterable[str]) -> None:
    """Give each column the first word that one of its names belongs to."""
    free: dict[str, list[Column]] = {}
    for column in columns:
        if column.name and not column.word and len(column.name) <= _LONGEST_NAME:
            bare, aside = _split_aside(column.name)
            for key in dict.fromkeys((fold_name(column.name), fold_name(bare), _DIGITS.sub("", fold_name(bare)))):
                free.setdefault(key, []).append(column)
            column.aside = aside
    for word, keys in _WORDS.items():
        if word in skipped:
            continue
        for key in keys:
            found = [column for column in free.get(key, []) if not column.word and _may_be(column, word, key)]
            for column in found if word in _NUMBERED else found[:1]:
                digits = _DIGITS.search(column.name)
                column.word, column.number = word, int(digits[0][:4]) if digits and word in _NUMBERED else 0
            if found:
                break


def _may_be(column: Column, word: str, key: str) -> bool:
    """Whether a column may be called by a word: with a number only where there can be several."""
    return word in _NUMBERED or key in (fold_name(column.name), fold_name(_split_aside(column.name)[0]))


def _split_aside(name: str) -> tuple[str, str]:
    """Split "Start (CEST)" into its name and what stands in brackets; "Speaker(s)" is one word."""
    found = _ASIDE.fullmatch(name)
    return (found[1], found[2].strip()) if found and found[2] not in ("s", "e", "n", "in", "innen") else (name, "")
