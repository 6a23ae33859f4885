"""What a browser keeps to show an event's programme without a network: which pages, the needed ones first."""

from itertools import chain

from django.urls import reverse

from conference.models import Event
from schedule.facets import make_url
from schedule.pages import list_details, list_overviews

# A browser's room is bounded, and so is what a whole hall of them may ask for at once.
MOST_ADDRESSES = 1500
MOST_DAYS = 10


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
    return [address for address, _number in zip(found, range(MOST_ADDRESSES), strict=False)]
