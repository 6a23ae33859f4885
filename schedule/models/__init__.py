"""Sessions with their people and materials, the history of imports, and personal schedules."""

from schedule.models.changes import SessionChange
from schedule.models.imports import ImportRun, Tombstone
from schedule.models.sessions import Material, Session, SessionQuerySet, SessionSpeaker
from schedule.personal.models import PersonalSchedule, Star

__all__ = [
    "ImportRun",
    "Material",
    "PersonalSchedule",
    "Session",
    "SessionChange",
    "SessionQuerySet",
    "SessionSpeaker",
    "Star",
    "Tombstone",
]
