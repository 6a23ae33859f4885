"""The one settings file. Everything that differs between machines comes from the environment.

With an empty environment these are the demo's settings: an SQLite file beside manage.py, loopback
hosts only and a secret that everybody can read. A value that can't be read stops the start with one
line that names the variable; a wrong setting must not show up at ten on the first day of the event.
"""

import os
from pathlib import Path

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

BASE_DIR = Path(__file__).resolve().parent.parent


def read_bool(name: str, default: bool) -> bool:
    """Read "true" or "false" (also 1/0, yes/no, on/off) from the environment; anything else is an error."""
    value = os.environ.get(name, "").strip().lower()
    if not value:
        return default
    if value in ("true", "1", "yes", "on"):
        return True
    if value in ("false", "0", "no", "off"):
        return False
    raise ImproperlyConfigured(f"{name} must be true or false, not {value!r}.")


def read_list(name: str, default: list[str]) -> list[str]:
    """Read a comma-separated list from the environment; blanks around and empty parts are dropped."""
    return [part.strip() for part in os.environ.get(name, "").split(",") if part.strip()] or default


def read_number(name: str, default: int) -> int:
    """Read a whole number of 0 or more from the environment."""
    value = os.environ.get(name, "").strip()
    if not value:
        return default
    if not value.isascii() or not value.isdigit():
        raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}.")
    return int(value)


def read_database(name: str, default: str) -> dict:
    """Read a database address such as sqlite:////srv/plenary.sqlite3 or postgres://user:password@host/name."""
    try:
        return dj_database_url.parse(os.environ.get(name) or default)
    except (ValueError, KeyError, dj_database_url.ParseError) as error:
        # The address holds a password: say what is wrong, never what it says.
        raise ImproperlyConfigured(f"{name} is not a database address ({type(error).__name__}).") from None


# Security

DEMO_SECRET_KEY = "demo-secret-for-loopback-only: everybody can read it in the repository"  # noqa: S105
LOOPBACK_HOSTS = ["127.0.0.1", "localhost", "[::1]"]

DEBUG = read_bool("DEBUG", default=False)
SECRET_KEY = os.environ.get("SECRET_KEY") or DEMO_SECRET_KEY
ALLOWED_HOSTS = read_list("ALLOWED_HOSTS", default=LOOPBACK_HOSTS)
CSRF_TRUSTED_ORIGINS = read_list("CSRF_TRUSTED_ORIGINS", default=[])
for _origin in CSRF_TRUSTED_ORIGINS:
    if not _origin.startswith(("https://", "http://")):
        raise ImproperlyConfigured(f"CSRF_TRUSTED_ORIGINS must hold addresses with https://, not {_origin!r}.")
if SECRET_KEY == DEMO_SECRET_KEY and not set(ALLOWED_HOSTS) <= set(LOOPBACK_HOSTS):
    raise ImproperlyConfigured("SECRET_KEY is the demo's, which everybody knows: set one of your own to serve hosts.")

# Behind a proxy that ends TLS and sets X-Forwarded-Proto; off only for trying things on loopback.
HTTPS = read_bool("HTTPS", default=SECRET_KEY != DEMO_SECRET_KEY and not DEBUG)
SECURE_SSL_REDIRECT = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
# How many proxies stand in front, each adding to X-Forwarded-For; that many of its addresses are believed.
TRUSTED_PROXIES = read_number("TRUSTED_PROXIES", default=0)
SECURE_HSTS_SECONDS = read_number("HSTS_SECONDS", default=31_536_000) if HTTPS else 0
# Off unless asked for: they bind other hosts of the domain too.
SECURE_HSTS_INCLUDE_SUBDOMAINS = read_bool("HSTS_SUBDOMAINS", default=False)
SECURE_HSTS_PRELOAD = read_bool("HSTS_PRELOAD", default=False)
# W003 asks for Django's CSRF middleware by its name; ours is a subclass, at work where people log in.
# W005 and W021 ask for the two settings above.
SILENCED_SYSTEM_CHECKS = ["security.W003", "security.W005", "security.W021"]
if not HTTPS:
    # Without HTTPS by choice, its checks would only repeat that choice.
    SILENCED_SYSTEM_CHECKS += [f"security.W{number:03}" for number in (4, 8, 10, 12, 16)]
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

# Application

