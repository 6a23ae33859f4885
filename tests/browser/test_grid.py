"""The grid in a browser: true lengths, both directions of scrolling, keyboard, now, phone and paper."""

import io
import re
from datetime import datetime

import pytest
from playwright.sync_api import expect
from pypdf import PdfReader

from conference.models import Event
from tests.browser.violations import find_violations
from tests.factories import make_event, make_room, make_session, make_track

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

PYTORCH = "/pytorch-conference-europe-2026/grid/"
NORTHERN = "/northern-lights-web-conference-2026/grid/"
HALL = "/hall/grid/"
KINDS = {
    "one day": PYTORCH,
    "several days, filtered": f"{NORTHERN}?level=any&tz=Asia/Tokyo",
    "overview": f"{PYTORCH}?show=overview&track=training-systems",
    "more rooms than fit, and every state": HALL,
    "empty result": f"{PYTORCH}?q=governance&level=beginner",
}


@pytest.fixture
def hall():
    """A day in nine rooms: two at once, cancelled, one minute, without a place, breaks of all sorts, over midnight."""
    event = make_event(name="Hall", slug="hall")
    track = make_track(event, "Sea & Sky")
    rooms = [make_room(event, f"Room {number} on a floor with a long name") for number in range(9)]
    make_session(event, "Plenary", "2030-05-06 09:00", track=track)
    for room in rooms:
        make_session(event, f"In {room.name}", "2030-05-06 10:00", 45, room=room, track=track)
    make_session(event, "Beside it", "2030-05-06 10:15", 45, room=rooms[0])
    make_session(event, "One minute", "2030-05-06 11:10", 1, room=rooms[0])
    make_session(event, "Off", "2030-05-06 11:10", 10, room=rooms[1], status="cancelled", track=track)
    make_session(event, "Desk", "2030-05-06 10:00", 60)
    make_session(event, "Lunch", "2030-05-06 12:00", 60, kind="break")
    make_session(event, "Party", "2030-05-06 22:00", 300, room=rooms[8], kind="social")
    return event


@pytest.mark.parametrize("kind", KINDS)
def test_the_grid_fits_every_width_in_both_schemes_without_a_word_from_the_browser_or_axe(site, hall, open_page, kind):
    found = {}
    for scheme in ("light", "dark"):
        for width in (320, 768, 1280):
            page = open_page(site + KINDS[kind], width, scheme)
            overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            faults = find_violations(page) if width != 768 else []
            found[scheme, width] = (overflow, page.faults + faults)
    assert found == {(scheme, width): (0, []) for scheme in ("light", "dark") for width in (320, 768, 1280)}


def heights(page) -> dict[str, int]:
    """Height of a minute in hundredths of a pixel, measured on blocks of three lengths, by length."""
    return page.evaluate(
        """() => Object.fromEntries([5, 10, 25].map((minutes) => {
          const block = [...document.querySelectorAll(".block")].find((one) =>
            one.querySelector(".length").dateTime === `PT${minutes}M`);
          return [minutes, Math.round((block.getBoundingClientRect().height + 2) / minutes * 100)];
        }))"""
    )


@pytest.mark.parametrize(
    ("query", "width", "per_minute"),
    [
        ("", 1280, 560),
        ("?density=compact", 1280, 440),
        ("?density=large", 1280, 700),
        ("?density=large", 375, 640),
        ("?show=overview", 375, 440),
        ("?show=overview", 1280, 560),
    ],
)
@pytest.mark.parametrize("script", [True, False])
def test_a_minute_has_the_same_height_everywhere(site, open_page, query, width, per_minute, script):
    page = open_page(site + PYTORCH + query, width)
    assert heights(page) == {"5": per_minute, "10": per_minute, "25": per_minute}


def test_no_block_lies_over_another_and_folds_are_56_high(site, hall, open_page):
    over = """() => {
      const boxes = [...document.querySelectorAll(".block")].map((block) => block.getBoundingClientRect());
      const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
      return boxes.flatMap((a, n) => boxes.slice(n + 1).filter((b) => meet(a, b))).length;
    }"""
    gap = """() => [...document.querySelectorAll(".fold")].map((fold) => {
      const marks = [...document.querySelectorAll(".mark")].map((mark) => mark.getBoundingClientRect().top);
      const top = fold.getBoundingClientRect().top;
      return Math.round(Math.min(...marks.filter((y) => y > top)) - Math.max(...marks.filter((y) => y <= top)));
    })"""
    pages = [open_page(site + path, width) for path in (PYTORCH, HALL) for width in (375, 1280)]
    assert [page.evaluate(over) for page in pages] == [0, 0, 0, 0]
    assert pages[1].evaluate(gap) == [56, 56, 56]


