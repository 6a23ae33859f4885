"""What changed since the programme was public, as a page and as a feed."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from conference.frame import build_frame, get_public_event
from conference.models import Event
from conference.viewing import Viewing
from schedule.exports.atom import write_atom
from schedule.models import SessionChange
from schedule.news import NewsItem, build_news, group_news

MOST_CHANGES = 200


@require_safe
def changes(request: HttpRequest, event_slug: str) -> HttpResponse:
    """The latest changes by day, the newest first."""
    event = get_public_event(event_slug)
    viewing = Viewing.of(event, request.GET)
    feed_url = viewing.keep(reverse("schedule:changes_feed", args=[event.slug]))
    context = {"news_days": group_news(read_news(event, viewing)), "feed_url": feed_url}
    return render(request, "schedule/changes.html", build_frame(request, event, viewing) | context)


@require_safe
def changes_feed(request: HttpRequest, event_slug: str) -> HttpResponse:
    """The same as an Atom feed."""
    event = get_public_event(event_slug)
    viewing = Viewing.of(event, request.GET)
    page, feed = (viewing.keep(reverse(f"schedule:{name}", args=[event.slug])) for name in ("changes", "changes_feed"))
    content = write_atom(event, read_news(event, viewing), page, feed, request.build_absolute_uri)
    return HttpResponse(content, content_type="application/atom+xml; charset=utf-8")


def read_news(event: Event, viewing: Viewing) -> list[NewsItem]:
    """Return the latest changes of `event`, at most MOST_CHANGES, the newest first."""
    return build_news(SessionChange.objects.of(event).with_pages().latest_first()[:MOST_CHANGES], viewing)
