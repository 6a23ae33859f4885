"""A programme without a network: kept whole, shown as of when, renewed as a whole, and never anybody's secret."""

import re

import pytest
from playwright.sync_api import Page, expect

from conference import worker
from conference.models import Event
from schedule.models import Session
from schedule.personal.models import PersonalSchedule
from schedule.personal.tokens import SHARE, derive
from tests.browser.gate import Gate
from tests.browser.kept import (
    AS_OF,
    NORTHERN,
    PYTORCH,
    WHOLE,
    cut,
    kept_names,
    kept_paths,
    line,
    wait_for,
    wait_until_kept,
)  # fmt: skip
from tests.browser.violations import find_violations

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
# Whether there is anything in the style sheets that the page's own imports.
IMPORTED = "[...document.styleSheets[0].cssRules].map(({ styleSheet }) => styleSheet.cssRules.length > 10)"


def test_the_whole_programme_of_an_event_reads_without_a_network(open_kept, gate):
    page = open_kept()
    cut(page, gate)
    event = Event.objects.get(slug=PYTORCH.strip("/"))
    session, speaker = event.sessions.public().first(), event.speakers.public().first()
    paths = {
        PYTORCH: event.name,
        f"{PYTORCH}grid/": event.name,
        f"{PYTORCH}my/": "My schedule",
        session.get_absolute_url(): session.title,
        f"{PYTORCH}sessions/{session.pk}-an-older-title/": session.title,
        f"{PYTORCH}speakers/": "Speakers",
        speaker.get_absolute_url(): speaker.name,
        f"{PYTORCH}rooms/master-stage/": "Master Stage",
        f"{PYTORCH}programme/": "Everything on one page",
    }
    found = {}
    for path in paths:
        page.goto(gate.url + path)
        expect(line(page)).to_have_text(AS_OF)
        expect(page.locator("#offline-foot")).to_have_text(
            re.compile(r"^Offline: kept on this device, last checked \d\d:\d\d\.$")
        )
        found[path] = page.locator("h1").first.inner_text()
    assert {path: text in found[path] for path, text in paths.items()} == dict.fromkeys(paths, True)
    assert page.faults == []


def test_links_are_followed_and_styles_and_script_are_there_too(open_kept, gate):
    page = open_kept(width=375)
    cut(page, gate)
    page.reload()
    page.get_by_role("link", name="PyTorch CTO").first.click()
    expect(page).to_have_url(re.compile("/sessions/"))
    expect(line(page)).to_have_text(AS_OF)
    page.get_by_role("link", name="Grid").click()
    expect(page).to_have_url(re.compile("/grid/"))
    assert page.evaluate(IMPORTED) == [True, True]
    assert page.faults == []


def test_a_day_is_kept_too(open_kept, gate):
    page = open_kept(NORTHERN)
    cut(page, gate)
    page.goto(f"{gate.url}{NORTHERN}?day=2026-06-11")
    expect(line(page)).to_have_text(AS_OF)
    assert page.locator(".day").count() == 1
    page.get_by_role("link", name="All days").click()
    expect(page).to_have_url(gate.url + NORTHERN)
    expect(page.locator(".day")).to_have_count(3)
    expect(line(page)).to_have_text(AS_OF)
    assert page.faults == []


def test_a_filter_that_finds_no_network_says_so_and_so_does_the_page(open_kept, gate):
    page = open_kept()
    gate.set("shut")
    page.get_by_role("checkbox", name=re.compile("Keynote Sessions")).click()
    expect(page.get_by_role("alert")).to_have_text("No connection: the page shows what it showed before.")
    expect(line(page)).to_have_text(AS_OF)
    gate.set("open")
    page.get_by_role("checkbox", name=re.compile("Keynote Sessions")).check()
    expect(page.locator("#count")).to_contain_text("of 41 sessions")