@pytest.mark.parametrize("script", [True, False])
def test_heads_stay_on_top_and_follow_sideways_and_the_axis_stays_at_the_side(site, hall, open_page, script):
    page = open_page(site + HALL, 1000, script=script)
    page.locator(".scroller").scroll_into_view_if_needed()
    page.mouse.move(600, 700)
    page.mouse.wheel(0, 900)
    page.mouse.wheel(430, 0)
    page.wait_for_timeout(400)
    column = page.locator(".gutter").nth(4).bounding_box()
    head = page.locator(".head-row li").nth(4).bounding_box()
    assert (round(head["x"] - column["x"]), round(page.locator(".heads").bounding_box()["y"])) == (0, 0)
    left = page.locator(".heads").bounding_box()["x"]
    assert round(page.locator(".mark time").nth(9).bounding_box()["x"] - left) == 0
    assert column["x"] < left + 64 + 4 * 200


def test_a_desk_screen_shows_four_rooms_without_scrolling_and_a_phone_two_and_a_peek(site, open_page):
    desk, phone = open_page(site + PYTORCH, 1280), open_page(site + PYTORCH, 375)
    overflow = "(() => { const s = document.querySelector('.scroller'); return s.scrollWidth - s.clientWidth })()"
    assert desk.evaluate(overflow) == 0
    widths = [round(gutter.bounding_box()["width"]) for gutter in phone.locator(".gutter").all()]
    assert (widths, phone.locator(".axis-ground").bounding_box()["width"]) == ([148] * 4, 52)


def test_on_a_phone_filter_switch_and_heads_stay_within_110_pixels(site, hall, open_page):
    page = open_page(site + HALL, 375)
    page.evaluate("scrollTo(0, 900)")
    page.wait_for_timeout(200)
    bar, heads = page.locator(".grid-bar").bounding_box(), page.locator(".heads").bounding_box()
    assert (bar["y"], round(heads["y"] - bar["height"])) in {(0, 0), (0, -1), (0, -2)}
    assert heads["y"] + heads["height"] <= 110


@pytest.mark.parametrize("script", [True, False])
def test_overview_and_titles_are_links_and_overview_shows_codes_and_minutes_of_all_rooms(site, open_page, script):
    page = open_page(site + PYTORCH, 375, script=script)
    page.get_by_role("link", name="Overview").click()
    expect(page).to_have_url(re.compile(r"show=overview"))
    block = page.locator(".block").first
    assert (block.locator(".badge").inner_text().split()[0], block.locator(".minutes").inner_text()) == ("KS", "10")
    last = page.locator(".head-row li").last.bounding_box()
    assert last["x"] + last["width"] <= 375
    expect(page.get_by_role("link", name=re.compile("PyTorch CTO"))).to_have_count(1)


def test_a_block_is_a_link_named_by_track_time_title_length_room_and_people(site, open_page):
    page = open_page(site + PYTORCH)
    name = "Keynote Sessions 09:00 to 09:10 PyTorch CTO , 10 min , Master Stage Matt White · The Linux Foundation"
    first = page.locator(".block a").first
    assert re.sub(r"[ ,]+", " ", first.aria_snapshot()).startswith('- link "' + re.sub(r"[ ,]+", " ", name))


def title_in_focus(page) -> str:
    return page.evaluate("document.activeElement.querySelector('.title')?.textContent.slice(0, 16) ?? ''")


def test_arrow_keys_walk_in_time_and_to_what_runs_beside_and_leave_the_rest_to_the_browser(site, open_page):
    page = open_page(site + PYTORCH)
    page.locator(".block a", has_text="Live Migration of PyTorch").focus()
    walked = []
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
        walked.append(title_in_focus(page))
    assert walked == [
        *("How To Write C++", "Beyond JSON-RPC:", "Accelerating PyT", "Fp8 Training Fro", "Achieving SOTA G")
    ]
    page.keyboard.press("Shift+ArrowDown")
    assert title_in_focus(page) == "Achieving SOTA G"


