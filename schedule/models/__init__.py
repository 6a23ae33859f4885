"""Sessions with their people and materials, and the history of imports."""

from schedule.models.changes import SessionChange
from schedule.models.imports import ImportRun, Tombstone
from schedule.models.sessions import Material, Session, SessionQuerySet, SessionSpeaker

__all__ = ["ImportRun", "Material", "Session", "SessionChange", "SessionQuerySet", "SessionSpeaker", "Tombstone"]
