"""No order of files, no name of a file and no number of runs makes a difference to what is in the database."""

from itertools import permutations

import pytest

from conference.models import Event
from schedule.importing import ImportOptions, Source, import_schedule
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


LONG = "Ana dives in all the seas there are, and writes about it."
OVERLAPPING = {
    "a bio that is cut": [with_bio(talk(), LONG), with_bio(talk(), LONG[:20] + "... Read More →")],
    "a bio cut otherwise": [with_bio(talk(), LONG), with_bio(talk(), "Reis is a diver... Read More →")],
    "no bio": [with_bio(talk(), LONG), with_bio(talk(), "")],
    "the beginning of a bio": [with_bio(talk(), LONG), with_bio(talk(), LONG[:13])],
    "the beginning of an abstract": [
        talk(abstract="How water moves."),
        talk(abstract="How water"),
        talk(abstract="H…"),
    ],
    "a shorter headline": [
        with_bio(talk(), "", "Diver, Coral Lab"),
        with_bio(talk("Waves", start="12:00", end="12:30"), LONG, "Boss"),
        with_bio(talk("Sand", start="15:00", end="15:30"), "Other.", "Chief Diver, Coral Laboratory"),
    ],
    "two spellings": [talk(name="Jose Núnez"), talk("Waves", "José Núñez", start="12:00", end="12:30")],
    "initials and a title": [
        talk(name="José Núñez"),
        talk("Waves", "J. Núñez", start="12:00", end="12:30"),
        talk("Sand", "Dr. José Núñez", start="15:00", end="15:30"),
    ],
}
# An address is given once and stays, whatever becomes of the name.
GIVEN_ONCE = ("slug", "sort_name", "sort_key", "source_values")


def dump_without_addresses(calls: list[list[Source]]) -> list:
    event, sessions, speakers = dump_anew(calls)
    return [event, sessions, [{k: v for k, v in row.items() if k not in GIVEN_ONCE} for row in speakers]]


@pytest.mark.parametrize("texts", OVERLAPPING.values(), ids=OVERLAPPING)
def test_overlapping_exports_give_the_same_data_in_any_order_in_one_call_or_in_several(texts):
    exports = [schedule(text, head=PART, name=f"{number}.txt") for number, text in enumerate(texts)]
    expected = dump_without_addresses([exports])
    for order in permutations(exports):
        runs = [[source] for source in order]
        assert dump_without_addresses(runs) == expected
        assert [import_schedule(call).has_changes for call in [*runs, list(order)]] == [False] * (len(order) + 1)


def test_a_source_that_says_less_in_other_words_is_followed():
    import_schedule([schedule(with_bio(talk(abstract="How the water moves."), LONG))])
    report = import_schedule([schedule(with_bio(talk(abstract="Moons."), "A diver.", "Boss"))])
    person = Speaker.objects.get()
    assert (Session.objects.get().abstract, person.bio, person.headline, report.events[0].longer) == (
        "Moons.",
        "A diver.",
        "Boss",
        [],
    )


def test_the_beginning_of_a_text_takes_its_place_only_if_the_source_is_preferred():
    import_schedule([schedule(talk(abstract="How water moves. And why."))])
    shorter = schedule(talk(abstract="How water moves."))
    report = import_schedule([shorter])
    assert (report.has_changes, report.events[0].longer) == (False, ["Tides: abstract"])
    assert "kept, as the source says only their beginning (--prefer source takes that):" in report.render()
    import_schedule([shorter], options=ImportOptions(prefer_source=True))
    assert (Session.objects.get().abstract, import_schedule([shorter]).has_changes) == ("How water moves.", False)


def test_a_bio_edited_by_hand_is_no_conflict_with_a_cut_one():
    import_schedule([schedule(with_bio(talk(), LONG))])
    Speaker.objects.update(bio="Written here.")
    report = import_schedule([schedule(with_bio(talk(), LONG[:20] + "... Read More →"))])
    assert (Speaker.objects.get().bio, report.has_changes, report.events[0].kept) == ("Written here.", False, [])


def test_a_text_that_only_gets_another_paragraph_break_is_news():
    import_schedule([schedule(talk(abstract="How water moves. And why."))])
    import_schedule([schedule(talk(abstract="How water moves.\n\nAnd why."))])
    assert Session.objects.get().abstract == "How water moves.\n\nAnd why."
