"""Who is who: one person under several spellings, two people under one name."""

from itertools import count, permutations

import pytest

from conference.models import Event
from schedule.importing import Source, cast, import_schedule
from schedule.importing.people import _find_abbreviated, person_key
from schedule.models import SessionSpeaker
from speakers.models import Speaker
from tests.factories import make_event
from tests.test_import import HEAD, schedule, talk
from tests.test_import_seeds import dump_database

pytestmark = pytest.mark.django_db


def two_talks(one: str, other: str, affiliation: str = "Coral Lab", start: str = "12:00", end: str = "12:30") -> list:
    second = talk("Waves", other, start=start, end=end, room="Boat")
    return [talk("Tides", one), (second[0], second[1].replace("Coral Lab", affiliation))]


@pytest.mark.parametrize(
    ("one", "other", "shown"),
    [
        ("José Núñez", "Dr. José Núñez", "José Núñez"),
        ("José Núñez", "NÚÑEZ José", "José Núñez"),
        ("Jose Nunez", "José Núñez", "José Núñez"),
        ("José Núñez", "J. Núñez", "José Núñez"),
        ("Ana Maria Reis", "Ana M. Reis", "Ana Maria Reis"),
    ],
)
def test_spellings_of_one_name_are_one_person_with_aliases(one, other, shown):
    report = import_schedule([schedule(*two_talks(one, other))])
    (person,) = Speaker.objects.all()
    assert (person.name, SessionSpeaker.objects.count()) == (shown, 2)
    assert person.alias_list == [({one, other} - {shown}).pop()]
    assert not any("error" in problem.severity for problem in report.problems)


@pytest.mark.parametrize(
    ("one", "other", "affiliation"),
    [
        ("José Núñez", "Juan Núñez", "Coral Lab"),
        ("José Núñez", "J. Núñez", "Other Lab"),
        ("Ana Reis", "Ana Lima", "Coral Lab"),
    ],
)
def test_names_that_only_look_alike_stay_two_people(one, other, affiliation):
    import_schedule([schedule(*two_talks(one, other, affiliation))])
    assert Speaker.objects.count() == 2


def test_one_name_of_two_affiliations_at_the_same_hour_is_two_people_and_stays_so():
    source = schedule(*two_talks("Wei Li", "Wei Li", "Other Lab", start="10:00", end="10:30"))
    report = import_schedule([source])
    assert sorted(Speaker.objects.values_list("name", "affiliation")) == [
        ("Wei Li", "Coral Lab"),
        ("Wei Li", "Other Lab"),
    ]
    assert sum("read as two people" in problem.message for problem in report.problems) == 1
    assert not import_schedule([source]).has_changes


def test_the_order_of_files_makes_no_difference_to_who_is_who():
    names = ["Dr. José Núñez", "NÚÑEZ José", "J. Núñez"]
    times = [("10:00", "10:30"), ("11:00", "11:30"), ("12:00", "12:30")]
    sources = [
        schedule(talk(f"Talk {name}", name, start=start, end=end), name=f"{number}.txt")
        for number, (name, (start, end)) in enumerate(zip(names, times, strict=True))
    ]
    found = []
    for order in permutations(sources):
        Event.objects.all().delete()
        import_schedule(order)
        found.append(dump_database())
    assert all(database == found[0] for database in found)
    assert Speaker.objects.count() == 1


@pytest.mark.parametrize("names", [("Jane Doe", "Dr. Jane Doe"), ("Dr. Jane Doe", "Jane Doe"), ("Jane Doe", "J. Doe")])
def test_a_spelling_that_comes_in_a_later_run_is_the_person_who_is_there(names):
    for number, name in enumerate(names):
        import_schedule([schedule(talk(f"Talk {number}", name, start=f"1{number}:00", end=f"1{number}:30"))])
    assert Speaker.objects.count() == 1


def test_two_who_speak_at_once_are_never_one_and_no_third_spelling_joins_them():
    at_once = two_talks("Li Wei", "Wei Li", start="10:00", end="10:30")
    import_schedule([schedule(*at_once, talk("Third", "Dr. Li Wei", start="15:00", end="15:30"))])
    assert sorted(Speaker.objects.values_list("name", flat=True))[-2:] == ["Li Wei", "Wei Li"]


def of(affiliation: str, session: tuple[str, str]) -> tuple[str, str]:
    return session[0], session[1].replace("Coral Lab", affiliation)


def who_is_where() -> list[tuple]:
    links = SessionSpeaker.objects.order_by("session__title")
    return list(links.values_list("session__title", "speaker__name", "speaker__affiliation"))


PART = HEAD + "\n\narrow_back View All Dates"


