"""Addresses of the API, version 1. Wiring: imports anything, is imported by urls.py only."""

from django.urls import path

from conference import api as conference_api
from schedule import api as schedule_api
from speakers import api as speakers_api

app_name = "api"
urlpatterns = [
    path("events/", conference_api.EventList.as_view(), name="events"),
    path("events/<str:slug>/", conference_api.EventDetail.as_view(), name="event"),
    path("events/<str:slug>/sessions/", schedule_api.SessionList.as_view(), name="sessions"),
    path("events/<str:slug>/speakers/", speakers_api.SpeakerList.as_view(), name="speakers"),
    path("events/<str:slug>/rooms/", conference_api.RoomList.as_view(), name="rooms"),
    path("events/<str:slug>/tracks/", conference_api.TrackList.as_view(), name="tracks"),
]
