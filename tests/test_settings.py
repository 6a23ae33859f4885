"""A wrong setting stops the start with one line that names the variable."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SECRET = "x" * 12 + "only for this test, long enough and with many characters 0123456789"
NAMES = [
    *("DEBUG", "SECRET_KEY", "ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS", "HTTPS", "HSTS_SECONDS", "DATABASE_URL"),
    *("MEDIA_ROOT", "SERVICE_WORKER", "TRUSTED_PROXIES"),
    # Set where browser tests ran in the same process, and a fault of its own in a deployment.
    "DJANGO_ALLOW_ASYNC_UNSAFE",
]


def run(*command: str, **environment: str) -> subprocess.CompletedProcess:
    """Run Python in the project's folder with none of our variables set but `environment`."""
    clean = {name: value for name, value in os.environ.items() if name not in NAMES}
    clean |= {"DJANGO_SETTINGS_MODULE": "conference.settings"} | environment
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=clean, capture_output=True, text=True, check=False, timeout=60
    )


def read_settings(*names: str, **environment: str) -> list[str]:
    """Return the settings `names`, as their repr, under `environment`; [] and the last line when they fail."""
    code = f"from conference import settings\nfor name in {names!r}: print(repr(getattr(settings, name)))"
    done = run("-c", code, **environment)
    return done.stdout.splitlines() if done.returncode == 0 else ["", done.stderr.strip().splitlines()[-1]]


def fault(**environment: str) -> str:
    """Return the line with which the settings refuse `environment`."""
    blank, line = read_settings("DEBUG", **environment)
    assert blank == ""
    return line.removeprefix("django.core.exceptions.ImproperlyConfigured: ")


def test_with_an_empty_environment_the_demo_runs_on_loopback_only():
    assert read_settings("DEBUG", "ALLOWED_HOSTS", "SECURE_SSL_REDIRECT", "SECURE_HSTS_SECONDS") == [
        "False",
        "['127.0.0.1', 'localhost', '[::1]']",
        "False",
        "0",
    ]


def test_with_a_secret_of_its_own_a_site_is_https_throughout():
    names = ("SECURE_SSL_REDIRECT", "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_HSTS_SECONDS")
    assert read_settings(*names, "ALLOWED_HOSTS", SECRET_KEY=SECRET, ALLOWED_HOSTS=" a.example, b.example,") == [
        "True",
        "True",
        "True",
        "31536000",
        "['a.example', 'b.example']",
    ]


@pytest.mark.parametrize(("value", "meaning"), [("true", True), ("ON", True), ("1", True), ("no", False), ("", False)])
def test_yes_and_no_are_read_in_many_spellings(value, meaning):
    assert read_settings("DEBUG", DEBUG=value) == [str(meaning)]


@pytest.mark.parametrize(
    ("environment", "line"),
    [
        ({"DEBUG": "maybe"}, "DEBUG must be true or false, not 'maybe'."),
        ({"SERVICE_WORKER": "gone"}, "SERVICE_WORKER must be true or false, not 'gone'."),
        ({"HTTPS": "2"}, "HTTPS must be true or false, not '2'."),
        (
            {"HSTS_SECONDS": "a year", "SECRET_KEY": SECRET},
            "HSTS_SECONDS must be a whole number, not 'a year'.",
        ),
        ({"TRUSTED_PROXIES": "10.0.0.1"}, "TRUSTED_PROXIES must be a whole number, not '10.0.0.1'."),
        ({"HSTS_SECONDS": "-1", "HTTPS": "on"}, "HSTS_SECONDS must be a whole number, not '-1'."),
        ({"HSTS_SECONDS": "٣", "HTTPS": "on"}, "HSTS_SECONDS must be a whole number, not '٣'."),
        (
            {"CSRF_TRUSTED_ORIGINS": "https://a.example,b.example"},
            "CSRF_TRUSTED_ORIGINS must hold addresses with https://, not 'b.example'.",
        ),
    ],
)
def test_a_value_that_cannot_be_read_is_refused_by_name(environment, line):
    assert fault(**environment) == line


@pytest.mark.parametrize("hosts", ["plenary.example", "localhost,plenary.example", "*", ".localhost"])
@pytest.mark.parametrize("secret", ["", None])
def test_the_demos_secret_serves_no_public_host(hosts, secret):
    environment = {"ALLOWED_HOSTS": hosts} | ({} if secret is None else {"SECRET_KEY": secret})
    assert fault(**environment) == (
        "SECRET_KEY is the demo's, which everybody knows: set one of your own to serve hosts."
    )


def test_a_check_before_deploying_fails_with_the_demos_secret_and_passes_with_ones_own():
    demo = run("manage.py", "check", "--deploy")
    assert (demo.returncode, "plenary.E001" in demo.stderr) == (1, True)
    own = run(
        "manage.py", "check", "--deploy", "--fail-level", "WARNING", SECRET_KEY=SECRET, ALLOWED_HOSTS="plenary.example"
    )
    assert (own.returncode, "plenary.E001" in own.stderr) == (0, False)


def test_without_https_by_choice_the_checks_are_silent():
    done = run("manage.py", "check", "--deploy", "--fail-level", "WARNING", SECRET_KEY=SECRET, HTTPS="false")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "address",
    [
        "postgres://ada:low-water@db.example:port/plenary",
        "postgress://ada:low-water@db.example/plenary",
        "ada:low-water@db.example",
        "postgres://ada:low-water#1@db.example/plenary",
        "postgres://ada:low-water@[db.example/plenary",
    ],
)
def test_a_database_address_that_cannot_be_read_is_refused_without_its_password(address):
    done = run("-c", "import conference.settings", DATABASE_URL=address)
    line = done.stderr.strip().splitlines()[-1]
    assert line.startswith("django.core.exceptions.ImproperlyConfigured: DATABASE_URL is not a database address (")
    assert (done.returncode, "low-water" in done.stderr + done.stdout) == (1, False)


def test_a_database_address_is_read():
    (database,) = read_settings("DATABASES", DATABASE_URL="sqlite:////srv/tides.sqlite3")
    assert "'NAME': '/srv/tides.sqlite3'" in database
    assert "'transaction_mode': 'IMMEDIATE'" in database
