"""What a browser keeps to show an event's programme without a network: which pages, the needed ones first."""

from collections.abc import Iterator
from itertools import chain, islice

from django.urls import reverse

from conference.models import Event
from schedule.facets import make_url
from schedule.pages import list_details, list_overviews

# A browser's room is bounded, and so is what a whole hall of them may ask for at once.
MOST_ADDRESSES = 1500
MOST_DAYS = 10
# Photos come last and only as far as they are no burden: a phone has no room for files of unknown size.
MOST_PICTURES = 300
LARGEST_PICTURE = 1_000_000
MOST_PICTURE_BYTES = 20_000_000


def list_needed(event: Event) -> list[str]:
    """Return the addresses that are kept even where a browser has room for little, in the active language."""
    return [reverse(f"schedule:{view}", args=[event.slug]) for view in ("schedule", "grid", "my_schedule")]


def list_addresses(event: Event) -> list[str]:
    """Return the address of every page of the public programme, most wanted first, at most MOST_ADDRESSES.

    Not the page of what runs now, which would be wrong a minute later: the list marks that by itself.
    """
    starts = event.sessions.public().scheduled().in_order().values_list("start", flat=True)
    days = list(dict.fromkeys(map(event.viewing.find_day, starts)))[:MOST_DAYS]
    needed = list_needed(event)
    found = chain(
        needed,
        (make_url(path, {"day": [str(day)]}) for path in needed[:2] for day in days),
        (path for path in list_overviews(event) if path not in needed),
        list_details(event),
        (reverse("schedule:room_screen", args=[event.slug, room.slug]) for room in event.rooms.public()),
    )
    return list(islice(found, MOST_ADDRESSES))


def list_pictures(event: Event) -> list[str]:
    """Return the addresses of the speakers' photos, in their order: at most MOST_PICTURES and MOST_PICTURE_BYTES.

    One that is larger than LARGEST_PICTURE is left out.
    """
    return list(islice(_find_pictures(event), MOST_PICTURES))


def _find_pictures(event: Event) -> Iterator[str]:
    left = MOST_PICTURE_BYTES
    for person in event.speakers.public().exclude(photo="").in_order().only("photo"):
        try:
            size = person.photo.size
        except OSError:
            # Its file is gone; the page shows an empty circle.
            continue
        if size <= min(LARGEST_PICTURE, left):
            left -= size
            yield person.photo.url
