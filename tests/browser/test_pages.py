"""Every kind of page in a browser: fits from 320 px on, is quiet, and axe finds nothing."""

import re

import pytest
from playwright.sync_api import expect

from schedule.models import Session
from speakers.models import Speaker
from tests.browser.violations import find_violations

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

PYTORCH = "/pytorch-conference-europe-2026/"
NORTHERN = "/northern-lights-web-conference-2026/"


def address(kind: str) -> str:
    """The path of a page of this kind; sessions and speakers have ids that only the database knows."""
    panel = Session.objects.get(kind="panel", event__slug=NORTHERN.strip("/"))
    return {
        "home": "/",
        "list": PYTORCH,
        "list over several days": NORTHERN,
        "filtered list": f"{PYTORCH}?track=frameworks-compilers&track=training-systems&day=2026-04-08",
        "empty result": f"{PYTORCH}?q=governance&level=beginner&room=central-room&day=2026-04-08",
        "session": panel.get_absolute_url(),
        "room": f"{PYTORCH}rooms/master-stage/",
        "track": f"{PYTORCH}tracks/security-privacy/",
        "speakers": f"{PYTORCH}speakers/",
        "speaker": Speaker.objects.get(name="Yahav Biran").get_absolute_url(),
        "zone": f"{PYTORCH}?tz=Asia/Kathmandu",
        "zones": f"{PYTORCH}zones/?q=france",
        "now": f"{PYTORCH}now/?at=2026-04-08T10:50",
        "programme": f"{PYTORCH}programme/?track=security-privacy",
        "company": f"{PYTORCH}affiliations/red-hat/",
        "screen": f"{PYTORCH}rooms/master-stage/screen/",
        "french list": f"/fr{PYTORCH}",
        "arabic list": f"/ar{PYTORCH}",
        "not found": "/nothing-here/",
    }[kind]


KINDS = (
    *("home", "list", "list over several days", "filtered list", "empty result", "session", "room", "track"),
    *("speakers", "speaker", "zone", "zones", "now", "programme", "company", "screen", "french list", "arabic list"),
    "not found",
)


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_fits_every_width_in_both_schemes_without_a_word_from_the_browser_or_axe(site, open_page, kind):
    path = address(kind)
    found = {}
    for scheme in ("light", "dark"):
        for width in (320, 768, 1280):
            page = open_page(site + path, width, scheme)
            overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            faults = [fault for fault in page.faults if not (kind == "not found" and "404" in fault)]
            if width != 768:
                faults += find_violations(page)
            found[scheme, width] = (overflow, faults)
    assert found == {(scheme, width): (0, []) for scheme in ("light", "dark") for width in (320, 768, 1280)}


@pytest.mark.parametrize("kind", ["list", "session", "speakers", "now"])
def test_who_asks_for_more_contrast_gets_seven_to_one(site, open_page, kind):
    path = address(kind)
    found = {}
    for scheme in ("light", "dark"):
        page = open_page(site + path, scheme=scheme)
        page.emulate_media(contrast="more")
        found[scheme] = find_violations(page, runOnly=["color-contrast-enhanced"])
    assert found == {"light": [], "dark": []}


def test_a_search_keeps_day_and_filters(site, open_page):
    page = open_page(f"{site}{NORTHERN}?day=2026-06-11&level=any")
    page.get_by_role("searchbox").fill("a")
    page.get_by_role("searchbox").press("Enter")
    expect(page).to_have_url(re.compile(r"day=2026-06-11"))
    expect(page).to_have_url(re.compile(r"level=any"))
    expect(page).to_have_url(re.compile(r"q=a"))


def test_the_first_tab_stop_leads_to_the_sessions(site, open_page):
    page = open_page(site + PYTORCH)
    page.keyboard.press("Tab")
    first = page.evaluate("document.activeElement.textContent.trim()")
    page.keyboard.press("Enter")
    assert (first, page.evaluate("location.hash").startswith("#")) == ("Skip to sessions", True)


def test_the_jump_list_puts_the_slot_below_everything_that_sticks(site, open_page):
    page = open_page(site + PYTORCH)
    page.get_by_role("link", name=re.compile("^14:30")).click()
    page.wait_for_timeout(300)
    top, covered = page.evaluate(
        """() => {
          const slot = document.querySelector(location.hash), box = slot.getBoundingClientRect();
          const seen = document.elementFromPoint(box.left + 4, box.top + 12);
          return [box.top, !slot.contains(seen) && !seen.contains(slot)];
        }"""
    )
    assert (0 <= top < 200, covered) == (True, False)


def test_the_scheme_switch_stays_chosen(site, open_page):
    page = open_page(site + PYTORCH)
    page.get_by_role("radio", name="Dark").or_(page.get_by_role("button", name="Dark")).first.click(force=True)
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.reload()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == dark
    assert page.evaluate("document.documentElement.dataset.scheme") == "dark"


def test_forty_one_sessions_print_on_two_pages_and_nothing_is_cut(site, open_page, tmp_path):
    page = open_page(site + PYTORCH)
    printed = page.pdf(format="A4", prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", printed)) == 2


def test_a_time_of_the_rail_that_has_focus_stands_clear_of_the_faded_edge(site, open_page):
    page = open_page(f"{site}/pytorch-conference-europe-2026/", 320)
    page.locator("a.rail-time").first.focus()
    hidden = []
    for _time in range(page.locator("a.rail-time").count() - 1):
        page.keyboard.press("Tab")
        page.wait_for_timeout(350)
        right, is_last = page.evaluate(
            """() => {
                const times = document.querySelector(".rail-times");
                const isLast = times.scrollLeft >= times.scrollWidth - times.clientWidth - 1;
                return [document.activeElement.getBoundingClientRect().right, isLast];
            }"""
        )
        hidden += [] if right <= 320 - 40 or is_last else [right]
    assert hidden == []
