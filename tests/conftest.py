"""What every test may rely on: static files without a manifest, and a place for uploads."""

import pytest


@pytest.fixture(autouse=True)
def plain_files(settings, tmp_path):
    """Serve static files as they are, and keep uploads out of the project's folder."""
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }
    settings.MEDIA_ROOT = tmp_path / "media"
    # Tests write rows past admin and importer; those about kept pages turn them on.
    settings.KEEPS_PAGES = False
