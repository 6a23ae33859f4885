"""The public schedule pages. A view picks a queryset, a filter and a template; nothing depends on who looks."""

from schedule.views.board import programme, schedule
from schedule.views.cards import event_card, session_card
from schedule.views.changes import changes, changes_feed
from schedule.views.embed import embed, embed_grid
from schedule.views.exports import (
    now_calendar,
    room_calendar,
    schedule_file,
    session_calendar,
    speaker_calendar,
    track_calendar,
)
from schedule.views.files import media
from schedule.views.grid import grid
from schedule.views.now import now
from schedule.views.offline import event_icon, manifest, offline
from schedule.views.places import affiliation, room, room_screen, track
from schedule.views.sessions import session
from schedule.views.sitemaps import sitemap, sitemap_index

__all__ = [
    "affiliation",
    "changes",
    "changes_feed",
    "embed",
    "embed_grid",
    "event_card",
    "event_icon",
    "grid",
    "manifest",
    "media",
    "now",
    "now_calendar",
    "offline",
    "programme",
    "room",
    "room_calendar",
    "room_screen",
    "schedule",
    "schedule_file",
    "session",
    "session_calendar",
    "session_card",
    "sitemap",
    "sitemap_index",
    "speaker_calendar",
    "track",
    "track_calendar",
]
