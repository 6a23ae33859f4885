"""What is always true of an event, a room, a track, a person, a session; and what of it is public."""

import uuid
from datetime import UTC, date, datetime, timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.urls import get_resolver
from django.utils import translation

from conference.models import RESERVED_SLUGS, Event, Room, Track
from conference.text import matching_key
from schedule.models import Material, Session, SessionSpeaker
from speakers.models import Speaker
from tests.factories import (
    make_event,
    make_material,
    make_room,
    make_session,
    make_speaker,
    make_track,
)

pytestmark = pytest.mark.django_db

NINE = datetime(2030, 5, 6, 7, tzinfo=UTC)
TEN = NINE + timedelta(hours=1)


def find_faults(row) -> dict[str, list[str]]:
    """Return what full_clean() says against `row`, by field."""
    with pytest.raises(ValidationError) as caught, translation.override("en"):
        row.full_clean()
    return caught.value.message_dict


def is_refused_by_database(*rows) -> bool:
    """Whether the database itself refuses `rows`, without any Python in between."""
    try:
        with transaction.atomic():
            type(rows[0]).objects.bulk_create(rows)
    except IntegrityError:
        return True
    return False


def a_session(event, **values) -> Session:
    return Session(event=event, title="Low Water", title_key="low water", **values)


def an_event(**values) -> Event:
    defaults = {"name": "Tides", "slug": "tides", "start_date": date(2030, 5, 6), "end_date": date(2030, 5, 7)}
    return Event(**defaults | {"timezone": "Europe/Berlin"} | values)


# Events


@pytest.mark.parametrize(
    ("values", "faults"),
    [
        ({"end_date": date(2030, 5, 5)}, {"__all__": ["The last day is before the first."]}),
        ({"day_change_hour": 13}, {"day_change_hour": ["Ensure this value is less than or equal to 12."]}),
        ({"hue": 360}, {"hue": ["Ensure this value is less than or equal to 359."]}),
    ],
)
def test_an_events_days_day_change_and_hue_are_kept_by_the_database_and_explained(values, faults):
    assert find_faults(an_event(**values)) == faults
    assert is_refused_by_database(an_event(**values))


@pytest.mark.parametrize("values", [{"end_date": date(2030, 5, 6)}, {"day_change_hour": 12}, {"hue": 359}, {"hue": 0}])
def test_an_event_may_last_one_day_and_use_the_whole_range(values):
    an_event(**values).full_clean()
    assert not is_refused_by_database(an_event(**values))


def test_a_time_zone_is_an_iana_name():
    assert find_faults(an_event(timezone="CEST")) == {"timezone": ["“CEST” is not a time zone. Example: Europe/Paris."]}
    assert find_faults(an_event(timezone="../etc/passwd")) == {
        "timezone": ["“../etc/passwd” is not a time zone. Example: Europe/Paris."]
    }


def test_two_events_never_share_a_slug():
    make_event(slug="tides")
    assert find_faults(an_event()) == {"slug": ["Event with this Slug already exists."]}
    assert is_refused_by_database(an_event())


@pytest.mark.parametrize("slug", ["admin", "API", "static", "media", "my", "en", "events"])
def test_an_event_cannot_take_the_address_of_another_page(slug):
    assert find_faults(an_event(slug=slug)) == {"slug": [f"“{slug}” is the address of another page."]}


def test_every_first_part_of_an_address_of_the_site_is_reserved(settings):
    patterns = [str(pattern.pattern) for pattern in get_resolver().url_patterns]
    first_parts = {pattern.lstrip("^").partition("/")[0].replace("\\", "") for pattern in patterns}
    fixed = {part for part in first_parts if part and not part.startswith("<")}
    fixed |= {settings.STATIC_URL.strip("/"), settings.MEDIA_URL.strip("/")}
    assert {"admin", "api"} <= fixed
    assert fixed - RESERVED_SLUGS == set()


