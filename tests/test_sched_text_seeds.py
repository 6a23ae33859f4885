"""What the two real exports hold: every ambiguity of the Sched text format that occurs in them.

Titles, names and times are facts; sentences are compared with the source's own lines, never repeated here.
"""

from collections import Counter
from datetime import datetime
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conference.text import matching_key
from schedule.importing.decoding import decode_text
from schedule.importing.document import PersonEntry, ScheduleDocument, ScheduleRefused, SessionEntry
from schedule.importing.formats import sched_text
from tests.parsing_case import assert_document_or_refusal, assert_stops_at_its_last_line, damage
from tests.seeds import INTERMEDIATE_SEED, SLIDES_SEED, require_seeds


@cache
def _seed(name: str) -> tuple[ScheduleDocument, list[str]]:
    require_seeds()
    path = {"000": SLIDES_SEED, "002": INTERMEDIATE_SEED}[name]
    text = decode_text(path.read_bytes(), path.name)
    return sched_text.parse(text, path.name), text.split("\n")


def _session(name: str, line: int) -> SessionEntry:
    return next(session for session in _seed(name)[0].sessions if session.line == line)


def _person(name: str, line: int) -> PersonEntry:
    return next(p for s in _seed(name)[0].sessions for p in s.people if p.line == line)


def _lines(name: str, first: int, last: int) -> str:
    return "\n".join(_seed(name)[1][first - 1 : last])


def _names(session: SessionEntry) -> list[str]:
    return [person.name for person in session.people]


def _warnings(name: str, containing: str) -> list[int | None]:
    return [problem.line for problem in _seed(name)[0].problems if containing in problem.message]


def _both() -> list[SessionEntry]:
    by_key = {(matching_key(s.title), s.start, s.room): s for name in ("000", "002") for s in _seed(name)[0].sessions}
    return list(by_key.values())


@pytest.mark.parametrize(("name", "sessions", "people"), [("000", 27, 38), ("002", 29, 43)])
def test_an_export_is_read_to_its_last_line(name, sessions, people):
    document, lines = _seed(name)
    names = {matching_key(person.name) for session in document.sessions for person in session.people}
    assert (len(document.sessions), len(names)) == (sessions, people)
    assert (document.unclaimed_lines, len(document.line_roles)) == ([], len(lines))
    assert document.line_roles.count("index") == sessions
    assert document.line_roles.count("range") == 2 * sessions


def test_both_exports_together_hold_what_was_counted_by_hand():
    sessions = _both()
    slots = [(n, matching_key(p.name)) for n, s in enumerate(sessions) for p in s.people]
    assert (len(sessions), len({name for _, name in slots}), len(set(slots))) == (41, 59, 61)
    rooms = {"Central Room": 13, "Master Stage": 10, "Founders Cafe": 10, "Junior Stage": 8}
    assert Counter(session.room for session in sessions) == rooms
    assert Counter(s.level for s in sessions) == {"Any": 7, "Beginner": 2, "Intermediate": 29, "Advanced": 3}
    kinds = {"keynote": 3, "sponsored-keynote": 1, "lightning-talk": 24, "talk": 13}
    assert Counter(str(session.kind) for session in sessions) == kinds
    assert len({session.track for session in sessions}) == 9
    assert [sum(len(s.materials) for s in sessions), sum(bool(s.materials) for s in sessions)] == [32, 31]
    assert sum("Slides Attached" in session.fields for session in sessions) == 27
    assert sum(not session.abstract for session in sessions) == 2
    assert len({matching_key(p.name) for s in sessions for p in s.people if p.bio_is_cut}) == 35


def test_seed_event():
    event = _seed("000")[0].event
    assert event == _seed("002")[0].event
    assert (event.name, event.stated_dates, event.stated_dates_line, event.city, event.country) == (
        *("PyTorch Conference Europe 2026", "7-8 April, 2025", 3, "Paris", "France"),
    )
    assert (event.zone_label, event.zone_label_line, event.timezone) == ("CEST (UTC/GMT +2)", 10, "")
    assert (event.notice, event.registration_label, event.help_label) == (
        *("The schedule is subject to change.", "View More Details & Registration", "Get help with the event"),
    )


