"""One session."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from conference.frame import build_frame, get_public_event
from conference.viewing import Viewing
from conference.zones import ZoneWords
from schedule.agenda import build_row, find_neighbours, make_anchor
from schedule.changes import show_changes
from schedule.exports.json_ld import describe_session, write_json_ld
from schedule.models import SessionChange


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
    row = build_row(shown, viewing)
    show_changes([row], SessionChange.objects.shown_of(event).filter(session=shown).as_news())
    day = viewing.find_day(shown.start) if shown.start else None
    context = {
        "session": shown,
        "row": row,
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
    if shown.start:
        moved_from = SessionChange.objects.of(event).find_start_before(shown)
        context["json_ld"] = write_json_ld(
            describe_session(event, shown, viewing, moved_from, request.build_absolute_uri)
        )
    frame = build_frame(request, event, viewing)
    if shown.start:
        frame |= {"zone": ZoneWords.at(shown.start, viewing.zone), "event_zone": ZoneWords.at(shown.start, event.zone)}
    return render(request, "schedule/session.html", frame | context)