def test_deleting_an_event_deletes_everything_of_it_and_nothing_of_another():
    gone, kept = make_event(), make_event()
    for event in (gone, kept):
        ada, room, track = make_speaker(event), make_room(event), make_track(event)
        make_material(make_session(event, start="2030-05-06 10:00", room=room, track=track, people=[ada]))
    gone.delete()
    models = (Event, Room, Track, Speaker, Session, SessionSpeaker, Material)
    assert [model.objects.count() for model in models] == [1, 1, 1, 1, 1, 1, 1]
    assert list(Event.objects.all()) == [kept]


@pytest.mark.parametrize("make", [make_room, make_track])
def test_a_room_or_track_with_sessions_is_not_deleted(make):
    event = make_event()
    row = make(event)
    make_session(event, start="2030-05-06 10:00", **{type(row).__name__.lower(): row})
    with pytest.raises(IntegrityError):
        row.delete()
    assert type(row).objects.filter(pk=row.pk).exists()


def test_a_person_in_a_session_is_not_deleted():
    event = make_event()
    ada = make_speaker(event)
    make_session(event, people=[ada])
    with pytest.raises(IntegrityError):
        ada.delete()


def test_the_latest_event_comes_first_and_those_of_one_day_by_name():
    make_event(name="B", start_date=date(2029, 1, 1), end_date=date(2029, 1, 1))
    make_event(name="C", start_date=date(2030, 1, 1), end_date=date(2030, 1, 1))
    make_event(name="A", start_date=date(2029, 1, 1), end_date=date(2029, 1, 1))
    assert [event.name for event in Event.objects.latest_first()] == ["C", "A", "B"]


def test_each_change_of_the_programme_counts_one_also_from_a_stale_row():
    event = make_event()
    stale = Event.objects.get(pk=event.pk)
    event.mark_programme_changed(NINE)
    stale.mark_programme_changed(TEN)
    assert (stale.programme_version, stale.programme_changed_at) == (2, TEN)
    event.refresh_from_db()
    assert (event.programme_version, event.programme_changed_at) == (2, TEN)


def test_a_change_of_the_programme_writes_no_other_column():
    event = make_event(name="Tides")
    stale = Event.objects.get(pk=event.pk)
    Event.objects.filter(pk=event.pk).update(name="Ebb")
    stale.mark_programme_changed()
    assert Event.objects.get(pk=event.pk).name == "Ebb"


# Rooms and tracks


@pytest.mark.parametrize("model", [Room, Track])
def test_a_name_stands_once_in_its_event_however_it_is_written(model):
    event = make_event()
    model(event=event, name="Hörsaal – 1").save()
    assert find_faults(model(event=event, name="HORSAAL —  1")) == {"__all__": ["The event has one of this name."]}
    model(event=make_event(), name="Hörsaal – 1").full_clean()


@pytest.mark.parametrize("model", [Room, Track])
def test_the_database_refuses_a_second_name_or_slug_in_an_event(model):
    event, other = make_event(), make_event()

    def row(event, key, slug):
        return model(event=event, name=key, name_key=key, slug=slug, **({"code": slug} if model is Track else {}))

    assert not is_refused_by_database(row(event, "low", "a"))
    assert is_refused_by_database(row(event, "low", "b"))
    assert is_refused_by_database(row(event, "high", "a"))
    assert not is_refused_by_database(row(event, "high", "b"), row(other, "low", "a"))


@pytest.mark.parametrize("model", [Room, Track])
def test_a_slug_that_is_taken_is_explained(model):
    event = make_event()
    model(event=event, name="Low", slug="low").save()
    assert find_faults(model(event=event, name="High", slug="low")) == {
        "__all__": ["The event has one with this slug."]
    }


