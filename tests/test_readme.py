"""The README is true: its commands run as pasted, its output is real, its example is read."""

import re
import shlex
import subprocess
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from schedule.importing.formats import sched_text

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.django_db
def test_after_make_demo_the_import_command_prints_what_the_readme_shows(monkeypatch, settings, tmp_path):
    monkeypatch.chdir(ROOT)
    settings.STATIC_ROOT = tmp_path
    call_command("demo", "--no-serve", stdout=StringIO())
    command, shown = re.search(r"```console\n\$ (.+?)\n(.+?)```", README, re.DOTALL).groups()
    python, manage, name, *arguments = shlex.split(command)
    assert (python, manage, name) == (".venv/bin/python", "manage.py", "import_schedule")
    out = StringIO()
    call_command(name, *arguments, stdout=out)
    assert out.getvalue() == shown


def test_every_make_command_of_the_readme_is_a_target():
    targets = set(re.findall(r"^    make (\w+)", README, re.MULTILINE)) | set(re.findall(r"`make (\w+)", README))
    assert targets == {"demo", "test", "serve"}
    for target in targets:
        plan = subprocess.run(["make", "--dry-run", target], cwd=ROOT, capture_output=True, text=True)
        assert (plan.returncode, plan.stderr) == (0, "")


def test_the_example_of_the_text_is_read_as_it_says():
    (text,) = re.search(r"```text\n(.+?)\n```", README, re.DOTALL).groups()
    document = sched_text.parse(text, "readme.txt")
    (entry,) = document.sessions
    assert (document.problems, document.unclaimed_lines) == ([], [])
    assert (entry.kind, entry.title, entry.room, entry.track, entry.level, entry.fields) == (
        "lightning-talk", "Faster forms", "Harbour Hall", "Frontend", "Beginner", {"Slides Attached": "Yes"},
    )  # fmt: skip
    assert [(p.name, p.position, p.affiliation, p.bio) for p in entry.people] == [
        ("Ada Moe", "Engineer", "Fjord AS", "Ada builds forms."),
        ("Bo Lie", "Director", "Example, Inc.", ""),
    ]
    assert [(m.name, m.file_type) for m in entry.materials] == [("Faster forms", "pdf")]


def test_every_file_and_folder_that_the_documents_name_exists():
    for document in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        text = document.read_text(encoding="utf-8")
        links = re.findall(r"\]\((?!https?:)([^)#]+)\)", text)
        assert [link for link in links if not (document.parent / link).exists()] == []
    folders = re.findall(r"^\| `([\w/]+)` \|", README, re.MULTILINE)
    assert [folder for folder in folders if not (ROOT / folder).is_dir()] == []
