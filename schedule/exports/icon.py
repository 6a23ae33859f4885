"""The mark of an installed programme: three lines of a printed one, on the colour of the event's cover. Pure."""

from io import BytesIO

from PIL import Image, ImageDraw

from schedule.exports.colours import COVER, to_rgb

# The icon of the site (favicon.svg), in its units: left, top, right, bottom of each line.
_SIDE, _CORNER = 32, 7
_LINES = ((7, 8, 25, 11.5), (7, 14.25, 19, 17.75), (7, 20.5, 22, 24))
# Launchers cut a maskable icon to any shape that holds the inner 80 %.
_SAFE = 0.72
_FINER = 4


def draw_icon(size: int, hue: int, is_maskable: bool = False) -> bytes:
    """Return a square PNG of `size` pixels; a maskable one fills all of it and keeps the mark within the safe zone."""
    side = size * _FINER
    cover = to_rgb(*COVER, hue)
    image = Image.new("RGBA", (side, side), (*cover, 255 if is_maskable else 0))
    draw = ImageDraw.Draw(image)
    unit = side / _SIDE
    if not is_maskable:
        draw.rounded_rectangle((0, 0, side - 1, side - 1), radius=round(_CORNER * unit), fill=cover)
    scale = _SAFE if is_maskable else 1
    colours = ((255, 255, 255), to_rgb(0.79, 0.12, hue), to_rgb(0.935, 0.145, 102))
    for line, colour in zip(_LINES, colours, strict=True):
        box = [round(((value - _SIDE / 2) * scale + _SIDE / 2) * unit) for value in line]
        draw.rectangle((box[0], box[1], box[2] - 1, box[3] - 1), fill=colour)
    file = BytesIO()
    image.resize((size, size), Image.Resampling.LANCZOS).save(file, "PNG", optimize=True)
    return file.getvalue()