@pytest.mark.parametrize(
    ("asked", "sentence", "heading"),
    [
        ("?track=security-privacy", "Filters and other time zones need the network", "PyTorch Conference Europe 2026"),
        ("grid/?tz=Asia/Tokyo", "Filters and other time zones need the network", "PyTorch Conference Europe 2026"),
        ("speakers/?q=ada", "Filters and other time zones need the network", "Speakers"),
        ("now/", "The page asked for needs the network", "PyTorch Conference Europe 2026"),
        ("zones/?q=tok", "The page asked for needs the network", "PyTorch Conference Europe 2026"),
    ],
)
def test_what_only_the_server_can_answer_falls_back_and_says_so(open_kept, gate, asked, sentence, heading):
    page = open_kept()
    cut(page, gate)
    page.goto(gate.url + PYTORCH + asked)
    expect(line(page)).to_contain_text("Offline: programme as of")
    expect(line(page)).to_contain_text(sentence)
    assert (heading in page.locator("h1").first.inner_text(), page.faults) == (True, [])
    gate.set("open")
    page.context.set_offline(False)
    expect(line(page)).to_have_text("The network is back. Show the page asked for ")
    line(page).get_by_role("link").click()
    expect(page).to_have_url(gate.url + PYTORCH + asked)
    expect(page.locator("html:not([data-kept])")).to_have_count(1)
    expect(line(page)).to_have_count(0)


def test_wi_fi_that_leads_nowhere_is_found_out(open_kept, gate):
    page = open_kept()
    gate.set("dead")
    page.goto(f"{gate.url}{PYTORCH}grid/", timeout=15_000)
    assert page.evaluate("navigator.onLine")
    expect(line(page)).to_have_text(AS_OF)
    gate.set("open")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(line(page)).to_have_count(0, timeout=15_000)
    expect(page.locator("#offline-foot")).to_have_count(0)


def test_an_open_page_says_that_the_network_went_and_that_it_came_back(open_kept, gate):
    page = open_kept()
    cut(page, gate)
    expect(line(page)).to_have_text(AS_OF)
    gate.set("open")
    page.context.set_offline(False)
    expect(line(page)).to_have_count(0)
    assert page.faults == []


def test_an_interrupted_renewal_leaves_the_old_programme_whole_and_goes_on_later(open_kept, gate):
    page = open_kept()
    event = Event.objects.get(slug=PYTORCH.strip("/"))
    (before,) = kept_names(page)
    Session.objects.filter(title="PyTorch CTO").update(title="Ropes")
    event.mark_programme_changed()
    gate.set("shut", after=25)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(line(page)).to_contain_text("The programme has changed")
    wait_for(page, lambda: gate.state == "shut")
    page.wait_for_timeout(500)
    page.goto(gate.url + PYTORCH)
    expect(page.get_by_role("link", name="PyTorch CTO").first).to_be_visible()
    expect(line(page)).to_have_text(AS_OF)
    new = next(name for name in kept_names(page) if name != before)
    half = page.evaluate("async (name) => (await (await caches.open(name)).keys()).length", new)
    gate.set("open")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    wait_for(page, lambda: kept_names(page) == [new])
    whole = page.evaluate("async (name) => (await (await caches.open(name)).keys()).length", new)
    assert (0 < half < whole, before in kept_names(page)) == (True, False)


FULL = """
const put = Cache.prototype.put;
Cache.prototype.put = async function (request, response) {
  if ((await this.keys()).length > 60) throw new DOMException("No room.", "QuotaExceededError");
  return put.call(this, request, response);
};
"""


@pytest.mark.parametrize(
    "circumstance",
    [
        "navigator.storage.estimate = async () => ({ quota: 5e6, usage: 4e6 });",
        FULL,
        "Object.defineProperty(navigator, 'connection', { value: { saveData: true } });",
    ],
    ids=["foreseen", "met", "saved"],
)
def test_where_a_browser_has_little_room_what_is_needed_most_is_kept(gate, open_page, monkeypatch, circumstance):
    monkeypatch.setattr(worker, "_TEXT", circumstance + worker._TEXT)
    page = open_page(gate.url + PYTORCH, offline=True)
    wait_until_kept(page, PYTORCH)
    pages = {path for path in kept_paths(page) if path.endswith("/")}
    assert pages == {PYTORCH, f"{PYTORCH}grid/", f"{PYTORCH}my/"}
    assert (line(page).count(), page.faults) == (0, [])


