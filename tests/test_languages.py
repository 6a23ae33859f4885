"""The language of a page stands in its address, and nowhere else."""

import re

import pytest

from tests.factories import make_event, make_session

pytestmark = pytest.mark.django_db


def language_of(response) -> tuple[str, str]:
    """What the page and its header say of the language."""
    return re.search(r'<html lang="([^"]+)"', response.content.decode())[1], response.headers["Content-Language"]


@pytest.mark.parametrize(
    ("prefix", "language"), [("", "en"), ("/fr", "fr"), ("/de", "de"), ("/es", "es"), ("/ar", "ar")]
)
def test_the_first_part_of_an_address_is_its_language(client, prefix, language):
    event = make_event(slug="reef")
    session = make_session(event, "Ropes", "2030-05-06 09:00")
    for path in ("/reef/", "/reef/speakers/", "/reef/zones/", f"/reef/sessions/{session.pk}-ropes/"):
        assert language_of(client.get(prefix + path)) == (language, language)


def test_neither_cookie_nor_header_changes_a_public_page(client):
    make_session(make_event(slug="reef"), "Ropes", "2030-05-06 09:00")
    plain = client.get("/reef/")
    client.cookies["django_language"] = "fr"
    asked = client.get("/reef/", headers={"Accept-Language": "fr"})
    assert asked.content == plain.content
    assert "Accept-Language" not in asked.headers.get("Vary", "")


def test_an_event_whose_slug_begins_like_a_language_is_no_translation(client):
    make_event(slug="de-con")
    assert language_of(client.get("/de-con/")) == ("en", "en")
    assert language_of(client.get("/fr/de-con/")) == ("fr", "fr")


def test_links_stay_in_the_language_and_lead_to_the_others(client):
    make_session(make_event(slug="reef"), "Ropes", "2030-05-06 09:00")
    html = client.get("/fr/reef/?tz=Asia/Tokyo&q=ropes").content.decode()
    main = html[html.index("<main") : html.index("</main>")]
    assert {link for link in re.findall(r'href="(/[^"]*)"', main) if not link.startswith("/fr/reef/")} == set()
    alternates = re.findall(r'<link rel="alternate" hreflang="(..)" href="([^"]*)"', html)
    assert alternates == [
        (code, f"{prefix}/reef/?tz=Asia/Tokyo&amp;q=ropes")
        for code, prefix in (("en", ""), ("fr", "/fr"), ("de", "/de"), ("es", "/es"), ("ar", "/ar"))
    ]


def test_arabic_is_written_from_right_to_left(client):
    make_event(slug="reef")
    assert '<html lang="ar" dir="rtl"' in client.get("/ar/reef/").content.decode()


def test_organisers_read_the_admin_in_their_browsers_language(client):
    response = client.get("/admin/login/", headers={"Accept-Language": "fr"})
    assert language_of(response) == ("fr", "fr")
    assert "Accept-Language" in response.headers["Vary"]
