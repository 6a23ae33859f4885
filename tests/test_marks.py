"""Small marks of the templates: times, lengths, badges, and prose that comes from elsewhere."""

from datetime import datetime, timedelta, timezone
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest
from django.template import defaultfilters, defaulttags
from hypothesis import given
from hypothesis import strategies as st

from conference.templatetags import marks
from conference.templatetags.marks import (
    badge,
    clock,
    in_minutes,
    iso_duration,
    prose,
    track_class,
    track_style,
    utc_offset,
)


def test_no_mark_takes_a_name_that_django_and_its_admin_use_themselves():
    django = {*defaultfilters.register.filters, *defaulttags.register.tags}
    assert django & {*marks.register.filters, *marks.register.tags} == set()


def test_a_clock_time_is_printed_as_it_is():
    assert clock(datetime(2030, 5, 6, 9, 5, 59, tzinfo=ZoneInfo("Asia/Tokyo"))) == "09:05"


@pytest.mark.parametrize(
    ("minutes", "printed", "machine"),
    [
        (0, "0 min", "PT0M"),
        (25, "25 min", "PT25M"),
        (119, "119 min", "PT119M"),
        (120, "2 h", "PT120M"),
        (150, "2 h 30 min", "PT150M"),
        (1500, "25 h", "PT1500M"),
    ],
)
def test_a_length_is_in_minutes_and_from_two_hours_on_in_hours(minutes, printed, machine):
    assert (in_minutes(minutes), iso_duration(minutes)) == (printed, machine)


@pytest.mark.parametrize(
    ("offset", "printed"),
    [
        (timedelta(), "UTC"),
        (timedelta(hours=2), "UTC+2"),
        (timedelta(hours=-7), "UTC-7"),
        (timedelta(hours=5, minutes=30), "UTC+5:30"),
        (timedelta(hours=-3, minutes=-30), "UTC-3:30"),
        (timedelta(hours=12, minutes=45), "UTC+12:45"),
    ],
)
def test_an_offset_is_written_as_people_write_it(offset, printed):
    assert utc_offset(datetime(2030, 5, 6, tzinfo=timezone(offset))) == printed


def a_track(**values):
    defaults = {"name": "Boats & <Nets>", "code": "BN", "hue": None, "palette_row": 3, "form_name": "outlined"}
    return SimpleNamespace(**defaults | values)


def test_a_tracks_colour_is_its_row_of_the_palette_or_its_own_hue():
    assert (track_class(a_track()), track_style(a_track())) == ("track-3 is-outlined", "")
    own = a_track(hue=0)
    assert (track_class(own), track_style(own)) == ("track-own is-outlined", ' style="--track-hue: 0"')


def test_a_badge_beside_the_name_is_silent():
    assert (
        badge(a_track(), large=True) == '<span class="badge track-3 is-outlined is-large" aria-hidden="true">BN</span>'
    )


def test_a_badge_alone_says_the_name():
    assert badge(a_track(code="<"), alone=True) == (
        '<span class="badge track-3 is-outlined" title="Boats &amp; &lt;Nets&gt;"><span aria-hidden="true">&lt;</span>'
        '<span class="sight-hidden">Boats &amp; &lt;Nets&gt;</span></span>'
    )


