"""Small marks that templates print: clock times, lengths, track badges, and prose from foreign text."""

import re
from collections.abc import Sequence
from datetime import date, datetime, timedelta

from django import template
from django.utils.html import escape, format_html, urlize
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from conference.dates import format_dates, format_day
from conference.highlights import find_terms
from conference.inline import FAVICON_URL, SCHEME_SCRIPT
from conference.languages import lang_attributes

register = template.Library()
register.filter(lang_attributes)

_LIST_LINE = re.compile(r"(?:[-•*]|(?P<number>\d{1,3})[.)]) +")


@register.simple_tag
def scheme_script() -> SafeString:
    """Print the script of the colour scheme, which the policy allows by its hash."""
    return mark_safe(f"<script>{SCHEME_SCRIPT}</script>")  # noqa: S308


@register.simple_tag
def favicon_url() -> SafeString:
    """Print the address of the icon, which holds the icon itself: browsers ask for it at every change of address."""
    return mark_safe(FAVICON_URL)  # noqa: S308


@register.filter
def marked(text: str, terms: Sequence[str]) -> SafeString | str:
    """Print `text` with the terms of a search in <mark>, at the places where they stand in it."""
    spans = find_terms(text, terms)
    if not spans:
        return text
    ends = [0, *(end for _start, end in spans)]
    parts = [f"{escape(text[at:a])}<mark>{escape(text[a:b])}</mark>" for at, (a, b) in zip(ends, spans, strict=False)]
    return mark_safe("".join(parts) + escape(text[ends[-1] :]))  # noqa: S308


@register.filter
def with_lang(text: str, lang: SafeString | str) -> SafeString | str:
    """Print `text` in an element with the attributes of its language; bare if `lang` is empty."""
    return format_html("<span{}>{}</span>", lang, text) if lang and text else text


@register.filter
def clock(local: datetime) -> str:
    """Print the wall-clock time of an aware datetime as it is, "09:05"; no conversion to another zone."""
    return f"{local:%H:%M}"


@register.filter
def day(local: date, form: str) -> str:
    """Print a day in words, "full", "long", "medium", "brief", "short" or "weekday" (conference/dates.py)."""
    return format_day(local, form) if local else ""


@register.filter
def unbroken(text: str) -> str:
    """Print words that stay on one line, such as a day in a heading."""
    return text.replace(" ", "\N{NO-BREAK SPACE}")


@register.filter
def dates_to(first: date, last: date) -> str:
    """Print a range of days in words: "7–8 April 2026"."""
    return format_dates(first, last)


@register.filter
def in_minutes(minutes: int) -> str:
    """Print a length in words: "25 min", "90 min", from two hours on "2 h 30 min"."""
    hours, rest = divmod(minutes, 60)
    if minutes < 120:
        return gettext("%(minutes)s min") % {"minutes": minutes}
    if rest:
        return gettext("%(hours)s h %(minutes)s min") % {"hours": hours, "minutes": rest}
    return gettext("%(hours)s h") % {"hours": hours}


@register.filter
def iso_duration(minutes: int) -> str:
    """Print a length for `<time datetime>`: "PT25M"."""
    return f"PT{minutes}M"


