"""manage.py export_schedule: the programme of an event as text that import_schedule reads."""

import sys
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from conference.models import Event
from schedule.exports.sched_text import ScheduleText, write_sched_text
from schedule.management.commands.import_schedule import explain, printable
from schedule.models import Session


class Command(BaseCommand):
    help = (
        "Write the programme of an event, without drafts, as a text that import_schedule reads back as the same "
        "programme. What the format has no place for is said on standard error."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("event", metavar="EVENT", help="the event's slug")
        parser.add_argument("--format", default="text", choices=["text"], help="the form to write")
        parser.add_argument("--output", default="-", metavar="PATH", help="a file to write; - is standard output")

    def handle(self, *args, **options) -> None:
        try:
            written = export(options["event"])
        except DatabaseError as error:
            raise CommandError(explain(error)) from None
        try:
            write(options["output"], written.text)
        except OSError as error:
            raise CommandError(f"{options['output']}: {error.strerror}") from None
        for loss in written.losses:
            self.stderr.write(printable(loss, self.stderr))


def export(slug: str) -> ScheduleText:
    """Return the text of the event's programme. Raises CommandError for what is not there."""
    event = Event.objects.filter(slug=slug).first()
    if event is None:
        known = ", ".join(Event.objects.order_by("slug").values_list("slug", flat=True)) or "none yet"
        raise CommandError(f"there is no event {slug!r}; there are: {known}")
    sessions = event.sessions.exclude(status=Session.Status.DRAFT).with_people().prefetch_related("materials")
    try:
        return write_sched_text(event, sessions.in_order())
    except ValueError as error:
        raise CommandError(f"{event.name}: {error}") from None


def write(path: str, text: str) -> None:
    """Write UTF-8 with LF, whatever the terminal or the system prefers."""
    if path == "-":
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
    else:
        Path(path).write_bytes(text.encode())
