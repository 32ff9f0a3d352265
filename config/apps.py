"""The Django project itself as an app, so that its commands are found, and its check: no public service starts with
unsafe settings."""

import os
from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from django.db import DatabaseError, connections

from apikeys.edge.counters import COUNTED_TOGETHER
from config.postgres import OLDEST

SERVICE = "service"
OF_WORKER = 4
"""Connections by which a worker fetches its jobs."""


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


def connections_of_web() -> int:
    """The most connections that one process of the web server opens: its pool, those of the rate limit, and one for
    each thread that counts tries of a password."""
    return int(settings.DATABASE_POOL) + COUNTED_TOGETHER + int(settings.WEB_THREADS)


@register(Tags.database)
def server_fits(app_configs: object, databases: Sequence[str] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """Whether PostgreSQL is new enough, and lets in one web server and one worker. `migrate` looks at this."""
    if "default" not in (databases or ()):
        return []
    try:
        with connections["default"].cursor() as cursor:
            cursor.execute("SELECT current_setting('server_version_num'), current_setting('max_connections')")
            version, most = map(int, cursor.fetchone())
    except DatabaseError:  # `migrate` itself says why
        return []
    found: list[CheckMessage] = []
    if version // 10_000 < OLDEST:
        found.append(
            Error(f"PostgreSQL {version // 10_000} is too old.", hint=f"Run {OLDEST} or newer.", id="service.version")
        )
    needed = int(os.environ.get("WEB_WORKERS") or 1) * connections_of_web() + settings.DATABASE_POOL + OF_WORKER
    if needed > most and not settings.DATABASE_POOLER:
        hint = "Raise max_connections, lower DATABASE_POOL or WEB_WORKERS, or put a pooler before the web servers."
        message = f"A web server and a worker may open {needed} connections, and PostgreSQL takes {most}."
        found.append(Warning(message, hint=hint, id="service.connections"))
    return found
