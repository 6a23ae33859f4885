"""Colours of the pages (conference/static/conference/plenary.css) for whatever knows no style sheet. Pure."""

from math import cos, radians, sin

# Lightness and chroma; the hue is the event's or the track's.
COVER = (0.235, 0.05)
PAPER = (0.993, 0.002)
TRACK = (0.5, 0.155)
# Hues of the rows of the palette of tracks.
PALETTE = (258, 30, 152, 312, 72, 205, 350, 118, 282, 50, 180, 0)


def to_rgb(lightness: float, chroma: float, hue: int) -> tuple[int, int, int]:
    """Return an OKLCH colour as sRGB, 0 to 255. Source: CSS Color 4, sample code for OKLab."""
    a, b = chroma * cos(radians(hue)), chroma * sin(radians(hue))
    cone = (
        (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3,
        (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3,
        (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3,
    )
    rows = (
        (4.0767416621, -3.3077115913, 0.2309699292),
        (-1.2684380046, 2.6097574011, -0.3413193965),
        (-0.0041960863, -0.7034186147, 1.7076147010),
    )
    linear = (sum(factor * value for factor, value in zip(row, cone, strict=True)) for row in rows)
    return tuple(round(255 * _gamma(min(max(value, 0), 1))) for value in linear)


def to_hex(lightness: float, chroma: float, hue: int) -> str:
    """Return an OKLCH colour as "#rrggbb" of sRGB."""
    return "#" + bytes(to_rgb(lightness, chroma, hue)).hex()


def _gamma(value: float) -> float:
    return 12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055
