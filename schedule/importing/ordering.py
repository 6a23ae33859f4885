"""The order of rooms and tracks. A text has none, so there is an automatic one, the same whichever part of a schedule
came first; once an organiser has changed it, it is theirs."""

from django.db import models

from conference.models import Event, Room, Track, renew_forms
from conference.tracks import make_code
from schedule.importing.journal import Journal

BATCH = 500


def automatic_order(event: Event, model: type[Room | Track]) -> list:
    """Rooms by first use, then most used; tracks by number of sessions; then by name (look.md §3)."""
    rows = model.objects.of(event).annotate(number=models.Count("sessions"), first=models.Min("sessions__start"))
    if model is Room:
        return sorted(rows, key=lambda row: (row.first is None, row.first or 0, -row.number, row.name_key))
    return sorted(rows, key=lambda row: (-row.number, row.name_key))


def automatic_codes(tracks: list[Track]) -> dict[int, str]:
    codes: dict[str, int] = {}
    for track in tracks:
        codes[make_code(track.name, codes)] = track.pk
    return {pk: code for code, pk in codes.items()}


def is_in_automatic_order(event: Event, model: type[Room | Track]) -> bool:
    rows = automatic_order(event, model)
    positions = [row.position for row in rows]
    has_own_codes = model is Track and automatic_codes(rows) != {row.pk: row.code for row in rows}
    return positions == sorted(positions) and not has_own_codes


def put_in_order(event: Event, model: type[Room | Track], keep: bool, journal: Journal) -> None:
    """Number the rows anew, automatically unless the organiser's order is to be kept."""
    if keep:
        return
    rows = automatic_order(event, model)
    changed = []
    for position, row in enumerate(rows, start=1):
        if row.position != position:
            journal.will_change(row)
            row.position = position
            changed.append(row)
    model.objects.bulk_update(changed, ["position"], batch_size=BATCH)
    if model is not Track:
        return
    codes = automatic_codes(rows)
    renamed = [row for row in rows if row.code != codes[row.pk]]
    for number, row in enumerate(renamed):
        journal.will_change(row)
        # Two tracks may swap codes, and each must be unique at every moment: private characters in between.
        row.code = chr(0xE000 + number)
    Track.objects.bulk_update(renamed, ["code"], batch_size=BATCH)
    for row in renamed:
        row.code = codes[row.pk]
    Track.objects.bulk_update(renamed, ["code"], batch_size=BATCH)
    renew_forms(event.pk)
