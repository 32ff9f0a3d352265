"""Reads response bodies: foreign JSON. No field is taken for granted, and none that is odd costs an answer."""

import json
from decimal import Decimal
from typing import Any
from urllib.parse import quote

from visibility.engines.protocol import EngineError

HIDDEN = "[key]"
SHORTEST_SECRET = 8
"""What is shorter is a placeholder such as "none", and would take words out of answers."""


def without_secret(secret: str, raw: bytes) -> bytes:
    """The bytes with each place that repeats the key, plain or percent-encoded, blotted out."""
    if len(secret) >= SHORTEST_SECRET:
        for form in (secret, quote(secret, safe="")):
            raw = raw.replace(form.encode(), HIDDEN.encode())
    return raw


def decode(raw: bytes) -> dict[str, Any]:
    """The JSON object that a body holds; broken characters in it are replaced. Raises bad_body."""
    try:
        body = json.loads(raw.decode("utf-8", "replace"), parse_float=Decimal, strict=False)
    except (ValueError, RecursionError):
        raise _bad("The provider's answer is not JSON, or was cut off.") from None
    # Some gateways wrap their one error in a list.
    if isinstance(body, list) and len(body) == 1:
        body = body[0]
    if not isinstance(body, dict):
        raise _bad("The provider's answer is not a JSON object.")
    return body


def table(value: Any) -> dict[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def tables(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; everything else in it is passed over."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def text(value: Any) -> str:
    """The value if it is text, else nothing."""
    return value if isinstance(value, str) else ""


def texts(value: Any) -> list[str]:
    """The texts of a list that say something."""
    return [each for each in value if isinstance(each, str) and each.strip()] if isinstance(value, list) else []


def whole(value: Any) -> int | None:
    """The value if it is a whole number that is not negative, else None."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def money(value: Any) -> Decimal | None:
    """The value as an amount that is finite and not negative, else None."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    amount = Decimal(value)
    return amount if amount.is_finite() and amount >= 0 else None


def _bad(message: str) -> EngineError:
    return EngineError("bad_body", message, retryable=True)
