"""Photos of speakers without a network: kept after everything else, and never at its cost."""

from base64 import b64decode
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from playwright.sync_api import expect

from conference import worker
from conference.models import Event
from speakers.models import Speaker
from tests.browser.kept import (
    AS_OF,
    PYTORCH,
    change,
    cut,
    kept_names,
    kept_paths,
    line,
    wait_for,
    wait_until_kept,
)  # fmt: skip

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

PICTURE = b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
WIDTH_OF_PORTRAIT = "() => document.querySelector('.speaker .portrait img')?.naturalWidth"


def give_photo() -> Speaker:
    person = Event.objects.get(slug=PYTORCH.strip("/")).speakers.public().in_order().first()
    person.photo.save("face.png", ContentFile(PICTURE))
    person.event.mark_programme_changed()
    return person


def test_a_speakers_page_that_was_never_opened_shows_the_photo_without_a_network(open_kept, gate):
    person = give_photo()
    page = open_kept()
    wait_for(page, lambda: person.photo.url in kept_paths(page))
    cut(page, gate)
    page.goto(gate.url + person.get_absolute_url())
    expect(line(page)).to_have_text(AS_OF)
    wait_for(page, lambda: page.evaluate(WIDTH_OF_PORTRAIT) == 1)
    assert page.faults == []


def test_a_new_programme_takes_the_photos_over_instead_of_asking_for_them_again(open_kept, gate):
    person = give_photo()
    page = open_kept()
    wait_for(page, lambda: person.photo.url in kept_paths(page))
    (before,) = kept_names(page)
    Path(person.photo.path).write_bytes(b"asked for again")
    change(page)
    wait_for(page, lambda: before not in kept_names(page))
    size = "async (path) => (await (await caches.match(path)).blob()).size"
    assert page.evaluate(size, person.photo.url) == len(PICTURE)


def test_a_photo_that_was_taken_away_leaves_with_the_old_programme(open_kept, gate):
    person = give_photo()
    page = open_kept()
    wait_for(page, lambda: person.photo.url in kept_paths(page))
    (before,) = kept_names(page)
    Speaker.objects.filter(pk=person.pk).update(photo="")
    change(page)
    wait_for(page, lambda: before not in kept_names(page))
    assert person.photo.url not in kept_paths(page)


PICTURES_DO_NOT_FIT = """
const put = Cache.prototype.put;
Cache.prototype.put = async function (request, response) {
  if (`${request.url ?? request}`.includes("/media/")) throw new DOMException("No room.", "QuotaExceededError");
  return put.call(this, request, response);
};
"""


@pytest.mark.parametrize(
    "circumstance",
    [PICTURES_DO_NOT_FIT, "navigator.storage.estimate = async () => ({ quota: 50e6, usage: 0 });"],
    ids=["met", "foreseen"],
)
def test_where_photos_have_no_room_the_programme_is_kept_whole_without_them(gate, open_page, monkeypatch, circumstance):
    person = give_photo()
    monkeypatch.setattr(worker, "_TEXT", circumstance + worker._TEXT)
    page = open_page(gate.url + PYTORCH, offline=True)
    wait_until_kept(page, PYTORCH)
    page.wait_for_load_state("networkidle")
    paths = kept_paths(page)
    assert (person.get_absolute_url() in paths, person.photo.url in paths, page.faults) == (True, False, [])
    cut(page, gate)
    page.goto(gate.url + person.get_absolute_url())
    expect(page.locator("h1")).to_have_text(person.name)
