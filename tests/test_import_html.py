"""What becomes of the HTML in descriptions."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedule.importing.html import html_to_text

HOSTILE = ("<", "<!--", "<a ", "<a href=x>", "<b>", "</b>", "<ul><li>", "<div>", "</ul>", "&", "&#", "\n ", "<script>")


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("Low <b>water</b>, <i>high</i> hopes", "Low water, high hopes"),
        ("One<br>two<br/>\nthree<br><br>four", "One\ntwo\nthree\n\nfour"),
        ("<p>One\n  line</p>\n<p>Two</p>", "One line\n\nTwo"),
        ("<div>One</div><div>Two</div>", "One\nTwo"),
        ("<h2>Why</h2>Because", "Why\n\nBecause"),
        ("Bring:<ul><li>rope</li><li><p>knife</p></li></ul>and time", "Bring:\n\n- rope\n- knife\n\nand time"),
        ("<ol><li>Reef<li>Heave<ul><li>to</ul><li>Rest</ol>", "1. Reef\n2. Heave\n  - to\n3. Rest"),
        ("<table><tr><td>Mon<td>ebb</tr><tr><td>Tue</td><td>flow</td></tr></table>", "Mon | ebb\nTue | flow"),
        ("<pre>a\n   b</pre>", "a\n   b"),
        ("See <a href='https://example.org/x'>the map</a>", "See the map (https://example.org/x)"),
        ("See <a href='https://example.org/x/'>example.org/x</a>", "See example.org/x"),
        ("<a href='javascript:alert(1)'>Press</a>", "Press"),
        ("<img src='a.png' alt='A boat'> at sea", "A boat at sea"),
        ("One<!-- not <b>this</b> -->, two<script>alert('<p>')</script><style>p {}</style>", "One, two"),
    ],
)
def test_markup_becomes_what_a_reader_sees(html, text):
    assert html_to_text(html) == text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("R&amp;D &quot;at sea&quot;&nbsp;&#8211; caf&eacute;", 'R&D "at sea" – café'),
        ("https://example.org/?a=1&copy=2&lt=3", "https://example.org/?a=1&copy=2&lt=3"),
        ("a < b, Vec<T>, <me@example.org>, R&D, i <3 U", "a < b, Vec<T>, <me@example.org>, R&D, i <3 U"),
        ("- rope\n  - thin\n\n\n\n- knife  \n", "- rope\n  - thin\n\n- knife"),
        ("How <script> tags work", "How <script> tags work"),
        ("The <b", "The <b"),
        ("one\r\ntwo\rthree\x00\x07\ud83d", "one\ntwo\nthree\ufffd"),
        ("&#0;&#xD800;", "\ufffd\ufffd"),
    ],
)
def test_text_that_only_looks_like_markup_stays(html, text):
    assert html_to_text(html) == text


def test_a_line_end_outside_of_paragraphs_is_the_authors():
    assert html_to_text("One <b>bold</b>\ntwo\n\nthree") == "One bold\ntwo\n\nthree"


@given(st.text())
@settings(max_examples=200, deadline=None)
def test_any_text_is_read_and_text_without_markup_is_read_once_and_for_all(text):
    plain = html_to_text(text.replace("<", "").replace("&", ""))
    assert html_to_text(plain) == plain
    html_to_text(text)


@given(st.lists(st.sampled_from([*HOSTILE, "</li>", "</a>", "<p>", "</p>", "<td>", "<pre>", "x", " ", "-->", "&amp;"])))
@settings(max_examples=200, deadline=None)
def test_any_heap_of_tags_is_read(pieces):
    text = html_to_text("".join(pieces))
    assert text == text.strip("\n").rstrip()
    assert "\n\n\n" not in text


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_text_takes_time_in_proportion_to_its_length(piece):
    started = time.process_time()
    html_to_text(piece * 30_000)
    assert time.process_time() - started < 4
