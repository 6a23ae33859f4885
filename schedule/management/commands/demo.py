"""manage.py demo: a site with real data in one step. `make demo` calls it."""

import os
import secrets
import socket
import sys
from pathlib import Path

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from conference.models import Event
from schedule.importing import ImportReport, Source, import_schedule

ORGANISER = "organiser"
# A saved text keeps the words of a link and loses its address.
LINKS = {
    "PyTorch Conference Europe 2026": {
        "website_url": "https://events.linuxfoundation.org/pytorch-conference-europe/",
        "registration_url": "https://events.linuxfoundation.org/pytorch-conference-europe/register/",
        "help_url": "https://events.linuxfoundation.org/pytorch-conference-europe/contact-us/",
    },
    "Northern Lights Web Conference 2026": {
        "website_url": "https://northern-lights.example/",
        "registration_url": "https://northern-lights.example/tickets",
        "help_url": "https://northern-lights.example/help",
    },
}
SCHEDULES = settings.BASE_DIR / "fixtures" / "schedules"


class Command(BaseCommand):
    help = "Prepare a database with the demo schedules and an organiser, and serve the site on this machine."
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", default="8000")
        parser.add_argument("--no-serve", action="store_true", help="prepare everything, and stop there")

    def handle(self, *args, **options) -> None:
        port = read_port(options["port"])
        if not options["no_serve"]:
            check_port_is_free(port)
        call_command("migrate", verbosity=0)
        self.stdout.write(summarise(import_schedules()))
        add_links()
        self.make_organiser()
        call_command("collectstatic", interactive=False, verbosity=0)
        if not options["no_serve"]:
            self.stdout.write(f"Plenary runs at http://127.0.0.1:{port}/ (stop with Ctrl+C)")
            self.stdout.flush()
            serve(port)

    def make_organiser(self) -> None:
        """Make the organiser's account the first time, and show its password that once."""
        users = get_user_model().objects
        if users.filter(username=ORGANISER).exists():
            self.stdout.write(
                f"Organiser: {ORGANISER}; lost the password? .venv/bin/python manage.py changepassword {ORGANISER}"
            )
            return
        password = secrets.token_urlsafe(12)
        users.create_superuser(ORGANISER, password=password)
        self.stdout.write(f"Organiser for /admin/: {ORGANISER}, password {password} (shown this once)")


def read_port(text: str) -> int:
    """Read a port number. Raises CommandError for anything else."""
    if text.isascii() and text.isdigit() and 1 <= int(text) <= 65535:
        return int(text)
    raise CommandError(f"{text!r} is not a port: give a number from 1 to 65535, such as PORT=8001")


def check_port_is_free(port: int) -> None:
    """Raise CommandError when something listens on `port` of this machine already."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            reason = "is taken" if not isinstance(error, PermissionError) else "is not open to you"
            raise CommandError(f"Port {port} {reason}. Choose another: make demo PORT={port + 1}") from None


def import_schedules() -> ImportReport:
    """Import the demo's schedules into an empty database; into any other, only say that nothing changed.

    What came later (another import, an event deleted by hand) is the user's, and stays.
    """
    sources = [Source(path.name, path.read_bytes()) for path in sorted(SCHEDULES.glob("*.txt"))]
    return import_schedule(sources, is_dry_run=Event.objects.exists())


def add_links() -> None:
    """Fill in the addresses of the demo's events where nobody has."""
    for event in Event.objects.filter(name__in=LINKS, website_url="", registration_url="", help_url=""):
        Event.objects.filter(pk=event.pk).update(**LINKS[event.name])
        event.mark_programme_changed()


def summarise(report: ImportReport) -> str:
    """Return one line an event: the whole report is import_schedule's to give."""
    if report.is_dry_run and report.has_changes:
        return "The database holds more than the demo: it is kept as it is, and nothing was imported."
    lines = []
    for event in report.events:
        sessions, speakers = event.counts["sessions"], event.counts["speakers"]
        news = ", ".join(f"{number} {outcome}" for outcome, number in sorted(sessions.items()) if number)
        lines.append(f"{event.name}: {sessions.total()} sessions ({news}), {speakers.total()} speakers")
    return "\n".join(lines)


def serve(port: int) -> None:
    """Become the web server of production, on loopback. Never returns."""
    gunicorn = Path(sys.executable).with_name("gunicorn")
    arguments = [
        "conference.wsgi",
        "--bind",
        f"127.0.0.1:{port}",
        "--workers",
        "2",
        "--log-level",
        "warning",
        "--no-control-socket",
    ]
    os.chdir(settings.BASE_DIR)
    # Loopback speaks no TLS, whatever the shell's own settings are for.
    os.execve(gunicorn, [str(gunicorn), *arguments], os.environ | {"HTTPS": "false"})  # noqa: S606
