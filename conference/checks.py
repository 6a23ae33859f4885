"""System checks for what Django can't know of us."""

from django.conf import settings
from django.core.checks import Error, Tags, register


@register(Tags.security, deploy=True)
def secret_key_is_not_the_demos(app_configs, **kwargs) -> list[Error]:
    """Refuse to be deployed with the secret that stands in the repository."""
    if settings.SECRET_KEY != settings.DEMO_SECRET_KEY:
        return []
    return [
        Error(
            "SECRET_KEY is the demo's, which everybody can read.",
            hint="Set SECRET_KEY to 50 random characters or more, e.g. from `openssl rand -base64 48`.",
            id="plenary.E001",
        )
    ]
