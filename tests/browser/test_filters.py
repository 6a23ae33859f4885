"""Filters in a browser: in place with script, by a button without; address, Back and shared links always agree."""

import re
import threading

import pytest
from playwright.sync_api import Page, expect

from tests.browser.violations import find_violations

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

PYTORCH = "/pytorch-conference-europe-2026/"
NORTHERN = "/northern-lights-web-conference-2026/"


def choice(page: Page, name: str):
    return page.get_by_role("checkbox", name=re.compile(name))


def titles(page: Page) -> list[str]:
    return page.get_by_role("heading", level=4).all_inner_texts()


def state(page: Page) -> dict[str, object]:
    """All of a page that follows from its address; of what is asked, the properties, not the attributes."""
    return page.evaluate(
        """() => ({
          address: location.pathname + location.search,
          title: document.title,
          q: document.getElementById("q").value,
          ticked: [...document.querySelectorAll("#filters :checked")].map((box) => `${box.name}=${box.value}`),
          counts: [...document.querySelectorAll(".choice")].map((choice) => choice.innerText.trim()),
          days: [...document.querySelectorAll(".days a")].map((day) => [day.innerText, day.search, day.ariaCurrent]),
          chips: [...document.querySelectorAll(".chip")].map((chip) => [chip.innerText.trim(), chip.search]),
          summary: document.getElementById("summary").innerText,
          sessions: [...document.querySelectorAll(".row h4, .break h4")].map((title) => title.innerText),
          bars: [...document.querySelectorAll(".rail i")].map((bar) => bar.className),
          calendar: document.querySelector("#files-menu [href^='/'][href*='.ics']").search,
        })"""
    )


def asked(page: Page) -> list[str]:
    """Every request of `page` from now on, as path and query."""
    requests: list[str] = []
    page.on("request", lambda r: requests.append(r.url.split("/", 3)[3]))
    return requests


def settle(page: Page, query: str = "") -> None:
    """Wait until the page shows what the address ends with `query` asks for."""
    expect(page).to_have_url(re.compile(re.escape(query) + "$"))
    expect(page.locator(".htmx-request")).to_have_count(0)


def test_ticking_updates_list_counts_chips_and_address_with_one_request_and_keeps_focus(site, open_page):
    page = open_page(site + PYTORCH)
    requests = asked(page)
    choice(page, "Training Systems").focus()
    page.keyboard.press("Space")
    settle(page, "?track=training-systems")
    focused = page.evaluate("[document.activeElement.name, document.activeElement.value]")
    assert (requests, focused, page.faults) == (
        [f"{PYTORCH[1:]}?track=training-systems"], ["track", "training-systems"], [],
    )  # fmt: skip
    updated = state(page)
    page.reload()
    shared = open_page(page.url)
    assert [state(page), state(shared)] == [updated, updated]
    assert updated["summary"].startswith("9 of 41 sessions")


def test_a_choice_of_a_long_facet_keeps_focus_on_its_way_to_the_top(site, open_page):
    page = open_page(site + PYTORCH)
    page.locator("#facet-company summary").click()
    box = page.locator("#facet-company details input").nth(9)
    value = box.get_attribute("value")
    box.focus()
    page.keyboard.press("Space")
    settle(page, f"?company={value}")
    chosen = page.locator(f"#facet-company > .choice [value={value}]")
    expect(chosen).to_be_focused()
    expect(chosen).to_be_checked()
    expect(chosen).to_be_in_viewport()
    assert page.evaluate("document.querySelector('#facet-company details').open")


def test_every_way_of_asking_gives_what_the_page_at_that_address_is(site, open_page):
    page = open_page(site + NORTHERN)
    steps = [
        lambda: page.get_by_role("link", name=re.compile("11 June")).click(),
        lambda: choice(page, "All levels").check(),
        lambda: choice(page, "Beginner").check(),
        lambda: page.locator(".chip").first.click(),
        lambda: page.get_by_role("searchbox").fill("web"),
        lambda: page.get_by_role("link", name="Clear all").click(),
        lambda: page.get_by_role("link", name=re.compile("All days")).click(),
    ]
    for step in steps:
        before = page.url
        step()
        expect(page).not_to_have_url(before)
        settle(page)
        assert state(page) == state(open_page(page.url))
    assert page.faults == []


