"""From the bytes of a file or an upload to text, or a refusal that says what to do."""

import codecs
import re

from schedule.importing.document import Problem, ScheduleRefused, Severity

_MAGIC = {
    b"%PDF": "a PDF",
    b"PK\x03\x04": "a zip file (also .docx and .xlsx are)",
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"\x1f\x8b": "a gzip file",
    b"\xd0\xcf\x11\xe0": "an old Office document",
    b"{\\rtf": "a rich text document",
}
_SAVE_AGAIN = "Save the schedule as plain text (UTF-8) and import that."
# Controls, but not the tabs, line and page breaks that a text has.
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
_CONTROL_SHARE = 0.01
_SAMPLE = 4096


def decode_text(data: bytes, source: str, is_partial_allowed: bool = False) -> str:
    """Return `data` as text with LF line ends and without a byte order mark.

    UTF-8, UTF-16 and, where the bytes are neither but still text, Windows-1252. `source` names the
    file in problems. With `is_partial_allowed` the half of a character at the very end is dropped.
    Raises ScheduleRefused for what is empty, binary, or UTF-8 with a few broken bytes.
    """
    if not data.strip():
        raise _refusal("The file is empty. Save the schedule again.", source)
    for magic, name in _MAGIC.items():
        if data.startswith(magic):
            raise _refusal(f"This is {name}, not text. {_SAVE_AGAIN}", source)
    encoding = _find_utf16(data)
    if is_partial_allowed:
        data = _drop_half_character(data, encoding or "utf-8")
    text = _decode_utf16(data, encoding, source) if encoding else _decode_bytes(data, source)
    _check_is_text(text, source)
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _find_utf16(data: bytes) -> str:
    """Name the UTF-16 that `data` is written in, "" if none: by its mark, or by where its NULs stand."""
    if data.startswith(codecs.BOM_UTF16_LE):
        return "utf-16-le"
    if data.startswith(codecs.BOM_UTF16_BE):
        return "utf-16-be"
    even, odd = data[0:_SAMPLE:2], data[1:_SAMPLE:2]
    if odd.count(0) > len(odd) / 2 and not even.count(0):
        return "utf-16-le"
    if even.count(0) > len(even) / 2 and not odd.count(0):
        return "utf-16-be"
    return ""


def _decode_utf16(data: bytes, encoding: str, source: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].decode(encoding, "replace").count("\n") + 1
        message = f"The UTF-16 text breaks off or is damaged in line {line}. Save it again, best as UTF-8."
        raise _refusal(message, source, line) from error


def _drop_half_character(data: bytes, encoding: str) -> bytes:
    """Return `data` without the beginning of a character at its end."""
    try:
        data.decode(encoding)
    except UnicodeDecodeError as error:
        is_at_end = error.end == len(data) and error.reason in ("unexpected end of data", "truncated data")
        return data[: error.start] if is_at_end else data
    return data


def _decode_bytes(data: bytes, source: str) -> str:
    """Decode UTF-8, else Windows-1252, unless the text is UTF-8 but for a few bytes."""
    if b"\0" in data:
        raise _refusal(f"This is binary data, not text. {_SAVE_AGAIN}", source)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        if _is_mostly_utf8(data, is_cut=error.end == len(data)):
            raise _broken_utf8(data, error, source) from error
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        message = f"Byte 0x{data[error.start]:02X} in line {line} is neither UTF-8 nor Windows-1252. {_SAVE_AGAIN}"
        raise _refusal(message, source, line) from error


def _is_mostly_utf8(data: bytes, is_cut: bool) -> bool:
    """Tell UTF-8 with damage from Windows-1252: its whole multi-byte characters outnumber the bad places.

    With `is_cut` the only bad place is the end, and one whole character is enough.
    """
    text = data.decode("utf-8", "replace")
    damaged = text.count("\ufffd")
    whole = sum(character > "\x7f" for character in text) - damaged
    return whole > damaged or (is_cut and whole == damaged)


def _broken_utf8(data: bytes, error: UnicodeDecodeError, source: str) -> ScheduleRefused:
    line_start = data.rfind(b"\n", 0, error.start) + 1
    line_end = data.find(b"\n", error.start)
    line = data.count(b"\n", 0, error.start) + 1
    text = data[line_start : line_end if line_end >= 0 else len(data)].decode("utf-8", "replace").strip()
    if error.reason == "unexpected end of data" and error.end == len(data):
        message = f"The text breaks off within a character in line {line}. Save the whole schedule again."
        return _refusal(message, source, line, text)
    message = (
        f"Byte {error.start - line_start + 1} of line {line} (0x{data[error.start]:02X}) is not UTF-8, "
        "although the rest of the text is. Correct that character, or save the schedule again as UTF-8."
    )
    return _refusal(message, source, line, text)


def _check_is_text(text: str, source: str) -> None:
    controls = len(_CONTROL.findall(text))
    if "\0" in text or controls > len(text) * _CONTROL_SHARE:
        raise _refusal(f"This is binary data, not text. {_SAVE_AGAIN}", source)
    if not text.removeprefix("\ufeff").strip():
        raise _refusal("The file is empty. Save the schedule again.", source)


def _refusal(message: str, source: str, line: int | None = None, text: str = "") -> ScheduleRefused:
    return ScheduleRefused(Problem(message, source, line, text, Severity.ERROR))
