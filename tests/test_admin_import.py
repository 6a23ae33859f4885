"""Importing in the admin: choose, look, apply exactly that; and the history."""

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from schedule.admin import imports
from schedule.models import ImportRun, Session
from tests.browser_form import read_form
from tests.factories import make_event, make_room, make_speaker
from tests.test_import import schedule, talk

pytestmark = pytest.mark.django_db

ADD = "/admin/schedule/importrun/add/"


def preview(client, *sessions, **choices) -> ImportRun:
    """Upload a schedule; return the preview that follows."""
    upload = SimpleUploadedFile("reef.txt", schedule(*(sessions or [talk()])).data)
    response = client.post(ADD, {"files": [upload], **choices})
    run = ImportRun.objects.get(status="preview")
    assert response.url == f"/admin/schedule/importrun/{run.pk}/change/"
    return run


def press(client, run: ImportRun, button: str, **sent):
    return client.post(f"/admin/schedule/importrun/{run.pk}/{button}/", sent, follow=True)


def test_a_preview_shows_what_is_new_and_writes_nothing(admin_client):
    run = preview(admin_client)
    page = admin_client.get(f"/admin/schedule/importrun/{run.pk}/change/").content.decode()
    assert ("+ session: Tides" in page, "Apply exactly this" in page, Session.objects.count()) == (True, True, 0)


def test_applying_does_exactly_the_preview_once_however_often_it_is_clicked(admin_client, admin_user):
    run = preview(admin_client)
    assert "Imported." in press(admin_client, run, "apply").content.decode()
    assert "That was done already" in press(admin_client, run, "apply").content.decode()
    (done,) = ImportRun.objects.all()
    assert (done.status, done.user, Session.objects.count()) == ("applied", admin_user, 1)


def test_a_preview_that_is_no_longer_true_is_shown_anew_and_nothing_is_written(admin_client):
    press(admin_client, preview(admin_client), "apply")
    run = preview(admin_client, talk(abstract="Changed there."))
    Session.objects.update(abstract="Edited in between.")
    page = press(admin_client, run, "apply").content.decode()
    assert "Something changed since the preview" in page
    assert Session.objects.get().abstract == "Edited in between."
    assert "here “Edited in between.”" in page


def test_rows_that_other_events_get_in_between_do_not_make_a_preview_untrue(admin_client):
    press(admin_client, preview(admin_client), "apply")
    run = preview(admin_client, talk(room="Cave", name="Cy Dell"))
    other = make_event()
    make_room(other), make_speaker(other)
    assert "Imported." in press(admin_client, run, "apply").content.decode()
    assert Session.objects.get(event__name="Reef Days 2031").room.name == "Cave"


def test_a_preview_can_be_thrown_away(admin_client):
    press(admin_client, preview(admin_client), "discard")
    assert (ImportRun.objects.count(), Session.objects.count()) == (0, 0)


def test_pasted_text_is_as_good_as_a_file(admin_client):
    admin_client.post(ADD, {"text": schedule(talk()).data.decode().replace("\n", "\r\n")})
    press(admin_client, ImportRun.objects.get(), "apply")
    assert Session.objects.get().title == "Tides"


def test_what_can_not_be_read_is_shown_with_file_line_and_text(admin_client):
    page = admin_client.post(ADD, {"text": "Dear all,\n\nlunch is at noon.\n"}).content.decode()
    assert ("Nothing was written" in page, "this is not a schedule" in page) == (True, True)
    assert ImportRun.objects.count() == 0


def test_nothing_chosen_and_too_much_are_refused_in_words(admin_client, monkeypatch):
    assert "Choose a file or paste a text." in admin_client.post(ADD).content.decode()
    monkeypatch.setattr(imports, "LARGEST_UPLOAD", 100)
    upload = SimpleUploadedFile("big.txt", b"x" * 101)
    assert "big.txt is larger than" in admin_client.post(ADD, {"files": [upload]}).content.decode()


def test_an_import_is_rolled_back_from_its_page(admin_client):
    press(admin_client, preview(admin_client), "apply")
    run = ImportRun.objects.get()
    assert "Roll back" in admin_client.get(f"/admin/schedule/importrun/{run.pk}/change/").content.decode()
    press(admin_client, run, "roll_back", newer=0)
    run.refresh_from_db()
    assert (run.status, Session.objects.count()) == ("rolled-back", 0)
    assert "That was done already" in press(admin_client, run, "roll_back", newer=0).content.decode()


