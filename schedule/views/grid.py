"""The grid: rooms × time."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from schedule.facets import Link, make_url
from schedule.grid import build_grid_day, find_rooms
from schedule.views.board import Board

# How the grid may be drawn; the first of each is what an address without the parameter means.
MODES = {
    "density": {"normal": _("Normal"), "compact": _("Compact"), "large": _("Large")},
    "show": {"titles": _("Titles"), "overview": _("Overview")},
}
IN_ORDER = {"density": ("compact", "normal", "large"), "show": ("overview", "titles")}


@require_safe
def grid(request: HttpRequest, event_slug: str, is_embedded: bool = False) -> HttpResponse:
    """Every public session of the days asked for in its room, at true length; the room facet chooses columns."""
    chosen = {name: _choose(request.GET.get(name, ""), tuple(MODES[name])) for name in MODES}
    kept = {name: value for name, value in chosen.items() if value != next(iter(MODES[name]))}
    board = Board.of(request, event_slug, kept, shaped_by=frozenset({"room"}))
    asked_rooms = board.asked.get("room", [])
    rooms = find_rooms(board.agenda.rows)
    days = [build_grid_day(day, asked_rooms) for day in board.agenda.days] if board.selection.count else []
    context = {
        "is_embedded": is_embedded,
        "grid_days": [day for day in days if day],
        "room_count": len(rooms),
        "shown_room_count": sum(1 for room in rooms if not asked_rooms or room.slug in asked_rooms),
        "room_facet": next((facet for facet in board.selection.facets if facet.name == "room"), None),
        "other_questions": _flatten({name: value for name, value in board.asked.items() if name != "room"}),
        **chosen,
        **{f"{name}_links": _build_links(board, request.path, name, chosen) for name in MODES},
    }
    return render(request, "schedule/grid.html", board.build_context(request, "grid") | context)


def _choose(asked: str, known: tuple[str, ...]) -> str:
    return asked if asked in known else known[0]


def _build_links(board: Board, path: str, name: str, chosen: dict[str, str]) -> list[Link]:
    """Return the choices of one mode, each the address of this page with it."""
    links = []
    for value in IN_ORDER[name]:
        kept = {mode: asked for mode, asked in board.kept.items() if mode != name}
        kept |= {name: value} if value != next(iter(MODES[name])) else {}
        url = make_url(board.viewing.keep(path), {**kept, **board.asked})
        links.append(Link(str(MODES[name][value]), url, 0, value == chosen[name]))
    return links


def _flatten(asked: dict[str, list[str] | str]) -> list[tuple[str, str]]:
    return [(name, one) for name, value in asked.items() for one in ([value] if isinstance(value, str) else value)]
