"""Deleting for good, and taking an import back as one step."""

from django.db import transaction
from django.db.models import QuerySet

from schedule.importing.journal import roll_back
from schedule.models import ImportRun, Tombstone


@transaction.atomic
def bury(sessions: QuerySet) -> None:
    """Delete `sessions` and remember them, so that no import brings back what a person deleted."""
    stones = [
        Tombstone(event=row.event, title=row.title, source_key=row.source_key, source_id=row.source_id)
        for row in sessions.select_related("event")
        if row.source_key
    ]
    Tombstone.objects.bulk_create(stones)
    sessions.delete()


def find_newer(run: ImportRun) -> QuerySet[ImportRun]:
    """Return the imports into the same event that came after `run` and stand."""
    return ImportRun.objects.filter(event=run.event_id, status=ImportRun.Status.APPLIED, pk__gt=run.pk)


@transaction.atomic
def roll_back_run(run: ImportRun) -> list[str]:
    """Take back what `run` did, and return what stays and why, in lines for people.

    Newer imports may stand: what they changed too stays as they left it, and what only `run` said goes.
    Raises ValueError for a run that is not applied, such as one that was rolled back already.
    """
    run = ImportRun.objects.select_for_update().get(pk=run.pk)
    if run.status != ImportRun.Status.APPLIED:
        raise ValueError(f"the import {run} is not applied")
    event, newer = run.event, find_newer(run).count()
    stays = roll_back(run.journal)
    run.refresh_from_db()
    run.status = ImportRun.Status.ROLLED_BACK
    while_newer = f" while {newer} newer stood; what those changed too stayed" if newer else ""
    run.report += f"\n\nRolled back{while_newer}." + "".join(f"\n  {line}" for line in stays)
    run.save()
    if event and run.event_id:
        event.mark_programme_changed()
    return stays
