"""The catalogues: nothing untranslated, nothing lost on the way, and no English of ours on pages in other languages."""

import re
import shutil
from datetime import date

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from django.conf import settings
from django.core.management import call_command
from django.utils.translation import override

from conference.dates import format_dates, format_day
from tests.factories import make_event, make_material, make_room, make_session, make_speaker, make_track

COMPLETE = ("fr", "es", "de")
FOLDER = settings.LOCALE_PATHS[0]
# %(name)s, {name}, <b> and </b>: what code, scripts and style sheets find in a message.
PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|\{\w+\}|</?\w+>|%%")
# The number that chooses the form; a form for one number may say it in words, or not at all.
NUMBERS = {"%(counter)s", "%(total)s", "%(newer)s"}
# What a reader would stumble over, from every kind of page.
ENGLISH = (
    "All days", "All rooms", "All time zones", "At the same time", "Calendar file", "Clear all", "Copy link",
    "Everything on one page", "Has materials", "Now and next", "Programme as of", "Remove filter", "Search",
    "Show sessions", "Skip to", "Speakers", "The programme", "Time zone", "Times in", "Wednesday", "matches",
)  # fmt: skip


def read_catalogue(language: str) -> Catalog:
    with (FOLDER / language / "LC_MESSAGES" / "django.po").open("rb") as file:
        return read_po(file, locale=language)


def key_of(message: Message) -> tuple:
    return message.context, message.id if isinstance(message.id, str) else message.id[0]


def texts_of(text: str | tuple | list) -> list[str]:
    return [text] if isinstance(text, str) else list(text)


def find_loss(message: Message) -> str:
    """Say which form of a translation has other placeholders than its original; "" if none has."""
    wanted = set(PLACEHOLDER.findall(" ".join(texts_of(message.id))))
    forms = texts_of(message.string)
    spared = NUMBERS if len(forms) > 1 else set()
    for form in forms:
        found = set(PLACEHOLDER.findall(form))
        # The last form is for all numbers that no other is for.
        if found != wanted and (form is forms[-1] or found | spared != wanted | spared):
            return f"{message.id!r}: {form!r}"
    return ""


@pytest.fixture(scope="module", params=COMPLETE)
def catalogue(request) -> Catalog:
    return read_catalogue(request.param)


def test_every_message_is_translated(catalogue):
    messages = [message for message in catalogue if message.id]
    assert messages
    assert not catalogue.fuzzy
    assert [m.id for m in messages if m.fuzzy or len(texts_of(m.string)) == 0 or not all(texts_of(m.string))] == []
    plural = [m for m in messages if m.pluralizable]
    assert [m.id for m in plural if len(m.string) != catalogue.num_plurals] == []


def test_translations_keep_placeholders_and_outer_blanks(catalogue):
    messages = [message for message in catalogue if message.id]
    assert [loss for loss in map(find_loss, messages) if loss] == []
    for message in messages:
        first = texts_of(message.id)[0]
        blanks = (first[: len(first) - len(first.lstrip())], first[len(first.rstrip()) :])
        for form in texts_of(message.string):
            assert (form[: len(form) - len(form.lstrip())], form[len(form.rstrip()) :]) == blanks, message.id


def test_compiled_catalogues_are_the_written_ones(catalogue):
    with (FOLDER / str(catalogue.locale) / "LC_MESSAGES" / "django.mo").open("rb") as file:
        compiled = read_mo(file)

    def told(messages: Catalog) -> dict:
        return {key_of(m): texts_of(m.string) for m in messages if m.id}

    assert told(compiled) == told(catalogue), "run manage.py compilemessages"


@pytest.fixture(scope="module")
def asked_for(tmp_path_factory) -> Catalog:
    """What the sources ask for now, extracted from a copy of them."""
    if shutil.which("xgettext") is None:
        pytest.skip("GNU gettext is not installed")
    copy = tmp_path_factory.mktemp("sources")
    for folder in settings.SOURCE_FOLDERS:
        shutil.copytree(
            folder, copy / folder.name, ignore=shutil.ignore_patterns("locale", "static", "migrations", "__pycache__")
        )
    (copy / "locale").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(copy)
        patch.setattr(settings, "LOCALE_PATHS", [str(copy / "locale")])
        call_command("makemessages", locale=["en"], no_location=True, verbosity=0)
    with (copy / "locale" / "en" / "LC_MESSAGES" / "django.po").open("rb") as file:
        return read_po(file)


