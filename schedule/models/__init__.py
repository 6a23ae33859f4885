"""Sessions with their people and materials, and the history of imports."""

from schedule.models.imports import ImportRun, Tombstone
from schedule.models.sessions import Material, Session, SessionQuerySet, SessionSpeaker, day_bounds

__all__ = ["ImportRun", "Material", "Session", "SessionQuerySet", "SessionSpeaker", "Tombstone", "day_bounds"]
