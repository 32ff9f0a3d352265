"""DATABASE_URL as Django's settings have it, and what is wrong with it or its server in one sentence."""

from typing import Any

import psycopg
from django.core.exceptions import ImproperlyConfigured
from psycopg.conninfo import conninfo_to_dict

SCHEMES = ("postgresql://", "postgres://")
FORM = (
    "Write postgresql://USER:PASSWORD@HOST:5432/NAME without quotes, and in the password %40 %3A %2F %3F %23 %25 "
    "for the signs @ : / ? # %."
)
_PARTS = {"dbname": "NAME", "user": "USER", "password": "PASSWORD", "host": "HOST", "port": "PORT"}


def database_of(url: str) -> dict[str, Any]:
    """Django's settings of the database at a URL, read by libpq itself: its parameters are those of PostgreSQL.

    Raises ImproperlyConfigured, in words without the password, for what is no such URL.
    """
    if not url.startswith(SCHEMES):
        raise ImproperlyConfigured(f"DATABASE_URL is no address of a PostgreSQL database. {FORM}")
    try:
        given = {name: str(value) for name, value in conninfo_to_dict(url).items() if value is not None}
    except psycopg.ProgrammingError as error:
        reason = " ".join(str(error).split())
        raise ImproperlyConfigured(f"DATABASE_URL cannot be read ({reason}). {FORM}") from None
    # libpq ends a password at its first @ and a host at its first /, and takes the rest for something else.
    if "@" in given.get("host", "") + given.get("dbname", "") or not _is_port(given.get("port", "")):
        raise ImproperlyConfigured(f"DATABASE_URL cannot be read: where its password ends is not clear. {FORM}")
    if "dbname" not in given and "service" not in given:
        raise ImproperlyConfigured(f"DATABASE_URL names no database. {FORM}")
    parts = {django: given.pop(libpq, "") for libpq, django in _PARTS.items()}
    return {"ENGINE": "django.db.backends.postgresql", **parts, "OPTIONS": given}


def why_away(parameters: dict[str, Any]) -> str:
    """What a server answers to a connection with these parameters of psycopg, on one line; empty where it agrees."""
    try:
        psycopg.connect(**parameters).close()
    except psycopg.Error as error:
        return " ".join(str(error).split())
    return ""


def _is_port(text: str) -> bool:
    """Whether this is one port, one for each host, or none."""
    return all(port.isdigit() for port in text.split(",") if port)
