"""Style sheets that are written apart and sent as one."""

import shutil

from django.contrib.staticfiles.finders import AppDirectoriesFinder

from conference.joining import JoiningStorage


def test_a_collected_style_sheet_holds_what_it_imports_in_that_order(tmp_path):
    storage = JoiningStorage(location=tmp_path, base_url="/static/")
    names = [f"conference/{name}.css" for name in ("site", "plenary", "grid")]
    sources = {path: found for path, found in AppDirectoriesFinder().list([]) if path in names}
    (tmp_path / "conference").mkdir()
    for name, source in sources.items():
        shutil.copy(source.path(name), tmp_path / name)
    site, plenary, grid = ((tmp_path / name).read_text(encoding="utf-8") for name in names)
    # A second time as at the first: what is joined comes from the sources, not from what was joined before.
    for _time in range(2):
        list(storage.post_process({name: (source, name) for name, source in sources.items()}))
        joined = (tmp_path / storage.stored_name(names[0])).read_text(encoding="utf-8")
        assert joined == site.replace('@import "plenary.css";', plenary).replace('@import "grid.css";', grid)


def test_a_collected_script_holds_what_it_imports_under_names_of_its_own(tmp_path):
    storage = JoiningStorage(location=tmp_path, base_url="/static/")
    names = [f"conference/{name}.js" for name in ("plenary", "offline")]
    sources = {path: found for path, found in AppDirectoriesFinder().list([]) if path in names}
    (tmp_path / "conference").mkdir()
    for name, source in sources.items():
        shutil.copy(source.path(name), tmp_path / name)
    plenary, offline = ((tmp_path / name).read_text(encoding="utf-8") for name in names)
    list(storage.post_process({name: (source, name) for name, source in sources.items()}))
    joined = (tmp_path / storage.stored_name(names[0])).read_text(encoding="utf-8")
    assert joined == plenary.replace('import "./offline.js";', f"{{\n{offline}}}")
    assert 'import "./offline.js";' in plenary