def test_back_and_forward_go_through_clicks_and_typing_is_one_step(site, open_page):
    page = open_page(site + PYTORCH)
    choice(page, "Training Systems").check()
    settle(page, "track=training-systems")
    first = state(page)
    choice(page, "Advanced").check()
    settle(page, "level=advanced")
    page.get_by_role("searchbox").press_sequentially("torch", delay=300)
    settle(page, "q=torch")
    second = state(page)
    page.go_back()
    settle(page, "?track=training-systems")
    assert state(page) == first
    page.go_forward()
    settle(page, "q=torch")
    assert state(page) == second
    page.go_back()
    page.go_back()
    settle(page, PYTORCH)
    expect(page.get_by_role("heading", level=4)).to_have_count(41)
    assert page.faults == []


def test_typing_asks_once_when_it_rests_and_never_for_what_is_shown(site, open_page):
    # The test's own clock: how fast the machine types makes no difference.
    page = open_page(site + PYTORCH, now="2026-04-08T10:41+02:00")
    page.clock.pause_at("2026-04-08T10:42+02:00")
    requests = asked(page)
    box = page.get_by_role("searchbox")
    for letter in "Kernel":
        box.press(letter)
        page.clock.run_for(200)
    page.clock.run_for(100)
    settle(page, "?q=Kernel")
    box.press("Enter")
    box.press("x")
    box.press("Backspace")
    page.clock.run_for(400)
    assert (requests, box.input_value(), page.evaluate("document.activeElement.id")) == (
        [f"{PYTORCH[1:]}?q=Kernel"], "Kernel", "q",
    )  # fmt: skip
    box.fill("")
    page.clock.run_for(300)
    settle(page, PYTORCH)
    assert len(titles(page)) == 41


def test_an_answer_that_comes_late_never_wins(site, open_page):
    page = open_page(site + PYTORCH)
    release = threading.Event()
    held = []

    def hold(route):
        held.append(route)

    page.route(re.compile(r"\?track=training-systems$"), hold)
    choice(page, "Training Systems").check()
    page.wait_for_timeout(100)
    choice(page, "Advanced").check()
    settle(page, "track=training-systems&level=advanced")
    shown = state(page)
    release.set()
    for route in held:
        route.abort()
    page.wait_for_timeout(200)
    assert (len(held), state(page), page.faults) == (1, shown, [])


def test_without_a_connection_the_page_stays_and_says_so(site, open_page):
    page = open_page(site + PYTORCH)
    before = state(page)
    page.route(re.compile(r"\?track"), lambda route: route.abort())
    choice(page, "Training Systems").click()
    expect(page.get_by_role("alert")).to_have_text("No connection: the page shows what it showed before.")
    assert state(page) == before
    page.unroute_all()
    choice(page, "Training Systems").check()
    settle(page, "track=training-systems")
    expect(page.get_by_role("alert")).to_be_hidden()


def test_filtering_in_the_afternoon_stays_in_the_afternoon(site, open_page):
    page = open_page(site + PYTORCH)
    page.get_by_role("link", name=re.compile("^13:45")).click()
    page.wait_for_timeout(500)
    choice(page, "Lightning talk").check()
    settle(page, "kind=lightning-talk")
    top = (
        "[...document.querySelectorAll('.slot')].find(s => s.getBoundingClientRect().bottom > 80).innerText.slice(0, 5)"
    )
    assert page.evaluate(top) == "13:45"


def test_nothing_moves_that_did_not_change(site, open_page):
    page = open_page(site + PYTORCH)
    page.evaluate(
        """() => {
          window.shift = 0;
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) if (!entry.hadRecentInput) shift += entry.value;
          }).observe({ type: "layout-shift", buffered: true });
        }"""
    )
    page.evaluate("document.querySelectorAll('.rail-time, .facets, .facet, #q').forEach((one) => { one.known = true })")
    choice(page, "Training Systems").check()
    settle(page, "track=training-systems")
    known = page.evaluate("[...document.querySelectorAll('.facets, .facet, #q')].every((one) => one.known)")
    page.wait_for_timeout(300)
    assert (known, page.evaluate("window.shift") < 0.01) == (True, True)


