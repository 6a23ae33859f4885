"""manage.py export_site: the public site of an event as a folder of files, for archiving it."""

import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from conference.models import Event
from schedule.exports.site import SiteWriter


class Command(BaseCommand):
    help = (
        "Write the public site of an event, in all languages, as files whose links work from a folder or under any "
        "path of a web server. Stars, filters, search and zones need a server and are left out."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("event", metavar="EVENT", help="the event's slug")
        parser.add_argument("folder", metavar="DIR", type=Path, help="where to write; it must not hold anything yet")

    def handle(self, *args, **options) -> None:
        event = find_event(options["event"])
        folder: Path = options["folder"].resolve()
        try:
            if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
                raise CommandError(f"{folder} holds something already; name a folder that is empty or not there yet")
            count = write_whole(event, folder, self.show if sys.stderr.isatty() else lambda count: None)
        except OSError as error:
            raise CommandError(f"{error.filename or folder}: {error.strerror}") from None
        self.stdout.write(f"{event.name}: {count} files in {folder}; open {folder / 'index.html'}")

    def show(self, count: int) -> None:
        self.stderr.write(f"\r{count} files", ending="")


def write_whole(event: Event, folder: Path, report: Callable[[int], None]) -> int:
    """Write the site beside `folder` first, so that a folder is there whole or not at all; return how many files.

    `report` is called with the number of files written so far. Raises OSError where the disk refuses.
    """
    call_command("collectstatic", interactive=False, verbosity=0)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as beside:
        part = Path(beside) / folder.name
        part.mkdir()
        count = SiteWriter(event, part, report).write()
        if folder.exists():
            folder.rmdir()
        part.rename(folder)
    return count


def find_event(slug: str) -> Event:
    """Return the public event with this slug. Raises CommandError for none, and for a draft."""
    event = Event.objects.filter(slug=slug).first()
    if event is None:
        known = ", ".join(Event.objects.public().order_by("slug").values_list("slug", flat=True)) or "none yet"
        raise CommandError(f"there is no event {slug!r}; there are: {known}")
    if not event.is_public:
        raise CommandError(f"“{event.name}” is a draft: make it public in the admin first")
    return event
