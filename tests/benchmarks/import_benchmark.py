"""How long an import takes, beside bare inserts of the same rows; figures only, no assertion.

    .venv/bin/python -m tests.benchmarks.import_benchmark [SESSIONS] [SLOTS]

Makes a schedule of 10,000 sessions with 15,000 speaker slots, and prints seconds, SQL statements and peak
memory of a first import, an unchanged one and one with 1 % changed, and the time that sqlite3's executemany
needs for the same rows, all in one run.
"""

import os
import resource
import sqlite3
import statistics
import sys
import tempfile
import time
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path

TEMPORARY = tempfile.TemporaryDirectory()
FOLDER = Path(TEMPORARY.name)
os.environ["DATABASE_URL"] = f"sqlite:///{FOLDER}/benchmark.sqlite3"
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "conference.settings")

import django  # noqa: E402

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402

from schedule.importing import Source, import_schedule  # noqa: E402

ABSTRACT = "Words about the sea and what moves in it, and about the land beside it. " * 8
# What an import of this schedule writes: all of it, the history too.
TABLES = ("conference_event", "conference_room", "conference_track", "speakers_speaker")
TABLES += ("schedule_session", "schedule_sessionspeaker", "schedule_importrun")


def make_schedule(sessions: int, slots: int, changed: int = 0) -> Source:
    """Return a schedule in the Sched text format; the first `changed` sessions have another abstract."""
    head = "Benchmark 2031: Full Schedule\n\n1-30 June, 2031\nLisbon, Portugal"
    blocks, index = [], []
    for number in range(sessions):
        start = datetime(2031, 6, 1 + number // 400, 8) + timedelta(minutes=30 * (number % 400 // 20))
        end = start + timedelta(minutes=25)
        room, track = f"Room {number % 20}", f"Track {number % 15}"
        count = slots // sessions + (number < slots % sessions)
        people = [f"Ada Number{(number * 7 + place) % (slots // 2)}" for place in range(count)]
        when = f"{start:%A %B} {start.day}, {start.year} {start:%H:%M} - {end:%H:%M} WEST"
        tail = f" - {' & '.join(f'{person}, Lab' for person in people)}" if people else ""
        abstract = ("Changed. " if number < changed else "") + ABSTRACT
        speakers = ["Speakers", *(part for person in people for part in (person, "Engineer, Lab"))] if people else []
        parts = [f"{start:%H:%M} WEST", f"Session {number}{tail}", when, room, abstract.strip(), *speakers]
        blocks.append("\n\n".join([*parts, f"{when}\n{room}", track, "Audience Level Any"]))
        index.append(f"{start:%H:%M} WEST")
    text = "\n\n".join([head, *blocks, *index, "Get help with the event"])
    return Source("benchmark.txt", text.encode())


def measure(label: str, source: Source) -> float:
    """Import `source`, print what it took, and return the seconds."""
    begin = time.perf_counter()
    statements = Counter()

    def count(execute, sql, params, many, context):
        statements["n"] += 1
        return execute(sql, params, many, context)

    with connection.execute_wrapper(count):
        report = import_schedule([source])
    seconds = time.perf_counter() - begin
    counts = {outcome.value: n for outcome, n in report.events[0].counts["sessions"].items()}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{label:<12}{seconds:8.2f} s {statements['n']:6} statements {peak:6.0f} MB peak  {counts}")  # noqa: T201
    return seconds


def measure_bare_inserts() -> float:
    """Copy the rows that the import made into a database with the same schema, by executemany.

    The connection is set as the application's, and one commit ends it, as it ends an import. Of five times
    the middle one is printed and returned: alone, so short a time is chance.
    """
    source = sqlite3.connect(FOLDER / "benchmark.sqlite3")
    rows = {table: source.execute(f"SELECT * FROM {table}").fetchall() for table in TABLES}
    seconds = statistics.median(insert_bare(source, rows, FOLDER / f"bare-{n}.sqlite3") for n in range(5))
    print(f"{'bare':<12}{seconds:8.2f} s for {sum(map(len, rows.values()))} rows")  # noqa: T201
    return seconds


def insert_bare(source: sqlite3.Connection, rows: dict[str, list[tuple]], path: Path) -> float:
    """Insert `rows` by table into a new database with the schema of `source`; return seconds."""
    target = sqlite3.connect(path)
    target.executescript(connection.settings_dict["OPTIONS"]["init_command"] + "PRAGMA foreign_keys = ON")
    for (sql,) in source.execute("SELECT sql FROM sqlite_master WHERE sql NOT NULL AND name NOT LIKE 'sqlite_%'"):
        target.execute(sql)
    begin = time.perf_counter()
    with target:
        for table, values in rows.items():
            marks = ", ".join("?" * len(values[0]))
            target.executemany(f"INSERT INTO {table} VALUES ({marks})", values)
    seconds = time.perf_counter() - begin
    target.close()
    path.unlink()
    return seconds


def main() -> None:
    sessions, slots = (int(text) for text in (sys.argv[1:3] or ["10000", "15000"]))
    call_command("migrate", verbosity=0)
    source = make_schedule(sessions, slots)
    first = measure("first", source)
    bare = measure_bare_inserts()
    unchanged = measure("unchanged", source)
    measure("1 % changed", make_schedule(sessions, slots, changed=sessions // 100))
    print(f"first import = {first / bare:.1f} x bare inserts; unchanged = {unchanged / first:.2f} of it")  # noqa: T201


if __name__ == "__main__":
    main()