@pytest.mark.parametrize("model", [Room, Track, Speaker])
@pytest.mark.parametrize("slug", ["a/b", "a b", "?", ".."])
def test_a_slug_that_no_address_can_hold_is_refused(model, slug):
    assert find_faults(model(event=make_event(), name="Low Water", slug=slug)) == {
        "slug": ["Enter a valid “slug” consisting of Unicode letters, numbers, underscores, or hyphens."]
    }


@pytest.mark.parametrize("model", [Room, Track, Speaker])
@pytest.mark.parametrize("name", ["\u200b", "\u200d\ufeff", "\u3164"])
def test_a_name_has_something_to_see(model, name):
    faults = find_faults(model(event=make_event(), name=name))
    assert faults == {"name": ["A name needs at least one visible character."]}


@pytest.mark.parametrize("model", [Room, Track])
def test_a_row_without_slug_or_position_gets_a_free_slug_and_the_last_position(model):
    event = make_event()
    rows = [model(event=event, name=name) for name in ("Low Water", "Low-Water!", "低い", "!?")]
    rows.insert(2, model(event=event, name="High", position=7, slug="up"))
    for row in rows:
        row.save()
    kind = model.__name__.lower()
    assert [(row.slug, row.position) for row in rows] == [
        ("low-water", 1),
        ("low-water-2", 2),
        ("up", 7),
        ("低い", 8),
        (kind, 9),
    ]


def test_a_rename_keeps_the_slug():
    room = make_room(make_event(), "Low Water")
    room.name = "High Water"
    room.save()
    assert (room.slug, room.name_key) == ("low-water", "high water")


def test_a_code_stands_once_in_its_event():
    event = make_event()
    make_track(event, "Low Water", code="LW")
    faults = find_faults(Track(event=event, name="Long Wave", code="LW"))
    assert faults == {"__all__": ["The event has a track with this code."]}
    row = {"event": event, "name": "x", "name_key": "x", "slug": "x"}
    assert is_refused_by_database(Track(**row, code="LW"))
    assert not is_refused_by_database(Track(**row, code="LX"))


def test_a_track_without_a_code_gets_one_that_is_free_in_its_event():
    event = make_event()
    make_track(make_event(), "Low Water")
    assert [make_track(event, name).code for name in ("Low Water", "Long Waves", "Lost Wind")] == ["LW", "LO", "LS"]


def test_a_tracks_hue_is_an_angle_or_the_palettes():
    event = make_event()
    assert find_faults(Track(event=event, name="Low", hue=360)) == {
        "hue": ["Ensure this value is less than or equal to 359."]
    }
    row = {"event": event, "name": "x", "name_key": "x"}
    assert is_refused_by_database(Track(**row, hue=360))
    assert not is_refused_by_database(
        Track(**row, hue=None), Track(event=make_event(), name="y", name_key="y", hue=359)
    )


def test_a_tracks_look_follows_from_its_position_and_from_earlier_hues():
    event = make_event()
    tracks = [make_track(event, position=p) for p in (1, 12, 13, 25)]
    tracks += [make_track(event, position=p, hue=hue) for p, hue in ((30, 100), (31, 105), (29, 100), (40, 300))]
    for track in tracks:
        track.refresh_from_db()
    assert [(track.palette_row, track.form_name) for track in tracks] == [
        (1, "solid"),
        (12, "solid"),
        (1, "outlined"),
        (1, "pill"),
        (6, "outlined"),
        (7, "pill"),
        (5, "solid"),
        (4, "solid"),
    ]


def test_a_room_holds_somebody_or_its_capacity_is_unknown():
    event = make_event()
    assert find_faults(Room(event=event, name="Low", capacity=0)) == {
        "capacity": ["Ensure this value is greater than or equal to 1."]
    }
    make_room(event, capacity=None)
    make_room(event, capacity=1)


# People


