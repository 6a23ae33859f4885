"""What every test may rely on: a database in a file, static files without a manifest, and a place for uploads."""

import pytest
from django.conf import settings as project_settings


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix, tmp_path_factory):
    """Keep the database in a file, as the site has it.

    In memory its tables are shared, and whoever meets a lock fails at once: a request of a browser that is still being
    answered would keep the next test from emptying the tables. A file is waited for.
    """
    for database in project_settings.DATABASES.values():
        if database["ENGINE"] == "django.db.backends.sqlite3":
            database.setdefault("TEST", {})["NAME"] = str(tmp_path_factory.mktemp("database") / "plenary.sqlite3")


@pytest.fixture(autouse=True)
def plain_files(settings, tmp_path):
    """Serve static files as they are, and keep uploads out of the project's folder."""
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }
    settings.MEDIA_ROOT = tmp_path / "media"
    # Tests write rows past admin and importer; those about kept pages turn them on.
    settings.KEEPS_PAGES = False
