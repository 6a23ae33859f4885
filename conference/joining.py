"""Style sheets and scripts that are written apart and sent as one."""

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from whitenoise.storage import CompressedManifestStaticFilesStorage

_IMPORT = re.compile(r'^(?:@import "([^"/:]+\.css)"|import "\./([^"/:]+\.js)");$', re.MULTILINE)


class JoiningStorage(CompressedManifestStaticFilesStorage):
    """Hashed and compressed files. One holds what it imports as a whole from its own folder: one request, not several.

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
    if not name.startswith("conference/") or not name.endswith((".css", ".js")):
        return ""
    storage, path = paths[name]
    with storage.open(path) as file:
        return file.read().decode()


def _join(name: str, paths: dict) -> str:
    folder = PurePosixPath(name).parent

    def bring(found: re.Match) -> str:
        text = _read(str(folder / (found[1] or found[2])), paths)
        # The names of a module are its own.
        return text if found[1] else f"{{\n{text}}}"

    return _IMPORT.sub(bring, _read(name, paths))
