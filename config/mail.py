"""EMAIL_URL as Django's settings have it."""

from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

FORM = (
    "Write smtp+tls://USER:PASSWORD@HOST:587 (or smtp+ssl://…:465, smtp://HOST:25), and in the password %40 %3A %2F "
    "for the signs @ : /."
)
NONE = "dummymail://"


def mail_of(url: str) -> dict[str, Any]:
    """Django's settings of the server of mail at a URL; without one, mail goes nowhere.

    Raises ImproperlyConfigured, in words without the password, for what is no such URL.
    """
    try:
        parsed: dict[str, Any] = environ.Env.email_url_config(url or NONE)
    except (ImproperlyConfigured, ValueError):
        raise ImproperlyConfigured(f"EMAIL_URL is no address of a server of mail. {FORM}") from None
    if parsed["EMAIL_BACKEND"].endswith("smtp.EmailBackend") and not parsed["EMAIL_HOST"]:
        raise ImproperlyConfigured(f"EMAIL_URL names no host. {FORM}")
    return parsed
