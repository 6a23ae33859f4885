"""Which pages the public programme of an event has: for whoever wants all of them."""

from collections.abc import Iterator

from django.urls import reverse

from conference.models import Event


def list_overviews(event: Event) -> list[str]:
    """Return the addresses of the pages that show the programme as a whole, in the active language."""
    views = ("schedule:schedule", "schedule:grid", "speakers:speakers", "schedule:programme", "schedule:changes")
    return [reverse(view, args=[event.slug]) for view in views]


def list_details(event: Event) -> Iterator[str]:
    """Yield the address of each page of one thing: sessions, rooms, tracks, speakers, affiliations."""
    people = event.speakers.public()
    slugs = people.exclude(affiliation_slug="").order_by().values_list("affiliation_slug", flat=True)
    yield from (session.get_absolute_url() for session in event.sessions.public().in_order().only("title", "event_id"))
    yield from (place.get_absolute_url() for place in (*event.rooms.public(), *event.tracks.public()))
    yield from (person.get_absolute_url() for person in people.in_order().only("slug", "event_id"))
    yield from (reverse("schedule:affiliation", args=[event.slug, slug]) for slug in sorted(set(slugs)))