@pytest.mark.parametrize("name", ["000", "002"])
def test_seed_1_2_the_year_of_the_ranges_counts_and_one_day_is_a_part(name):
    document = _seed(name)[0]
    assert [problem.message for problem in document.problems if problem.line == 3] == [
        "The stated dates say 2025, but every session's time says 2026, and 2026-04-08 is a Wednesday as printed "
        "(line 18; 2025-04-08 is a Tuesday); 2026 is used.",
        "The stated dates cover 2026-04-07 to 2026-04-08, this text holds 2026-04-08: read as a part of the schedule.",
    ]
    assert {session.start.date().isoformat() for session in document.sessions} == {"2026-04-08"}
    assert document.is_whole is False


@pytest.mark.parametrize(
    ("name", "line", "title", "people"),
    [
        ("000", 686, "Trinity Large - Torchtitan on 2000+ B300s", ["Matej Sirovatka"]),
        (
            *("000", 863),
            "Ball Tracking and Detection in Soccer Videos - Comparison of VLMs and Traditional Pipelines",
            ["Maciej Szymkowski"],
        ),
        ("000", 44, "vLLM & Ray Updates", ["Tyler Michael Smith", "Artur Niederfahrenhorst"]),
        ("002", 712, "Building a PyTorch‑native VLLM Plugin for IBM Spyre", ["Thomas Parnell", "Thomas Ortner"]),
        (
            *("000", 173),
            "Beyond JSON-RPC: Scaling Model Context Protocols With gRPC in the PyTorch Ecosystem",
            ["Ashesh Vidyut", "Madhav Bissa"],
        ),
        (
            *("000", 245),
            "Achieving SOTA GEMM Performance: A CuTeDSL Backend for PyTorch Inductor",
            ["Nikhil Patel"],
        ),
        (
            *("000", 78),
            "The Hub as Infrastructure. From Open PyTorch Models, to a Safe and Performant Distribution Hub",
            ["Lysandre Debut"],
        ),
        ("002", 475, "Debugging the Undebuggable: Introducing Torch.distributed.debug", ["Tristan Rice"]),
        (
            *("002", 629),
            "Seamless Integration: Custom Kernels in the Torch.compile Stack Without Graphbreaks",
            ["Kshiteej Kalambarkar", "Masaki Kozuki", "Pawel Gadzinski"],
        ),
    ],
)
def test_seed_3_to_8_a_title_ends_where_a_name_of_its_section_begins(name, line, title, people):
    session = _session(name, line)
    assert (session.title, _names(session)) == (title, people)


def test_seed_5_other_words_before_a_colon_belong_to_the_title():
    whole = {session.line: session.title for session in _seed("000")[0].sessions}
    assert (whole[548].partition(":")[0], whole[584].partition(":")[0]) == ("Torch-Spyre", "Every Millisecond Counts")
    colons = [*(173, 245, 442, 518, 548, 584, 616, 652, 714, 750, 780, 814, 891)]
    assert [line for line, title in whole.items() if ":" in title] == colons


@pytest.mark.parametrize(
    ("name", "line", "people"),
    [
        ("000", 652, [("Dmitriy Pastushenkov", "Intel"), ("Samet Akcay", "Intel")]),
        ("000", 891, [("Mohaddisa Maryam", "Neurosonic Academy"), ("Muhammad Saqib Hussain", "ClinExplain")]),
        ("002", 255, [("Jan van Lunteren", "IBM Research"), ("Burkhard Ringlein", "IBM Research")]),
        ("002", 407, [("Maen Suleiman", "Amazon"), ("Yahav Biran", "Amazon")]),
        ("002", 500, [("Maen Suleiman", "Amazon"), ("Yahav Biran", "Amazon")]),
    ],
)
def test_seed_9_the_order_of_people_is_that_of_the_section(name, line, people):
    assert [(person.name, person.affiliation) for person in _session(name, line).people] == people


