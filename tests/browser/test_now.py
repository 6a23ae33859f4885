"""What depends on when one looks: running, ended, and the way to now. The page itself says none of it."""

import re
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from conference.models import Event
from schedule.recording import record_changes
from tests.browser.violations import find_violations
from tests.factories import make_event, make_session

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

PYTORCH = "/pytorch-conference-europe-2026/"
MORNING = "2026-04-08T10:41:10+02:00"


def live(page: Page) -> dict[str, object]:
    """What script says of the time, as it is seen."""
    return page.evaluate(
        """() => {
          const seen = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility())
            .map((one) => one.innerText.trim());
          return {
            rows: seen(".row .now"),
            slots: seen(".slot-head .now"),
            rail: seen(".rail-now"),
            ended: seen(".row.is-ended h4").length,
          };
        }"""
    )


def test_running_sessions_say_how_long_and_ended_ones_step_back(site, open_page):
    page = open_page(site + PYTORCH, now=MORNING)
    assert live(page) == {
        "rows": ["4 min left", "19 min left", "19 min left"],
        "slots": ["Now"],
        "rail": ["Now 10:41"],
        "ended": 4,
    }
    page.locator("#rail-now").click()
    expect(page.locator("#t-20260408T0835Z")).to_be_in_viewport()
    assert page.faults == []


def test_on_a_phone_the_words_stand_in_a_line_of_their_own(site, open_page):
    page = open_page(site + PYTORCH, 375, now=MORNING)
    assert live(page) == {
        "rows": ["Now, 4 min left", "Now, 19 min left", "Now, 19 min left"],
        "slots": ["Now"],
        "rail": ["Now"],
        "ended": 4,
    }


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ("2026-04-07T10:41+02:00", {"rows": [], "slots": [], "rail": [], "ended": 0}),
        ("2026-04-08T07:00+02:00", {"rows": [], "slots": [], "rail": ["Now 07:00"], "ended": 0}),
        ("2026-04-08T12:15+02:00", {"rows": [], "slots": [], "rail": ["Now 12:15"], "ended": 16}),
        ("2026-04-09T10:41+02:00", {"rows": [], "slots": [], "rail": [], "ended": 41}),
    ],
)
def test_now_is_on_the_day_itself_only(site, open_page, now, expected):
    found = live(open_page(site + PYTORCH, now=now))
    assert found | {"ended": None} == expected | {"ended": None}
    assert found["ended"] == expected["ended"]


def test_the_clock_of_the_page_is_that_of_the_zone_it_is_shown_in(site, open_page):
    assert live(open_page(f"{site}{PYTORCH}?tz=Asia/Tokyo", now=MORNING))["rail"] == ["Now 17:41"]


