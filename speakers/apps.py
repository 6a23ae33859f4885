from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SpeakersConfig(AppConfig):
    name = "speakers"
    verbose_name = _("Speakers")
