"""`make demo`: a site in one step, twice without harm, and one clear line where it can't be."""

import os
import re
import socket
import subprocess
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command

from conference.models import Event
from schedule.models import Session

ROOT = Path(__file__).parent.parent


@pytest.fixture(autouse=True)
def static_root(settings, tmp_path):
    settings.STATIC_ROOT = tmp_path / "static"


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("demo", *arguments, stdout=out)
    return out.getvalue()


@pytest.mark.django_db
def test_the_demo_makes_two_events_and_an_organiser_whose_password_is_shown_once(client):
    first = run("--no-serve")
    assert first.splitlines()[:2] == [
        "Northern Lights Web Conference 2026: 42 sessions (42 created), 30 speakers",
        "PyTorch Conference Europe 2026: 41 sessions (41 created), 59 speakers",
    ]
    (password,) = re.search(r"password (\S+) \(shown this once\)", first).groups()
    assert client.login(username="organiser", password=password)
    Session.objects.filter(title="PyTorch CTO").update(title="Edited by hand")
    second = run("--no-serve")
    assert second.splitlines()[:2] == [
        "Northern Lights Web Conference 2026: 42 sessions (42 unchanged), 30 speakers",
        "PyTorch Conference Europe 2026: 41 sessions (41 unchanged), 59 speakers",
    ]
    assert "password " + password not in second
    assert Session.objects.filter(title="Edited by hand").exists()
    assert (Event.objects.count(), get_user_model().objects.count()) == (2, 1)


def test_a_taken_port_is_one_clear_line():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(CommandError, match=rf"^Port {port} is taken\. Choose another: make demo PORT={port + 1}$"):
            run("--port", str(port))


@pytest.mark.parametrize("port", ["0", "65536", "http", "80a", ""])
def test_what_is_no_port_is_one_clear_line(port):
    with pytest.raises(CommandError, match="is not a port: give a number from 1 to 65535"):
        run("--port", port)


@pytest.fixture
def checkout(tmp_path):
    """A folder with the files that `make` reads, without an environment."""
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    return tmp_path


def make(checkout: Path, *arguments: str) -> tuple[int, list[str]]:
    # As from a shell, also when these tests themselves run under make.
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    command = ["make", "--silent", *arguments]
    done = subprocess.run(command, cwd=checkout, env=plain, capture_output=True, text=True)
    return done.returncode, [line for line in done.stderr.splitlines() if not line.startswith("make: ***")]


def test_a_too_old_python_is_one_clear_line(checkout):
    old = checkout / "python"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    assert make(checkout, "demo", f"PYTHON={old}") == (
        2,
        [f"Plenary needs Python 3.11 or newer; {old} is not. Name one: make PYTHON=python3.12 demo"],
    )


def test_a_broken_environment_is_one_clear_line(checkout):
    (checkout / ".venv" / "bin").mkdir(parents=True)
    for name in ("python.stamp", "demo.stamp"):
        (checkout / ".venv" / name).touch()
    assert make(checkout, "demo") == (
        2,
        ["The folder .venv is broken: remove it (rm -r .venv) and run make again."],
    )
