"""What people changed here survives the next import, whatever it was; found by attacking the importer."""

import pytest
from django.core.files.base import ContentFile

from conference.models import Event, Room, Track
from schedule.importing import ScheduleRefused, import_schedule
from schedule.models import Material, Session, SessionSpeaker
from speakers.models import Speaker
from tests.factories import make_event, make_material, make_room, make_session, make_speaker, make_track
from tests.test_import import HEAD, pause, schedule, talk

pytestmark = pytest.mark.django_db


def edit(row, **values) -> None:
    for name, value in values.items():
        setattr(row, name, value)
    row.full_clean()
    row.save()


def test_a_room_and_a_track_renamed_by_hand_stay_renamed():
    import_schedule([schedule(talk())])
    edit(Room.objects.get(), name="Grand Hall", floor="2", capacity=300)
    edit(Track.objects.get(), name="Oceans", hue=200)
    report = import_schedule([schedule(talk())])
    session = Session.objects.select_related("room", "track").get()
    assert (session.room.name, session.room.floor, session.track.name) == ("Grand Hall", "2", "Oceans")
    assert (Room.objects.count(), Track.objects.count(), report.has_changes) == (1, 1, False)


def test_another_zone_for_an_event_that_has_one_is_refused():
    import_schedule([schedule(talk())])
    with pytest.raises(ScheduleRefused, match="is in Europe/Lisbon, not Asia/Tokyo"):
        import_schedule([schedule(talk())], timezone="Asia/Tokyo")
    import_schedule([schedule(talk())], timezone="Europe/Lisbon")
    assert Session.objects.get().start.isoformat() == "2031-06-04T09:00:00+00:00"


def test_a_zone_corrected_by_hand_reads_the_same_clocks_anew():
    import_schedule([schedule(talk())])
    edit(Event.objects.get(), timezone="Atlantic/Azores")
    import_schedule([schedule(talk())])
    assert (Event.objects.get().timezone, Session.objects.get().start.isoformat()) == (
        "Atlantic/Azores",
        "2031-06-04T10:00:00+00:00",
    )


def test_a_time_edited_by_hand_stays_whole_when_the_source_moves_the_session():
    import_schedule([schedule(talk(), pause())])
    session = Session.objects.get(title="Tides")
    edit(session, start=session.start.replace(minute=20))
    report = import_schedule([schedule(talk(start="08:00", end="08:20"), pause())])
    session.refresh_from_db()
    assert (session.start.isoformat(), session.end.isoformat()) == (
        "2031-06-04T09:20:00+00:00",
        "2031-06-04T09:30:00+00:00",
    )
    assert report.events[0].kept == [
        "Tides: times: here “2031-06-04 09:20 – 2031-06-04 09:30 UTC”, the source said "
        "“2031-06-04 09:00 – 2031-06-04 09:30 UTC” and now says “2031-06-04 07:00 – 2031-06-04 07:20 UTC”"
    ]


def test_a_session_unscheduled_by_hand_stays_so_when_the_source_moves_it_to_another_room():
    import_schedule([schedule(talk(), pause())])
    edit(Session.objects.get(title="Tides"), start=None, end=None, room=None)
    import_schedule([schedule(talk(room="Beach"), pause())])
    session = Session.objects.get(title="Tides")
    assert (session.start, session.end, session.room) == (None, None, None)


def test_two_people_merged_by_hand_stay_one_and_the_next_run_changes_nothing():
    import_schedule([schedule(talk(), talk("Waves", "Bob Moe", start="12:00", end="12:30"))])
    ana, bob = Speaker.objects.get(name="Ana Reis"), Speaker.objects.get(name="Bob Moe")
    SessionSpeaker.objects.filter(speaker=bob).update(speaker=ana)
    bob.delete()
    edit(ana, aliases="Bob Moe")
    for _run in range(2):
        report = import_schedule([schedule(talk(), talk("Waves", "Bob Moe", start="12:00", end="12:30"))])
        assert list(Speaker.objects.values_list("name", "aliases")) == [("Ana Reis", "Bob Moe")]
    assert not report.has_changes
    assert SessionSpeaker.objects.filter(speaker=ana).count() == 2


def test_a_field_that_another_export_lacks_stays():
    first = schedule(talk())
    second = schedule((talk()[0], talk()[1].replace("Slides Attached Yes", "Virtual Yes")))
    import_schedule([first])
    import_schedule([second])
    import_schedule([first])
    assert Session.objects.get().fields == {"Slides Attached": "Yes", "Virtual": "Yes"}


