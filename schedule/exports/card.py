"""The picture that chats show beside a link: event, title, time and place on the colour of the cover. Pure."""

from functools import cache
from io import BytesIO

import font_roboto
from PIL import Image, ImageDraw, ImageFont

from schedule.exports.colours import COVER, to_rgb

# What Open Graph readers crop least.
WIDTH, HEIGHT = 1200, 630
MARGIN = 72
_SIZES = (76, 66, 58, 50, 44)
_MOST_LINES = 4
_LEADING = 1.18
_BOLD = font_roboto.RobotoBold


def draw_card(event_name: str, title: str, facts: list[str], hue: int) -> bytes:
    """Return a PNG of 1200 × 630: the event above, the title large, facts (time, people, room) below.

    `hue` (0 to 359) is the event's. Characters that the font lacks are left out; a title of nothing else gives
    way to the event's name.
    """
    image = Image.new("RGB", (WIDTH, HEIGHT), to_rgb(*COVER, hue))
    draw = ImageDraw.Draw(image)
    title = keep_drawable(title) or keep_drawable(event_name) or "Plenary"
    ink, second = (249, 250, 253), to_rgb(0.82, 0.03, hue)
    draw.text((MARGIN, MARGIN), shorten(keep_drawable(event_name), 34), font=_font(_BOLD, 34), fill=second)
    size, lines = fit(title)
    for number, line in enumerate(lines):
        draw.text((MARGIN, 152 + number * round(size * _LEADING)), line, font=_font(_BOLD, size), fill=ink)
    draw.rectangle((MARGIN, HEIGHT - 168, WIDTH - MARGIN, HEIGHT - 166), fill=to_rgb(0.38, 0.05, hue))
    for number, fact in enumerate(facts[:2]):
        text = shorten(keep_drawable(fact), 30)
        draw.text((MARGIN, HEIGHT - 142 + number * 44), text, font=_font(_BOLD, 30), fill=second if number else ink)
    file = BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


def fit(title: str) -> tuple[int, list[str]]:
    """Return the largest size at which `title` fits, and its lines; what fits at no size ends in an ellipsis."""
    for size in _SIZES:
        lines = _wrap(title, size)
        if len(lines) * size * _LEADING <= HEIGHT - 168 - 24 - 152 and len(lines) <= _MOST_LINES:
            return size, lines
    return _SIZES[-1], [*lines[: _MOST_LINES - 1], f"{lines[_MOST_LINES - 1].rstrip(' .,')}…"]


def _wrap(text: str, size: int) -> list[str]:
    font, lines = _font(_BOLD, size), [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if font.getlength(longer) <= WIDTH - 2 * MARGIN:
            lines[-1] = longer
        else:
            lines.append(word)
    return [shorten(line, size) for line in lines if line]


def shorten(text: str, size: int) -> str:
    """Return `text`, cut to the width of the card at a font size in pixels."""
    font = _font(_BOLD, size)
    if font.getlength(text) <= WIDTH - 2 * MARGIN:
        return text
    while text and font.getlength(f"{text}…") > WIDTH - 2 * MARGIN:
        text = text[:-1]
    return f"{text.rstrip()}…"


def keep_drawable(text: str) -> str:
    """Return `text` without the characters that the font has no picture of."""
    return " ".join("".join(character for character in text if _is_drawable(character)).split())


@cache
def _is_drawable(character: str) -> bool:
    font = _font(_BOLD, 20)
    # A character of no font shows what the font draws for what it lacks.
    return character.isspace() or bytes(font.getmask(character)) != bytes(font.getmask("\U0010ffff"))


@cache
def _font(path: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, size)