@pytest.mark.parametrize("script", [True, False])
def test_tab_goes_through_blocks_by_time_then_room_and_what_has_focus_is_in_sight(site, hall, open_page, script):
    page = open_page(site + HALL, 768, script=script)
    page.locator(".scroller").focus()
    seen, covered = [], []
    for _ in range(13):
        page.keyboard.press("Tab")
        # After each block comes its star, which script puts there.
        if page.locator(".star:focus").count():
            page.keyboard.press("Tab")
        seen.append(page.locator(":focus .title").inner_text().removesuffix(" on a floor with a long name"))
        box, heads = page.locator(":focus").bounding_box(), page.locator(".heads").bounding_box()
        if box["y"] < heads["y"] + heads["height"] - 1 or box["x"] < 24 + 64 - 1:
            covered.append((seen[-1], box, heads))
    assert seen == ["Plenary", *(f"In Room {number}" for number in range(9)), "Desk", "Beside it", "One minute"]
    assert covered == []


def test_now_is_a_line_behind_the_blocks_and_running_sessions_have_a_ring_and_words(site, open_page):
    page = open_page(site + PYTORCH)
    page.clock.set_fixed_time(datetime.fromisoformat("2026-04-08T14:36:00+02:00"))
    page.reload()
    running = page.locator(".block.is-running")
    assert [text[:8] for text in running.locator(".title").all_inner_texts()] == [
        *("Seamless", "Every Mi", "From Res", "Torch-Sp")
    ]
    assert running.first.locator(".now-mark").inner_text() == "Now"
    assert page.locator(".now-line time").inner_text() == "14:36"
    block = running.first.bounding_box()
    assert round(page.locator(".now-line").bounding_box()["y"] - block["y"], 1) == 33.6
    covers = page.evaluate(
        """() => { const box = document.querySelector(".block.is-running").getBoundingClientRect();
          scrollTo(0, scrollY + box.top - 300);
          const line = document.querySelector(".now-line").getBoundingClientRect();
          return !!document.elementFromPoint(box.left + 90, line.top).closest(".block"); }"""
    )
    assert covers


def test_now_moves_on_reads_the_viewings_clock_stands_in_folds_and_leaves_when_the_day_is_over(site, open_page):
    page = open_page(site + PYTORCH + "?tz=Asia/Tokyo")
    found = []
    for time in ("08:59", "09:05", "12:45", "16:49", "16:50"):
        page.clock.set_fixed_time(datetime.fromisoformat(f"2026-04-08T{time}:00+02:00"))
        page.reload()
        line = page.locator(".now-line")
        found.append((line.locator("time").inner_text() if line.count() else "", page.locator(".is-running").count()))
    assert found == [("", 0), ("16:05", 1), ("19:45", 0), ("23:49", 1), ("", 0)]


def test_a_cut_title_shows_whole_under_the_mouse(site, open_page):
    page = open_page(site + PYTORCH + "?density=compact")
    links = page.locator(".block a", has_text=re.compile("Step-Aligned|PyTorch CTO"))
    for link in links.all():
        link.hover()
    assert [bool(link.get_attribute("title")) for link in links.all()] == [False, True]


@pytest.mark.parametrize("script", [True, False])
def test_the_room_picker_chooses_columns_and_keeps_the_rest_of_the_question(site, open_page, script):
    page = open_page(f"{site}{PYTORCH}?level=intermediate&density=compact", script=script)
    page.get_by_role("button", name="Rooms 4 of 4").click()
    page.locator("#room-menu").get_by_role("checkbox", name=re.compile("Junior Stage")).check()
    page.get_by_role("button", name="Show rooms").click()
    expect(page).to_have_url(re.compile(r"grid/\?density=compact&level=intermediate&room=junior-stage$"))
    expect(page.locator(".head-row li")).to_have_count(1)
    expect(page.get_by_role("button", name="Rooms 1 of 4")).to_be_visible()


