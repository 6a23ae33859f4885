"""The picture beside a shared link, made here and by no other service."""

import re
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from schedule.exports.card import draw_card, fit, keep_drawable
from schedule.exports.colours import COVER, PALETTE, PAPER, TRACK, to_rgb
from tests.factories import make_event, make_session

pytestmark = pytest.mark.django_db


def test_a_card_is_a_png_of_the_usual_size_on_the_events_colour():
    image = Image.open(BytesIO(draw_card("Reef", "Ropes", ["Mon 6 May, 09:00", "Ada Byron"], 262)))
    assert (image.format, image.size, image.getpixel((5, 5))) == ("PNG", (1200, 630), (17, 29, 54))


def test_the_same_words_give_the_same_bytes():
    assert draw_card("Reef", "Ropes", [], 262) == draw_card("Reef", "Ropes", [], 262)


@pytest.mark.parametrize(
    ("title", "size", "count"), [("Ropes", 76, 1), ("Ropes and knots " * 4, 76, 3), ("Ropes and knots " * 25, 44, 4)]
)
def test_a_title_is_as_large_as_it_fits_and_ends_in_an_ellipsis_where_it_does_not(title, size, count):
    found, lines = fit(title)
    assert (found, len(lines)) == (size, count)
    assert lines[-1].endswith("…") == (size == 44)


def test_a_word_wider_than_the_card_is_cut():
    assert fit("x" * 200)[1][0].endswith("…")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Žluťoučký kůň", "Žluťoučký kůň"),
        ("Ελλάς и Москва", "Ελλάς и Москва"),
        ("绳索 Ropes 🪢", "Ropes"),
        ("绳索", ""),
    ],
)
def test_what_the_font_lacks_is_left_out(text, kept):
    assert keep_drawable(text) == kept


def test_colours_are_those_of_the_style_sheet():
    css = (Path(__file__).parent.parent / "conference/static/conference/plenary.css").read_text()
    names = {"cover": COVER, "paper": PAPER, "track": TRACK}
    said = {name: re.search(rf"--{name}: (?:light-dark\()?oklch\(([.\d]+) ([.\d]+) ", css) for name in names}
    assert {name: (float(found[1]), float(found[2])) for name, found in said.items()} == names
    assert re.findall(r"--track-hue: (\d+);", css) == [str(hue) for hue in PALETTE]


def test_a_colour_is_the_same_in_srgb():
    assert [to_rgb(0.235, 0.05, 262), to_rgb(1, 0, 0), to_rgb(0, 0, 0)] == [(17, 29, 54), (255, 255, 255), (0, 0, 0)]


def test_pages_name_their_picture_with_its_whole_address(client):
    event = make_event(slug="reef")
    session = make_session(event, "Ropes & <Knots>", "2030-05-06 09:00")
    draft = make_session(event, "Secret", "2030-05-06 09:00", status="draft")
    html = client.get(session.get_absolute_url()).content.decode()
    picture = re.search(r'<meta property="og:image" content="([^"]+)"', html)[1]
    assert picture == f"http://testserver/reef/sessions/{session.pk}.png"
    assert '<meta property="og:title" content="Ropes &amp; &lt;Knots&gt;">' in html
    assert 'content="http://testserver/reef/card.png"' in client.get("/reef/").content.decode()
    for path, status in ((f"/reef/sessions/{session.pk}.png", 200), ("/reef/card.png", 200),
                         (f"/reef/sessions/{draft.pk}.png", 404), ("/other/card.png", 404)):  # fmt: skip
        response = client.get(path)
        assert (path, response.status_code) == (path, status)
        assert response.headers["Content-Type"].startswith("image/png" if status == 200 else "text/html")
