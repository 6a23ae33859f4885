"""Every address of the site. First parts that are ours stand in conference.models.RESERVED_SLUGS."""

from django.conf import settings
from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.urls import include, path, register_converter
from django.views.generic import RedirectView

from conference import views
from conference.converters import RowIdConverter
from schedule import views as schedule_views

register_converter(RowIdConverter, "row_id")

urlpatterns = [
    path("favicon.ico", RedirectView.as_view(url=f"/{settings.STATIC_URL.strip('/')}/conference/favicon.svg")),
    path("sw.js", views.service_worker, name="service_worker"),
    path("robots.txt", views.robots, name="robots"),
    path("sitemap.xml", schedule_views.sitemap_index, name="sitemap_index"),
    path("<str:section>/sitemap.xml", schedule_views.sitemap, name="sitemap"),
    path("admin/", admin.site.urls),
    path("api/v1/", include("conference.api_urls")),
    path("media/<path:path>", schedule_views.media, name="media"),
    *i18n_patterns(
        path("", views.home, name="home"),
        path("<str:event_slug>/zones/", views.zones, name="zones"),
        path("<str:event_slug>/speakers/", include("speakers.urls")),
        path("<str:event_slug>/", include("schedule.urls")),
        prefix_default_language=False,
    ),
]