def test_every_minute_counts_and_timers_never_pile_up(site, open_page):
    page = open_page(site + PYTORCH, now=MORNING)
    page.evaluate(
        """() => {
          const original = setTimeout;
          window.timers = 0;
          window.setTimeout = (...rest) => { window.timers += 1; return original(...rest); };
          for (let n = 0; n < 20; n++) document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )
    page.clock.run_for(5 * 60_000)
    assert (live(page)["rows"], live(page)["rail"]) == (["14 min left", "14 min left"], ["Now 10:46"])
    # Twenty for as many events, of which one is left, and one for each minute.
    assert page.evaluate("window.timers") == 25


def test_a_page_that_slept_catches_up_when_it_is_seen(site, open_page):
    page = open_page(site + PYTORCH, now=MORNING)
    page.evaluate("Object.defineProperty(document, 'hidden', { get: () => window.isAsleep === true })")
    page.evaluate("window.isAsleep = true; document.dispatchEvent(new Event('visibilitychange'))")
    page.clock.run_for(10 * 60_000)
    assert live(page)["rail"] == ["Now 10:41"]
    page.evaluate("window.isAsleep = false; document.dispatchEvent(new Event('visibilitychange'))")
    assert live(page)["rail"] == ["Now 10:51"]


def test_filtering_in_place_keeps_what_runs(site, open_page):
    page = open_page(site + PYTORCH, now=MORNING)
    page.get_by_role("checkbox", name=re.compile("Frameworks & Compilers")).check()
    expect(page).to_have_url(re.compile("track=frameworks-compilers"))
    expect(page.get_by_role("status").first).to_have_text("9 of 41 sessions")
    assert live(page) == {"rows": ["19 min left"], "slots": ["Now"], "rail": ["Now 10:41"], "ended": 0}


def test_what_has_ended_can_be_hidden_and_stays_hidden_in_this_window(site, open_page):
    page = open_page(site + PYTORCH, now=MORNING)
    page.get_by_role("checkbox", name="Not yet ended").check()
    shown = "[...document.querySelectorAll('.row')].filter((row) => row.checkVisibility()).length"
    first = "[...document.querySelectorAll('.rail .clock')].find((time) => time.checkVisibility()).innerText"
    status = page.get_by_role("status").first
    expect(status).to_have_text("37 of 41 sessions")
    assert (page.evaluate(shown), page.evaluate(first), page.url) == (37, "10:35", site + PYTORCH)
    page.get_by_role("checkbox", name=re.compile("Keynote Sessions")).check()
    expect(status).to_have_text("0 of 41 sessions")
    page.locator(".chip", has_text="Keynote Sessions").click()
    expect(status).to_have_text("37 of 41 sessions")
    page.reload()
    expect(status).to_have_text("37 of 41 sessions")
    page.get_by_role("button", name="Remove filter: Not yet ended").click()
    expect(status).to_have_text("41 sessions")
    assert (page.evaluate(shown), page.faults) == (41, [])


def test_in_the_sheet_hiding_what_has_ended_is_a_trial_too(site, open_page):
    page = open_page(site + PYTORCH, 375, now=MORNING)
    page.get_by_role("button", name="Filter").first.click()
    page.get_by_role("checkbox", name="Not yet ended").check()
    expect(page.locator("#filters").get_by_role("button", name="Show sessions")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#count")).to_have_text("41 sessions")
    page.get_by_role("button", name="Filter").first.click()
    page.get_by_role("checkbox", name="Not yet ended").check()
    page.locator("#filters").get_by_role("button", name="Show sessions").click()
    expect(page.locator("#count")).to_have_text("37 of 41 sessions")
    assert page.faults == []


def test_a_change_is_hidden_once_it_is_old(site, open_page):
    event = Event.objects.get(slug=PYTORCH.strip("/"))
    with record_changes(event):
        event.sessions.filter(title="PyTorch CTO").update(room=event.rooms.get(name="Founders Cafe"))
    at = event.changes.get().at
    shown = {}
    for days in (0, 2, 4):
        page = open_page(site + PYTORCH, now=(at + timedelta(days=days, minutes=1)).isoformat())
        shown[days] = page.locator(".change").is_visible()
    assert shown == {0: True, 2: True, 4: False}
    assert open_page(site + PYTORCH, script=False).locator(".change").is_visible()


def test_without_script_or_on_another_day_nobody_is_offered_what_has_ended(site, open_page):
    for page in (open_page(site + PYTORCH, script=False), open_page(site + PYTORCH, now="2026-04-09T10:41+02:00")):
        expect(page.get_by_role("checkbox", name="Not yet ended")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
def test_axe_finds_nothing_while_sessions_run(site, open_page, width, scheme):
    page = open_page(site + PYTORCH, width, scheme, now=MORNING)
    violations = find_violations(page)
    overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert (violations, overflow, page.faults) == ([], 0, [])


def test_the_page_of_now_renews_itself_and_leaves_focus_where_it_is(transactional_db, live_server, open_page):
    event = make_event(slug="reef")
    start = f"{datetime.now(event.zone) - timedelta(minutes=5):%Y-%m-%d %H:%M}"
    make_session(event, "Ropes", start, 120)
    page = open_page(f"{live_server.url}/reef/now/", now=MORNING)
    page.get_by_role("link", name="Ropes").focus()
    make_session(event, "Knots", start, 120)
    page.clock.run_for("01:00")
    expect(page.locator(".row .title")).to_have_count(2)
    expect(page.get_by_role("link", name="Ropes")).to_be_focused()
    expect(page.locator(".row .star")).to_have_count(2)
