#!/usr/bin/env python
"""Django's command line for Plenary."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "conference.settings")
    try:
        from django.core.management import execute_from_command_line
    except ImportError as error:
        raise SystemExit(f"{error}. Run `make test` or `make demo` once: they set up .venv with Django.") from None
    from django.core.exceptions import ImproperlyConfigured

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        raise SystemExit(f"The settings are wrong: {error}") from None


if __name__ == "__main__":
    main()
