"""The organisers' pages for sessions, their changes, imports, and the demand for sessions."""

from schedule.admin.changes import SessionChangeAdmin
from schedule.admin.demand import PersonalScheduleAdmin
from schedule.admin.imports import ImportRunAdmin
from schedule.admin.sessions import SessionAdmin

__all__ = ["ImportRunAdmin", "PersonalScheduleAdmin", "SessionAdmin", "SessionChangeAdmin"]
