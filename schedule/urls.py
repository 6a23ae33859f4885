"""Addresses of one event's schedule. The id in an address counts, the slug behind it is decoration."""

from django.urls import path

from schedule import views
from schedule.personal import views as personal

app_name = "schedule"
urlpatterns = [
    path("", views.schedule, name="schedule"),
    path("grid/", views.grid, name="grid"),
    path("schedule.<str:extension>", views.schedule_file, name="schedule_file"),
    path("sessions/<row_id:id>-<str:slug>/", views.session, name="session"),
    path("sessions/<row_id:id>/", views.session, {"slug": ""}),
    path("sessions/<row_id:id>.ics", views.session_calendar, name="session_calendar"),
    path("sessions/<row_id:id>.png", views.session_card, name="session_card"),
    path("card.png", views.event_card, name="event_card"),
    path("offline.json", views.offline, name="offline"),
    path("manifest.webmanifest", views.manifest, name="manifest"),
    path("icon-<int:size>.png", views.event_icon, name="event_icon"),
    path("icon-maskable-<int:size>.png", views.event_icon, {"is_maskable": True}, name="maskable_event_icon"),
    path("speakers/<row_id:id>.ics", views.speaker_calendar, name="speaker_calendar"),
    path("rooms/<str:slug>.ics", views.room_calendar, name="room_calendar"),
    path("tracks/<str:slug>.ics", views.track_calendar, name="track_calendar"),
    path("now.ics", views.now_calendar, name="now_calendar"),
    path("rooms/<str:slug>/", views.room, name="room"),
    path("rooms/<str:slug>/screen/", views.room_screen, name="room_screen"),
    path("tracks/<str:slug>/", views.track, name="track"),
    path("affiliations/<str:slug>/", views.affiliation, name="affiliation"),
    path("my/", personal.my_schedule, name="my_schedule"),
    path("my/keep/", personal.keep_schedule, name="keep_schedule"),
    path("my/feed/<str:token>.ics", personal.personal_feed, name="personal_feed"),
    path("my/shared/<str:token>/", personal.shared_schedule, name="shared_schedule"),
    path("my/<str:token>/", personal.kept_schedule, name="kept_schedule"),
    path("my/<str:token>/edit/", personal.edit_schedule, name="edit_schedule"),
    path("my/<str:token>/sync/", personal.sync_schedule, name="sync_schedule"),
    path("embed/", views.embed, name="embed"),
    path("embed/grid/", views.embed_grid, name="embed_grid"),
    path("changes/", views.changes, name="changes"),
    path("changes.atom", views.changes_feed, name="changes_feed"),
    path("now/", views.now, name="now"),
    path("programme/", views.programme, name="programme"),
]
