"""Addresses of the API, version 1. Wiring: imports anything, is imported by urls.py only."""

from django.urls import path, re_path

from conference.api.docs import Schema, docs
from conference.api.errors import NotThere
from conference.api.events import Events, Rooms, Tracks
from schedule.api.imports import Imports
from schedule.api.materials import Materials
from schedule.api.programme import Changes, Programme
from schedule.api.sessions import Sessions
from speakers.api import Speakers

LIST, ROW = {"get": "list"}, {"get": "retrieve"}
ADD = LIST | {"post": "create"}
CHANGE = ROW | {"put": "update", "patch": "partial_update"}
DELETE = {"delete": "destroy"}
EVENT = "events/<str:slug>/"

app_name = "api"
urlpatterns = [
    path("schema/", Schema.as_view(), name="schema"),
    path("docs/", docs, name="docs"),
    path("events/", Events.as_view(LIST), name="events"),
    path(EVENT, Events.as_view(ROW), name="event"),
    path(f"{EVENT}programme/", Programme.as_view(), name="programme"),
    path(f"{EVENT}sessions/", Sessions.as_view(ADD), name="sessions"),
    path(f"{EVENT}sessions/<row_id:id>/", Sessions.as_view(CHANGE), name="session"),
    path(f"{EVENT}sessions/<row_id:id>/cancel/", Sessions.as_view({"post": "cancel"}), name="cancel"),
    path(f"{EVENT}sessions/<row_id:session_id>/materials/", Materials.as_view(ADD), name="materials"),
    path(f"{EVENT}sessions/<row_id:session_id>/materials/<row_id:id>/", Materials.as_view(ROW | DELETE)),
    path(f"{EVENT}speakers/", Speakers.as_view(ADD), name="speakers"),
    path(f"{EVENT}speakers/<row_id:id>/", Speakers.as_view(CHANGE | DELETE), name="speaker"),
    path(f"{EVENT}rooms/", Rooms.as_view(ADD), name="rooms"),
    path(f"{EVENT}rooms/<row_id:id>/", Rooms.as_view(CHANGE | DELETE), name="room"),
    path(f"{EVENT}tracks/", Tracks.as_view(ADD), name="tracks"),
    path(f"{EVENT}tracks/<row_id:id>/", Tracks.as_view(CHANGE | DELETE), name="track"),
    path(f"{EVENT}changes/", Changes.as_view(LIST), name="changes"),
    path(f"{EVENT}changes/<row_id:id>/", Changes.as_view(ROW), name="change"),
    path(f"{EVENT}imports/", Imports.as_view(), name="imports"),
    re_path(r"^(?:.*/)?$", NotThere.as_view()),
]
