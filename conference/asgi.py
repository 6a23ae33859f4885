"""The ASGI entry point, for servers of that kind."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "conference.settings")
application = get_asgi_application()