def test_one_person_with_two_headlines_is_reported():
    second = talk("Waves", start="12:00", end="12:30")
    second = (second[0], second[1].replace("Diver, Coral Lab", "Head of Research, Other Lab"))
    report = import_schedule([schedule(talk(), second)])
    assert [p.message for p in report.problems if "headline" in p.message or "one person" in p.message] == [
        "Ana Reis is “Head of Research, Other Lab” and “Diver, Coral Lab”: read as one person, with the longer; "
        "if they are two, part them in the admin"
    ]


def test_a_break_at_another_hour_of_the_same_day_in_a_partial_export_is_pointed_out():
    part = HEAD + "\n\narrow_back View All Dates"
    import_schedule([schedule(pause(), head=part)])
    report = import_schedule([schedule(pause(start="12:00", end="12:30"), head=part)])
    assert sum("added as a new one" in problem.message for problem in report.problems) == 1


def test_a_bio_that_comes_later_brings_its_mark_of_being_cut():
    import_schedule([schedule(talk())])
    text = talk()
    with_bio = text[1].replace("Diver, Coral Lab\n\nTide", "Diver, Coral Lab\n\nAna dives... Read More →\n\nTide")
    report = import_schedule([schedule((text[0], with_bio))])
    person = Speaker.objects.get()
    assert (person.bio, person.is_bio_cut, report.events[0].kept) == ("Ana dives", True, [])


def test_a_mistyped_event_is_refused_with_the_one_there_is():
    import_schedule([schedule(talk())])
    with pytest.raises(ScheduleRefused, match="there is no event 'reef', but “Reef Days 2031” is /reef-days-2031/"):
        import_schedule([schedule(talk())], event_slug="reef")
    assert Event.objects.count() == 1


def test_more_tracks_of_one_initial_than_two_characters_can_tell_apart_still_have_codes():
    event = make_event()
    codes = {make_track(event, f"A{number}").code for number in range(130)}
    assert (len(codes), all(1 <= len(code) <= 3 for code in codes)) == (130, True)


# Files and names of what is not public


def test_a_file_of_a_draft_is_seen_by_organisers_only(client, admin_client):
    event = make_event()
    session = make_session(event, status=Session.Status.DRAFT)
    material = make_material(session, file=ContentFile(b"slides", name="secret.pdf"))
    assert client.get(material.file.url).status_code == 404
    assert admin_client.get(material.file.url).getvalue() == b"slides"
    edit(session, status=Session.Status.CONFIRMED)
    response = client.get(material.file.url)
    assert (response.getvalue(), response.headers["Content-Security-Policy"][:7]) == (b"slides", "sandbox")


@pytest.mark.parametrize("path", ["/media/" + "a" * 300, "/media/../manage.py", "/media/%2e%2e/manage.py", "/media/"])
def test_what_is_no_file_is_not_found(client, path):
    assert client.get(path).status_code == 404


def test_rooms_and_tracks_that_only_drafts_use_are_not_announced(client):
    event = make_event(slug="reef")
    room, track = make_room(event, "Secret cave"), make_track(event, "Secret track")
    session = make_session(event, "Plan", "2030-05-06 10:00", room=room, track=track, status=Session.Status.DRAFT)
    paths = ["/reef/rooms/secret-cave/", "/reef/tracks/secret-track/"]
    lists = ["/api/v1/events/reef/rooms/", "/api/v1/events/reef/tracks/"]
    assert [client.get(path).status_code for path in paths] == [404, 404]
    assert [client.get(path).json()["count"] for path in lists] == [0, 0]
    edit(session, status=Session.Status.CONFIRMED)
    assert [client.get(path).status_code for path in paths] == [200, 200]
    assert [client.get(path).json()["count"] for path in lists] == [1, 1]


def test_a_strangers_cookie_changes_nothing_of_a_public_page(client):
    make_event(slug="reef")
    client.cookies.load({"csrftoken": "y", "sessionid": "x"})
    response = client.get("/reef/")
    assert (list(response.cookies), response.headers["Vary"]) == ([], "Accept-Encoding")


@pytest.mark.parametrize("method", ["post", "put", "delete", "patch", "trace", "options"])
def test_public_pages_are_read_only(client, method):
    make_event(slug="reef")
    assert getattr(client, method)("/reef/").status_code == 405


def test_a_material_takes_name_and_type_from_its_file():
    session = make_session(make_event())
    material = Material(session=session, file=ContentFile(b"x", name="My_slides.PDF"))
    edit(material, url="")
    assert (material.name, material.file_type, material.position) == ("My slides", "pdf", 1)


def test_people_and_materials_added_by_hand_stand_last():
    event = make_event()
    session = make_session(event, people=[make_speaker(event), make_speaker(event)])
    link = SessionSpeaker(session=session, speaker=make_speaker(event))
    edit(link, role="moderator")
    assert link.position == 3
