"""What every template knows."""

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.urls import translate_url


def languages(request: HttpRequest) -> dict:
    """Give `languages`: code, own name and address of this page in every language that it is written in.

    Nothing where the address is the same in all of them, as in the admin.
    """
    here = request.get_full_path()
    found = [(code, name, translate_url(here, code)) for code, name in settings.LANGUAGES]
    return {"languages": found if len({url for _code, _name, url in found}) == len(found) else []}


def reading_offline(request: HttpRequest) -> dict:
    """Give `has_service_worker`: whether browsers may keep programmes for reading without a network."""
    return {"has_service_worker": settings.SERVICE_WORKER}


def address(request: HttpRequest) -> dict:
    """Give `page_url`, this page's whole address, and `site_url`, what comes before its path.

    Nothing where the host is none of ours: the page that says so is made by templates too.
    """
    try:
        site = f"{request.scheme}://{request.get_host()}"
    except DisallowedHost:
        return {}
    return {"page_url": site + request.get_full_path(), "site_url": site}