def test_the_sources_ask_for_nothing_that_a_catalogue_lacks(asked_for, catalogue):
    asked = {key_of(message) for message in asked_for if message.id}
    assert len(asked) > 100
    known = {key_of(message) for message in catalogue if message.id}
    assert asked - known == set(), "run manage.py makemessages and translate"
    assert known - asked == set(), "run manage.py makemessages: nobody asks for these"


def test_days_stand_in_the_order_of_the_language():
    first, last = date(2026, 4, 7), date(2026, 4, 8)
    forms = ("full", "long", "medium", "brief", "short", "weekday", "month", "number")
    with override("fr"):
        assert [format_day(last, form) for form in forms] == [
            "8 avril 2026", "mercredi 8 avril", "mer. 8 avril", "mer. 8 avr.", "mer. 8", "mer.", "8 avril", "8",
        ]  # fmt: skip
        assert format_dates(first, last) == "7–8 avril 2026"
    with override("es"):
        assert [format_day(last, form) for form in forms] == [
            "8 de abril de 2026", "miércoles, 8 de abril", "mié 8 de abril", "mié 8 abr", "mié 8", "mié",
            "8 de abril", "8",
        ]  # fmt: skip
        assert format_dates(first, last) == "7–8 de abril de 2026"
    with override("de"):
        assert [format_day(last, form) for form in forms] == [
            "8. April 2026", "Mittwoch, 8. April", "Mi, 8. April", "Mi, 8. Apr", "Mi 8.", "Mi", "8. April", "8.",
        ]  # fmt: skip
        assert format_dates(first, last) == "7.–8. April 2026"
    with override("ar"):
        assert format_day(last, "long") == "الأربعاء 8 إبريل"


@pytest.mark.django_db
@pytest.mark.parametrize("language", COMPLETE)
def test_pages_hold_no_english_of_ours(client, language):
    event = make_event(slug="reef", name="Riff", city="Paris", country="", timezone="Europe/Paris")
    people = [make_speaker(event, f"Ada Moe {number}", affiliation="Fjord", bio="Bio.") for number in (1, 2)]
    values = {"room": make_room(event, "Aula"), "track": make_track(event, "Form"), "level": "Any"}
    session = make_session(event, "Knoten", "2030-05-08 09:00", people=people, **values)
    make_session(event, "Leinen", "2030-05-08 09:00", status="cancelled", availability="full")
    make_material(session, "Blatt")
    for path in (
        "", "?tz=Asia/Tokyo&q=zzz&kind=talk&track=no", "grid/", f"sessions/{session.pk}-knoten/", "speakers/", "zones/",
        "speakers/?q=zzz", "now/", "now/?at=2030-05-08T09:10", "programme/", "rooms/aula/", "my/", "nothing/",
    ):  # fmt: skip
        html = client.get(f"/{language}/reef/{path}").content.decode()
        assert f'<html lang="{language}"' in html
        # Neither scripts and styles nor the names of languages, of zones and of classes.
        text = re.sub(r"<script.*?</script>|<[^>]*? (?:value|href|hx-[a-z]+)=\"[^\"]*\"", " ", html, flags=re.DOTALL)
        assert [english for english in ENGLISH if english in text] == [], path


def test_a_form_for_one_number_may_leave_the_number_out():
    ids = ("%(counter)s seat in <b>%(room)s</b>", "%(counter)s seats in <b>%(room)s</b>")
    assert not find_loss(Message(ids, ("ein Platz in <b>%(room)s</b>", "%(counter)s in <b>%(room)s</b>")))
    assert find_loss(Message(ids, ("ein Platz", "%(counter)s in <b>%(room)s</b>")))
    assert find_loss(Message(ids, ("ein Platz in <b>%(room)s</b>", "Plätze in <b>%(room)s</b>")))
    assert find_loss(Message("{minutes} min left", "noch {minuten} min"))