def test_seed_10_two_people_are_spelled_otherwise_in_a_title():
    with_aliases = {
        (name, person.line, person.name, *person.aliases)
        for name in ("000", "002")
        for session in _seed(name)[0].sessions
        for person in session.people
        if person.aliases
    }
    assert with_aliases == {
        ("000", 560, "Dave Grove", "David Grove"),
        ("002", 573, "Dave Grove", "David Grove"),
        ("002", 177, "Hyunkyun Moon", "hyunkyun moon"),
    }
    assert _warnings("000", "read as one person") == [560]
    assert (_warnings("002", "read as one person"), _warnings("002", "is shown, as the title has it")) == ([573], [177])


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("000", [16, 106, 134, 368, 410, 442, 780, 891]),
        ("002", [16, 223, 255, 331, 407, 475, 500, 875, 937]),
    ],
)
def test_seed_11_an_affiliation_that_differs_from_the_title_is_a_warning(name, lines):
    assert _warnings(name, "the title says") == lines


@pytest.mark.parametrize(
    ("name", "line", "position", "affiliation"),
    [
        ("000", 26, "Global CTO of AI, Linux Foundation", "The Linux Foundation"),
        ("000", 116, "Executive Director, Cloud and Infrastructure", "The Linux Foundation"),
        ("000", 424, "Senior Software Engineer I", "OpenTeams, Inc."),
        ("000", 912, "Medical Student, AI Researcher and Neurotech Founder", "ClinExplain"),
        ("002", 485, "Software Engineer, PyTorch Distributed", "Meta"),
        ("000", 906, "Miss", "Neurosonic Academy"),
        ("002", 795, "Community", "Hugging Face"),
        ("000", 221, "PyTorch SWE", "Meta"),
        ("000", 790, "Associate Software Engineer", "RedHat"),
    ],
)
def test_seed_12_13_the_affiliation_follows_the_last_comma_of_the_headline(name, line, position, affiliation):
    person = _person(name, line)
    assert (person.position, person.affiliation, person.headline) == (
        *(position, affiliation),
        _lines(name, line + 2, line + 2),
    )


@pytest.mark.parametrize(
    ("name", "line", "bio"),
    [
        ("000", 193, (197, 197)),
        ("000", 227, (231, 231)),
        ("000", 906, (910, 910)),
        ("002", 75, (79, 79)),
        ("000", 189, None),
        ("000", 764, None),
        ("002", 423, None),
        ("002", 513, None),
        ("002", 517, None),
    ],
)
def test_seed_14_15_a_bio_may_look_like_anything_or_be_missing(name, line, bio):
    person = _person(name, line)
    assert (person.bio, person.bio_is_cut) == (_lines(name, *bio) if bio else "", False)


def test_seed_16_a_bio_may_stand_in_one_of_two_sessions():
    bios = {s.line: p.bio for s in _seed("002")[0].sessions for p in s.people if p.name == "Yahav Biran"}
    assert {line: bool(bio) for line, bio in bios.items()} == {407: True, 500: False}


@pytest.mark.parametrize(
    ("name", "line", "bio", "is_cut"),
    [
        ("000", 86, (90, 92), True),
        ("002", 994, (998, 1000), True),
        ("000", 841, (845, 849), True),
        ("002", 649, (653, 653), False),
        ("002", 824, (828, 828), False),
        ("000", 634, (638, 638), True),
        ("002", 694, (698, 698), True),
    ],
)
def test_seed_17_a_bio_keeps_its_lines_and_only_the_mark_says_that_it_is_cut(name, line, bio, is_cut):
    person = _person(name, line)
    assert (person.bio, person.bio_is_cut) == (_lines(name, *bio).removesuffix("... Read More →"), is_cut)