def test_two_people_may_share_a_name_but_never_a_slug():
    event = make_event()
    assert [make_speaker(event, "Ada Winter").slug for _ in range(3)] == ["ada-winter", "ada-winter-2", "ada-winter-3"]
    assert find_faults(Speaker(event=event, name="Bo", slug="ada-winter")) == {
        "__all__": ["The event has one with this slug."]
    }
    assert is_refused_by_database(Speaker(event=event, name="Bo", slug="ada-winter"))
    assert not is_refused_by_database(Speaker(event=make_event(), name="Bo", slug="ada-winter"))


def test_a_persons_derived_columns_follow_the_name_and_affiliation():
    ada = make_speaker(
        make_event(), "Ådne van Ørst", affiliation="Öst & Söhne", headline="Pilot", aliases="A. Örst\nÅdde"
    )
    assert (ada.name_key, ada.sort_name, ada.sort_key, ada.affiliation_slug, ada.search_text) == (
        "adne van orst",
        "van Ørst, Ådne",
        "van orst, adne",
        "ost-sohne",
        "adne van orst a. orst adde pilot ost & sohne",
    )


def test_a_sort_name_that_a_person_typed_stays():
    ada = make_speaker(make_event(), "Nguyen Thi Hoa", sort_name="Nguyen, Thi Hoa")
    ada.name = "Nguyễn Thị Hoa"
    ada.save()
    assert (ada.sort_name, ada.sort_key) == ("Nguyen, Thi Hoa", "nguyen, thi hoa")


@pytest.mark.parametrize("link", ["javascript:alert(1)", "ada@example.org", "example.org", "ftp://example.org/"])
def test_a_persons_links_are_addresses_of_the_web(link):
    ada = Speaker(event=make_event(), name="Ada", links=f"https://example.org/ada\n{link}")
    assert find_faults(ada) == {"links": [f"“{link}” is not an address with https://."]}


def test_links_and_aliases_are_one_a_line():
    ada = make_speaker(make_event(), "Ada", links=" https://a.example/ \r\n\nhttp://b.example/", aliases="A\n\n B ")
    assert (ada.link_list, ada.alias_list) == (["https://a.example/", "http://b.example/"], ["A", "B"])


def test_people_are_found_by_every_word_blind_to_case_and_accents():
    event = make_event()
    ada = make_speaker(event, "Ådne Özil", affiliation="Łódź Works")
    make_speaker(event, "Bo Ozon", affiliation="Works")
    found = {query: list(event.speakers.matching(query)) for query in ("OZIL works", "lodz", "Ådne bo", "%", "")}
    assert (found["OZIL works"], found["lodz"], found["Ådne bo"], found["%"], len(found[""])) == (
        [ada],
        [ada],
        [],
        [],
        2,
    )


# Sessions


@pytest.mark.parametrize(
    ("start", "end", "has_room", "faults"),
    [
        (None, None, False, None),
        (NINE, TEN, False, None),
        (NINE, TEN, True, None),
        (None, None, True, ["Give start and end, or neither; a room needs both."]),
        (NINE, None, False, ["Give start and end, or neither; a room needs both."]),
        (NINE, None, True, ["Give start and end, or neither; a room needs both."]),
        (None, TEN, False, ["Give start and end, or neither; a room needs both."]),
        (None, TEN, True, ["Give start and end, or neither; a room needs both."]),
        (NINE, NINE, False, ["The end is not after the start."]),
        (TEN, NINE, True, ["The end is not after the start."]),
        (NINE, NINE + timedelta(microseconds=1), False, None),
    ],
)
def test_a_slot_is_whole_or_absent_and_ends_after_it_starts(start, end, has_room, faults):
    event = make_event()
    room = make_room(event) if has_room else None
    session = a_session(event, start=start, end=end, room=room)
    if faults:
        assert find_faults(session) == {"__all__": faults}
    else:
        session.full_clean()
    assert is_refused_by_database(session) == bool(faults)


def test_a_room_and_a_track_are_of_the_sessions_event():
    event, other = make_event(), make_event()
    session = a_session(event, start=NINE, end=TEN, room=make_room(other), track=make_track(other))
    assert find_faults(session) == {
        "room": ["This room belongs to another event."],
        "track": ["This track belongs to another event."],
    }


