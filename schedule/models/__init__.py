"""Sessions with their people and materials, and the history of imports."""

from schedule.models.imports import ImportRun, Tombstone
from schedule.models.sessions import Material, Session, SessionQuerySet, SessionSpeaker

__all__ = ["ImportRun", "Material", "Session", "SessionQuerySet", "SessionSpeaker", "Tombstone"]
