"""The pages of personal schedules. The secret in an address is all the right there is: no cookie, no session.

Nothing here may be kept, indexed or passed on: every answer to a secret address says so.
"""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from functools import wraps

import segno
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.defaults import page_not_found

from conference.frame import build_frame, get_public_event
from conference.models import Event
from conference.secrecy import keep_secret
from conference.viewing import Viewing
from schedule.agenda import build_agenda
from schedule.exports.files import FILE_FORMS
from schedule.exports.ical import CalendarWriter
from schedule.exports.programme import Programme
from schedule.personal.limits import limit
from schedule.personal.merging import Mark, read_marks, to_milliseconds
from schedule.personal.models import PersonalSchedule
from schedule.personal.plan import build_plan
from schedule.personal.tokens import FEED, SHARE, derive
from schedule.views.exports import name_file

LARGEST_BODY = 256 * 1024
MOST_CHANGES = 5000
LONGEST_NAME = 60
LONGEST_ALARM = 120

limit_new_lists = limit("new lists", 600)
limit_exchanges = limit("exchanges", 3000)


def secretly(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Mark every answer of `view` as nobody else's, also that nothing is there: it may be a secret that was closed."""

    @wraps(view)
    def answer(request: HttpRequest, *args, **kwargs) -> HttpResponse:
        try:
            return keep_secret(view(request, *args, **kwargs))
        except Http404 as missing:
            return keep_secret(page_not_found(request, missing))

    return answer


def find_list(event: Event, token: str, door: str = "secret") -> PersonalSchedule:
    """Return the list that `token` opens. Raises the same Http404 for a wrong, a revoked and a deleted one."""
    return get_object_or_404(PersonalSchedule.objects.of(event).behind(token, door).prefetch_related("stars"))


@require_safe
def my_schedule(request: HttpRequest, event_slug: str) -> HttpResponse:
    """One empty page for everybody; script fills it from what the browser keeps."""
    event = get_public_event(event_slug)
    viewing = Viewing.of(event, request.GET)
    agenda = event.sessions.public().listed().as_agenda(viewing)
    context = {"agenda": agenda, "keep_url": reverse("schedule:keep_schedule", args=[event.slug])}
    return render(request, "personal/my.html", build_frame(request, event, viewing, "my") | context)


@require_POST
@secretly
@limit_new_lists
def keep_schedule(request: HttpRequest, event_slug: str) -> HttpResponse:
    """Make a list on the server of the stars sent, and answer with its secret, this once."""
    event = get_public_event(event_slug)
    now = datetime.now(UTC)
    if request.content_type == "application/json":
        marks = _read_changes(request, now)
        if marks is None:
            return JsonResponse({"error": 'Send {"changes": [[uid, starred, milliseconds], …]}.'}, status=400)
        made, secret = PersonalSchedule.start(event, now.date())
        made.apply(marks, titles_of(event))
        return JsonResponse(_describe(request, event, made, secret), status=201)
    made, secret = PersonalSchedule.start(event, now.date())
    made.apply(dict.fromkeys(request.POST.getlist("uid"), Mark(True, now)), titles_of(event))
    return redirect("schedule:kept_schedule", event_slug=event.slug, token=secret)


@require_http_methods(["GET", "HEAD", "POST"])
@secretly
def kept_schedule(request: HttpRequest, event_slug: str, token: str) -> HttpResponse:
    """A list by its secret, complete without script: read it, add and remove, renew the link, delete it."""
    event = get_public_event(event_slug)
    kept = find_list(event, token)
    kept.touch(datetime.now(UTC).date())
    if request.method == "POST":
        return _change(request, event, kept, token)
    viewing = Viewing.of(event, request.GET)
    described = _describe(request, event, kept, token)
    qr = segno.make(described["url"], error="m", micro=False)
    context = _plan_context(event, viewing, kept) | {
        "list": kept,
        "links": described,
        "qr": qr.svg_inline(scale=4, border=2, omitsize=True, svgclass="qr", lineclass=None, title=None),
        "here": viewing.keep(request.path),
        "edit_url": viewing.keep(reverse("schedule:edit_schedule", args=[event.slug, token])),
    }
    return render(request, "personal/kept.html", build_frame(request, event, viewing, "my") | context)


@require_safe
@secretly
def edit_schedule(request: HttpRequest, event_slug: str, token: str) -> HttpResponse:
    """All sessions with a box each, for whoever has no script."""
    event = get_public_event(event_slug)
    kept = find_list(event, token)
    viewing = Viewing.of(event, request.GET)
    context = {
        "agenda": event.sessions.public().listed().as_agenda(viewing),
        "starred": set(kept.starred_uids),
        "here": viewing.keep(reverse("schedule:kept_schedule", args=[event.slug, token])),
    }
    return render(request, "personal/edit.html", build_frame(request, event, viewing, "my") | context)


@require_POST
@secretly
@limit_exchanges
def sync_schedule(request: HttpRequest, event_slug: str, token: str) -> HttpResponse:
    """Merge what a device decided into the list, and answer with all that is decided. Sent twice it is as once."""
    event = get_public_event(event_slug)
    kept = find_list(event, token)
    now = datetime.now(UTC)
    marks = _read_changes(request, now)
    if marks is None:
        return JsonResponse({"error": 'Send {"changes": [[uid, starred, milliseconds], …]}.'}, status=400)
    if marks:
        kept.apply(marks, titles_of(event))
    kept.touch(now.date())
    return JsonResponse(_describe(request, event, kept, token))


@require_safe
@secretly
def personal_feed(request: HttpRequest, event_slug: str, token: str) -> HttpResponse:
    """The list as a calendar to subscribe to; `alarm` is a number of minutes before each session."""
    event = get_public_event(event_slug)
    kept = find_list(event, token, FEED)
    sessions = event.sessions.public().scheduled().filter(uid__in=kept.starred_uids).exported()
    name = gettext("My schedule: %(event)s") % {"event": event.name}
    programme = Programme(event, event.viewing, list(sessions), request.build_absolute_uri, name)
    content = CalendarWriter(programme, _read_alarm(request.GET.get("alarm", ""))).write()
    return HttpResponse(content, FILE_FORMS["ics"].content_type, headers=name_file(f"my-{event.slug}", "ics"))


@require_http_methods(["GET", "HEAD", "POST"])
@secretly
def shared_schedule(request: HttpRequest, event_slug: str, token: str) -> HttpResponse:
    """A list as its owner shares it: to read, and to add all of it to one's own."""
    event = get_public_event(event_slug)
    kept = find_list(event, token, SHARE)
    if request.method == "POST":
        return _copy(request, event, kept)
    viewing = Viewing.of(event, request.GET)
    context = _plan_context(event, viewing, kept) | {"list": kept, "here": viewing.keep(request.path)}
    return render(request, "personal/shared.html", build_frame(request, event, viewing, "my") | context)


def titles_of(event: Event) -> dict[str, str]:
    """Return the titles of the event's public sessions by uid."""
    return {str(uid): title for uid, title in event.sessions.public().values_list("uid", "title")}


def _plan_context(event: Event, viewing: Viewing, kept: PersonalSchedule) -> dict:
    stars = {str(star.session_uid): star for star in kept.stars.all() if star.is_starred}
    sessions = list(event.sessions.public().filter(uid__in=stars).listed())
    there = {str(session.uid) for session in sessions}
    agenda = build_agenda(sessions, viewing)
    return {
        "plan": build_plan(agenda),
        "unscheduled": agenda.unscheduled,
        "count": len(sessions),
        "my_url": viewing.keep(reverse("schedule:my_schedule", args=[event.slug])),
        "missing": [star for uid, star in sorted(stars.items()) if uid not in there],
    }


@limit_exchanges
def _change(request: HttpRequest, event: Event, kept: PersonalSchedule, token: str) -> HttpResponse:
    """Do what a form of the list's page asks for, and lead back to it."""
    action, now = request.POST.get("action", ""), datetime.now(UTC)
    if action == "delete":
        kept.delete()
        return redirect("schedule:my_schedule", event_slug=event.slug)
    if action == "renew":
        token = kept.renew()
    elif action in ("add", "remove"):
        kept.set(request.POST.get("uid", ""), action == "add", titles_of(event), now)
    elif action == "choose":
        titles, chosen = titles_of(event), set(request.POST.getlist("uid"))
        decided = titles.keys() & (chosen ^ set(kept.starred_uids))
        kept.apply({uid: Mark(uid in chosen, now) for uid in decided}, titles)
    elif action == "name":
        kept.owner_name = " ".join(request.POST.get("name", "").replace("\0", "").split())[:LONGEST_NAME]
        kept.save(update_fields=["owner_name"])
    return redirect("schedule:kept_schedule", event_slug=event.slug, token=token)


@limit_new_lists
def _copy(request: HttpRequest, event: Event, shared: PersonalSchedule) -> HttpResponse:
    """Make a list of one's own of a shared one, and lead to it."""
    copy, secret = PersonalSchedule.start(event, datetime.now(UTC).date())
    copy.apply(shared.marks, titles_of(event))
    return redirect("schedule:kept_schedule", event_slug=event.slug, token=secret)


def _read_alarm(text: str) -> int | None:
    """Return the minutes that `text` asks for, None for what is no number or too far ahead."""
    is_short = text.isascii() and text.isdecimal() and len(text) <= len(str(LONGEST_ALARM))
    return int(text) if is_short and 0 < int(text) <= LONGEST_ALARM else None


def _read_changes(request: HttpRequest, now: datetime) -> dict | None:
    """Read the marks in a request's body; None if it holds anything else, or too much."""
    if len(request.body) > LARGEST_BODY:
        return None
    try:
        said = json.loads(request.body or b"{}")
        changes = said.get("changes", []) if isinstance(said, dict) else None
        return read_marks(changes, now) if isinstance(changes, list) and len(changes) <= MOST_CHANGES else None
    except (ValueError, RecursionError):
        return None


def _describe(request: HttpRequest, event: Event, kept: PersonalSchedule, secret: str) -> dict:
    """Return what the device that knows the secret may know: links, version, and every decision."""
    links = {
        "url": reverse("schedule:kept_schedule", args=[event.slug, secret]),
        "feed": reverse("schedule:personal_feed", args=[event.slug, derive(secret, FEED)]),
        "share": reverse("schedule:shared_schedule", args=[event.slug, derive(secret, SHARE)]),
    }
    stars = [[uid, mark.is_starred, to_milliseconds(mark.changed_at)] for uid, mark in sorted(kept.marks.items())]
    described = {name: request.build_absolute_uri(path) for name, path in links.items()}
    return described | {"secret": secret, "version": kept.version, "stars": stars}
