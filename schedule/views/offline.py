"""A programme on the attendee's own device: what to keep of it, and how it looks among other apps."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils.translation import get_language, override
from django.views.decorators.http import require_safe

from conference.frame import get_public_event
from conference.page_cache import find_release
from conference.worker import list_files
from schedule.exports.colours import COVER, PAPER, to_hex
from schedule.exports.icon import draw_icon
from schedule.offline import list_addresses, list_needed, list_pictures

ICON_SIZES = (192, 512)
# What phones show under an icon before they cut it.
LONGEST_SHORT_NAME = 24


@require_safe
def offline(request: HttpRequest, event_slug: str) -> HttpResponse:
    """What the service worker keeps of this event, in the language of the address, and of which version it is."""
    event = get_public_event(event_slug)
    return JsonResponse(
        {
            "version": event.programme_stamp,
            "release": find_release(),
            "as_of": event.programme_changed_at.isoformat(),
            "needed": list_needed(event),
            "addresses": list_addresses(event),
            "files": list_files(),
            "pictures": list_pictures(event),
        }
    )


@require_safe
def manifest(request: HttpRequest, event_slug: str) -> HttpResponse:
    """What an installed programme is called and looks like. Each event is an app of its own, in any language."""
    event = get_public_event(event_slug)
    with override("en"):
        same_in_all_languages = event.get_absolute_url()
    icons = [_describe_icon(event.slug, size, is_maskable) for is_maskable in (False, True) for size in ICON_SIZES]
    content = {
        "id": same_in_all_languages,
        "name": event.name,
        "short_name": _shorten(event.name),
        "lang": get_language(),
        "start_url": event.get_absolute_url(),
        "scope": event.get_absolute_url(),
        "display": "standalone",
        "theme_color": to_hex(*COVER, event.hue),
        "background_color": to_hex(*PAPER, event.hue),
        "icons": icons,
    }
    return JsonResponse(content, content_type="application/manifest+json")


@require_safe
def event_icon(request: HttpRequest, event_slug: str, size: int, is_maskable: bool = False) -> HttpResponse:
    """The site's mark in the colours of one event."""
    event = get_public_event(event_slug)
    if size not in ICON_SIZES:
        raise Http404
    return HttpResponse(draw_icon(size, event.hue, is_maskable), content_type="image/png")


def _describe_icon(slug: str, size: int, is_maskable: bool) -> dict[str, str]:
    name = "maskable_event_icon" if is_maskable else "event_icon"
    address = reverse(f"schedule:{name}", args=[slug, size])
    purpose = "maskable" if is_maskable else "any"
    return {"src": address, "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}


def _shorten(name: str) -> str:
    """Return the first words of `name` that fit under an icon; a first word that is longer is cut."""
    if len(name) <= LONGEST_SHORT_NAME:
        return name
    return name[: LONGEST_SHORT_NAME + 1].rpartition(" ")[0].rstrip(" ,:–-") or name[:LONGEST_SHORT_NAME]
