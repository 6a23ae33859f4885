"""manage.py import_schedule: text schedules into the database."""

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser, OutputWrapper
from django.db import DatabaseError, IntegrityError

from schedule.importing import (
    FORMAT_NAMES,
    ImportOptions,
    ReadOptions,
    ScheduleRefused,
    Source,
    import_schedule,
)

# Done, and there is something to look at. 1 is Django's: nothing was written.
WARNINGS_STATUS = 2
LARGEST_FILE = 50 * 1024 * 1024


class Command(BaseCommand):
    help = (
        "Import schedules: text, CSV, iCalendar, frab XML, pretalx JSON, tables. Several files, also of several "
        "events, can go in one call; what was imported before is updated, never doubled. All or nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("paths", nargs="+", metavar="PATH", help="a schedule; - is standard input")
        parser.add_argument(
            "--event", default="", metavar="SLUG", help="import into this event, whatever the text says"
        )
        parser.add_argument("--timezone", default="", metavar="ZONE", help="IANA zone, where the text names no place")
        parser.add_argument("--dry-run", action="store_true", help="report field by field, and write nothing")
        parser.add_argument("--format", default="", choices=FORMAT_NAMES, help="where the content misleads")
        parser.add_argument("--report", choices=["text", "json"], default="text", help="how to print the report")
        parser.add_argument(
            "--prefer", choices=["here", "source"], default="here",
            help="who wins where both changed, or where the source says only the beginning of a text",
        )  # fmt: skip
        parser.add_argument("--cancel-missing", action="store_true", help="cancel what a whole source lacks now")
        parser.add_argument("--restore", action="store_true", help="bring back what was deleted here by hand")
        parser.add_argument("--partial", action="store_true", help="of a source that was cut off, import what is whole")
        parser.add_argument("--columns", default="", metavar="TITLE=NAME,…", help="columns of a plain table, by hand")
        parser.add_argument("--strict", action="store_true", help="exit with status 2 when there are warnings")
        parser.add_argument("--quiet", action="store_true", help="print nothing but errors")

    def handle(self, *args, **options) -> None:
        try:
            sources = [read_source(path) for path in dict.fromkeys(options["paths"])]
            report = import_schedule(
                sources,
                event_slug=options["event"],
                timezone=options["timezone"],
                format_name=options["format"],
                reading=ReadOptions(options["partial"], read_columns(options["columns"])),
                options=ImportOptions(options["prefer"] == "source", options["cancel_missing"], options["restore"]),
                is_dry_run=options["dry_run"],
                progress=self.show_progress,
            )
        except ScheduleRefused as refusal:
            if options["report"] == "json":
                self.stdout.write(json.dumps({"refused": [asdict(problem) for problem in refusal.problems]}, indent=2))
            raise CommandError(printable(f"{refusal}\nNothing was written.", self.stderr)) from None
        except DatabaseError as error:
            raise CommandError(f"{explain(error)} Nothing was written.") from None
        if not options["quiet"]:
            is_json = options["report"] == "json"
            self.stdout.write(report.to_json() if is_json else printable(report.render(), self.stdout))
        if options["strict"] and report.problems:
            sys.exit(WARNINGS_STATUS)

    def show_progress(self, done: int, total: int) -> None:
        """Count on a terminal, in place; in a log or a pipe it would only be noise."""
        if sys.stderr.isatty() and (done % 100 == 0 or done == total):
            self.stderr.write(f"\r{done} of {total} sessions", ending="\n" if done == total else "")


def read_source(path: str) -> Source:
    """Read a file, or standard input for "-". Raises CommandError with one line for what can't be read."""
    # A name that is no text is shown with its bytes escaped, and stored so.
    name = "standard input" if path == "-" else os.fsencode(path).decode("utf-8", "backslashreplace")
    try:
        data = _read(path)
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror or error}. Nothing was written.") from None
    if len(data) > LARGEST_FILE:
        raise CommandError(
            f"{name}: larger than {LARGEST_FILE // 1024**2} MB; a schedule is smaller. Nothing was written."
        )
    return Source(name, data)


def _read(path: str) -> bytes:
    """Return what a file holds, and of one that is too large only enough to see that."""
    if path == "-":
        if sys.stdin is None:
            raise CommandError("Standard input is closed. Nothing was written.")
        return sys.stdin.buffer.read(LARGEST_FILE + 1)
    if Path(path).is_char_device() or Path(path).is_block_device():
        raise CommandError(f"{path}: a device, not a file. Nothing was written.")
    with Path(path).open("rb") as file:
        return file.read(LARGEST_FILE + 1)


def read_columns(text: str) -> dict[str, str]:
    """Read "title=Name,start=Begin" as our words and the columns they stand for."""
    pairs = [part.partition("=") for part in text.split(",") if part.strip()]
    if any(not (word.strip() and column.strip()) for word, _sign, column in pairs):
        raise CommandError(f"--columns {text}: write pairs such as title=Name,start=Begin")
    return {word.strip(): column.strip() for word, _sign, column in pairs}


def explain(error: DatabaseError) -> str:
    """Return in a sentence what is wrong with the database, and what to do."""
    if "no such table" in str(error) or "does not exist" in str(error):
        return f"The database is not set up ({error}). Run manage.py migrate first."
    if isinstance(error, IntegrityError):
        return f"Another import of this event may have run at the same moment ({error}). Run it again."
    if "locked" in str(error):
        return "Another program writes to the database. Try again when it is done."
    return f"The database refused: {error}."


def printable(text: str, stream: OutputWrapper) -> str:
    """Return `text` as `stream` can print it, without the control characters that a terminal would obey."""
    plain = "".join(c if c.isprintable() or c in "\n\t" else f"\\x{ord(c):02x}" for c in text)
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return plain.encode(encoding, "backslashreplace").decode(encoding)