INSTALLED_APPS = [
    "schedule",
    "speakers",
    "conference",
    "django_filters",
    "django_htmx",
    "rest_framework",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.sitemaps",
    # Before staticfiles, so that runserver too serves files the way production does.
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "conference.middleware.content_security_policy",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "conference.api.middleware.open_reads",
    "conference.middleware.language_of_address",
    "django.middleware.gzip.GZipMiddleware",
    "django.middleware.http.ConditionalGetMiddleware",
    # Within the two above: what is named and compressed already, they leave so.
    "conference.api.middleware.name_answers",
    "conference.middleware.text_for_terminals",
    # Within GZipMiddleware, which leaves alone what is compressed already.
    "conference.page_cache.cache_public_pages",
    "conference.middleware.OrganiserSession",
    "django.middleware.common.CommonMiddleware",
    "conference.middleware.OrganiserCsrf",
    "conference.middleware.OrganiserAuthentication",
    "conference.middleware.OrganiserMessages",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

# Finished public pages are kept by version (conference/page_cache.py); not while their templates are being edited.
KEEPS_PAGES = not DEBUG
# Their newest state is part of every page's ETag.
SOURCE_FOLDERS = [BASE_DIR / name for name in ("conference", "schedule", "speakers", "templates")]

# Off, browsers are told to forget the programmes they keep and the worker that keeps them (conference/worker.py).
SERVICE_WORKER = read_bool("SERVICE_WORKER", default=True)

ROOT_URLCONF = "conference.urls"
WSGI_APPLICATION = "conference.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "conference.context.languages",
                "conference.context.address",
                "conference.context.reading_offline",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": ["conference.templatetags.marks"],
        },
    },
]

# Data

DATABASES = {"default": read_database("DATABASE_URL", default=f"sqlite:///{BASE_DIR / 'plenary.sqlite3'}")}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # IMMEDIATE takes the write lock at the start of a transaction, where waiting for it is possible; a
    # reader that turns writer half-way can only fail with "database is locked".
    DATABASES["default"]["OPTIONS"] = DATABASES["default"].get("OPTIONS", {}) | {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA mmap_size=134217728;",
    }
    DATABASES["default"]["CONN_MAX_AGE"] = None
else:
    DATABASES["default"]["CONN_MAX_AGE"] = 60
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True

# Language and time. The zone of the server means nothing: every event has its own.

LANGUAGE_CODE = "en"
# What pages are written in, each by its own name; English stands at the plain addresses, the others at /fr/… and so on.
LANGUAGES = [("en", "English"), ("fr", "Français"), ("de", "Deutsch"), ("es", "Español"), ("ar", "العربية")]
LOCALE_PATHS = [BASE_DIR / "conference" / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# Files

STATIC_URL = "static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
MEDIA_URL = "media/"
MEDIA_ROOT = Path(os.environ.get("MEDIA_ROOT") or BASE_DIR / "media")
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "conference.joining.JoiningStorage"
    },
}

# A whole schedule may be pasted: as much as the import's own limit and the form around it.
LARGEST_UPLOAD = 10 * 1024 * 1024
DATA_UPLOAD_MAX_MEMORY_SIZE = 12 * 1024 * 1024

# Accounts: organisers only.

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "admin:login"

# The API: how often it may be asked a minute (0: no limit), by whoever brings no token and by each token.
API_REQUESTS_PER_ADDRESS = read_number("API_REQUESTS_PER_ADDRESS", default=600)
API_REQUESTS_PER_TOKEN = read_number("API_REQUESTS_PER_TOKEN", default=600)

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_METADATA_CLASS": None,
    # Who asks, what they may and how often: conference/api/asked.py, for every view of ours.
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.AllowAny"],
    "DEFAULT_SCHEMA_CLASS": "conference.api.describing.Description",
    "EXCEPTION_HANDLER": "conference.api.errors.answer_fault",
    "UNAUTHENTICATED_USER": None,
}

SPECTACULAR_SETTINGS = {
    "OAS_VERSION": "3.1.0",
    "TITLE": "Plenary",
    "VERSION": "1",
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "ENUM_NAME_OVERRIDES": {
        "SessionKind": "schedule.models.Session.Kind",
        "SessionStatus": "schedule.models.Session.Status",
        "Availability": "schedule.models.Session.Availability",
        "ChangeKind": "schedule.models.SessionChange.Kind",
        "Role": "schedule.models.SessionSpeaker.Role",
    },
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"hide_secrets": {"()": "conference.logs.HideSecrets"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "filters": ["hide_secrets"]}},
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {"django": {"handlers": ["console"], "level": "WARNING", "propagate": False}},
}
