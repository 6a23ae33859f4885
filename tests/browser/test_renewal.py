"""A programme that changes while its pages are open: it comes into them, and disturbs nobody."""

import re

import pytest
from playwright.sync_api import expect

from schedule.models import Session
from tests.browser.kept import PYTORCH, UPDATED, WHOLE, change, cut, kept_names, line, wait_for

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

CHANGED = "The programme has changed. Show it "


def test_a_change_replaces_the_kept_programme_as_a_whole_and_then_comes_into_the_open_page(open_kept, gate):
    page = open_kept()
    before = kept_names(page)
    count = page.evaluate(WHOLE)[PYTORCH]
    session = change(page)
    # First all of it is kept, then it is shown.
    wait_for(page, lambda: not {*before} & {*kept_names(page)})
    expect(page.get_by_role("link", name="Ropes").first).to_be_visible()
    assert not {*before} & {*kept_names(page)}
    assert (len(before), len(kept_names(page)), page.evaluate(WHOLE)) == (1, 1, {PYTORCH: count})
    expect(line(page)).to_have_text(UPDATED)
    assert (line(page).get_attribute("role"), page.evaluate("window.isSameDocument")) == ("status", True)
    cut(page, gate)
    page.goto(gate.url + Session.objects.get(pk=session.pk).get_absolute_url())
    expect(page.locator("h1")).to_have_text("Ropes")
    assert page.faults == []


@pytest.mark.parametrize("width", [375, 1280])
@pytest.mark.parametrize("path", ["grid/", "speakers/", "rooms/master-stage/", "programme/"])
def test_a_change_comes_into_every_page_of_the_programme(gate, open_page, path, width):
    page = open_page(gate.url + PYTORCH + path, width=width)
    change(page)
    expect(page.get_by_text("Ropes").first).to_be_visible()
    expect(line(page)).to_have_text(UPDATED)
    assert (page.evaluate("window.isSameDocument"), page.faults) == (True, [])


def test_a_renamed_session_is_shown_under_its_new_name_and_address(gate, open_page):
    session = Session.objects.get(title="PyTorch CTO")
    page = open_page(gate.url + session.get_absolute_url())
    page.get_by_role("button", name="Star: PyTorch CTO").click()
    change(page)
    expect(page.locator("h1")).to_have_text("Ropes")
    expect(page).to_have_title(re.compile("^Ropes"))
    expect(page.get_by_role("button", name=re.compile("^Star: ")).first).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("button", name="Copy link")).to_be_visible()
    assert page.url == gate.url + Session.objects.get(pk=session.pk).get_absolute_url()


def test_a_change_leaves_the_reader_where_they_are_with_filters_focus_and_what_is_unfolded(gate, open_page):
    page = open_page(f"{gate.url}{PYTORCH}?kind=talk")
    page.locator("#filters details").first.evaluate("(it) => { it.open = true; }")
    row = page.locator(".row[data-uid]").nth(8)
    row.evaluate("(it) => scrollTo(0, it.getBoundingClientRect().top + scrollY - 300)")
    row.locator(".star").focus()
    uid, top = row.get_attribute("data-uid"), row.bounding_box()["y"]
    first = Session.objects.get(uid=page.locator(".row[data-uid]").first.get_attribute("data-uid"))
    Session.objects.create(event=first.event, title="Knots", kind="talk", start=first.start, end=first.end)
    change(
        page, first.title, "A much longer title than before, so that what stands below it has another place now " * 3
    )
    expect(line(page)).to_have_text(UPDATED)
    expect(page.get_by_role("link", name="Knots")).to_have_count(1)
    row = page.locator(f".row[data-uid='{uid}']")
    assert abs(row.bounding_box()["y"] - top) < 2
    assert page.evaluate("document.activeElement.closest('.row').dataset.uid") == uid
    assert page.evaluate("document.activeElement.className") == "star"
    assert page.locator("#filters details").first.get_attribute("open") is not None
    assert (page.url, page.get_by_role("checkbox", name=re.compile("^Talk")).is_checked(), page.faults) == (
        f"{gate.url}{PYTORCH}?kind=talk", True, [],
    )  # fmt: skip


def test_who_types_is_not_disturbed_and_sees_the_change_afterwards(gate, open_page):
    page = open_page(gate.url + PYTORCH)
    search = page.get_by_role("searchbox")
    search.focus()
    change(page)
    expect(line(page)).to_have_text(CHANGED)
    page.wait_for_load_state("networkidle")
    assert page.get_by_text("Ropes").count() == 0
    search.blur()
    expect(page.get_by_text("Ropes").first).to_be_visible()
    expect(line(page)).to_have_text(UPDATED)


def test_an_open_sheet_is_not_disturbed_and_its_choices_stay(gate, open_page):
    page = open_page(gate.url + PYTORCH, width=375)
    page.get_by_role("button", name=re.compile("Filter")).first.click()
    page.locator("#filters").get_by_role("checkbox", name=re.compile("Keynote Sessions")).check()
    change(page)
    expect(line(page)).to_have_text(CHANGED)
    page.wait_for_load_state("networkidle")
    assert page.locator("#filters").get_by_role("checkbox", name=re.compile("Keynote Sessions")).is_checked()
    page.keyboard.press("Escape")
    expect(page.get_by_text("Ropes").first).to_be_visible()
    expect(line(page).filter(has_text=CHANGED)).to_have_count(0)


def test_the_link_shows_the_change_at_once(gate, open_page):
    page = open_page(gate.url + PYTORCH)
    page.get_by_role("searchbox").focus()
    change(page)
    # Followed before the focus has left the search: a script's click takes none.
    line(page).get_by_role("link", name="Show it").evaluate("(it) => it.click()")
    expect(page.get_by_text("Ropes").first).to_be_visible()
    expect(line(page)).to_have_count(0)


def test_my_schedule_tells_the_change_and_stays_unfolded(gate, open_page):
    page = open_page(gate.url + PYTORCH, now="2026-04-08T10:41+02:00")
    for title in ("PyTorch CTO", "vLLM & Ray Updates"):
        page.get_by_role("button", name=f"Star: {title}").click()
    page.goto(f"{gate.url}{PYTORCH}my/")
    page.locator(".ended-fold summary").click()
    star = page.get_by_role("button", name="Star: PyTorch CTO")
    star.focus()
    page.clock.run_for(61_000)
    assert star.evaluate("(it) => it === document.activeElement")
    change(page)
    expect(page.locator(".my-news li")).to_have_text(["Ropes: Renamed: was “PyTorch CTO”"])
    expect(page.get_by_role("link", name="Ropes")).to_be_visible()
    assert page.evaluate("document.activeElement.closest('.row').querySelector('.title').textContent") == "Ropes"
    page.get_by_role("button", name="Seen").click()
    expect(page.locator(".my-news")).to_be_hidden()
    assert (page.locator(".ended-fold").get_attribute("open"), page.faults) == ("", [])


def test_a_session_that_is_gone_leaves_its_open_page_as_it_is(gate, open_page):
    session = Session.objects.get(title="PyTorch CTO")
    page = open_page(gate.url + session.get_absolute_url())
    session.delete()
    page.faults.clear()
    change(page, "vLLM & Ray Updates")
    expect(line(page)).to_have_text(CHANGED)
    page.wait_for_load_state("networkidle")
    assert (page.locator("h1").inner_text(), line(page).inner_text().strip()) == ("PyTorch CTO", CHANGED.strip())