def test_secret_pages_organisers_pages_and_feeds_are_never_kept(open_kept, gate):
    page = open_kept()
    event = Event.objects.get(slug=PYTORCH.strip("/"))
    _made, secret = PersonalSchedule.start(event, event.start_date)
    secret_paths = [f"{PYTORCH}my/{secret}/", f"{PYTORCH}my/shared/{derive(secret, SHARE)}/"]
    for path in [*secret_paths, "/admin/login/", "/api/v1/"]:
        page.goto(gate.url + path)
    page.goto(gate.url + PYTORCH)
    wait_until_kept(page, PYTORCH)
    personal = [path for path in kept_paths(page) if "/my/" in path or not path.startswith((PYTORCH, "/static/"))]
    assert personal == [f"{PYTORCH}my/"]
    cut(page, gate)
    for path in secret_paths:
        with pytest.raises(Exception, match="ERR_"):
            page.goto(gate.url + path)


def visit(page: Page, gate: Gate, path: str, language: str) -> None:
    page.evaluate("(code) => localStorage.setItem('language', code)", language)
    page.goto(gate.url + path)
    wait_until_kept(page, path)


def test_two_events_and_two_languages_are_kept_apart_and_the_oldest_makes_room(open_kept, gate):
    page = open_kept()
    visit(page, gate, NORTHERN, "en")
    visit(page, gate, f"/fr{NORTHERN}", "fr")
    assert sorted(page.evaluate(WHOLE)) == sorted([PYTORCH, NORTHERN, f"/fr{NORTHERN}"])
    Event.objects.get(slug=NORTHERN.strip("/")).mark_programme_changed()
    for code in ("de", "es"):
        visit(page, gate, f"/{code}{NORTHERN}", code)
    assert sorted(page.evaluate(WHOLE)) == sorted([NORTHERN, *(f"/{code}{NORTHERN}" for code in ("fr", "de", "es"))])


def test_a_worker_that_is_switched_off_takes_everything_with_it(open_kept, gate, settings):
    page = open_kept()
    settings.SERVICE_WORKER = False
    page.reload()
    registrations = "navigator.serviceWorker.getRegistrations().then((found) => found.length)"
    wait_for(page, lambda: (kept_names(page), page.evaluate(registrations)) == ([], 0))
    page.goto(f"{gate.url}{PYTORCH}grid/")
    assert page.evaluate("navigator.serviceWorker.controller") is None
    assert (kept_names(page), page.faults) == ([], [])


@pytest.mark.parametrize("broken", ["register", "storage"])
def test_without_storage_everything_else_works_and_nothing_is_said(gate, open_page, broken):
    page = open_page(f"{gate.url}/nothing-here/", offline=True)
    page.add_init_script(
        {
            "register": "navigator.serviceWorker.register = () => Promise.reject(new Error('no storage'))",
            "storage": "Object.defineProperty(Navigator.prototype, 'serviceWorker', { get: () => undefined })",
        }[broken]
    )
    page.faults.clear()
    page.goto(gate.url + PYTORCH, wait_until="networkidle")
    assert (line(page).count(), kept_names(page), page.faults) == (0, [], [])


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
def test_axe_finds_nothing_on_pages_without_a_network(open_kept, gate, width, scheme):
    page = open_kept(width=width, scheme=scheme)
    session = Session.objects.get(title="PyTorch CTO").get_absolute_url()
    cut(page, gate)
    for path in (f"{PYTORCH}?q=x", session, f"{PYTORCH}speakers/"):
        page.goto(gate.url + path)
        expect(line(page)).to_be_visible()
        violations = find_violations(page)
        overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert (violations, overflow, page.faults) == ([], 0, [])
