"""A real Chromium and the demo's schedules behind a real server on loopback."""

import os
import re
import shutil
import threading
from pathlib import Path

import pytest

from schedule.importing import Source, import_schedule
from tests.browser.gate import Gate
from tests.browser.kept import PYTORCH, wait_until_kept

SCHEDULES = Path(__file__).resolve().parents[2] / "fixtures" / "schedules"
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A page that the test makes up counts as public, and may not frame a server on loopback otherwise.
    "--disable-features=LocalNetworkAccessChecks",
]


@pytest.fixture(scope="session")
def browser():
    """Debian's Chromium, driven by Playwright; absent on a laptop the test is skipped, under CI it fails."""
    executable = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if executable is None:
        if os.environ.get("CI"):
            pytest.fail("Chromium is not installed")
        pytest.skip("Chromium is not installed")
    # Playwright's own event loop runs in this thread; Django would refuse its database in it.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def site(transactional_db, live_server):
    """The address of a site that holds both demo events."""
    import_schedule([Source(path.name, path.read_bytes()) for path in sorted(SCHEDULES.glob("*.txt"))])
    yield live_server.url
    # What is still being answered reads the database that is emptied next.
    for thread in threading.enumerate():
        if "process_request_thread" in thread.name:
            thread.join(10)


@pytest.fixture
def open_page(browser):
    """Open an address in a window of its own, whose clock begins at `now` ("2026-04-08T10:41+02:00").

    Every fault that the browser reports is collected in `page.faults`. Only with `offline` it keeps programmes: the
    others' windows must not ask for anything behind their tests' backs.
    """
    contexts = []

    def open_it(url: str, width: int = 1280, scheme: str = "light", script: bool = True, now: str = "", offline=False):
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, java_script_enabled=script
        )
        contexts.append(context)
        if not offline:
            context.add_init_script("delete Navigator.prototype.serviceWorker")
        page = context.new_page()
        if now:
            page.clock.install(time=now)
        page.faults = []
        origin = url.split("/", 3)[2]
        page.on("console", lambda m: page.faults.append(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: page.faults.append(str(error)))
        page.on(
            "request", lambda r: page.faults.append(r.url) if origin not in r.url and "data:" not in r.url else None
        )
        page.goto(url, wait_until="load")
        return page

    yield open_it
    for context in contexts:
        context.close()


@pytest.fixture
def gate(site):
    gate = Gate(int(site.rsplit(":", 1)[1]))
    yield gate
    gate.close()


@pytest.fixture
def open_kept(gate, open_page):
    """Open an address once and wait until its whole programme is kept."""

    def open_it(path: str = PYTORCH, **options):
        page = open_page(gate.url + path, offline=True, **options)
        wait_until_kept(page, re.match(r"(/\w\w)?/[^/]+/", path)[0])
        return page

    return open_it
