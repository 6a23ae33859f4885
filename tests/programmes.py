"""Programmes of any kind, and everything that is said of them: for exports that are read back."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from conference.text import matching_key
from schedule.importing.people import is_spelling_of
from schedule.models import Session, SessionSpeaker
from tests.factories import make_event, make_material, make_room, make_session, make_speaker


def sessions_of(event):
    return event.sessions.with_people().prefetch_related("materials").in_order()


def programme_of(event) -> list[dict]:
    """Everything that is said of the sessions of an event, in one order."""
    names = ("title", "kind", "start", "end", "level", "language", "status", "abstract", "fields")
    names += ("stream_url", "recording_url")
    told = []
    for session in sessions_of(event):
        said = {name: getattr(session, name) for name in names}
        said["room"] = session.room and session.room.name
        said["track"] = session.track and session.track.name
        said["materials"] = [(m.name, m.file_type, m.url) for m in session.materials.all()]
        said["people"] = [person_of(link) for link in session.session_speakers.all()]
        told.append(said)
    return sorted(told, key=lambda said: (said["start"], said["title"], said["room"] or ""))


def person_of(link) -> dict:
    names = ("name", "headline", "position", "affiliation", "bio", "is_bio_cut", "alias_list")
    return {"role": link.role} | {name: getattr(link.speaker, name) for name in names}


# Text of any kind that a database can keep: also what looks like the format itself.
WORDS = st.one_of(
    st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=40),
    st.sampled_from(
        ["Speakers", "09:00 CEST", "Keynote: x", "a - b", "x, y & z", "Hall", "x pdf", "Audience Level Any"]
    ),
)
LINE = WORDS.map(lambda text: " ".join(text.split())[:60])
PROSE = st.lists(WORDS, max_size=4).map("\n\n".join)
ROLES = st.sampled_from(SessionSpeaker.Role.values)
NAMES = st.one_of(LINE, st.sampled_from(["Ada Byron", "Dr. Bob Stone", "Cy Reed", "J. Doe", "李 明"]))


@st.composite
def programmes(draw) -> dict:
    names = draw(st.lists(NAMES.filter(matching_key), max_size=3, unique_by=matching_key))
    people = []
    for name in names:
        # Two spellings of one name are one person by the importer's rules.
        if not any(is_spelling_of(matching_key(name), matching_key(other)) for other, _said in people):
            people.append((name, {"headline": draw(LINE), "affiliation": draw(LINE), "bio": draw(PROSE)}))
    rooms = draw(st.lists(LINE.filter(matching_key), max_size=2, unique_by=matching_key))
    sessions = draw(
        st.lists(
            st.fixed_dictionaries(
                {
                    "title": LINE.filter(matching_key),
                    "minute": st.integers(0, 2 * 24 * 60),
                    "minutes": st.integers(1, 26 * 60),
                    "room": st.integers(0, 2),
                    "abstract": PROSE,
                    "level": LINE,
                    "kind": st.sampled_from(Session.Kind.values),
                    "status": st.sampled_from(["confirmed", "cancelled"]),
                    "fields": st.dictionaries(LINE, WORDS.filter(str.strip), max_size=2),
                    "people": st.lists(
                        st.tuples(st.integers(0, 2), st.sampled_from(SessionSpeaker.Role.values)), max_size=3
                    ),
                    "materials": st.lists(LINE.filter(bool), max_size=1),
                }
            ),
            min_size=1,
            max_size=4,
            unique_by=lambda session: session["minute"],
        )
    )
    return {"people": people, "rooms": rooms, "sessions": sessions}


def make_programme(drawn: dict):
    event = make_event(name="Harbour Days")
    people = [make_speaker(event, name, **values) for name, values in drawn["people"]]
    rooms = [make_room(event, name) for name in drawn["rooms"]]
    for said in drawn["sessions"]:
        start = datetime(2030, 5, 6, tzinfo=ZoneInfo("Europe/Berlin")) + timedelta(minutes=said["minute"])
        session = make_session(
            event, said["title"], f"{start:%Y-%m-%d %H:%M}", said["minutes"], abstract=said["abstract"],
            level=said["level"], kind=said["kind"], status=said["status"], fields=said["fields"],
            room=rooms[said["room"]] if said["room"] < len(rooms) else None,
        )  # fmt: skip
        roles = {number: role for number, role in said["people"] if number < len(people)}
        for position, (number, role) in enumerate(roles.items(), start=1):
            SessionSpeaker.objects.create(session=session, speaker=people[number], role=role, position=position)
        for name in said["materials"]:
            make_material(session, name, "pdf")
    return event