def test_namesakes_of_two_runs_at_the_same_hour_are_two_people_reported_and_stable():
    exports = [
        schedule(of("X Corp", talk("Tides", "Ann Lee")), head=PART),
        schedule(of("Y Inc", talk("Waves", "Ann Lee", start="10:15", end="10:45", room="Boat")), head=PART),
    ]
    for order in permutations(exports):
        Event.objects.all().delete()
        reports = [import_schedule([source]) for source in order]
        said = [[p.message for p in report.problems if "two people" in p.message] for report in reports]
        assert ([len(problems) for problems in said], "read as two people" in said[1][0]) == ([0, 1], True)
        assert who_is_where() == [("Tides", "Ann Lee", "X Corp"), ("Waves", "Ann Lee", "Y Inc")]
        calls = [[source] for source in order] * 2 + [list(order)]
        assert [import_schedule(call).has_changes for call in calls] == [False] * 5


def test_two_spellings_of_two_runs_at_the_same_hour_are_two_people():
    import_schedule([schedule(talk("Tides", "Li Wei"), head=PART)])
    for _run in range(2):
        report = import_schedule([schedule(talk("Waves", "Wei Li", room="Boat"), head=PART)])
        assert who_is_where() == [("Tides", "Li Wei", "Coral Lab"), ("Waves", "Wei Li", "Coral Lab")]
    assert not report.has_changes


def test_a_session_put_in_the_place_of_another_with_its_speaker_in_a_new_job_is_that_speaker():
    import_schedule([schedule(of("X Corp", talk("Tides", "Ann Lee")), head=PART)])
    import_schedule([schedule(of("Y Inc", talk("How the sea moves", "Ann Lee")), head=PART)])
    assert who_is_where() == [("How the sea moves", "Ann Lee", "X Corp"), ("Tides", "Ann Lee", "X Corp")]


def test_of_two_namesakes_without_a_word_on_affiliation_it_is_the_one_who_stands_there():
    both = two_talks("Ann Lee", "Ann Lee", "Other Lab", start="10:00", end="10:30")
    import_schedule([schedule(*both)])
    nameless = (both[1][0], both[1][1].replace(", Other Lab", "").replace("Diver", ""))
    assert not import_schedule([schedule(nameless, head=PART)]).has_changes


def test_a_name_given_by_hand_gets_no_alias_of_the_sources_and_the_next_run_changes_nothing():
    import_schedule([schedule(talk(name="Ana Reis"))])
    Speaker.objects.update(name="Ana Maria Silva", name_key="ana maria silva")
    for name, kept in (("Ana Reis", 0), ("Ana REIS", 1), ("Ana REIS", 1)):
        report = import_schedule([schedule(talk(name=name))])
        assert (report.has_changes, len(report.events[0].kept)) == (False, kept)
        assert list(Speaker.objects.values_list("name", "aliases")) == [("Ana Maria Silva", "")]


def test_a_fuller_spelling_becomes_the_name_and_the_next_run_changes_nothing():
    import_schedule([schedule(talk(name="J. Doe"))])
    source = schedule(talk(name="Jane Doe"), talk("Waves", "Dr. Jane Doe", start="12:00", end="12:30"))
    import_schedule([source])
    assert list(Speaker.objects.values_list("name", "aliases")) == [("Jane Doe", "Dr. Jane Doe\nJ. Doe")]
    assert not import_schedule([source]).has_changes


def test_of_names_with_one_family_name_only_those_that_differ_by_initials_are_compared():
    keys = ["a. b. moe", "ann b. moe", "a. bo moe", "ann bo moe", "al bea moe", "al b. moe"]
    assert _find_abbreviated(keys) == {
        ("a. b. moe", "a. bo moe"),
        ("a. b. moe", "al b. moe"),
        ("a. b. moe", "al bea moe"),
        ("a. b. moe", "ann b. moe"),
        ("a. b. moe", "ann bo moe"),
        ("a. bo moe", "al b. moe"),
        ("a. bo moe", "ann b. moe"),
        ("a. bo moe", "ann bo moe"),
        ("al b. moe", "al bea moe"),
        ("ann b. moe", "ann bo moe"),
    }
    many = [f"b{n} b. lie" for n in range(20_000)]
    assert _find_abbreviated([*many, "b. b. lie"]) == {("b. b. lie", key) for key in many}


def test_what_is_said_of_each_of_many_people_of_one_session_is_looked_up_not_searched(monkeypatch):
    calls = count()
    monkeypatch.setattr(cast, "person_key", lambda person: (next(calls), person_key(person))[1])
    for number in (10, 40):
        before = next(calls)
        lines = "\n".join(
            ["Title,Start,End,Speakers", f'T{number},2031-06-04 10:00,2031-06-04 10:30,"{names(number)}"']
        )
        make_event(slug=f"e{number}", timezone="Europe/Lisbon")
        import_schedule([Source("t.csv", f"{lines}\n".encode())], event_slug=f"e{number}")
        assert next(calls) - before < 10 * number


def names(number: int) -> str:
    return ", ".join(f"Ana R{n}" for n in range(number))
