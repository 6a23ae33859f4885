"""Stars as a browser has them: at once, in two tabs, on two devices, offline; the page of my schedule."""

import json
from datetime import datetime, timedelta
from io import BytesIO

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import expect

from conference.models import Event
from schedule.models import PersonalSchedule
from tests.browser.violations import find_violations

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

PYTORCH = "/pytorch-conference-europe-2026/"
NORTHERN = "/northern-lights-web-conference-2026/"
MORNING = "2026-04-08T07:12:00Z"


@pytest.fixture
def device(browser):
    """Open a page on a device of its own: another browser, with its own storage and clock."""
    contexts = []

    def open_device(url: str, **options):
        context = browser.new_context(timezone_id="Europe/Paris", service_workers="block", **options)
        contexts.append(context)
        page = context.new_page()
        page.faults = []
        page.on("pageerror", lambda error: page.faults.append(str(error)))
        page.clock.install(time=MORNING)
        page.goto(url)
        return page

    yield open_device
    for context in contexts:
        context.close()


def star(page, *titles: str) -> None:
    for title in titles:
        page.get_by_role("button", name=f"Star: {title}").first.click()


def take_along(page, site: str) -> None:
    """Make a list on the server of the stars of this device, and stand at its secret address."""
    page.goto(f"{site}{PYTORCH}my/")
    page.get_by_role("button", name="Take it along").click()
    page.wait_for_url("**/my/*/")


def mine(page) -> list[str]:
    """Titles on the page of my schedule, those that ended last."""
    return page.locator(".my-plan .row:not(.gap *) .title").all_text_contents()


def pass_time(page, milliseconds: int = 3000) -> None:
    page.clock.run_for(milliseconds)
    page.wait_for_timeout(400)


A, B, C = "vLLM & Ray Updates", "How To Write C++ Extensions in 2026", "Building AI That Ops Teams Actually Trust"


def test_a_star_shows_at_once_everywhere_and_in_the_other_tab(site, device):
    page = device(site + PYTORCH)
    other = page.context.new_page()
    other.goto(f"{site}{PYTORCH}speakers/")
    star(page, A)
    button = page.get_by_role("button", name=f"Star: {A}")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".row.is-starred .title")).to_have_text(A)
    expect(page.locator("a.rail-time.is-mine .clock")).to_have_text("09:10")
    for tab in (page, other):
        expect(tab.locator("[data-star-count]")).to_have_text("1")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(other.locator("[data-star-count]")).to_be_hidden()
    assert page.faults == []


def test_a_block_of_the_grid_has_a_star_that_mouse_and_keys_reach(site, device):
    page = device(f"{site}{PYTORCH}grid/")
    star(page, A)
    block = page.locator(".block.is-starred")
    expect(block.locator(".title")).to_have_text(A)
    expect(page.locator("[data-star-count]")).to_have_text("1")
    block.locator("a").focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name=f"Star: {A}")).to_be_focused()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name=f"Star: {A}")).to_have_attribute("aria-pressed", "false")
    expect(block).to_have_count(0)
    assert (find_violations(page), page.faults) == ([], [])


def test_the_stars_of_the_grid_cover_no_time_and_no_title(site, device):
    page = device(f"{site}{PYTORCH}grid/")
    for width, density in ((1280, "normal"), (1024, "compact"), (375, "normal")):
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(f"{site}{PYTORCH}grid/?density={density}")
        expect(page.locator(".block > .star").first).to_be_attached()
        covered = page.evaluate(
            """() => [...document.querySelectorAll(".block > .star")].filter((star) => {
              const box = star.querySelector("svg").getBoundingClientRect();
              const texts = [...star.parentElement.querySelectorAll(".badge, .range, .title")];
              // What goes on beyond the text's own box is cut off.
              const end = star.parentElement.querySelector(".text").getBoundingClientRect().right;
              return texts.some((text) => [...text.getClientRects()].some(({ left, right, top, bottom }) =>
                Math.min(right, end) > box.left + 1 && left < box.right - 1 && bottom > box.top + 1 && top < box.bottom - 1));
            }).map((star) => star.ariaLabel)"""
        )
        assert (width, covered) == (width, [])


