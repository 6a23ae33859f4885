"""What leaves the screen or the site: paper, and a frame in the organiser's own page."""

import re

import pytest
from playwright.sync_api import expect

from conference.models import Event

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

PYTORCH = "/pytorch-conference-europe-2026/"
A4_UPRIGHT = {(595, 842)}


def print_pages(page) -> tuple[int, set[tuple[int, int]]]:
    """Print a page and return the number of sheets and their sizes in points."""
    printed = page.pdf(prefer_css_page_size=True)
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", printed)
    sizes = {(round(float(width)), round(float(height))) for width, height in boxes}
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", printed)), sizes


@pytest.mark.parametrize(
    ("path", "sheets"),
    [(PYTORCH, 2), (f"{PYTORCH}?track=security-privacy", 1), (f"{PYTORCH}rooms/master-stage/", 1)],
)
def test_a_day_prints_on_two_sheets_and_its_door_signs_on_one(site, open_page, path, sheets):
    assert print_pages(open_page(site + path)) == (sheets, A4_UPRIGHT)


def test_paper_says_which_filters_are_on_and_in_which_zone_times_are(site, open_page):
    page = open_page(f"{site}{PYTORCH}?track=security-privacy&tz=Asia/Tokyo")
    page.emulate_media(media="print")
    expect(page.locator(".summary")).to_have_text(re.compile(r"1 of 41 sessions.*Security & Privacy", re.DOTALL))
    expect(page.locator(".day-head .print-only").first).to_have_text("All times Tokyo (JST)")
    for gone in (".tabs", ".facets", ".rail", ".footer", ".zone-button"):
        expect(page.locator(gone).first).to_be_hidden()


def test_everything_prints_with_its_abstracts(site, open_page):
    page = open_page(f"{site}{PYTORCH}programme/")
    page.emulate_media(media="print")
    assert page.locator(".prose").count() > 30
    sheets, sizes = print_pages(page)
    assert (2 < sheets < 30, sizes) == (True, A4_UPRIGHT)


@pytest.mark.parametrize("view", ["embed/", "embed/grid/"])
def test_a_page_of_the_organiser_shows_the_programme_in_a_frame_as_high_as_it_is(site, browser, view):
    Event.objects.filter(slug=PYTORCH.strip("/")).update(embed_origins="http://127.0.0.1:8999")
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    frame = f"""<iframe src="{site}{PYTORCH}{view}?track=security-privacy" width="800" height="300"></iframe>
    <script>addEventListener("message", ({{ data }}) => {{
      if (data?.plenary) document.querySelector("iframe").height = data.plenary.height;
    }});</script>"""
    page.route("http://127.0.0.1:8999/", lambda route: route.fulfill(content_type="text/html", body=frame))
    page.goto("http://127.0.0.1:8999/")
    inside = page.frame_locator("iframe")
    expect(inside.locator("#count")).to_have_text("1 of 41 sessions")
    expect(inside.locator(".tabs")).to_have_count(0)
    expect(page.locator("iframe")).not_to_have_attribute("height", "300")
    with context.expect_page() as opened:
        title = ".row .title a" if view == "embed/" else ".block:not(.is-out) a"
        inside.locator(title).first.click()
    expect(opened.value).to_have_url(re.compile(r"/sessions/\d+-"))
    context.close()


def test_another_site_gets_nothing_into_its_frame(site, browser):
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    body = f'<iframe src="{site}{PYTORCH}embed/"></iframe>'
    page.route("http://127.0.0.1:8998/", lambda route: route.fulfill(content_type="text/html", body=body))
    page.goto("http://127.0.0.1:8998/")
    page.wait_for_timeout(500)
    assert page.frame_locator("iframe").locator("#count").count() == 0
    context.close()
