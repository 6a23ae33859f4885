"""How long each form of a schedule takes; figures only, no assertion.

    .venv/bin/python -m tests.benchmarks.export_benchmark [SESSIONS]

Imports a schedule of 1,000 sessions, and prints for each form of it seconds, bytes and SQL statements when it is
written, the same when it is asked for again and was kept, and the most memory that the process had until then.
"""

import os
import resource
import sys
import time

os.environ.setdefault("ALLOWED_HOSTS", "localhost")

# Its database is a file that goes when the process ends, and Django is set up for it.
from tests.benchmarks.import_benchmark import make_schedule  # isort: skip

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from conference.models import Event
from schedule.exports.files import FILE_FORMS
from schedule.importing import import_schedule

PEOPLE_A_SESSION = 1.5
PAGES = ("", "grid/", "programme/", "changes/", "changes.atom", "now.ics", "offline.json", "sitemap.xml")


def measure(client: Client, address: str) -> tuple[float, int, int]:
    """Ask for `address`; return seconds, bytes and SQL statements."""
    with CaptureQueriesContext(connection) as queries:
        begin = time.perf_counter()
        response = client.get(address, headers={"host": "localhost"})
        content = response.getvalue()
        seconds = time.perf_counter() - begin
    if response.status_code != 200:
        raise SystemExit(f"{address} answers {response.status_code}")
    return seconds, len(content), len(queries)


def main() -> None:
    sessions = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    # Static files by their plain names: nothing has to be collected for a measurement.
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }
    call_command("migrate", verbosity=0)
    import_schedule([make_schedule(sessions, int(sessions * PEOPLE_A_SESSION))])
    slug, client = Event.objects.get().slug, Client()
    forms = [f"/{slug}/schedule.{ending}" for ending in FILE_FORMS] + [f"/{slug}/{page}" for page in PAGES]
    forms.append(f"/api/v1/events/{slug}/programme/")
    # What is made once for all, as templates and translations, is nobody's time.
    client.get(f"/{slug}/speakers/", headers={"host": "localhost"})
    print(f"{sessions} sessions{'':17}written{'':24}kept")  # noqa: T201
    for address in forms:
        first, size, statements = measure(client, address)
        again, _size, few = measure(client, address)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(  # noqa: T201
            f"{address.removeprefix(f'/{slug}'):<28}{first:6.2f} s {size / 1024:8.0f} KB {statements:3} statements "
            f"{again * 1000:8.1f} ms {few:3} statements {peak:6.0f} MB peak"
        )


if __name__ == "__main__":
    main()
