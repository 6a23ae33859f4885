"""The language of a page stands in its address, and nowhere else."""

import re

import pytest
from django.utils.translation import override

from conference.languages import find_language, lang_attributes
from conference.templatetags.marks import with_lang
from tests.factories import make_event, make_room, make_session, make_speaker, make_track

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
    # What programmers read is in English.
    elsewhere = {link for link in re.findall(r'href="(/[^"]*)"', main) if not link.startswith("/fr/reef/")}
    assert elsewhere == {"/api/v1/docs/"}
    alternates = re.findall(r'<link rel="alternate" hreflang="(..)" href="([^"]*)"', html)
    assert alternates == [
        (code, f"http://testserver{prefix}/reef/?tz=Asia/Tokyo&amp;q=ropes")
        for code, prefix in (("en", ""), ("fr", "/fr"), ("de", "/de"), ("es", "/es"), ("ar", "/ar"))
    ]


def test_names_are_parted_as_the_language_does(client):
    event = make_event(slug="reef")
    make_session(event, "Ropes", "2030-05-06 09:00", people=[make_speaker(event, "Ada"), make_speaker(event, "Bob")])
    assert "Ada, Bob" in client.get("/fr/reef/").content.decode()
    assert "Ada، Bob" in client.get("/ar/reef/").content.decode()


def test_arabic_is_written_from_right_to_left(client):
    make_event(slug="reef")
    assert '<html lang="ar" dir="rtl"' in client.get("/ar/reef/").content.decode()


def test_organisers_read_the_admin_in_their_browsers_language(client):
    response = client.get("/admin/login/", headers={"Accept-Language": "fr"})
    assert language_of(response) == ("fr", "fr")
    assert "Accept-Language" in response.headers["Vary"]


def page(client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200, path
    return response.content.decode()


@pytest.fixture
def harbour(client):
    """An event in English with a session that says it is in German."""
    event = make_event(slug="reef", name="Reef <Days>", language="en", notice="Bring a lamp.", description="Boats.")
    room = make_room(event, "Pier & Quay", floor="Level 1")
    track = make_track(event, "Knots")
    speaker = make_speaker(event, "Ada Sail", affiliation="Acme", bio="She sails.")
    english = {"abstract": "On <i>ropes</i>.", "track": track, "fields": {"Bring": "a lamp"}}
    german = {"abstract": "Über Knoten.", "language": "Deutsch"}
    session = make_session(event, "Ropes <b>", "2030-05-06 09:00", people=[speaker], room=room, **english)
    german = make_session(event, "Knoten", "2030-05-06 10:00", people=[speaker], room=room, **german)
    return {"event": event, "session": session, "german": german, "speaker": speaker, "room": room, "track": track}


def addresses(harbour) -> list[str]:
    """Every sort of page that shows the programme."""
    shown = [harbour[name].get_absolute_url() for name in ("session", "german", "speaker")]
    room, track = f"/reef/rooms/{harbour['room'].slug}/", f"/reef/tracks/{harbour['track'].slug}/"
    places = [room, f"{room}screen/", track, "/reef/affiliations/acme/"]
    return ["/reef/", "/reef/grid/", "/reef/speakers/", "/reef/programme/", "/reef/now/", *places, *shown]


LANG_OF_CONTENT = re.compile(r' lang="([^"]+)" dir="auto">([^<]*)')


def test_texts_of_the_programme_bear_their_language_on_a_page_in_another(client, harbour):
    html = page(client, "/fr/reef/")
    english = {"Reef &lt;Days&gt;", "Bring a lamp.", "Ropes &lt;b&gt;", "Pier &amp; Quay", "Knots"}
    assert {("en", text) for text in english} | {("de", "Knoten")} <= set(LANG_OF_CONTENT.findall(html))
    assert "lang=" not in re.search(r'<p class="facts">.*?</p>', html)[0]


def test_pages_in_the_language_of_the_event_say_nothing_of_it(client, harbour):
    for path in addresses(harbour):
        said = LANG_OF_CONTENT.findall(page(client, path))
        assert {lang for lang, _text in said} <= {"de"}, path


def test_a_session_in_a_language_of_its_own_bears_it_everywhere_but_there(client, harbour):
    path = harbour["german"].get_absolute_url()
    for prefix in ("", "/fr"):
        html = page(client, prefix + path)
        assert '<h1 lang="de" dir="auto">Knoten</h1>' in html
        assert '<div class="prose" lang="de" dir="auto"><p>Über Knoten.' in html
    html = page(client, "/de" + path)
    assert "<h1>Knoten</h1>" in html
    assert 'lang="en" dir="auto">Pier &amp; Quay' in html


@pytest.mark.parametrize("prefix", ["/fr", "/de", "/es", "/ar"])
def test_every_page_marks_what_it_takes_from_the_programme(client, harbour, prefix):
    for path in addresses(harbour):
        html = page(client, prefix + path)
        assert ' lang="en" dir="auto"' in html, path
        assert "Ropes <b>" not in html, path
        assert "&lt;span" not in html, path


def test_a_personal_schedule_marks_titles_and_rooms(client, harbour):
    answer = client.post("/fr/reef/my/keep/", {"uid": [str(harbour["session"].uid), str(harbour["german"].uid)]})
    html = client.get(answer.url).content.decode()
    assert 'lang="en" dir="auto">Ropes &lt;b&gt;' in html
    assert 'lang="de" dir="auto">Knoten' in html
    assert "&lt;span" not in html


def test_a_language_cannot_leave_its_attribute():
    with override("fr"):
        assert lang_attributes('x"><b>') == ' lang="x&quot;&gt;&lt;b&gt;" dir="auto"'
        assert with_lang("<b>", lang_attributes("en")) == '<span lang="en" dir="auto">&lt;b&gt;</span>'
        assert (with_lang("<b>", lang_attributes("fr-CA")), with_lang("", lang_attributes("en"))) == ("<b>", "")


@pytest.mark.parametrize(
    ("text", "code"), [("Deutsch", "de"), ("German", "de"), ("allemand", "de"), ("de", "de"), ("English", "en"),
                       ("العربية", "ar"), ("日本語", "ja"), ("Whalish", ""), ("", "")]
)  # fmt: skip
def test_languages_are_found_by_the_names_that_organisers_use(text, code):
    assert find_language(text) == code


def test_pictures_say_days_in_letters_that_they_can_draw(client, harbour):
    for path in ("/reef/card.png", f"/reef/sessions/{harbour['session'].pk}.png"):
        assert client.get(f"/ar{path}").content == client.get(path).content
        assert client.get(f"/de{path}").content != client.get(path).content
