"""The API keeps to its own description: the document is valid, and what is sent by it is answered by it."""

import re

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, settings
from openapi_spec_validator import OpenAPIV31SpecValidator
from schemathesis.config import SchemathesisConfig

from conference.api.docs import build_document
from conference.api.states import ETAGS
from conference.wsgi import application
from tests.api_requests import make_token
from tests.factories import make_event, make_material, make_room, make_session, make_speaker, make_track

pytestmark = pytest.mark.django_db
SCHEMA = "/api/v1/schema/"


def test_the_document_is_valid_openapi_3_1(client):
    document = client.get(SCHEMA).json()
    assert document["openapi"] == "3.1.0"
    assert list(OpenAPIV31SpecValidator(document).iter_errors()) == []


# Rules across fields, such as an end after its start, are no part of a schema: 400 may answer what is valid by it.
REFUSED = {"expected-statuses": ["2xx", "400", "401", "403", "404", "409", "412"]}
# RFC 6585: 428 is how a missing If-Match is answered.
WITHOUT_HEADER = {"expected-statuses": ["401", "403", "404", "428"]}
# Whether nobody was quicker is looked at before what is sent.
WRONG = {"expected-statuses": ["400", "401", "403", "404", "405", "409", "412", "415", "428"]}
PLAIN = {"Accept-Encoding": "identity"}
operations = schemathesis.openapi.from_dict(
    build_document(),
    config=SchemathesisConfig.from_dict(
        {
            "checks": {
                "positive_data_acceptance": REFUSED,
                "negative_data_rejection": WRONG,
                "missing_required_header": WITHOUT_HEADER,
            }
        }
    ),
)
operations.app = application


def try_times(number: int):
    """The same `number` of requests an operation in every run."""
    return settings(
        max_examples=number,
        deadline=None,
        derandomize=True,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )


def fill(event) -> None:
    room, track, person = make_room(event), make_track(event), make_speaker(event)
    session = make_session(event, start="2030-05-06 10:00", room=room, track=track, people=[person])
    make_material(session)
    make_session(event, status="draft")


@pytest.fixture
def event(db, settings, tmp_path):
    # As Django's own client does: a request must not end the connection that holds the test's transaction.
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    settings.API_REQUESTS_PER_ADDRESS = settings.API_REQUESTS_PER_TOKEN = 0
    settings.MEDIA_ROOT = tmp_path
    event = make_event()
    fill(event)
    yield event
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def aim(case, event) -> None:
    """Let a request that names any event and any row mostly meet one that is there."""
    if "slug" in case.path_parameters:
        case.path_parameters["slug"] = event.slug
    rows = {"rooms": event.rooms, "tracks": event.tracks, "speakers": event.speakers, "sessions": event.sessions}
    if re.match(ETAGS, case.headers.get("If-Match", "")):
        case.headers["If-Match"] = "*"
    for name in ("id", "session_id"):
        if isinstance(case.path_parameters.get(name), int) and case.path_parameters[name] % 2:
            kind = "sessions" if name == "session_id" else case.path.split("{slug}/")[1].split("/")[0]
            row = rows[kind].first() if kind in rows else None
            if row:
                case.path_parameters[name] = row.pk


@operations.parametrize()
@try_times(6)
def test_everybody_is_answered_as_the_document_says(case, event):
    aim(case, event)
    case.call_and_validate(headers=PLAIN)


@operations.parametrize()
@try_times(12)
def test_organisers_are_answered_as_the_document_says(case, event):
    aim(case, event)
    case.call_and_validate(headers=PLAIN | {"Authorization": f"Bearer {make_token(event)}"})


# The page for people


def test_the_page_tells_every_operation_with_an_example(client):
    html = client.get("/api/v1/docs/").content.decode()
    document = client.get(SCHEMA).json()
    told = [(method.upper(), path) for path, methods in document["paths"].items() for method in methods]
    shown = re.findall(r'<span class="method">(\w+)</span> <code>([^<]+)</code>', html)
    assert (shown, html.count("<pre")) == (told, len(told))


def test_the_page_needs_nothing_from_elsewhere_and_is_within_the_policy(client):
    answer = client.get("/api/v1/docs/")
    html = answer.content.decode()
    assert "default-src 'self'" in answer["Content-Security-Policy"]
    assert re.findall(r'(?:src|href)="(?:https?:)?//[^"]*"', html) == []
    assert re.findall(r"<script(?! src)[^>]*>", html) == re.findall(
        r"<script(?! src)[^>]*>", client.get("/").content.decode()
    )


def test_every_field_and_parameter_stands_in_the_page(client):
    html = client.get("/api/v1/docs/").content.decode()
    document = client.get(SCHEMA).json()
    names = {p["name"] for path in document["paths"].values() for o in path.values() for p in o.get("parameters", ())}
    names |= set(document["components"]["schemas"]["Session"]["properties"])
    assert {name for name in names - set(PATH) if f"<code>{name}</code>" not in html} == set()


PATH = ("slug", "id", "session_id")
