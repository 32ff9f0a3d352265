"""Reads response bodies: foreign JSON. No field is taken for granted, and none that is odd costs an answer."""

import codecs
import json
import unicodedata
from decimal import Decimal
from typing import Any
from urllib.parse import quote

from pydantic_core import from_json

from visibility.engines.protocol import EngineError

HIDDEN = "[key]"
MIN_SECRET_LENGTH = 8
"""What is shorter is a placeholder such as "none", and would take words out of answers."""


CHARSETS = frozenset(
    {"iso8859-1", "iso8859-2", "iso8859-5", "iso8859-7", "iso8859-9", "iso8859-15", "cp1250", "cp1251", "cp1252"}
    | {"cp1253", "cp1254", "koi8-r", "shift_jis", "cp932", "euc_jp", "gb2312", "gbk", "gb18030", "big5", "euc_kr"}
)
"""Encodings that a body may be declared to have, beside those that its bytes tell. Python knows others, some of which
take for ever."""
_FILLERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs by their category that show nothing."""


def in_utf8(raw: bytes, charset: str = "") -> bytes:
    """The body in UTF-8 without a byte order mark, broken characters replaced.

    What its bytes tell comes before the `charset` that the provider declares, which is wrong more often than not.
    """
    encoding: str = json.detect_encoding(raw)
    if encoding == "utf-8":
        try:
            raw.decode()
            return raw
        except UnicodeDecodeError:
            encoding = _known(charset) or encoding
    return raw.decode(encoding, "replace").encode("utf-8", "replace")


def _known(charset: str) -> str:
    try:
        name = codecs.lookup(charset).name
    except (LookupError, ValueError):
        return ""
    return name if name in CHARSETS else ""


def blank(words: str) -> bool:
    """Whether a text shows nothing: white space, zero-width and other invisible characters only."""
    return not any(unicodedata.category(character)[0] in "LNPS" and character not in _FILLERS for character in words)


def without_secret(secret: str, raw: bytes) -> bytes:
    """The bytes with each place that repeats the key, plain or percent-encoded, blotted out."""
    if len(secret) >= MIN_SECRET_LENGTH:
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


def remains(raw: bytes) -> dict[str, Any]:
    """What stands, whole, in a JSON object that was cut off; nothing where it is none."""
    try:
        body = from_json(raw, allow_partial=True)
    except (ValueError, RecursionError):
        return {}
    # The last may have been cut, and half of a bill is a wrong one.
    return dict(list(body.items())[:-1]) if isinstance(body, dict) else {}


def table(value: Any) -> dict[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def tables(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; everything else in it is passed over."""
    return [element for element in value if isinstance(element, dict)] if isinstance(value, list) else []


def text(value: Any) -> str:
    """The value if it is text, else nothing."""
    return value if isinstance(value, str) else ""


def texts(value: Any) -> list[str]:
    """The texts of a list that say something."""
    return (
        [element for element in value if isinstance(element, str) and element.strip()]
        if isinstance(value, list)
        else []
    )


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
