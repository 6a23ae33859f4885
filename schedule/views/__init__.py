"""The public schedule pages. A view picks a queryset, a filter and a template; nothing depends on who looks."""

from schedule.views.board import schedule
from schedule.views.calendars import schedule_calendar, session_calendar
from schedule.views.files import media
from schedule.views.grid import grid
from schedule.views.places import room, track
from schedule.views.sessions import session

__all__ = ["grid", "media", "room", "schedule", "schedule_calendar", "session", "session_calendar", "track"]
