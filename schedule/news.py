"""What changed, in words, for the page of changes and its feed. Pure: rows in, news out, the latest first."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby

from django.utils.translation import gettext

from conference.dates import format_day
from conference.viewing import Viewing
from schedule.changes import ChangeKind


@dataclass(frozen=True, slots=True)
class NewsItem:
    """One change. `title` is the session's as it was called then, `url` its page, "" if it has none any more.

    `was` and `now` say what differs, "" where there is nothing to say. `at` is in the zone of the viewing.
    """

    id: int
    kind: str
    label: str
    title: str
    url: str
    was: str
    now: str
    at: datetime

    @property
    def text(self) -> str:
        """What differs, as one sentence."""
        if self.was and self.now:
            return gettext("now %(now)s, was %(was)s") % {"now": self.now, "was": self.was}
        return self.now or self.was


@dataclass(frozen=True, slots=True)
class NewsDay:
    """The changes that were made on one day of the calendar."""

    date: date
    items: list[NewsItem]


def build_news(changes: Iterable, viewing: Viewing) -> list[NewsItem]:
    """Return `changes` (SessionChangeQuerySet.with_pages(), the latest first) in words, times as they are viewed."""
    return [_describe(change, viewing) for change in changes]


def group_news(items: Iterable[NewsItem]) -> list[NewsDay]:
    """Arrange news, in their order, by the day on which they were made."""
    return [NewsDay(day, list(group)) for day, group in groupby(items, key=lambda item: item.at.date())]


def _describe(change, viewing: Viewing) -> NewsItem:
    url = viewing.keep(change.session.get_absolute_url()) if change.has_page else ""
    was, now = (_say(change.kind, values, viewing) for values in (change.old, change.new))
    at = change.at.astimezone(viewing.zone)
    return NewsItem(change.pk, change.kind, change.get_kind_display(), change.title, url, was, now, at)


def _say(kind: str, values: Mapping[str, str | None], viewing: Viewing) -> str:
    if kind == ChangeKind.RENAMED:
        return f"“{values['title']}”" if values.get("title") else ""
    if kind == ChangeKind.ROOM:
        return (values["room"] or gettext("all rooms")) if "room" in values else ""
    if "start" not in values:
        return ""
    return ", ".join(filter(None, (_say_time(values["start"], viewing), values.get("room"))))


def _say_time(start: str | None, viewing: Viewing) -> str:
    if not start:
        return gettext("no time yet")
    local = datetime.fromisoformat(start).astimezone(viewing.zone)
    return f"{format_day(local.date(), 'medium')}, {local:%H:%M}"