@pytest.mark.parametrize(
    ("name", "line", "materials"),
    [
        ("000", 16, [("1. Matt White", "pdf")]),
        ("000", 44, [("3. Artur Niederfahrenhorst", "pdf"), ("2. Tyler Michael Smith", "pdf")]),
        ("000", 134, [("mike krom migration vms", "pdf")]),
        ("000", 863, [("M Szymkowski PyTorch Conference", "pdf")]),
        ("000", 308, [("Accelerating PyTorch Models With torch.compile's Cpp Wrapper Mode.pptx", "pdf")]),
        ("000", 340, [("Fp8 at PT conf (1)", "pdf")]),
        ("000", 518, [("[Pytorch Europe 26] Native KV Cache Offloading in vLLM", "pdf")]),
        ("000", 686, [("PTC 2026 Trinity Large & torchtitan (1)", "pdf")]),
        ("002", 157, [("not all tokens are equal pytorch eu", "pptx")]),
        ("002", 194, []),
    ],
)
def test_seed_18_to_21_files_are_taken_off_the_end_of_the_people(name, line, materials):
    assert [(material.name, material.file_type) for material in _session(name, line).materials] == materials


def test_seed_22_four_sessions_have_files_without_the_field():
    assert _warnings("002", "without the field") == [183, 283, 433, 521]
    assert (_warnings("000", "without the field"), _warnings("000", "has no file")) == ([], [])
    sessions = _seed("002")[0].sessions
    assert [sum(bool(s.materials) for s in sessions), sum("Slides Attached" in s.fields for s in sessions)] == [19, 15]


@pytest.mark.parametrize(
    ("name", "line", "abstract"),
    [
        ("000", 134, (140, 151)),
        ("000", 173, (179, 185)),
        ("000", 814, (820, 837)),
        ("000", 368, (374, 388)),
        ("000", 891, (897, 902)),
        ("002", 294, (300, 306)),
        ("002", 629, (635, 645)),
        ("002", 976, (982, 990)),
        ("002", 532, (538, 542)),
        ("002", 775, (781, 791)),
        ("000", 277, (283, 286)),
        ("000", 16, (22, 22)),
        ("002", 194, (200, 204)),
        ("000", 548, (554, 556)),
    ],
)
def test_seed_23_to_27_and_29_an_abstract_is_its_lines_as_printed(name, line, abstract):
    assert _session(name, line).abstract == _lines(name, *abstract)


def test_seed_28_two_keynotes_have_no_abstract():
    assert [session.line for session in _seed("000")[0].sessions if not session.abstract] == [44, 78]


def test_seed_30_31_the_track_is_one_line_and_fields_split_at_known_names():
    session = _session("000", 134)
    assert (session.room, session.track, session.level) == ("Central Room", "Security & Privacy", "Intermediate")
    assert (session.fields, session.language) == ({"Slides Attached": "Yes"}, "")
    assert {key for session in _both() for key in session.fields} == {"Slides Attached"}


@pytest.mark.parametrize(("name", "first", "last"), [("000", 928, 980), ("002", 1009, 1065)])
def test_seed_32_the_index_holds_no_sessions(name, first, last):
    roles = _seed(name)[0].line_roles
    assert set(roles[first - 1 : last]) == {"index", "blank"}
    assert (roles[last + 1], roles.index("index") + 1) == ("footer", first)


def test_seed_33_the_word_speakers_stands_in_no_prose():
    assert (_warnings("000", "not as the heading"), _warnings("002", "not as the heading")) == ([], [])


def test_seed_34_an_unusual_hyphen_is_kept_and_makes_no_difference():
    title = _session("002", 255).title
    assert title == "Portable High\u2011Performance LLM Serving: A Triton Backend for VLLM"
    assert matching_key(title) == matching_key("Portable High-Performance LLM Serving: A Triton Backend for VLLM")