def test_the_phones_overview_shows_what_is_starred(site, device):
    page = device(site + PYTORCH)
    star(page, A)
    page.set_viewport_size({"width": 375, "height": 900})
    page.goto(f"{site}{PYTORCH}grid/?show=overview")
    shown = page.locator(".block.is-starred .minutes")
    assert shown.evaluate("(it) => getComputedStyle(it, '::before').content") == '"★ "'
    assert (find_violations(page), page.faults) == ([], [])


def test_the_long_label_of_the_bottom_bar_stays_on_one_line(site, device):
    page = device(f"{site}{PYTORCH}my/", viewport={"width": 320, "height": 700})
    heights = page.locator(".tabs a > span:not([data-star-count])").evaluate_all(
        "(all) => all.map((it) => it.getClientRects().length && Math.round(it.offsetHeight))"
    )
    assert len(set(heights) - {0}) == 1


def test_stars_stay_after_filters_update_the_page(site, device):
    page = device(site + PYTORCH)
    star(page, A)
    page.locator("#filters").get_by_role("checkbox", name="Keynote Sessions").check()
    pass_time(page)
    expect(page.locator(".row.is-starred .title")).to_have_text(A)
    expect(page.get_by_role("button", name=f"Star: {A}")).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize(("view", "items"), [("", ".row[data-uid]"), ("grid/", ".block.is-starred")])
