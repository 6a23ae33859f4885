"""The organisers' pages for sessions, their changes and imports."""

from schedule.admin.changes import SessionChangeAdmin
from schedule.admin.imports import ImportRunAdmin
from schedule.admin.sessions import SessionAdmin

__all__ = ["ImportRunAdmin", "SessionAdmin", "SessionChangeAdmin"]