@pytest.mark.parametrize(("name", "count"), [("000", 3), ("002", 4)])
def test_seed_35_sessions_at_one_time_stay_apart(name, count):
    at_once = [s for s in _seed(name)[0].sessions if s.start == datetime(2026, 4, 8, 14, 30)]
    assert (len(at_once), len({session.room for session in at_once})) == (count, count)


def test_the_sessions_of_both_exports_read_alike():
    first, second = ({s.title: _facts(s) for s in _seed(name)[0].sessions} for name in ("000", "002"))
    shared = first.keys() & second.keys()
    assert ({title: first[title] for title in shared}, len(shared)) == ({title: second[title] for title in shared}, 15)


def _as_rendered(name: str, has_first_range: bool) -> str:
    """Return an export as a browser renders such a page, in the layout of 2024 or the one before."""
    document, lines = _seed(name)
    parts = ["Loading…", *lines[2:10], "Wednesday, April 8", "\u00a0", ""]
    for session in document.sessions:
        heading, title, printed = (lines[session.line + offset] for offset in (-3, -1, 1))
        parts += [heading, "", title, *([printed] if has_first_range else []), session.abstract, "Speakers"]
        for person in session.people:
            bio, printed_name = person.bio + "... Read More →" * person.bio_is_cut, lines[person.line - 1]
            parts += [f"avatar for {printed_name}", "", printed_name, "", person.headline, *([bio] if bio else [])]
        parts += ["", *(f"\n{material.name} {material.file_type}" for material in session.materials)]
        parts += ["", printed, session.room, f"\u00a0 {session.track}", f"• Audience Level {session.level}"]
        parts += [*(f"  • {key} {value}" for key, value in session.fields.items()), ""]
    return "\n".join(parts)


def _facts(session: SessionEntry) -> tuple:
    people = [(p.name, p.role, p.headline, p.bio, p.bio_is_cut, p.aliases) for p in session.people]
    slot = (session.start, session.end, session.zone_label, session.room, session.track, session.kind)
    materials = [(material.name, material.file_type) for material in session.materials]
    return session.title, slot, session.abstract, session.level, session.fields, people, materials


@pytest.mark.parametrize("name", ["000", "002"])
@pytest.mark.parametrize("has_first_range", [True, False])
def test_an_export_reads_the_same_when_it_is_rendered(name, has_first_range):
    document, export = sched_text.parse(_as_rendered(name, has_first_range), "rendered.txt"), _seed(name)[0]
    assert [_facts(session) for session in document.sessions] == [_facts(session) for session in export.sessions]
    assert (document.unclaimed_lines, document.event.name) == ([], export.event.name)


@pytest.mark.parametrize("name", ["000", "002"])
def test_an_export_cut_at_any_line_is_refused_where_it_stops(name):
    lines = _seed(name)[1]
    for count in range(1, len(lines)):
        assert_stops_at_its_last_line("\n".join(lines[:count]))


@pytest.mark.parametrize("path", [SLIDES_SEED, INTERMEDIATE_SEED], ids=["000", "002"])
def test_an_export_cut_at_any_byte_is_refused_with_one_problem(path):
    require_seeds()
    data = path.read_bytes()
    for length in [*range(0, len(data), 997), *range(len(data) - 60, len(data))]:
        with pytest.raises(ScheduleRefused) as refused:
            sched_text.parse(decode_text(data[:length], path.name), path.name)
        assert [problem.source for problem in refused.value.problems] == [path.name]
        assert length == 0 or refused.value.problems[0].line


@given(st.data())
@settings(max_examples=25, deadline=None)
def test_a_damaged_export_is_a_document_or_a_refusal(data):
    lines = list(_seed("000")[1])
    for _ in range(data.draw(st.integers(1, 4))):
        damage(lines, data.draw(st.sampled_from(["drop", "double", "swap", "join"])), data)
    assert_document_or_refusal("\n".join(lines))
