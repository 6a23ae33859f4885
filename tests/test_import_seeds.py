"""The two real exports: what the importer makes of them, in any order and any number of calls."""

from collections import Counter
from itertools import permutations

import pytest

from conference.models import Event
from schedule.importing import Source, import_schedule
from schedule.importing.report import Outcome
from schedule.models import Material, Session, SessionSpeaker
from speakers.models import Speaker
from tests.seeds import require_seeds

pytestmark = pytest.mark.django_db

UNTOUCHED = {"id", "event_id", "session_id", "speaker_id", "programme_changed_at", "programme_version"}


@pytest.fixture
def seeds() -> list[Source]:
    return [Source(path.name, path.read_bytes()) for path in require_seeds()]


def dump_database() -> list:
    """Everything an import wrote, without ids and with names in place of relations."""
    event = Event.objects.get()
    sessions = [
        (
            s.uid,
            s.title,
            s.kind,
            s.abstract,
            s.start,
            s.end,
            s.room and (s.room.name, s.room.slug, s.room.position),
            s.track and (s.track.name, s.track.slug, s.track.position, s.track.code, s.track.form),
            s.level,
            s.language,
            s.status,
            s.fields,
            [(link.position, link.role, link.speaker.name) for link in s.session_speakers.in_order()],
            [(m.position, m.name, m.file_type) for m in s.materials.all()],
        )
        for s in Session.objects.with_people().order_by("start", "room__position", "title")
    ]
    speakers = [
        {f.attname: getattr(s, f.attname) for f in s._meta.concrete_fields if f.attname not in UNTOUCHED}
        for s in Speaker.objects.order_by("name", "affiliation")
    ]
    columns = {f.attname: getattr(event, f.attname) for f in event._meta.concrete_fields if f.attname not in UNTOUCHED}
    return [columns, sessions, speakers]


def test_both_exports_together_give_the_whole_published_day(seeds):
    import_schedule(seeds)
    event = Event.objects.get()
    sessions = Session.objects.of(event)
    assert (
        sessions.count(),
        Speaker.objects.of(event).count(),
        SessionSpeaker.objects.count(),
        Material.objects.count(),
        sessions.filter(materials__isnull=False).distinct().count(),
        sessions.filter(fields__has_key="Slides Attached").count(),
        sessions.filter(abstract="").count(),
        Speaker.objects.filter(is_bio_cut=True).count(),
    ) == (41, 59, 61, 32, 31, 27, 2, 35)
    assert Counter(sessions.values_list("room__name", flat=True)) == {
        "Central Room": 13,
        "Master Stage": 10,
        "Founders Cafe": 10,
        "Junior Stage": 8,
    }
    assert Counter(sessions.values_list("level", flat=True)) == {
        "Any": 7,
        "Beginner": 2,
        "Intermediate": 29,
        "Advanced": 3,
    }
    assert Counter(sessions.values_list("kind", flat=True)) == {
        "keynote": 3,
        "sponsored-keynote": 1,
        "lightning-talk": 24,
        "talk": 13,
    }
    assert list(event.tracks.order_by("position").values_list("position", "code", "name")) == [
        (1, "IP", "Inference & Production"),
        (2, "FC", "Frameworks & Compilers"),
        (3, "TS", "Training Systems"),
        (4, "KS", "Keynote Sessions"),
        (5, "AI", "Agents & Interop"),
        (6, "AC", "Applications & Case Studies"),
        (7, "GM", "GenAI & Multimodal"),
        (8, "RC", "Responsible AI & Compliance"),
        (9, "SP", "Security & Privacy"),
    ]


def test_the_event_is_placed_and_dated_by_its_ranges_not_by_its_heading(seeds):
    import_schedule(seeds)
    event = Event.objects.get()
    assert (
        event.name,
        event.slug,
        event.city,
        event.country,
        event.timezone,
        str(event.start_date),
        str(event.end_date),
        event.stated_dates,
        event.notice,
        event.registration_label,
        event.help_label,
    ) == (
        "PyTorch Conference Europe 2026",
        "pytorch-conference-europe-2026",
        "Paris",
        "France",
        "Europe/Paris",
        "2026-04-07",
        "2026-04-08",
        "7-8 April, 2025",
        "The schedule is subject to change.",
        "View More Details & Registration",
        "Get help with the event",
    )


def test_a_warning_proves_the_year_with_line_weekday_and_ranges(seeds):
    report = import_schedule(seeds[:1])
    year = next(problem for problem in report.problems if "2025" in problem.message)
    assert (year.line, year.text) == (3, "7-8 April, 2025")
    assert "2026-04-08 is a Wednesday as printed (line 18; 2025-04-08 is a Tuesday)" in year.message


@pytest.mark.parametrize(("index", "sessions", "speakers"), [(0, 27, 38), (1, 29, 43)])
def test_each_export_alone_gives_its_own_part(seeds, index, sessions, speakers):
    import_schedule([seeds[index]])
    assert (Session.objects.count(), Speaker.objects.count()) == (sessions, speakers)


def test_every_order_in_one_call_or_in_several_gives_the_same_database(seeds):
    import_schedule(seeds)
    expected = dump_database()
    for order in permutations(seeds):
        for calls in ([list(order)], [[source] for source in order]):
            Event.objects.all().delete()
            for call in calls:
                import_schedule(call)
            assert dump_database() == expected


def test_a_second_run_changes_nothing_and_says_so(seeds):
    import_schedule(seeds)
    before, version = dump_database(), Event.objects.get().programme_version
    report = import_schedule(seeds)
    assert (dump_database(), Event.objects.get().programme_version) == (before, version)
    assert [(event.outcome, {what: dict(c) for what, c in event.counts.items()}) for event in report.events] == [
        (
            Outcome.UNCHANGED,
            {
                "rooms": {"created": 0, "unchanged": 4},
                "tracks": {"created": 0, "unchanged": 9},
                "speakers": {"unchanged": 59},
                "speaker slots": {"unchanged": 61, "created": 0, "updated": 0},
                "materials": {"unchanged": 32, "created": 0},
                "sessions": {"unchanged": 41},
            },
        )
    ]
    assert "Nothing changed" in report.render()


def test_the_second_export_alone_adds_fourteen_and_changes_none_of_the_shared_fifteen(seeds):
    import_schedule(seeds[:1])
    report = import_schedule(seeds[1:])
    assert dict(report.events[0].counts["sessions"]) == {"created": 14, "unchanged": 15}


def test_every_line_of_both_exports_is_accounted_for(seeds):
    report = import_schedule(seeds)
    assert [(len(f.document.line_roles), f.document.unclaimed_lines) for f in report.files] == [(982, []), (1067, [])]
    assert report.render().count("lines accounted for") == 2
