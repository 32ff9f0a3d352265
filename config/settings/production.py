"""A public deployment. Refuses to start on what would be unsafe there, and says what to set."""

from django.core.exceptions import ImproperlyConfigured

from config.settings.base import *  # noqa: F403
from config.settings.base import ALLOWED_HOSTS, AUDIT_LOCAL_HOSTS, DATABASES, SECRET_KEY, SILENCED_SYSTEM_CHECKS, env

SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=False)
SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", default=3600)
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
# Whether all hosts below the domain speak TLS only is not for one of them to decide.
SILENCED_SYSTEM_CHECKS = [*SILENCED_SYSTEM_CHECKS, "security.W005", "security.W021"]

_MISSING = [
    message
    for failed, message in [
        (len(SECRET_KEY) < 50, "SECRET_KEY: set a random value of at least 50 characters"),
        (
            not env.list("ALLOWED_HOSTS", default=[]),
            "ALLOWED_HOSTS: name the hosts that this service answers for",
        ),
        ("*" in ALLOWED_HOSTS, "ALLOWED_HOSTS: '*' lets anyone choose the host; name the hosts"),
        (DATABASES["default"]["ENGINE"].endswith("sqlite3"), "DATABASE_URL: name a PostgreSQL database"),
        (not env.str("CACHE_URL", default=""), "CACHE_URL: name a Redis or Valkey shared by all processes"),
        (not env.str("BROKER_URL", default=""), "BROKER_URL: name the queue shared by web and workers"),
        (
            bool(AUDIT_LOCAL_HOSTS),
            "AUDIT_LOCAL_HOSTS: leave it out; it lets audits reach servers of this machine",
        ),
    ]
    if failed
]
if _MISSING:
    raise ImproperlyConfigured("Unsafe production settings. " + "; ".join(_MISSING) + ".")