@pytest.mark.parametrize("script", [True, False])
def test_the_filter_opens_as_a_sheet_and_what_does_not_match_stays(site, open_page, script):
    page = open_page(site + PYTORCH, script=script)
    expect(page.locator("#filters")).to_be_hidden()
    page.get_by_role("button", name="Filter").click()
    page.locator("#filters").get_by_role("checkbox", name=re.compile("Security & Privacy")).check()
    page.locator("#filters").get_by_role("button", name=re.compile(r"Show 1\b") if script else "Show sessions").click()
    expect(page).to_have_url(re.compile(r"/grid/\?.*track=security-privacy$"))
    assert (page.locator(".block").count(), page.locator(".block:not(.is-out)").count()) == (41, 1)


@pytest.mark.parametrize(("path", "sheets"), [(PYTORCH, 1), (f"{PYTORCH}?track=training-systems&tz=Asia/Tokyo", 1)])
def test_a_day_prints_on_one_landscape_page(site, open_page, path, sheets):
    printed = open_page(site + path).pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", printed)) == sheets
    assert {
        tuple(map(round, map(float, box))) for box in re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", printed)
    } == {(842, 595)}


def test_several_days_print_on_a_page_each_and_no_title_is_cut(site, open_page):
    days = Event.objects.get(slug=NORTHERN.split("/")[1])
    number = (days.end_date - days.start_date).days + 1
    page = open_page(site + NORTHERN)
    printed = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", printed)) == number
    page = open_page(site + PYTORCH, 1024)
    page.emulate_media(media="print")
    texts = "[...document.querySelectorAll('.block .text')]"
    cut = f"{texts}.filter((text) => text.scrollHeight > text.clientHeight + 2).length"
    assert page.evaluate(cut) == 0


@pytest.fixture
def fair():
    """Two days in 25 rooms, from nine to midnight; every title is long, and every room has its own."""
    event = make_event(name="Fair", slug="fair", end_date="2030-05-07")
    rooms = [make_room(event, f"Room {number}") for number in range(25)]
    track = make_track(event, "Sea & Sky")
    for day in ("2030-05-06", "2030-05-07"):
        for room in rooms:
            for hour in range(9, 24, 3):
                title = f"What the tide leaves behind in {room.name} at {hour} on {day} and who comes to gather it"
                make_session(event, title, f"{day} {hour:02}:00", 45, room=room, track=track)
    return event


def read_paper(page) -> list[str]:
    """Print a page; what stands on each sheet, without blanks, for lines break anywhere."""
    reader = PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True)))
    return ["".join(sheet.extract_text().split()) for sheet in reader.pages]


def test_a_crowded_grid_prints_on_more_pages_each_with_axis_and_heads_and_no_title_is_cut(fair, live_server, open_page):
    page = open_page(f"{live_server.url}/fair/grid/")
    sheets = read_paper(page)
    titles = {title.replace(" ", "") for title in fair.sessions.values_list("title", flat=True)}
    assert {title for title in titles if not any(title in sheet for sheet in sheets)} == set()
    # Eight or nine rooms a page, with their heads and the marks of the axis.
    found = []
    for sheet in sheets:
        rooms = sorted({int(number) for number in re.findall(r"inRoom(\d+)at9on", sheet)})
        has_heads = "".join(f"Room{number}" for number in rooms) in sheet
        found.append((re.search("Monday6May|Tuesday7May", sheet)[0], rooms[0], rooms[-1], has_heads, "09:15" in sheet))
    assert found == [
        (day, first, last, True, True)
        for day in ("Monday6May", "Tuesday7May")
        for first, last in ((0, 7), (8, 16), (17, 24))
    ]
    # The page itself is as before.
    assert (page.locator(".grid-day").count(), page.locator(".is-laid-out").count()) == (2, 0)


@pytest.mark.parametrize("width", [375, 1280])
def test_a_block_that_gets_focus_by_keyboard_stands_whole_beside_the_axis(fair, live_server, open_page, width):
    page = open_page(f"{live_server.url}/fair/grid/?day=2030-05-06", width)
    page.locator(".block a").first.focus()
    cut = []
    for _block in range(24):
        page.keyboard.press("Tab")
        page.wait_for_timeout(100)
        left, right, axis, edge = page.evaluate(
            """() => {
                const box = document.activeElement.getBoundingClientRect();
                const scroller = document.activeElement.closest(".scroller");
                const axis = scroller.querySelector(".axis-ground").getBoundingClientRect();
                return [box.left, box.right, axis.right, scroller.getBoundingClientRect().right];
            }"""
        )
        cut += [] if axis <= left and right <= edge + 1 else [(left, right)]
    assert cut == []