def test_rolling_back_an_older_import_says_how_many_newer_ones_stand_and_what_stays(admin_client):
    for abstract in ("One.", "Two, and more.", "Three."):
        press(admin_client, preview(admin_client, talk(abstract=abstract)), "apply")
    third, second, _first = ImportRun.objects.all()
    address = f"/admin/schedule/importrun/{second.pk}/change/"
    said = "1 newer import of this event stands. What it changed too stays as it left it"
    assert said in admin_client.get(address).content.decode()
    assert "newer import" not in admin_client.get(address.replace(str(second.pk), str(third.pk))).content.decode()
    assert "so nothing was taken back" in press(admin_client, second, "roll_back", newer=0).content.decode()
    page = press(admin_client, second, "roll_back", newer=1).content.decode()
    assert ("Tides: abstract was changed since and stays" in page, Session.objects.get().abstract) == (True, "Three.")
    assert "Rolled back while 1 newer stood; what those changed too stayed." in page


def test_a_preview_whose_place_a_newer_one_took_is_not_applied_and_leads_to_the_newer(admin_client):
    older = preview(admin_client, talk())
    newer = preview(admin_client, talk("Waves"))
    address = f"/admin/schedule/importrun/{newer.pk}/change/"
    for page in (
        press(admin_client, older, "apply"),
        press(admin_client, older, "discard"),
        admin_client.get(f"/admin/schedule/importrun/{older.pk}/change/", follow=True),
    ):
        text = page.content.decode()
        assert page.redirect_chain == [(address, 302)]
        assert (
            "a newer preview of yours (reef.txt) took the place of that one" in text,
            "+ session: Waves" in text,
        ) == (
            True,
            True,
        )
    assert (ImportRun.objects.get().pk, Session.objects.count()) == (newer.pk, 0)
    press(admin_client, newer, "apply")
    assert Session.objects.get().title == "Waves"


def test_the_history_lists_every_import(admin_client, django_assert_num_queries):
    press(admin_client, preview(admin_client), "apply")
    assert "Reef Days 2031" in admin_client.get("/admin/schedule/importrun/").content.decode()


def test_nobody_without_the_right_to_import_can(client, django_user_model):
    django_user_model.objects.create_user("reader", password="x", is_staff=True)
    client.login(username="reader", password="x")
    assert [client.get(ADD).status_code, client.post("/admin/schedule/importrun/1/apply/").status_code] == [403, 403]


def test_buttons_answer_to_post_only(admin_client):
    run = preview(admin_client)
    assert [admin_client.get(f"/admin/schedule/importrun/{run.pk}/{name}/").status_code
            for name in ("apply", "discard", "roll_back")] == [405, 405, 405]  # fmt: skip


# Edited here


def test_a_form_shows_what_was_edited_here_and_goes_back_to_the_sources_value(admin_client):
    press(admin_client, preview(admin_client), "apply")
    session = Session.objects.get()
    address = f"/admin/schedule/session/{session.pk}/change/"
    assert "Edited here." not in admin_client.get(address).content.decode()
    session.abstract, session.end = "Edited here too.", session.end + timedelta(minutes=5)
    session.save()
    page = admin_client.get(address).content.decode()
    assert ("“How water moves.”" in page, "“2031-06-04 10:00–10:30”" in page) == (True, True)
    for name in ("abstract", "times"):
        sent = read_form(admin_client.get(address).content.decode(), "session_form") | {"_take_source": name}
        assert admin_client.post(address, sent).url == address
    session.refresh_from_db()
    assert (session.abstract, session.duration) == ("How water moves.", timedelta(minutes=30))
    assert "Edited here." not in admin_client.get(address).content.decode()


def test_of_thousands_of_problems_the_first_are_shown_with_their_number(admin_client):
    calendar = "BEGIN:VCALENDAR\n" + "BEGIN:VEVENT\nEND:VEVENT\n" * 999 + "END:VCALENDAR\n"
    page = admin_client.post(ADD, {"text": calendar}).content.decode()
    assert (page.count("<code>"), "The first 200 of 1000." in page) == (200, True)
