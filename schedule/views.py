"""The public schedule pages. A view picks a queryset, a filter and a template; nothing depends on who looks."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe
from django.views.static import serve

from conference.frame import build_frame, get_public_event
from conference.viewing import Viewing
from conference.zones import ZoneWords
from schedule.agenda import build_agenda, build_row, find_neighbours, make_anchor
from schedule.exports.ical import build_calendar
from schedule.facets import build_day_links, build_selection, make_url
from schedule.filters import SessionFilter, parse_day
from schedule.models import Material, Session
from speakers.models import Speaker


@require_safe
def schedule(request: HttpRequest, event_slug: str) -> HttpResponse:
    """The list: every public session by day and start, with the filter and its counts."""
    event = get_public_event(event_slug)
    viewing = Viewing.of(event, request.GET)
    sessions = list(event.sessions.public().listed())
    question = SessionFilter(request.GET, event.sessions.public(), viewing=viewing)
    active, answers = question.active, question.find_matches()
    days = {s.pk: viewing.find_day(s.start) for s in sessions if s.start}
    shown = [s for s in sessions if "day" not in active or "day" in answers.get(s.pk, ())]
    path = viewing.keep(request.path)
    selection = build_selection(sessions, shown, question.labels, active, answers, days, path)
    agenda = build_agenda(shown, viewing, selection.matches)
    calendar = viewing.keep(reverse("schedule:schedule_calendar", args=[event.slug]))
    context = {
        "agenda": agenda,
        "selection": selection,
        "day_links": build_day_links(days, active, answers, path),
        "is_one_day": len(agenda.days) == 1,
        "asked_days": active.get("day", []),
        "shown_day": parse_day(active["day"][0]) if len(active.get("day", [])) == 1 else None,
        "calendar_url": make_url(calendar, active),
    }
    return render(request, "schedule/schedule.html", build_frame(request, event, viewing, "list") | context)


@require_safe
def schedule_calendar(request: HttpRequest, event_slug: str) -> HttpResponse:
    """The sessions that the same filter leaves on the page, as iCalendar."""
    event = get_public_event(event_slug)
    viewing = Viewing.of(event, request.GET)
    question = SessionFilter(
        request.GET, event.sessions.public().scheduled().with_details().in_order(), viewing=viewing
    )
    return calendar_response(build_calendar(event, question.qs, request.build_absolute_uri), event.slug)


@require_safe
def session(request: HttpRequest, event_slug: str, id: int, slug: str) -> HttpResponse:
    """One session, complete, with what comes before, after and at the same time."""
    event = get_public_event(event_slug)
    viewing = Viewing.of(event, request.GET)
    shown = get_object_or_404(event.sessions.public().with_people(), pk=id)
    if slug != shown.slug:
        return redirect(viewing.keep(shown.get_absolute_url()), permanent=True)
    around = find_neighbours(event.sessions.public().outline(), shown)
    agenda = event.sessions.public().filter(pk__in=around.ids).listed().as_agenda(viewing)
    rows = {row.session.pk: row for row in agenda.rows}
    day = viewing.find_day(shown.start) if shown.start else None
    context = {
        "session": shown,
        "row": build_row(shown, viewing),
        "people": shown.session_speakers.all(),
        "materials": shown.materials.all(),
        "fields": list(shown.fields.items()),
        "day": day,
        "day_url": viewing.keep(event.get_absolute_url() + (f"?day={day}#{make_anchor(shown.start)}" if day else "")),
        "calendar_url": viewing.keep(reverse("schedule:session_calendar", args=[event.slug, shown.pk])) if day else "",
        "parallel": [rows[pk] for pk in around.parallel],
    }
    for name in ("previous_session", "next_session", "previous_here", "next_here"):
        context[name] = rows.get(getattr(around, name))
    frame = build_frame(request, event, viewing)
    if shown.start:
        frame |= {"zone": ZoneWords.at(shown.start, viewing.zone), "event_zone": ZoneWords.at(shown.start, event.zone)}
    return render(request, "schedule/session.html", frame | context)


@require_safe
def session_calendar(request: HttpRequest, event_slug: str, id: int) -> HttpResponse:
    """One session as iCalendar."""
    event = get_public_event(event_slug)
    shown = get_object_or_404(event.sessions.public().scheduled().with_details(), pk=id)
    return calendar_response(build_calendar(event, [shown], request.build_absolute_uri), shown.slug)


@require_safe
def room(request: HttpRequest, event_slug: str, slug: str) -> HttpResponse:
    """What happens in one room."""
    event = get_public_event(event_slug)
    viewing = Viewing.of(event, request.GET)
    shown = get_object_or_404(event.rooms.public(), slug=slug)
    context = {"room": shown, "agenda": event.sessions.public().filter(room=shown).listed().as_agenda(viewing)}
    context["filter_url"] = viewing.keep(make_url(event.get_absolute_url(), {"room": [shown.slug]}))
    return render(request, "schedule/room.html", build_frame(request, event, viewing) | context)


@require_safe
def track(request: HttpRequest, event_slug: str, slug: str) -> HttpResponse:
    """What belongs to one track."""
    event = get_public_event(event_slug)
    viewing = Viewing.of(event, request.GET)
    shown = get_object_or_404(event.tracks.public(), slug=slug)
    context = {"track": shown, "agenda": event.sessions.public().filter(track=shown).listed().as_agenda(viewing)}
    context["filter_url"] = viewing.keep(make_url(event.get_absolute_url(), {"track": [shown.slug]}))
    return render(request, "schedule/track.html", build_frame(request, event, viewing) | context)


@require_safe
def media(request: HttpRequest, path: str) -> HttpResponse:
    """An uploaded file of what is public; organisers see all. Whatever it is, it acts with no rights of this site."""
    if not (is_public_file(path) or request.user.is_staff):
        raise Http404
    try:
        response = serve(request, path, document_root=settings.MEDIA_ROOT)
    except OSError:
        raise Http404 from None
    # A file has its own length and ranges: not for GZipMiddleware.
    response.headers["Content-Encoding"] = "identity"
    response.headers["Content-Security-Policy"] = (
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self'"
    )
    return response


def is_public_file(path: str) -> bool:
    """Whether `path` is a material of a public session or the photo of a public speaker."""
    materials = Material.objects.filter(file=path, session__in=Session.objects.public())
    return materials.exists() or Speaker.objects.public().filter(photo=path).exists()


def calendar_response(content: bytes, name: str) -> HttpResponse:
    """Answer with an iCalendar file that browsers offer to the calendar under `name`."""
    plain_name = name.encode("ascii", "ignore").decode().strip("-") or "schedule"
    return HttpResponse(
        content,
        content_type="text/calendar; charset=utf-8",
        headers={"Content-Disposition": f'inline; filename="{plain_name}.ics"'},
    )