def link(address: str, shown: str | None = None) -> str:
    return f'<a href="{address}" rel="nofollow noopener ugc">{shown or address}</a>'


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("", ""),
        (" \n \n", ""),
        ("Low water.", "<p>Low water.</p>"),
        ("Low\nwater", "<p>Low<br>water</p>"),
        ("Low\n\nwater\n \t\n\ntoo", "<p>Low</p>\n<p>water</p>\n<p>too</p>"),
        ("Low\r\n\r\nwater", "<p>Low</p>\n<p>water</p>"),
        ("- one\n- two", "<ul><li>one</li><li>two</li></ul>"),
        ("• one\n* two", "<ul><li>one</li><li>two</li></ul>"),
        ("1. one\n2) two", "<ol><li>one</li><li>two</li></ol>"),
        ("3. one\n4. two", '<ol start="3"><li>one</li><li>two</li></ol>'),
        ("Bring:\n- one\n- two\nand go", "<p>Bring:</p>\n<ul><li>one</li><li>two</li></ul>\n<p>and go</p>"),
        ("- one\n- two\n1. a\n2. b", "<ul><li>one</li><li>two</li></ul>\n<ol><li>a</li><li>b</li></ol>"),
        ("- a line alone", "<p>- a line alone</p>"),
        ("- one\n1. two", "<p>- one<br>1. two</p>"),
        ("-one\n-two", "<p>-one<br>-two</p>"),
        ("1999. one\n2000. two", "<p>1999. one<br>2000. two</p>"),
        ("- <b>one</b>\n- two", "<ul><li>&lt;b&gt;one&lt;/b&gt;</li><li>two</li></ul>"),
    ],
)
def test_prose_has_paragraphs_line_breaks_and_lists(text, html):
    assert prose(text) == html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"),
        ("<img src=x onerror=alert(1)>", "<p>&lt;img src=x onerror=alert(1)&gt;</p>"),
        ("Q&amp;A", "<p>Q&amp;amp;A</p>"),
        ("a \"b\" 'c'", "<p>a &quot;b&quot; &#x27;c&#x27;</p>"),
        ('rel="nofollow"', "<p>rel=&quot;nofollow&quot;</p>"),
        ("{{ secret }} {% now %}", "<p>{{ secret }} {% now %}</p>"),
    ],
)
def test_markup_in_prose_stays_inert(text, html):
    assert prose(text) == html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("See https://example.org/a.", f"<p>See {link('https://example.org/a')}.</p>"),
        ("(https://example.org/a)", f"<p>({link('https://example.org/a')})</p>"),
        (
            "https://example.org/?a=1&b=2",
            f"<p>{link('https://example.org/?a=1&amp;b=2')}</p>",
        ),
        ("javascript:alert(1)", "<p>javascript:alert(1)</p>"),
        ("data:text/html,x vbscript:x", "<p>data:text/html,x vbscript:x</p>"),
    ],
)
def test_only_addresses_of_the_web_become_links(text, html):
    assert prose(text) == html


@pytest.mark.parametrize("scheme", ["javascript", "JavaScript", "data", "vbscript", "file"])
def test_no_link_leads_to_another_scheme(scheme):
    html = prose(f"{scheme}://example.org/%0aalert(1) {scheme}:x@example.org")
    assert [part.partition(":")[0] for part in html.split('href="')[1:]] in (["http", "mailto"], ["http"], [])


def test_a_quote_in_an_address_cannot_leave_its_attribute():
    html = prose('https://example.org/"onmouseover="alert(1)')
    assert html.count('"') == 4
    assert html.startswith('<p><a href="https://example.org/')


@given(st.text())
def test_prose_never_lets_a_tag_of_the_text_through(text):
    html = prose(text)
    for own in ("<p>", "</p>", "<br>", "<ul>", "</ul>", "<ol>", "</ol>", "<li>", "</li>", "</a>"):
        html = html.replace(own, "")
    html = html.replace('" rel="nofollow noopener ugc">', "")
    assert "<" not in html.replace('<a href="', "").replace('<ol start="', "")


@pytest.mark.parametrize(
    "text",
    [
        "a" * 100_000,
        "\n" * 99_999 + "a",
        "\n" + " " * 100_000 + "a",
        " \n" * 50_000 + "a",
        "a\n" * 50_000,
        "- a\n1. b\n" * 12_000,
        "- a\n" * 25_000,
        "https://" * 12_500,
        "https://example.org/" + "a" * 100_000,
        "&" * 100_000,
        "a@" * 50_000,
        "(" * 100_000,
        "www." * 25_000,
        "a." * 50_000,
    ],
    ids=lambda text: repr(text[:10]),
)
def test_a_hundred_thousand_characters_of_anything_are_printed_whole(text):
    html = prose(text)
    assert html.startswith("<")
    assert len(html) >= len(text.strip())
