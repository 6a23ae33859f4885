"""Imports in processes of their own, on a database in a file: killed in the midst, and two at once."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from time import sleep

import pytest
from django.db import connection

from schedule.importing import import_schedule
from tests.test_import import pause, schedule, talk

ROOT = Path(__file__).parent.parent
OLD = schedule(*(talk(f"Talk {n}", f"Ana {n}son", start=f"{8 + n}:00", end=f"{8 + n}:30") for n in range(2, 12)))
LATER = [talk(f"Talk {n}", f"Bo {n}sen", start=f"{8 + n}:00", end=f"{8 + n}:45") for n in range(2, 14)]
NEW = schedule(*LATER, talk(abstract="New. " * 5000), pause(day="Thursday June 5, 2031"))
# The first write, one in the middle, the last before the end.
MOMENTS = ['INSERT INTO "schedule_session"', 'UPDATE "schedule_session"', 'INSERT INTO "schedule_importrun"']
ASKED = """
    SELECT title, '' || start, '' || "end", length(abstract), '' || uid, r.name, group_concat(p.name)
    FROM schedule_session s
    LEFT JOIN conference_room r ON r.id = s.room_id
    LEFT JOIN schedule_sessionspeaker l ON l.session_id = s.id LEFT JOIN speakers_speaker p ON p.id = l.speaker_id
    GROUP BY s.id ORDER BY start, title
"""


@pytest.fixture
def database(tmp_path, db) -> Path:
    """A database in a file, into which the old schedule was imported."""
    import_schedule([OLD])
    path = tmp_path / "plenary.sqlite3"
    with closing(sqlite3.connect(path)) as copy:
        # backup() would wait for the end of the test's own transaction.
        copy.executescript("\n".join(connection.connection.iterdump()))
    (tmp_path / "new.txt").write_bytes(NEW.data)
    return path


@contextmanager
def importing(database: Path, statement: str = "", seconds: float = 20) -> Iterator[subprocess.Popen]:
    """An import of the new schedule that runs; one that stops is waited for. It never outlives the test."""
    path = database.with_name("new.txt")
    environment = os.environ | {
        "DATABASE_URL": f"sqlite:///{database}",
        "DJANGO_SETTINGS_MODULE": "conference.settings",
    }
    command = [sys.executable, "-m", "tests.import_process", statement, str(seconds), str(path)]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
    try:
        if statement:
            assert process.stdout.readline() == "here\n"
        yield process
    finally:
        process.kill()
        process.communicate()


def finish(process: subprocess.Popen) -> tuple[int, str, str]:
    """Let a process go on; return its status, the last line of its output, and what it complains about."""
    out, errors = process.communicate("go\n", timeout=30)
    return process.returncode, out.strip().split("\n")[-1], errors


def dump(database: Path) -> list[str]:
    with closing(sqlite3.connect(database)) as opened:
        return [*opened.execute("PRAGMA integrity_check").fetchone(), *opened.iterdump()]


def ask(database: Path) -> list[tuple]:
    with closing(sqlite3.connect(database)) as opened:
        return opened.execute(ASKED).fetchall()


def expect() -> list[tuple]:
    """What one import of the new schedule makes of the old one."""
    import_schedule([NEW])
    with connection.cursor() as cursor:
        return cursor.execute(ASKED).fetchall()


def test_an_import_killed_at_any_moment_leaves_the_database_as_it_was_and_can_be_run_again(database):
    before = dump(database)
    for statement in MOMENTS:
        with importing(database, statement) as process:
            process.kill()
            assert process.wait(30) == -9
        assert dump(database) == before
    assert before[0] == "ok"
    with importing(database) as process:
        assert finish(process) == (0, "Imported.", "")
    assert ask(database) == expect()


def test_of_two_imports_at_once_the_second_waits_or_says_that_another_one_runs(database):
    with ExitStack() as stack:
        first = stack.enter_context(importing(database, MOMENTS[1]))
        waiting = stack.enter_context(importing(database))
        impatient = stack.enter_context(importing(database, seconds=0.1))
        status, _line, errors = finish(impatient)
        said = "Another program writes to the database. Try again when it is done. Nothing was written."
        assert (status, errors.strip()) == (1, f"CommandError: {said}")
        sleep(0.2)
        assert waiting.poll() is None
        assert finish(first) == (0, "Imported.", "")
        assert finish(waiting) == (0, "Nothing changed: everything was imported before.", "")
    assert (ask(database), dump(database)[0]) == (expect(), "ok")
