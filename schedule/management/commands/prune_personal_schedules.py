"""manage.py prune_personal_schedules: forget the lists that nobody uses any more."""

from datetime import UTC, datetime

from django.core.management.base import BaseCommand

from schedule.models import PersonalSchedule


class Command(BaseCommand):
    help = "Delete personal schedules unused for 90 days, of events that ended as long ago. Run it daily."

    def handle(self, *args, **options) -> None:
        _total, deleted = PersonalSchedule.objects.unused(datetime.now(UTC).date()).delete()
        self.stdout.write(f"{deleted.get('schedule.PersonalSchedule', 0)} personal schedules deleted")