def test_a_person_is_of_the_sessions_event():
    link = SessionSpeaker(session=make_session(make_event()), speaker=make_speaker(make_event()))
    assert find_faults(link) == {"speaker": ["This person belongs to another event."]}


def test_a_person_stands_once_in_a_session():
    event = make_event()
    ada = make_speaker(event)
    session = make_session(event, people=[ada])
    again = SessionSpeaker(session=session, speaker=ada, role="chair")
    assert find_faults(again) == {"__all__": ["This person is in the session already."]}
    assert is_refused_by_database(again)


@pytest.mark.parametrize("title", ["\u200b", "\u2060\u00ad"])
def test_a_title_has_something_to_see(title):
    faults = find_faults(Session(event=make_event(), title=title))
    assert faults == {"title": ["A title needs at least one visible character."]}


@pytest.mark.parametrize("fields", [["a"], "a", 7, {"a": 1}, {"a": None}, {"a": ["b"]}])
def test_further_fields_are_keys_and_values_of_text(fields):
    faults = find_faults(a_session(make_event(), fields=fields))
    assert faults == {"fields": ['Give keys and values as text: {"Slides Attached": "Yes"}.']}


def test_further_fields_may_be_empty():
    make_session(make_event(), fields={})


def test_two_sessions_never_share_a_uid():
    session = make_session(make_event())
    assert is_refused_by_database(a_session(make_event(), uid=session.uid))


@pytest.mark.parametrize("is_loaded_again", [False, True])
def test_the_uid_of_a_session_never_changes(is_loaded_again):
    session = make_session(make_event())
    uid = session.uid
    if is_loaded_again:
        session = Session.objects.get(pk=session.pk)
    session.uid = uuid.uuid4()
    with pytest.raises(ValueError, match="uid of a session never changes"):
        session.save()
    assert Session.objects.get(pk=session.pk).uid == uid


def test_a_session_of_which_only_some_columns_were_read_can_be_saved():
    session = make_session(make_event(), "Low Water")
    read = Session.objects.only("title", "level", "language", "abstract").get(pk=session.pk)
    read.title = "High Water"
    read.save(update_fields=["title"])
    stored = Session.objects.get(pk=session.pk)
    assert (stored.title, stored.uid) == ("High Water", session.uid)


def test_a_sessions_derived_columns_follow_the_text():
    session = make_session(
        make_event(), "Über  Wasser", abstract="Ein Ärgernis", level="Very Beginner", language="Português"
    )
    assert (session.title_key, session.level_slug, session.language_slug, session.search_text) == (
        "uber wasser",
        "very-beginner",
        "portugues",
        "uber wasser ein argernis",
    )


def test_a_slug_of_a_session_follows_its_title_and_its_address_keeps_the_id():
    session = make_session(make_event(slug="tides"), "Über Wasser!")
    assert session.get_absolute_url() == f"/tides/sessions/{session.pk}-uber-wasser/"
    session.title = "!?"
    assert session.get_absolute_url() == f"/tides/sessions/{session.pk}-session/"


def test_a_duration_is_what_passes_not_what_clocks_show():
    berlin = make_event(timezone="Europe/Berlin").zone
    start, end = datetime(2026, 3, 29, 1, 30, tzinfo=berlin), datetime(2026, 3, 29, 3, 30, tzinfo=berlin)
    assert Session(start=start, end=end).duration == timedelta(hours=1)
    assert Session().duration is None


def test_a_material_is_a_file_or_a_link_or_a_name():
    session = make_session(make_event())
    both = Material(session=session, name="Slides", file="materials/a.pdf", url="https://example.org/a.pdf")
    assert find_faults(both) == {"__all__": ["Give a file or a link, not both."]}
    assert is_refused_by_database(both)
    file, link, name = Material(file="materials/a.pdf"), Material(url="https://example.org/a"), Material()
    assert [material.address for material in (file, link, name)] == ["/media/materials/a.pdf", link.url, ""]


