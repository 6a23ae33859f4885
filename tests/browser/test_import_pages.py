"""The admin's import pages in a browser: what is wide scrolls in its own place, and markup in a schedule is text."""

import pytest
from django.contrib.auth import get_user_model

from schedule.models import ImportRun
from tests.test_import import schedule, talk

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

MARKUP = "<img src=x onerror=alert(1)> Tides"


@pytest.mark.parametrize("width", [375, 1280])
def test_choosing_looking_applying_and_taking_back_fit_the_window_and_run_nothing(site, open_page, width):
    get_user_model().objects.create_superuser("organiser", password="tides")
    page = open_page(f"{site}/admin/schedule/importrun/add/", width)
    page.fill("#id_username", "organiser")
    page.fill("#id_password", "tides")
    page.click("input[type=submit]")
    seen = []

    def look() -> None:
        overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        seen.append((page.inner_text("#content h1"), overflow))

    look()
    page.fill("#id_text", "Dear all,\n\nlunch is at noon.")
    page.click("input[value=Preview]")
    look()
    page.fill("#id_text", schedule(talk(MARKUP, "<b>Ana</b> Reis")).data.decode())
    page.click("input[value=Preview]")
    look()
    assert f"+ session: {MARKUP}" in page.inner_text("#content")
    page.click("input[value='Apply exactly this']")
    run = ImportRun.objects.latest("id")
    page.goto(f"{site}/admin/schedule/importrun/{run.pk}/change/")
    look()
    page.check("input[type=checkbox][required]")
    page.click("input[value='Roll back']")
    look()
    titles = ["Import a schedule", "Import a schedule", "Preview: nothing is written yet", str(run), str(run)]
    assert (seen, page.faults) == ([(title, 0) for title in titles], [])
    assert ImportRun.objects.get(pk=run.pk).status == "rolled-back"
