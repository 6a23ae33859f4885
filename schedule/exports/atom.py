"""What changed as a feed (RFC 4287), by Django's own writer."""

import re
from collections.abc import Callable
from datetime import UTC

from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.translation import get_language, gettext

from conference.models import Event
from schedule.news import NewsItem

# Django's writer refuses what XML can't hold.
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


class _Feed(Atom1Feed):
    """A feed that is as new as the programme, also when nothing has changed yet."""

    def latest_post_date(self):
        return self.feed["updated"]


def write_atom(event: Event, items: list[NewsItem], page: str, feed: str, make_absolute: Callable[[str], str]) -> bytes:
    """Return `items`, the latest first, as an Atom feed in UTF-8.

    `page` and `feed` are the paths of the page of changes and of the feed; the id of an entry is its place on that
    page, which stays.
    """
    written = _Feed(
        title=_clean(gettext("Changes: %(event)s") % {"event": event.name}),
        link=make_absolute(page),
        description="",
        language=get_language(),
        feed_url=make_absolute(feed),
        author_name=_clean(event.name),
        updated=event.programme_changed_at,
    )
    for item in items:
        place = f"{make_absolute(page)}#c{item.id}"
        written.add_item(
            title=_clean(f"{item.label}: {item.title}"),
            link=make_absolute(item.url) if item.url else place,
            # A summary is HTML by the writer's rule.
            description=escape(_clean(item.text)),
            unique_id=place,
            pubdate=item.at.astimezone(UTC),
            updateddate=item.at.astimezone(UTC),
        )
    return written.writeString("utf-8").encode()


def _clean(text: str) -> str:
    return _CONTROLS.sub("", text)
