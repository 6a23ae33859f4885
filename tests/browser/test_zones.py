"""Zones and languages as a browser has them: the device's own, and the visitor's first page."""

import re

import pytest
from playwright.sync_api import expect

from conference.models import Event

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

PYTORCH = "/pytorch-conference-europe-2026/"


@pytest.mark.parametrize(
    ("device", "clock"),
    [
        ("Asia/Tokyo", "16:00"),
        ("America/Los_Angeles", "00:00"),
        # The name of old, which browsers still give.
        ("Asia/Katmandu", "12:45"),
    ],
)
def test_one_tap_shows_the_programme_in_the_devices_zone(site, browser, device, clock):
    context = browser.new_context(timezone_id=device, service_workers="block")
    page = context.new_page()
    page.goto(site + PYTORCH)
    expect(page.locator(".slot-head h3").first).to_have_text("09:00")
    sessions = page.locator(".row .title").all_text_contents()
    page.locator(".zone-button").click()
    page.locator("[data-device-zone]").click()
    expect(page).to_have_url(f"{site}{PYTORCH}?tz={device}")
    expect(page.locator(".slot-head h3").first).to_contain_text(clock)
    expect(page.locator(".slot-head .event-time").first).to_have_text("09:00 in Paris")
    assert page.locator(".row .title").all_text_contents() == sessions
    context.close()


@pytest.mark.parametrize(
    ("path", "locale", "words"),
    [
        (PYTORCH, "en-GB", "My device’s zone Japan Standard Time"),
        (f"/es{PYTORCH}", "es", "Zona horaria de mi dispositivo hora estándar de Japón"),
        (f"/ar{PYTORCH}", "ar", "توقيت جهازي توقيت اليابان الرسمي"),
    ],
)
def test_the_menu_names_the_devices_zone_in_the_language_of_the_page(site, browser, path, locale, words):
    context = browser.new_context(timezone_id="Asia/Tokyo", locale=locale, service_workers="block")
    page = context.new_page()
    page.goto(site + path)
    page.locator(".zone-button").click()
    expect(page.locator("[data-device-zone]")).to_have_text(re.compile(r"\s+".join(words.split())))
    page.locator("[data-device-zone]").click()
    expect(page).to_have_url(f"{site}{path}?tz=Asia/Tokyo")
    context.close()


def test_without_script_the_list_of_zones_leads_back_to_the_filtered_page(site, open_page):
    page = open_page(f"{site}{PYTORCH}?track=security-privacy", script=False)
    page.locator(".zone-button").click()
    page.get_by_role("link", name="Another zone").click()
    page.locator("#q").fill("nepal")
    page.locator("#q").press("Enter")
    page.get_by_role("link", name="Kathmandu").click()
    expect(page).to_have_url(f"{site}{PYTORCH}?track=security-privacy&tz=Asia/Kathmandu")


def test_whoever_comes_from_elsewhere_reads_the_page_in_their_language(site, browser):
    context = browser.new_context(locale="fr-CA", service_workers="block")
    page = context.new_page()
    page.goto(f"{site}{PYTORCH}?q=torch")
    expect(page).to_have_url(f"{site}/fr{PYTORCH}?q=torch")
    page.locator(".languages").get_by_text("English").click()
    expect(page).to_have_url(f"{site}{PYTORCH}?q=torch")
    page.reload()
    expect(page).to_have_url(f"{site}{PYTORCH}?q=torch")
    page.goto(f"{site}{PYTORCH}speakers/")
    expect(page).to_have_url(f"{site}{PYTORCH}speakers/")
    context.close()


def test_a_frame_stays_in_the_language_that_its_site_chose(site, browser):
    Event.objects.filter(slug=PYTORCH.strip("/")).update(embed_origins="http://around.test")
    Event.objects.get(slug=PYTORCH.strip("/")).mark_programme_changed()
    context = browser.new_context(locale="en-US", service_workers="block")
    page = context.new_page()
    around = f'<iframe title="Programme" src="{site}/de{PYTORCH}embed/"></iframe>'
    page.route("http://around.test/", lambda route: route.fulfill(body=around, content_type="text/html"))
    page.goto("http://around.test/")
    expect(page.frame_locator("iframe").locator("html")).to_have_attribute("lang", "de")
    page.wait_for_timeout(300)
    assert [frame.url for frame in page.frames[1:]] == [f"{site}/de{PYTORCH}embed/"]
    context.close()


def test_the_screen_at_the_door_goes_on_without_a_network_and_says_so(site, browser):
    context = browser.new_context(timezone_id="Asia/Tokyo", service_workers="block")
    page = context.new_page()
    page.clock.install(time="2026-04-08T09:40:00Z")
    page.goto(f"{site}{PYTORCH}rooms/master-stage/screen/")
    expect(page.locator(".screen-clock")).to_have_text("11:40")
    expect(page.locator(".is-now .screen-left")).to_have_text("20 min left")
    context.set_offline(True)
    page.clock.run_for("20:00")
    expect(page.locator("body")).to_have_class("screen is-live is-offline")
    expect(page.locator(".is-now")).to_have_count(0)
    expect(page.locator(".is-next .screen-left")).to_have_text("")
    context.set_offline(False)
    page.clock.run_for("01:00")
    expect(page.locator("body")).to_have_class("screen is-live")
    context.close()