@register.filter
def utc_offset(local: datetime) -> str:
    """Print the offset of an aware datetime as people write it: "UTC+2", "UTC+5:30", "UTC"."""
    offset = local.utcoffset() or timedelta()
    hours, minutes = divmod(abs(offset) // timedelta(minutes=1), 60)
    if not offset:
        return "UTC"
    return f"UTC{'-' if offset < timedelta() else '+'}{hours}{f':{minutes:02}' if minutes else ''}"


@register.filter
def kept(url: str, viewing) -> str:
    """Print an address of this site with what the page's own says of zone and days."""
    return viewing.keep(url) if viewing else url


@register.filter
def webcal(url: str) -> str:
    """Print the address of a calendar so that a tap subscribes to it."""
    return f"webcal://{url.partition('://')[2]}"


@register.filter
def choices(text: str) -> list[str]:
    """Give the parts of "5,10,15" to loop over."""
    return text.split(",")


@register.filter
def zone_label(local: datetime) -> str:
    """Print the zone of an aware datetime as it is at that instant: "CEST", or "UTC+3" where it has no name."""
    name = local.tzname() or ""
    return utc_offset(local) if name[:1] in ("", "+", "-") else name


@register.filter
def track_class(track) -> str:
    """Print the classes that colour a track's mark (conference/tracks.py)."""
    colour = "track-own" if track.hue is not None else f"track-{track.palette_row}"
    return f"{colour} is-{track.form_name}"


@register.filter
def track_style(track) -> SafeString | str:
    """Print the style attribute that an organiser's own hue needs; nothing for the palette's."""
    return format_html(' style="--track-hue: {}"', track.hue) if track.hue is not None else ""


@register.simple_tag
def badge(track, alone: bool = False, large: bool = False, lang: SafeString | str = "") -> SafeString:
    """Print the badge of a track. Beside its name it is silent; `alone`, the name is read in its place.

    `lang` are the attributes of the name's language (conference/languages.py).
    """
    size = " is-large" if large else ""
    if alone:
        return format_html(
            '<span class="badge {}{}"{} title="{}"><span aria-hidden="true">{}</span>'
            '<span class="sight-hidden"{}>{}</span></span>',
            track_class(track), size, track_style(track), track.name, track.code, lang, track.name,
        )  # fmt: skip
    return format_html(
        '<span class="badge {}{}"{} aria-hidden="true">{}</span>',
        track_class(track), size, track_style(track), track.code,
    )  # fmt: skip


@register.filter
def prose(text: str) -> SafeString:
    """Print foreign plain text as HTML: paragraphs, line breaks, lists, links. Markup in it stays inert.

    A run of two or more lines that begin with "- ", "• ", "* " or "1. " becomes a list; everything
    else keeps its lines. Links get rel="nofollow noopener ugc".
    """
    blocks = re.split(r"\n\s*\n", "\n".join(text.splitlines()).strip())
    return mark_safe("\n".join(_render_block(block.split("\n")) for block in blocks if block.strip()))  # noqa: S308


def _render_block(lines: list[str]) -> str:
    parts: list[str] = []
    plain: list[str] = []
    index = 0
    while index < len(lines):
        items = _list_run(lines, index)
        if len(items) >= 2:
            parts += _paragraph(plain)
            plain = []
            numbers = [match["number"] for match in items]
            parts.append(_render_list(lines[index : index + len(items)], items, numbers[0] if all(numbers) else None))
            index += len(items)
        else:
            plain.append(lines[index])
            index += 1
    return "\n".join(parts + _paragraph(plain))


def _list_run(lines: list[str], start: int) -> list[re.Match]:
    """Return the matches of consecutive list lines of one sort (all numbered or none) from `start` on."""
    run: list[re.Match] = []
    for index in range(start, len(lines)):
        match = _LIST_LINE.match(lines[index])
        if not match or (run and bool(match["number"]) != bool(run[0]["number"])):
            break
        run.append(match)
    return run


def _render_list(lines: list[str], matches: list[re.Match], first_number: str | None) -> str:
    items = "".join(f"<li>{_render_line(line[m.end() :])}</li>" for line, m in zip(lines, matches, strict=True))
    if first_number is None:
        return f"<ul>{items}</ul>"
    start = "" if int(first_number) == 1 else f' start="{int(first_number)}"'
    return f"<ol{start}>{items}</ol>"


def _paragraph(lines: list[str]) -> list[str]:
    return [f"<p>{'<br>'.join(_render_line(line) for line in lines)}</p>"] if lines else []


def _render_line(line: str) -> str:
    linked = urlize(escape(line), nofollow=True)
    return linked.replace('rel="nofollow"', 'rel="nofollow noopener ugc"')
