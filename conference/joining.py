"""Style sheets that are written apart and sent as one."""

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from whitenoise.storage import CompressedManifestStaticFilesStorage

_IMPORT = re.compile(r'^@import "([^"/:]+\.css)";$', re.MULTILINE)


class JoiningStorage(CompressedManifestStaticFilesStorage):
    """Hashed and compressed files. A style sheet holds what it imports from its own folder: one request, not several.

    While a page is being developed or tested, the browser follows the imports itself.
    """

    def post_process(self, paths: dict, dry_run: bool = False, **options) -> Iterator[tuple]:
        """Join, then do as before. `paths` says of each file in which storage it lies, and where there."""
        if not dry_run:
            joined = {name: _join(name, paths) for name in paths if _IMPORT.search(_read(name, paths))}
            for name, text in joined.items():
                Path(self.path(name)).write_text(text, encoding="utf-8")
            paths = paths | {name: (self, name) for name in joined}
        return super().post_process(paths, dry_run, **options)


def _read(name: str, paths: dict) -> str:
    if not name.startswith("conference/") or not name.endswith(".css"):
        return ""
    storage, path = paths[name]
    with storage.open(path) as file:
        return file.read().decode()


def _join(name: str, paths: dict) -> str:
    folder = PurePosixPath(name).parent
    return _IMPORT.sub(lambda found: _read(str(folder / found[1]), paths), _read(name, paths))
