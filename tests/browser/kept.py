"""What browser tests of reading offline share: what is kept, a network that goes away, a programme that changes."""

import re

from playwright.sync_api import Page

from schedule.models import Session
from tests.browser.gate import Gate

PYTORCH = "/pytorch-conference-europe-2026/"
NORTHERN = "/northern-lights-web-conference-2026/"
AS_OF = re.compile(r"^Offline: programme as of (\w+ \d+ \w+, )?\d\d:\d\d\. ?$")
UPDATED = re.compile(r"^Updated at \d\d:\d\d\. ?$")
# Names of the caches that count, and how many pages each holds.
WHOLE = """async () => {
  const found = {};
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    const paths = (await cache.keys()).map(({ url }) => new URL(url).pathname);
    if (paths.some((path) => path.endsWith("/offline.json"))) {
      found[name.split(" ")[2]] = paths.filter((path) => path.endsWith("/")).length;
    }
  }
  return found;
}"""


def wait_for(page: Page, find, seconds: int = 60) -> None:
    """Wait until `find()` is true. (Playwright's own waiting takes a promise for an answer.)"""
    for _time in range(seconds * 10):
        if find():
            return
        page.wait_for_timeout(100)
    raise AssertionError("waited in vain")


def wait_until_kept(page: Page, root: str) -> None:
    wait_for(page, lambda: root in page.evaluate(WHOLE))


def kept_names(page: Page) -> list[str]:
    return page.evaluate("caches.keys()")


def kept_paths(page: Page) -> list[str]:
    return page.evaluate(
        """async () => {
          const found = [];
          for (const name of await caches.keys()) found.push(...await (await caches.open(name)).keys());
          return found.map(({ url }) => new URL(url).pathname);
        }"""
    )


def cut(page: Page, gate: Gate) -> None:
    gate.set("shut")
    page.context.set_offline(True)
    page.faults.clear()


def line(page: Page):
    return page.locator("#offline-line")


def change(page: Page, title: str = "PyTorch CTO", new: str = "Ropes") -> Session:
    """Rename a session, and let the page look whether there is news, as when one returns to it."""
    session = Session.objects.get(title=title)
    Session.objects.filter(pk=session.pk).update(title=new)
    session.event.mark_programme_changed()
    # The script that looks comes last.
    page.wait_for_load_state("networkidle")
    page.evaluate("window.isSameDocument = true")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    return session
