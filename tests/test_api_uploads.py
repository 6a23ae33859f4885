"""Files over HTTP: materials of sessions, and imports with the report that command and admin give."""

import json

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile

from conference.models import Event
from schedule.models import ImportRun, Material, Session
from tests.admin_pages import version_of
from tests.api_requests import Organiser, history
from tests.factories import make_event, make_material, make_session

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return make_event(slug="tides")


@pytest.fixture
def desk(client, event):
    return Organiser(client, event)


# Materials


def test_a_file_is_uploaded_and_deleted_again(client, desk, event):
    session = make_session(event)
    path = f"sessions/{session.pk}/materials/"
    sent = {"file": SimpleUploadedFile("../low water.pdf", b"%PDF")}
    answer = client.post(desk.base + path, sent, headers=desk.headers)
    material = Material.objects.get()
    assert (answer.status_code, answer.json()) == (
        201,
        {
            "id": material.pk,
            "name": "low water",
            "file_type": "pdf",
            "url": "http://testserver/media/materials/low_water.pdf",
        },
    )
    assert desk.change("DELETE", f"{path}{material.pk}/").status_code == 204
    assert (Material.objects.count(), version_of(event)) == (0, 2)


def test_a_sessions_history_names_its_materials(desk, event):
    session = make_session(event, "Knots")
    path = f"sessions/{session.pk}/materials/"
    pk = desk.post(path, {"name": "Charts"}).json()["id"]
    desk.change("DELETE", f"{path}{pk}/")
    assert history() == [
        ("ada", "Knots", CHANGE, "API token “Desk”: material “Charts” added"),
        ("ada", "Knots", CHANGE, "API token “Desk”: material “Charts” deleted"),
    ]
    assert set(LogEntry.objects.values_list("object_id", flat=True)) == {str(session.pk)}


def test_a_file_is_sent_and_never_told(desk, event):
    session = make_session(event)
    answer = desk.get(f"sessions/{session.pk}/materials/?fields=file")
    assert (answer.status_code, answer.json()) == (
        400,
        {"fields": ["There is no “file”; there are id, name, file_type, url."]},
    )


def test_a_material_may_be_an_address(desk, event):
    session = make_session(event)
    answer = desk.post(f"sessions/{session.pk}/materials/", {"url": "https://example.org/slides.pdf"}).json()
    assert (answer["name"], answer["file_type"], answer["url"]) == ("slides", "pdf", "https://example.org/slides.pdf")


def test_a_file_larger_than_the_limit_is_refused_by_name(client, desk, event, settings):
    settings.LARGEST_UPLOAD = 100
    session = make_session(event)
    sent = {"file": SimpleUploadedFile("a.pdf", b"x" * 101)}
    answer = client.post(f"{desk.base}sessions/{session.pk}/materials/", sent, headers=desk.headers)
    assert (answer.status_code, list(answer.json())) == (400, ["file"])


def test_materials_of_other_sessions_are_not_found(desk, event):
    first, second = make_session(event), make_session(event)
    material = make_material(first)
    assert desk.get(f"sessions/{second.pk}/materials/{material.pk}/").status_code == 404


# Imports

TABLE = "title,start,end,room\nTides,2030-05-06 10:00,2030-05-06 10:30,Pier\n"


def test_an_import_says_what_it_would_do_and_then_does_it(desk, event):
    tried = desk.post("imports/", {"text": TABLE, "dry_run": True})
    assert (tried.status_code, tried.json()["dry_run"], tried.json()["has_changes"]) == (200, True, True)
    assert (Session.objects.count(), history()) == (0, [])
    done = desk.post("imports/", {"text": TABLE}).json()
    assert (done["dry_run"], done["events"][0]["counts"]["sessions"]["created"]) == (False, 1)
    assert (Session.objects.get().event, ImportRun.objects.get().user.username) == (event, "ada")
    assert history() == [("ada", event.name, 2, "API token “Desk”: import")]
    assert desk.post("imports/", {"text": TABLE}).json()["has_changes"] is False


def test_an_import_takes_files(client, desk):
    sent = {"files": [SimpleUploadedFile("a.csv", TABLE.encode()), SimpleUploadedFile("b.csv", TABLE.encode())]}
    answer = client.post(f"{desk.base}imports/", sent, headers=desk.headers)
    assert [file["name"] for file in answer.json()["files"]] == ["a.csv", "b.csv"]


@pytest.mark.parametrize(
    ("sent", "fields"),
    [
        ({}, ["files"]),
        ({"text": " "}, ["files"]),
        ({"text": "no schedule"}, ["files"]),
        ({"text": TABLE, "timezone": "Mars"}, ["timezone"]),
        ({"text": TABLE, "format": "stone"}, ["format"]),
    ],
)
def test_an_import_that_is_refused_names_the_field_and_writes_nothing(desk, sent, fields):
    answer = desk.post("imports/", sent)
    assert (answer.status_code, list(answer.json())) == (400, fields)
    assert (Session.objects.count(), Event.objects.count()) == (0, 1)


def test_an_import_never_leaves_the_event_of_the_token(desk, event):
    other = make_event(name="Elsewhere")
    named = json.dumps({"schedule": {"conference": {"title": "Elsewhere", "days": []}}})
    desk.post("imports/", {"text": named})
    desk.post("imports/", {"text": TABLE})
    assert (other.sessions.count(), Event.objects.count(), event.sessions.count()) == (0, 2, 1)
