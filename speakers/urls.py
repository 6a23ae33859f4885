"""Addresses of an event's speakers. The id counts, the slug is decoration."""

from django.urls import path

from speakers import views

app_name = "speakers"
urlpatterns = [
    path("", views.speakers, name="speakers"),
    path("<row_id:id>-<str:slug>/", views.speaker, name="speaker"),
    path("<row_id:id>/", views.speaker, {"slug": ""}),
]
