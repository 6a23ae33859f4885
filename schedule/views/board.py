"""The views of one programme: the same sessions, filters and addresses, arranged in different ways."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from conference.frame import build_frame, get_public_event
from conference.models import Event
from conference.templatetags.marks import webcal
from conference.viewing import Viewing
from schedule.agenda import Agenda, Row, build_agenda
from schedule.changes import show_changes
from schedule.exports.files import FILE_FORMS
from schedule.exports.json_ld import describe_event, write_json_ld
from schedule.facets import Link, Selection, build_day_links, build_selection, make_url
from schedule.filters import SessionFilter, parse_day
from schedule.models import SessionChange
from schedule.search import explain_matches, find_best, read_terms


@dataclass(frozen=True, slots=True)
class Board:
    """A visitor's question to one event, answered: what every view of the programme shows around the sessions.

    `kept` are the parameters of this view alone, which its links and forms keep.
    """

    event: Event
    viewing: Viewing
    agenda: Agenda
    selection: Selection
    day_links: list[Link]
    asked: dict[str, list[str] | str]
    best: list[Row]
    kept: Mapping[str, str]

    @classmethod
    def of(
        cls,
        request: HttpRequest,
        event_slug: str,
        kept: Mapping[str, str] = MappingProxyType({}),
        shaped_by: frozenset[str] = frozenset(),
        with_texts: bool = False,
    ) -> "Board":
        """Answer the question in the address of `request`; abstracts only if asked for.

        The facets in `shaped_by` are answered by the shape of the view, so they make no row of it a mismatch.
        Raises Http404 for an event that is not public.
        """
        event = get_public_event(event_slug)
        viewing = Viewing.of(event, request.GET)
        rows = event.sessions.public()
        sessions = list(rows.with_details().in_order() if with_texts else rows.listed())
        question = SessionFilter(request.GET, event.sessions.public(), viewing=viewing)
        asked, answers = question.active, question.find_matches()
        days = {s.pk: viewing.find_day(s.start) for s in sessions if s.start}
        shown = [s for s in sessions if "day" not in asked or "day" in answers.get(s.pk, ())]
        path = make_url(viewing.keep(request.path), dict(kept))
        selection = build_selection(sessions, shown, question.labels, asked, answers, days, path)
        decisive = frozenset(asked) - shaped_by
        matches = frozenset(pk for pk, said in answers.items() if said >= decisive) if decisive else None
        agenda = build_agenda(shown, viewing, matches)
        show_changes(agenda.rows, SessionChange.objects.shown_of(event).as_news())
        best = find_best_matches(event, agenda, str(asked["q"])) if "q" in asked else []
        return cls(event, viewing, agenda, selection, build_day_links(days, asked, answers, path), asked, best, kept)

    def build_context(self, request: HttpRequest, current_tab: str) -> dict:
        """Return the template's context that all these views share."""
        asked_days = self.asked.get("day", [])
        addresses = {
            name: make_url(self._address_of(view), self.asked)
            for name, view in (("list_url", "schedule"), ("grid_url", "grid"))
        }
        files = {ending: make_url(self._address_of("schedule_file", ending), self.asked) for ending in FILE_FORMS}
        files["subscribe"] = webcal(request.build_absolute_uri(files["ics"]))
        return build_frame(request, self.event, self.viewing, current_tab) | {
            "agenda": self.agenda,
            "selection": self.selection,
            "best": self.best,
            "day_links": self.day_links,
            "is_one_day": len(self.agenda.days) == 1,
            "asked_days": asked_days,
            "shown_day": parse_day(asked_days[0]) if len(asked_days) == 1 else None,
            "page_path": request.path,
            "files": files,
            "kept_parameters": self.viewing.parameters | dict(self.kept),
            **addresses,
        }

    def _address_of(self, view: str, *arguments: str) -> str:
        return self.viewing.keep(reverse(f"schedule:{view}", args=[self.event.slug, *arguments]))


def find_best_matches(event: Event, agenda: Agenda, question: str) -> list[Row]:
    """Mark what `question` found in the agenda's rows, and return the best of them."""
    rows, terms = [row for row in agenda.rows if row.is_match], read_terms(question)
    explain_matches(rows, terms, lambda ids: dict(event.sessions.filter(pk__in=ids).values_list("pk", "abstract")))
    return find_best(rows, terms)


@require_safe
def schedule(request: HttpRequest, event_slug: str, is_embedded: bool = False) -> HttpResponse:
    """The list: every public session by day and start, with the filter and its counts."""
    board = Board.of(request, event_slug)
    context = board.build_context(request, "list") | {"is_embedded": is_embedded}
    if not board.asked and not is_embedded:
        shown = [row.session for row in board.agenda.rows]
        context["json_ld"] = write_json_ld(describe_event(board.event, shown, request.build_absolute_uri))
    return render(request, "schedule/schedule.html", context)


@require_safe
def programme(request: HttpRequest, event_slug: str) -> HttpResponse:
    """Everything on one page: the list with abstracts, to read, search and print."""
    board = Board.of(request, event_slug, with_texts=True)
    return render(request, "schedule/programme.html", board.build_context(request, "list"))
