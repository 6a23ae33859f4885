"""An import in a process of its own, which can stop in the midst of its transaction, to be killed or let go.

Usage: python -m tests.import_process STATEMENT SECONDS PATH…
After the first STATEMENT ("INSERT INTO …"; "" for none) it prints "here" and waits for a line. SECONDS is how long
it waits for the database.
"""

import sys

import django
from django.conf import settings
from django.core.management import execute_from_command_line
from django.db import connection


def main(statement: str, seconds: str, *paths: str) -> None:
    settings.DATABASES["default"]["OPTIONS"]["timeout"] = float(seconds)
    django.setup()
    stopped = []

    def stop(execute, sql, params, many, context):
        result = execute(sql, params, many, context)
        if statement and sql.startswith(statement) and not stopped:
            stopped.append(sql)
            print("here", flush=True)  # noqa: T201 (this is what the test waits for)
            sys.stdin.readline()
        return result

    with connection.cursor() as cursor:
        # As little memory as there is, so that half an import is on the disk when it stops.
        cursor.execute("PRAGMA cache_size = 1")
    with connection.execute_wrapper(stop):
        execute_from_command_line(["manage.py", "import_schedule", *paths])


if __name__ == "__main__":
    main(*sys.argv[1:])
