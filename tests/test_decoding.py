"""Which bytes are text, and what a refusal says."""

import codecs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedule.importing.decoding import decode_text
from schedule.importing.document import Problem, ScheduleRefused, Severity

TEXT = "Zoë’s Oars: Full Schedule\n\nÄrger → naïve\nŁódź"


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        codecs.BOM_UTF8 + TEXT.encode(),
        codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"),
        codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
        TEXT.encode("utf-16-le"),
        TEXT.encode("utf-16-be"),
        TEXT.replace("\n", "\r\n").encode(),
        TEXT.replace("\n", "\r").encode(),
    ],
    ids=["utf-8", "utf-8 mark", "utf-16-le mark", "utf-16-be mark", "utf-16-le", "utf-16-be", "crlf", "cr"],
)
def test_text_comes_out_alike_from_every_encoding_and_line_end(data):
    assert decode_text(data, "a.txt") == TEXT


@pytest.mark.parametrize("text", ["Zoë’s Oars – 5 €", "Zoë", "rosé"])
def test_text_that_is_not_utf8_is_read_as_windows_1252(text):
    assert decode_text(text.encode("cp1252"), "a.txt") == text


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "The file is empty. Save the schedule again."),
        (b" \r\n", "The file is empty. Save the schedule again."),
        (codecs.BOM_UTF8, "The file is empty. Save the schedule again."),
        (codecs.BOM_UTF16_LE, "The file is empty. Save the schedule again."),
        (b"%PDF-1.7 text", "This is a PDF, not text. "),
        (b"PK\x03\x04\x14", "This is a zip file (also .docx and .xlsx are), not text. "),
        (b"\x89PNG\r\n\x1a\n", "This is a PNG picture, not text. "),
        (b"Oars\0Sails", "This is binary data, not text. "),
        (bytes(range(1, 128)), "This is binary data, not text. "),
        (b"caf\xe9 \x01\x02\x03", "This is binary data, not text. "),
    ],
)
def test_what_is_no_text_is_refused_with_what_to_do(data, message):
    cure = "" if "empty" in message else "Save the schedule as plain text (UTF-8) and import that."
    assert _problems(data) == [Problem(message + cure, "a.txt", severity=Severity.ERROR)]


def test_a_broken_byte_in_utf8_is_refused_with_its_place():
    data = "Zoë rows\nÄrger\nŁódź".encode().replace("Ä".encode(), b"\xc4")
    message = (
        "Byte 1 of line 2 (0xC4) is not UTF-8, although the rest of the text is. "
        "Correct that character, or save the schedule again as UTF-8."
    )
    assert _problems(data) == [Problem(message, "a.txt", 2, "\ufffdrger", Severity.ERROR)]


def test_utf8_that_ends_within_a_character_is_refused_as_cut():
    message = "The text breaks off within a character in line 2. Save the whole schedule again."
    assert _problems("Zoë Łódź\nOars →".encode()[:-1]) == [
        Problem(message, "a.txt", 2, "Oars \ufffd", Severity.ERROR),
    ]


def test_utf16_that_ends_within_a_character_is_refused_as_cut():
    message = "The UTF-16 text breaks off or is damaged in line 2. Save it again, best as UTF-8."
    data = codecs.BOM_UTF16_LE + "Oars\nSails".encode("utf-16-le")[:-1]
    assert _problems(data) == [Problem(message, "a.txt", 2, severity=Severity.ERROR)]


def test_a_byte_that_no_encoding_has_is_refused_with_its_line():
    message = "Byte 0x81 in line 2 is neither UTF-8 nor Windows-1252. "
    message += "Save the schedule as plain text (UTF-8) and import that."
    assert _problems(b"Oars\nSa\x81ls") == [Problem(message, "a.txt", 2, severity=Severity.ERROR)]


@given(st.binary(max_size=200))
@settings(max_examples=200, deadline=None)
def test_any_bytes_are_text_or_a_refusal(data):
    try:
        text = decode_text(data, "a.txt")
    except ScheduleRefused as refused:
        text, problems = "", refused.problems
    else:
        problems = []
    assert ("\r" in text, len(problems)) == (False, 0 if text else 1)


def _problems(data: bytes) -> list[Problem]:
    with pytest.raises(ScheduleRefused) as refused:
        decode_text(data, "a.txt")
    return refused.value.problems