def test_a_day_begins_at_the_events_day_change_hour_also_when_clocks_change():
    event = make_event(timezone="Europe/Berlin", day_change_hour=4)
    assert event.viewing.day_bounds(date(2026, 3, 28)) == (
        datetime(2026, 3, 28, 3, tzinfo=UTC),
        datetime(2026, 3, 29, 2, tzinfo=UTC),
    )
    assert event.viewing.day_bounds(date(2026, 10, 24)) == (
        datetime(2026, 10, 24, 2, tzinfo=UTC),
        datetime(2026, 10, 25, 3, tzinfo=UTC),
    )


# What is public, and in which order


def test_confirmed_and_cancelled_sessions_of_public_events_are_public():
    event, draft_event = make_event(), make_event(is_public=False)
    shown = [make_session(event, status=status) for status in ("confirmed", "cancelled")]
    make_session(event, status="draft")
    make_session(draft_event, status="confirmed")
    make_session(draft_event, status="cancelled")
    assert list(Session.objects.public().order_by("id")) == shown
    assert list(Event.objects.public()) == [event]


def test_people_with_a_public_session_are_public_each_once():
    event, draft_event = make_event(), make_event(is_public=False)
    ada, bo, cy = (make_speaker(event, name) for name in ("Ada", "Bo", "Cy"))
    make_speaker(event, "Dee")
    eve = make_speaker(draft_event, "Eve")
    make_session(event, people=[ada])
    make_session(event, people=[ada, bo], status="draft")
    make_session(event, people=[cy, ada], status="cancelled")
    make_session(draft_event, people=[eve])
    assert list(Speaker.objects.public().in_order()) == [ada, cy]


def test_people_come_by_family_name_and_namesakes_by_id():
    event = make_event()
    people = [make_speaker(event, name) for name in ("Bo Özil", "Cy Ozon", "Ada van Au", "Cy Ozon")]
    assert list(event.speakers.in_order()) == [people[0], people[1], people[3], people[2]]


def test_sessions_come_by_time_then_for_all_then_by_room_order_then_by_id_and_unscheduled_last():
    event = make_event()
    second, first = make_room(event, position=2), make_room(event, position=1)
    unscheduled = make_session(event)
    late = make_session(event, start="2030-05-06 11:00", room=first)
    in_second = make_session(event, start="2030-05-06 10:00", room=second)
    in_first = make_session(event, start="2030-05-06 10:00", room=first)
    again_in_first = make_session(event, start="2030-05-06 10:00", room=first)
    everywhere = make_session(event, start="2030-05-06 10:00")
    order = [everywhere, in_first, again_in_first, in_second, late]
    assert list(Session.objects.in_order()) == [*order, unscheduled]
    assert list(Session.objects.scheduled().in_order()) == order


def test_people_of_a_session_keep_the_organisers_order():
    event = make_event()
    ada, bo = make_speaker(event, "Ada"), make_speaker(event, "Bo")
    session = make_session(event)
    SessionSpeaker.objects.create(session=session, speaker=ada, position=2)
    SessionSpeaker.objects.create(session=session, speaker=bo, position=1)
    (read,) = Session.objects.with_people()
    assert [link.speaker for link in read.session_speakers.all()] == [bo, ada]


def test_a_session_says_whether_it_has_materials():
    event = make_event()
    with_slides, without = make_session(event), make_session(event)
    make_material(with_slides)
    make_material(with_slides, "Code")
    assert [(s, s.has_materials) for s in Session.objects.with_details().order_by("id")] == [
        (with_slides, True),
        (without, False),
    ]


@pytest.mark.parametrize("name", ["ß" * 200, "ﷺ" * 200])
def test_the_longest_name_fits_although_folding_makes_it_longer(name):
    assert make_room(make_event(), name).name_key == matching_key(name)
