"""No order of files, no name of a file and no number of runs makes a difference to what is in the database."""

from itertools import permutations

import pytest

from conference.models import Event
from schedule.importing import Source, import_schedule
from schedule.models import Session, SessionSpeaker
from speakers.models import Speaker
from tests.test_import import HEAD, schedule, talk
from tests.test_import_seeds import dump_database

pytestmark = pytest.mark.django_db

PART = HEAD + "\n\narrow_back View All Dates"


def with_bio(session: tuple[str, str], bio: str, headline: str = "Diver, Coral Lab") -> tuple[str, str]:
    start, text = session
    # The headline under the name, not the one in the title.
    head, _, rest = text.rpartition("Diver, Coral Lab\n")
    return start, f"{head}{headline}\n\n{bio}\n{rest}" if bio else f"{head}{headline}\n{rest}"


def dump_anew(calls: list[list[Source]]) -> list:
    """Return what these calls make of an empty database."""
    Event.objects.all().delete()
    for call in calls:
        import_schedule(call)
    return dump_database()


def test_what_is_alike_in_two_files_is_told_apart_by_content_and_never_by_name():
    texts = [
        with_bio(talk(name="Ana Reis"), "Ana dives.", "Diver, Reef Lab"),
        with_bio(talk(name="Bo Lima"), "Bo swims!!", "Diver, Tide Lab"),
        with_bio(talk(name="Ana Reis"), "Ana sails.", "Sailor, Bay Lab"),
    ]
    found = [
        dump_anew([[schedule(text, name=name) for text, name in zip(texts, names, strict=True)]])
        for names in permutations(["a.txt", "b.txt", "c.txt"])
    ]
    assert found == [found[0]] * 6


def test_in_one_session_of_two_files_each_person_has_the_longest_bio_and_the_telling_role():
    long, short = with_bio(talk(), "Ana dives and sails."), with_bio(talk(abstract="How water moves about."), "Ana.")
    moderated = (short[0], short[1].replace("Speakers\n", "Moderators\n"))
    for sources in permutations([schedule(long, name="1.txt"), schedule(moderated, name="2.txt")]):
        Event.objects.all().delete()
        import_schedule(sources)
        assert (Speaker.objects.get().bio, SessionSpeaker.objects.get().role, Session.objects.get().abstract) == (
            "Ana dives and sails.",
            "moderator",
            "How water moves about.",
        )


def test_the_order_of_files_makes_no_difference_to_an_event():
    calendar = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nX-WR-CALNAME:{}\r\nX-WR-TIMEZONE:{}\r\nBEGIN:VEVENT\r\nUID:{}\r\n"
    calendar += "DTSTART:20310604T090000\r\nDTEND:20310604T093000\r\nSUMMARY:{}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    sources = [
        Source("1.ics", calendar.format("Reef Days 2031", "Europe/Lisbon", "a", "Tides").encode()),
        Source("2.ics", calendar.format("REEF Days 2031", "Europe/Madrid", "b", "Waves").encode()),
    ]
    assert dump_anew([sources]) == dump_anew([sources[::-1]])
