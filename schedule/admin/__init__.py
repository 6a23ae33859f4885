"""The organisers' pages for sessions and imports."""

from schedule.admin.imports import ImportRunAdmin
from schedule.admin.sessions import SessionAdmin

__all__ = ["ImportRunAdmin", "SessionAdmin"]
