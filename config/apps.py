"""The Django project itself as an app, so that its commands are found, and its check: no public service starts with
unsafe settings."""

import os
from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, register

SERVICE = "service"


class ConfigConfig(AppConfig):
    name = "config"


@register(SERVICE)
def unsafe_defaults(app_configs: object, **kwargs: Any) -> Sequence[CheckMessage]:
    """Errors for each default that is fine on one machine and unsafe in public."""
    if not settings.IS_PUBLIC:
        return []
    needed = [
        ("*" in settings.ALLOWED_HOSTS, "ALLOWED_HOSTS", "'*' lets anyone choose the host. Name the hosts."),
        (len(os.environ.get("SECRET_KEY", "")) < 50, "SECRET_KEY", "Set a random value of at least 50 characters."),
        (bool(settings.AUDIT_LOCAL_HOSTS), "AUDIT_LOCAL_HOSTS", "It opens this machine to audits. Leave it away."),
        (
            not settings.PUBLIC_URL.startswith("https://"),
            "PUBLIC_URL",
            "Name the address people use, with https.",
        ),
        (not os.environ.get("DATABASE_URL"), "DATABASE_URL", "Name a PostgreSQL database of your own."),
    ]
    return [
        Error(f"{setting} is unsafe for a public service.", hint=hint, id=f"service.{setting}")
        for is_unsafe, setting, hint in needed
        if is_unsafe
    ]
