"""What axe finds on a page."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def find_violations(page: Page, **options) -> list[str]:
    """Return rule and first place of each violation. `options` are axe's own.

    It may not load style sheets again: the site's policy forbids how it does that, and the browser has them.
    """
    found = Axe().run(page, options={"preload": False, **options}).response["violations"]
    return [f"axe {one['id']}: {one['nodes'][0]['target']}" for one in found]