def test_only_mine_leaves_the_starred_ones_in_list_and_grid(site, device, view, items):
    page = device(site + PYTORCH)
    expect(page.get_by_role("button", name="Only mine")).to_be_hidden()
    star(page, A, B)
    page.goto(f"{site}{PYTORCH}{view}")
    page.get_by_role("button", name="Only mine").click()
    shown = [item for item in page.locator(items).all() if item.is_visible()]
    assert [item.locator(".title").inner_text() for item in shown] == [A, B]
    page.reload()
    expect(page.get_by_role("button", name="Only mine")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Only mine").click()
    expect(page.get_by_role("button", name="Only mine")).to_have_attribute("aria-pressed", "false")
    if not view:
        assert len([row for row in page.locator(items).all() if row.is_visible()]) == 41


def test_my_schedule_shows_overlaps_gaps_and_what_ended(site, device):
    page = device(site + PYTORCH)
    star(page, A, B, "Achieving SOTA GEMM Performance: A CuTeDSL Backend for PyTorch Inductor", C, "PyTorch CTO")
    page.goto(f"{site}{PYTORCH}my/")
    expect(page.locator(".my-summary")).to_have_text("Still to come: 4 · Overlaps: 1")
    expect(page.locator(".ended-fold summary")).to_have_text("Ended: 1")
    gaps = page.locator(".gap").all()
    assert [gap.locator("span").all_text_contents()[:2] for gap in gaps] == [
        ["70 min free · 09:25–10:35", "Sessions that start in this gap: 2"],
        ["20 min free · 11:00–11:20", "Sessions that start in this gap: 2"],
    ]
    expect(page.locator(".overlap")).to_have_text(f"10 min at the same time as “{B}” (Founders Cafe)")


def test_a_gap_unfolds_to_what_starts_in_it_and_a_star_there_fills_it(site, device):
    page = device(site + PYTORCH)
    star(page, A, B)
    page.goto(f"{site}{PYTORCH}my/")
    (gap,) = page.locator(".gap").all()
    gap.locator("summary").click()
    rows = gap.locator(".row")
    starts = rows.locator(".range").all_text_contents()
    assert [text[:5] for text in starts] == ["09:25", "09:45"]
    title = rows.nth(1).locator(".title").inner_text()
    rows.nth(1).get_by_role("button").click()
    assert mine(page) == [A, title, B]
    assert page.faults == []


def test_my_schedule_says_what_changed_until_it_was_seen(site, device):
    page = device(site + PYTORCH)
    star(page, A, C)
    page.goto(f"{site}{PYTORCH}my/")
    expect(page.locator(".my-news")).to_be_hidden()
    event = Event.objects.get(slug=PYTORCH.strip("/"))
    event.sessions.filter(title=A).update(status="cancelled")
    event.sessions.filter(title=C).update(room=event.rooms.get(slug="master-stage"))
    event.mark_programme_changed()
    page.reload()
    assert page.locator(".my-news li").all_text_contents() == [
        f"{A}: Cancelled since you last looked",
        f"{C}: Other room: was Junior Stage",
    ]
    page.get_by_role("button", name="Seen").click()
    page.reload()
    expect(page.locator(".my-news")).to_be_hidden()


def test_a_session_that_was_deleted_is_named(site, device):
    page = device(site + PYTORCH)
    star(page, A)
    Event.objects.get(slug=PYTORCH.strip("/")).sessions.filter(title=A).delete()
    page.goto(f"{site}{PYTORCH}my/")
    assert page.locator(".my-missing li").all_text_contents() == [A]


def test_two_devices_join_change_offline_and_end_equal(site, device):
    first = device(site + PYTORCH)
    first.context.set_offline(True)
    star(first, A)
    first.context.set_offline(False)
    take_along(first, site)
    link = first.get_by_label("Secret address of this list").input_value()
    second = device(site + PYTORCH)
    star(second, B)
    second.goto(link)
    second.get_by_role("button", name="Keep this list on this device too").click()
    second.wait_for_url(f"{site}{PYTORCH}my/")
    assert mine(second) == [A, B]
    first.goto(site + PYTORCH)
    second.goto(site + PYTORCH)
    for page in (first, second):
        pass_time(page)
        page.context.set_offline(True)
    star(first, C)
    star(second, A)
    for page in (first, second, first, second):
        page.context.set_offline(False)
        page.evaluate("dispatchEvent(new Event('online'))")
        pass_time(page)
    for page in (first, second):
        page.goto(f"{site}{PYTORCH}my/")
        pass_time(page)
        assert mine(page) == [B, C]
    assert len(PersonalSchedule.objects.get().starred_uids) == 2


def test_a_list_that_was_closed_elsewhere_keeps_the_stars_of_this_device(site, device):
    page = device(site + PYTORCH)
    star(page, A)
    take_along(page, site)
    PersonalSchedule.objects.all().delete()
    page.goto(f"{site}{PYTORCH}my/")
    pass_time(page)
    expect(page.locator(".star-status")).to_contain_text("The stars on this one stay here.")
    assert mine(page) == [A]


def test_a_shared_list_is_added_to_ones_own(site, device):
    owner = device(site + PYTORCH)
    star(owner, A, B)
    take_along(owner, site)
    share = owner.get_by_label("Address for sharing").input_value()
    friend = device(site + PYTORCH)
    star(friend, C)
    friend.goto(share)
    friend.get_by_role("button", name="Add all to mine").click()
    friend.wait_for_url(f"{site}{PYTORCH}my/")
    assert mine(friend) == [A, B, C]


CLOSED = {
    "full": "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };",
    "private": """Object.defineProperty(window, "localStorage", {
      get() { throw new DOMException("closed", "SecurityError"); },
    });""",
}


@pytest.mark.parametrize("storage", CLOSED)
def test_a_full_or_closed_storage_is_said_and_the_star_holds_for_the_page(site, device, storage):
    page = device(f"{site}/nothing-here/")
    page.add_init_script(CLOSED[storage])
    page.goto(site + PYTORCH)
    star(page, A)
    expect(page.get_by_role("button", name=f"Star: {A}")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".star-status")).to_contain_text("your stars last until you close the page")
    assert page.faults == []


