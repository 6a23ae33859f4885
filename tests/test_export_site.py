"""`export_site`: the public site as files that need no server."""

import re
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from django.core.files.base import ContentFile
from django.core.management import CommandError, call_command

from schedule.exports.site import SiteWriter
from schedule.exports.static_html import write_static
from tests.factories import make_event, make_material, make_room, make_session, make_speaker, make_track

pytestmark = pytest.mark.django_db


class Links(HTMLParser):
    """The addresses in a page, the places in it, and which elements it is made of."""

    def __init__(self, page: str):
        super().__init__()
        self.addresses, self.places, self.elements = [], set(), set()
        self.feed(page)

    def handle_starttag(self, name, attributes):
        said = dict(attributes)
        self.elements.add(name)
        self.places.add(said.get("id"))
        self.addresses += [said[key] for key in ("href", "src") if said.get(key)]


@pytest.fixture
def reef(settings, tmp_path):
    settings.STATIC_ROOT = tmp_path / "collected"
    event = make_event(slug="réef", name="Reef", website_url="https://example.org/")
    room, track = make_room(event, "Große Halle"), make_track(event, "Knots")
    ada = make_speaker(event, "Ada Byron", affiliation="Shipyard", links="https://example.org/ada")
    session = make_session(event, "Ropes", "2030-05-06 09:00", people=[ada], room=room, track=track)
    make_material(session, file=ContentFile(b"slides", name="knöten.pdf"))
    make_session(event, "Sails", "2030-05-07 09:00", status="cancelled")
    hidden = make_session(event, "Secret", "2030-05-07 09:00", status="draft", people=[make_speaker(event, "Eve")])
    make_material(hidden, file=ContentFile(b"secret slides", name="secret.pdf"))
    return event


def export(event, folder: Path) -> dict[str, Path]:
    call_command("export_site", event.slug, folder, stdout=StringIO())
    return {str(path.relative_to(folder)): path for path in sorted(folder.rglob("*")) if path.is_file()}


def test_every_page_of_every_language_and_every_file_is_there(reef, tmp_path):
    files = export(reef, tmp_path / "site")
    pages = [re.sub(r"\d+-", "n-", name) for name in files if name.endswith(".html")]
    plain = [
        "affiliations/shipyard/index.html",
        "changes/index.html",
        "grid/index.html",
        "index.html",
        "programme/index.html",
        "rooms/grosse-halle/index.html",
        "sessions/n-ropes/index.html",
        "sessions/n-sails/index.html",
        "speakers/index.html",
        "speakers/n-ada-byron/index.html",
        "tracks/knots/index.html",
    ]
    languages = ["", "ar/", "de/", "es/", "fr/"]
    assert sorted(pages) == sorted(language + name for language in languages for name in plain)
    endings = ("ics", "json", "xml", "csv", "xlsx", "md", "txt")
    assert {f"schedule.{ending}" for ending in endings} | {"changes.atom", "media/materials/knöten.pdf"} <= files.keys()


def test_every_link_leads_to_a_file_and_to_a_place_in_it(reef, tmp_path):
    folder = tmp_path / "site"
    files = export(reef, folder)
    pages = {path: Links(path.read_text()) for path in files.values() if path.suffix == ".html"}
    inner = [(path, address) for path, page in pages.items() for address in page.addresses if ":" not in address[:8]]
    broken = [(path.name, address) for path, address in inner if not leads_somewhere(path, address, pages, folder)]
    assert (broken, len(inner) > 300) == ([], True)


def leads_somewhere(path: Path, address: str, pages: dict[Path, Links], folder: Path) -> bool:
    parts = urlsplit(address)
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.is_file() or not target.is_relative_to(folder.resolve()):
        return False
    return not parts.fragment or target not in pages or unquote(parts.fragment) in pages[target].places


def test_nothing_that_needs_a_server_or_a_script_is_left(reef, tmp_path):
    files = export(reef, tmp_path / "site")
    elements = set().union(*(Links(path.read_text()).elements for path in files.values() if path.suffix == ".html"))
    assert elements.isdisjoint({"script", "form", "button", "template", "noscript", "input"})


def test_style_sheets_bring_what_they_import(reef, tmp_path):
    files = export(reef, tmp_path / "site")
    imported = re.findall(r'@import "([^"]+)"', "".join(p.read_text() for p in files.values() if p.suffix == ".css"))
    assert {f"static/conference/{name}" for name in imported} <= files.keys()
    assert any(name.endswith(".css") for name in files)


def test_drafts_are_not_in_it(reef, tmp_path):
    files = export(reef, tmp_path / "site")
    assert [name for name, path in files.items() if re.search(rb"Secret|Eve\b|secret", path.read_bytes())] == []


def test_a_folder_that_holds_something_is_not_touched(reef, tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(CommandError, match="holds something already; name a folder that is empty or not there yet"):
        call_command("export_site", reef.slug, tmp_path)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["mine.txt"]


def test_an_empty_folder_is_filled_also_where_one_stands_and_nothing_beside_it_is_touched(reef, tmp_path, monkeypatch):
    (tmp_path / "site").mkdir()
    (tmp_path / "site.part").mkdir()
    (tmp_path / "site.part" / "mine.txt").write_text("mine")
    monkeypatch.chdir(tmp_path / "site")
    before = {path.name for path in tmp_path.iterdir()}
    call_command("export_site", reef.slug, Path(), stdout=StringIO())
    assert (tmp_path / "site" / "index.html").is_file()
    assert {path.name for path in tmp_path.iterdir()} == before | {"collected"}
    assert (tmp_path / "site.part" / "mine.txt").read_text() == "mine"


@pytest.mark.parametrize("path", ["static/../secret.txt", "static/%2e%2e/secret.txt"])
def test_no_link_leads_out_of_the_site(reef, tmp_path, settings, path):
    settings.STATIC_ROOT.mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    assert SiteWriter(reef, tmp_path / "site")._find_target("index.html", f"/{path}") is None


def test_what_is_no_public_event_is_refused(tmp_path):
    make_event(slug="draft", name="Draft", is_public=False)
    make_event(slug="reef")
    with pytest.raises(CommandError, match="there is no event 'none'; there are: reef"):
        call_command("export_site", "none", tmp_path / "site")
    with pytest.raises(CommandError, match="“Draft” is a draft: make it public in the admin first"):
        call_command("export_site", "draft", tmp_path / "site")


def test_a_page_keeps_its_text_and_loses_what_is_live():
    page = (
        '<!doctype html><html><head><script>x()</script><link rel="canonical" href="/a/"></head><body>'
        '<a href="/a/?q=x">Filter</a><ul><li><a href="/my/">Mine</a></li>'
        '<li><a href="/a/b/">B &amp; C &#233;</a></li></ul><p hidden>later</p><button>Share</button>'
        '<a href="#gone">Skip</a><a href="#here">Here</a><h2 id="here">A<br>B</h2>'
        "</body></html>"
    )
    targets = {"/a/b/": "b/index.html", "#gone": "#gone", "#here": "#here"}
    assert write_static(page, targets.get) == (
        '<!doctype html>\n<html><head></head><body><ul><li><a href="b/index.html">B &amp; C &#233;</a></li></ul>'
        '<a href="#here">Here</a><h2 id="here">A<br>B</h2></body></html>\n'
    )
