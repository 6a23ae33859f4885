"""Requests to the API for tests: by everybody, and with a token."""

import json
from urllib.parse import urlencode

from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model

from conference.models import Event
from conference.tokens import ApiToken


def make_token(event: Event, user=None, **values) -> str:
    """Return the secret of a new token of `event`, made by `user` or by an organiser of the test."""
    user = user or get_user_model().objects.get_or_create(username="ada", is_staff=True, is_superuser=True)[0]
    token = ApiToken(event=event, created_by=user, **{"name": "Desk"} | values)
    secret = token.renew_secret()
    token.save()
    return secret


class Organiser:
    """A program that writes with a token; it speaks JSON and reads before it writes."""

    def __init__(self, client, event: Event, secret: str = ""):
        self.client = client
        self.base = f"/api/v1/events/{event.slug}/"
        self.headers = {"authorization": f"Bearer {secret or make_token(event)}"}

    def get(self, path: str, **headers):
        return self.client.get(self.base + path, headers=self.headers | headers)

    def send(self, method: str, path: str, body=None, **headers):
        """Send `body` as JSON, without If-Match unless it is given as `if_match`."""
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.generic(
            method, self.base + path, json.dumps(body), "application/json", headers=self.headers | headers
        )

    def post(self, path: str, body=None, **headers):
        return self.send("POST", path, body, **headers)

    def change(self, method: str, path: str, body=None):
        """Send a write for the state that is there now, drafts too."""
        return self.send(method, path, body, if_match=self.get(f"{path}?drafts=1")["ETag"])


def history() -> list[tuple]:
    """What the admin's history says, the oldest first: who, of what, which action, and how."""
    return [(str(e.user), e.object_repr, e.action_flag, e.change_message) for e in LogEntry.objects.order_by("id")]


def address_of(event, name: str = "sessions", **query) -> str:
    address = f"/api/v1/events/{event.slug}/{name}/"
    return f"{address}?{urlencode(query, doseq=True)}" if query else address


def read_all(client, address: str) -> list[dict]:
    """The rows of every page, followed by the links to the next."""
    rows: list[dict] = []
    while address:
        page = client.get(address).json()
        rows += page["results"]
        address = page["next"]
    return rows
