"""What the REST door accepts in paths and queries of the brand endpoints."""

import re
from collections.abc import Mapping
from datetime import date
from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter

from apikeys.errors import ServiceError, invalid_parameter, not_found
from visibility.models import Recommendation
from visibility.scores.windows import MAX_EPOCH_MS, days_between

ANY_STATUS = "all"
STATUSES = (*Recommendation.Status.values, ANY_STATUS)
_EPOCH_MS = re.compile("[0-9]{1,40}")  # int() takes signs, spaces and foreign digits, too
_UUID = re.compile(r"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")

BRAND_ID = OpenApiParameter(
    "id",
    OpenApiTypes.UUID,
    OpenApiParameter.PATH,
    description="a brand, as the brand list gives it",
    examples=[OpenApiExample("a brand", value="0198a3f2-5b1c-7c3e-9d54-2f6a8b7c1d0e")],
)
_EPOCH_SCHEMA = {"type": "integer", "format": "int64", "minimum": 0, "maximum": MAX_EPOCH_MS}
FROM = OpenApiParameter(
    "from",
    _EPOCH_SCHEMA,
    description="start of the window, epoch milliseconds; its UTC day is included. Default: 30 days before `to`",
    examples=[OpenApiExample("from", value=1793491200000)],
)
TO = OpenApiParameter(
    "to",
    _EPOCH_SCHEMA,
    description="end of the window, epoch milliseconds; its UTC day is included. Default: now",
    examples=[OpenApiExample("to", value=1796083199999)],
)
STATUS = OpenApiParameter(
    "status",
    description="only recommendations in this state; `all` for every state",
    enum=STATUSES,
    default=Recommendation.Status.OPEN.value,
    examples=[OpenApiExample("what is done", value="done")],
)


def brand_id_of(text: str) -> UUID:
    """The id in a path, in its usual form of 36 characters (UUID() takes others, too). Raises not_found."""
    if not _UUID.fullmatch(text):
        raise not_found()
    return UUID(text)


def window_of(query: Mapping[str, str]) -> tuple[date, date]:
    """First and last UTC day of the window that `from` and `to` (epoch milliseconds, inclusive) touch.

    Raises invalid_parameter, also for a window that begins later than it ends.
    """
    begin, end = _epoch_ms(query, "from"), _epoch_ms(query, "to")
    try:
        return days_between(begin, end)
    except ValueError as refusal:
        raise invalid_parameter("from", str(refusal)) from None


def status_of(query: Mapping[str, str]) -> str | None:
    """The status to filter by (`open` unless given); None for `all`. Raises invalid_parameter."""
    status = query.get("status", Recommendation.Status.OPEN)
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
    if _EPOCH_MS.fullmatch(text) and int(text) <= MAX_EPOCH_MS:
        return int(text)
    raise not_epoch_ms(name)