def test_the_qr_code_is_read_as_the_secret_link(site, device):
    page = device(site + PYTORCH)
    star(page, A)
    take_along(page, site)
    picture = Image.open(BytesIO(page.locator(".qr").screenshot()))
    assert [code.text for code in zxingcpp.read_barcodes(picture)] == [page.url]


def test_a_day_shows_slots_breaks_between_and_what_runs_now(site, device):
    page = device(site + NORTHERN)
    event = Event.objects.get(slug=NORTHERN.strip("/"))
    days: dict = {}
    for session in event.sessions.public().scheduled().exclude(kind="break").in_order():
        days.setdefault(session.start.astimezone(event.zone).date(), []).append(session)
    first, last = (chosen[0] for chosen in list(days.values())[:2]), days[min(days)][-1]
    chosen = [*first, last]
    for session in chosen:
        page.locator(f".row[data-uid='{session.uid}'] .star").click()
    page.clock.set_fixed_time(last.start + timedelta(minutes=1))
    page.goto(f"{site}{NORTHERN}my/")
    first_day = page.locator(".my-plan .day").first
    assert first_day.locator(":scope > .slot > .slot-head time").all_text_contents() == [
        f"{last.start.astimezone(event.zone):%H:%M}"
    ]
    expect(first_day.locator(".row.is-now .now-line .now-words")).to_contain_text("min left")
    counts = page.get_by_role("navigation", name="Days").locator("a").all_text_contents()
    assert [text.split()[-1] for text in counts] == ["2", "1"]
    page.clock.set_fixed_time(chosen[0].start)
    page.reload()
    times = [session.start for session in event.sessions.public().filter(kind="break").scheduled()]
    between = sorted({start for start in times if chosen[0].start <= start < last.start})
    shown = first_day.locator(".break .range time:first-child").evaluate_all("(all) => all.map((it) => it.dateTime)")
    assert sorted({datetime.fromisoformat(text) for text in shown}) == between


def test_without_script_a_session_is_added_by_a_form(site, device):
    page = device(f"{site}{PYTORCH}speakers/", java_script_enabled=False)
    page.goto(site + Event.objects.get(slug=PYTORCH.strip("/")).sessions.get(title=A).get_absolute_url())
    page.get_by_role("button", name="Add to my schedule").click()
    expect(page.locator(".row .title")).to_have_text(A)
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_text("Nothing is in it yet.")).to_be_visible()


@pytest.mark.parametrize("width", [320, 375, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_my_schedule_fits_and_axe_finds_nothing(site, device, width, scheme):
    page = device(site + PYTORCH, viewport={"width": width, "height": 900}, color_scheme=scheme)
    for step in ("nothing starred", "my", "kept"):
        if step == "nothing starred":
            page.goto(f"{site}{PYTORCH}my/")
            expect(page.locator(".my-empty .row")).to_have_count(3)
        elif step == "my":
            page.goto(site + PYTORCH)
            star(page, A, B, C)
            page.goto(f"{site}{PYTORCH}my/")
            page.locator(".gap summary").first.click()
        else:
            page.get_by_role("button", name="Take it along").click()
            page.wait_for_url("**/my/*/")
        violations = find_violations(page)
        overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert (step, overflow, violations, page.faults) == (step, 0, [], [])


def test_what_is_kept_in_the_browser_is_stars_and_nothing_of_the_person(site, device):
    page = device(site + PYTORCH)
    star(page, A)
    kept = json.loads(page.evaluate("localStorage.getItem('plenary:pytorch-conference-europe-2026')"))
    uid = str(Event.objects.get(slug=PYTORCH.strip("/")).sessions.get(title=A).uid)
    assert kept["titles"] == {uid: A}
    assert [(key, mark[0]) for key, mark in kept["stars"].items()] == [(uid, True)]
