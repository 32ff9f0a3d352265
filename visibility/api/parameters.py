"""What the REST door accepts in paths and queries of the brand endpoints."""

import re
from collections.abc import Mapping
from datetime import date
from typing import get_args
from uuid import UUID

from apikeys.errors import ServiceError, not_found
from apikeys.http.requests import invalid_parameter
from visibility.api.windows import MAX_EPOCH_MS, days_between
from visibility.resources.recommendations import RecommendationStatus

DEFAULT_STATUS = "open"
ANY_STATUS = "all"
STATUSES: tuple[str, ...] = (*get_args(RecommendationStatus), ANY_STATUS)
_EPOCH_MS = re.compile(rf"0*[0-9]{{1,{len(str(MAX_EPOCH_MS))}}}", re.ASCII)
_MAX_DIGITS = 40
_UUID = re.compile(r"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")


def brand_id_of(text: str) -> UUID:
    """The id in a path, in its canonical form of 36 characters; not_found for anything else."""
    if not _UUID.fullmatch(text):
        raise not_found()
    return UUID(text)


def window_of(query: Mapping[str, str]) -> tuple[date, date]:
    """First and last UTC day of the window that `from` and `to` (epoch milliseconds, inclusive) touch."""
    begin, end = _epoch_ms(query, "from"), _epoch_ms(query, "to")
    try:
        return days_between(begin, end)
    except ValueError as refusal:
        raise invalid_parameter("from", str(refusal)) from None


def status_of(query: Mapping[str, str]) -> str | None:
    """The status to filter by (`open` unless given); None for `all`."""
    status = query.get("status", DEFAULT_STATUS)
    if status not in STATUSES:
        raise unknown_status()
    return None if status == ANY_STATUS else status


def unknown_status() -> ServiceError:
    """The refusal of a status that no recommendation has."""
    return invalid_parameter("status", f"status is one of {', '.join(STATUSES)}.")


def not_epoch_ms(name: str) -> ServiceError:
    """The refusal of a time that is not a whole number, below 0, or past the year 2100."""
    return invalid_parameter(
        name, f"{name} is a whole number of milliseconds since 1970, from 0 to {MAX_EPOCH_MS} (the end of 2100)."
    )


def _epoch_ms(query: Mapping[str, str], name: str) -> int | None:
    text = query.get(name)
    if text is None:
        return None
    if len(text) <= _MAX_DIGITS and _EPOCH_MS.fullmatch(text) and int(text) <= MAX_EPOCH_MS:
        return int(text)
    raise not_epoch_ms(name)