@pytest.mark.parametrize("width", [375, 1280])
def test_without_script_a_button_does_the_same(site, open_page, width):
    page = open_page(site + PYTORCH, width, script=False)
    if width == 375:
        page.get_by_role("button", name="Filter").first.click()
    choice(page, "Training Systems").check()
    choice(page, "Advanced").check()
    page.get_by_role("button", name="Show sessions").click()
    expect(page).to_have_url(re.compile(r"\?.*track=training-systems.*level=advanced"))
    expect(page.get_by_role("heading", level=4)).to_have_count(3)
    page.go_back()
    expect(page.get_by_role("heading", level=4)).to_have_count(41)


def test_with_script_the_button_is_not_needed(site, open_page):
    page = open_page(site + PYTORCH)
    expect(page.locator("#filters [type=submit]")).to_be_hidden()


# The sheet of a phone


def open_sheet(page: Page):
    page.get_by_role("button", name="Filter").first.click()
    sheet = page.locator("#filters")
    expect(sheet).to_be_visible()
    return sheet


def test_the_sheet_counts_live_and_its_button_applies(site, open_page):
    page = open_page(site + PYTORCH, 375)
    sheet = open_sheet(page)
    expect(sheet.get_by_role("button", name="Show 41 sessions")).to_be_visible()
    choice(page, "Frameworks & Compilers").check()
    choice(page, "Training Systems").check()
    expect(sheet.get_by_role("button", name="Show 18 sessions")).to_be_visible()
    assert page.url == site + PYTORCH
    sheet.get_by_role("button", name="Show 18 sessions").click()
    expect(sheet).to_be_hidden()
    settle(page, "?track=frameworks-compilers&track=training-systems")
    assert (len(titles(page)), page.evaluate("document.activeElement.id"), page.faults) == (18, "filter-button", [])
    applied = state(page)
    assert applied == state(open_page(page.url, 375))
    page.go_back()
    settle(page, PYTORCH)
    assert len(titles(page)) == 41


@pytest.mark.parametrize("way", ["cross", "escape"])
def test_closing_the_sheet_keeps_the_earlier_state(site, open_page, way):
    page = open_page(f"{site}{PYTORCH}?level=advanced", 375)
    before = state(page)
    sheet = open_sheet(page)
    choice(page, "Beginner").check()
    expect(sheet.get_by_role("button", name="Show 5 sessions")).to_be_visible()
    if way == "cross":
        sheet.get_by_role("button", name="Close").click()
    else:
        page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    expect(page.get_by_role("heading", level=4)).to_have_count(len(before["sessions"]))
    assert (state(page), page.evaluate("document.activeElement.id")) == (before, "filter-button")


def test_clear_in_the_sheet_is_a_trial_too(site, open_page):
    page = open_page(f"{site}{PYTORCH}?level=advanced", 375)
    sheet = open_sheet(page)
    sheet.get_by_role("link", name="Clear").click()
    expect(sheet.get_by_role("button", name="Show 41 sessions")).to_be_visible()
    expect(sheet).to_be_visible()
    assert page.url.endswith("?level=advanced")
    sheet.get_by_role("button", name="Show 41 sessions").click()
    settle(page, PYTORCH)
    assert len(titles(page)) == 41


# What holds for every filtered page


@pytest.mark.parametrize("width", [320, 1280])
def test_axe_finds_nothing_after_filtering_in_place(site, open_page, width):
    page = open_page(f"{site}{PYTORCH}?q=torch", width)
    if width == 1280:
        choice(page, "Training Systems").check()
        settle(page, "q=torch")
    assert find_violations(page) == []


@pytest.mark.parametrize(("view", "own_script"), [("", "now.js"), ("grid/", "grid.js")])
def test_a_schedule_page_takes_six_requests(site, open_page, view, own_script):
    page = open_page(f"{site}/nothing/")
    requests = asked(page)
    page.goto(site + PYTORCH + view, wait_until="networkidle")
    names = {address.split("?")[0].rsplit("/", 1)[-1] for address in requests if not address.startswith("svg")}
    # Collected, these stand in the files that import them (tests/test_joining.py).
    names -= {"plenary.css", "grid.css", "offline.js"}
    assert names == {"", "site.css", "plenary.js", "htmx-2.min.js", "filters.js", own_script}
