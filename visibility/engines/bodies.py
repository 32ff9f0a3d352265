"""Reads response bodies: foreign JSON. Any field may be missing or odd, and none of that loses an answer."""

import json
import re
import unicodedata
from collections.abc import Collection, Iterable
from decimal import Decimal, InvalidOperation
from typing import Any

from visibility.engines.types import NO_ADDRESS, EngineError, Source

Body = dict[str, Any]

HIDDEN = b"[key]"
MIN_SECRET_LENGTH = 8
"""A shorter key is a placeholder such as "none", and hiding it would take words out of answers."""
LARGEST = 10**12
"""Counts and amounts above it are nonsense, and more than a database can store."""

_FILLERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and signs by category that show nothing
_EVENT = re.compile(rb"\s*(?:data|event|id|retry)?:")
_MARKER = re.compile(r"\[(\d{1,4})\]")
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


class Secret:
    """A key, to be replaced in bodies of the provider: plain, percent-encoded or escaped in JSON."""

    def __init__(self, key: str) -> None:
        self._plain = key.encode() if len(key) >= MIN_SECRET_LENGTH else b""
        forms = (rf"(?:{re.escape(sign)}|(?i:%{ord(sign):02x}|\\u{ord(sign):04x}))" for sign in key)
        self._encoded = re.compile("".join(forms).encode())

    def hide(self, raw: bytes) -> bytes:
        """The bytes without the key."""
        if not self._plain:
            return raw
        raw = raw.replace(self._plain, HIDDEN)
        return self._encoded.sub(HIDDEN, raw) if b"%" in raw or b"\\u" in raw else raw


def in_utf8(raw: bytes) -> bytes:
    """The body in UTF-8 without a byte order mark, broken characters replaced."""
    encoding: str = json.detect_encoding(raw)
    if encoding == "utf-8":
        try:
            raw.decode()
            return raw
        except UnicodeDecodeError:
            pass
    return raw.decode(encoding, "replace").encode("utf-8", "replace")


def decode(raw: bytes) -> Body:
    """The JSON object in a body in UTF-8. Raises bad_body, and invalid_request for a page or a stream of events."""
    try:
        body = json.loads(raw, parse_float=Decimal, strict=False)
    except (ValueError, RecursionError) as error:
        body = None
        if what := _no_json(raw, error):
            message = f"The provider's answer is {what}. Check the engine's base URL."
            raise EngineError("invalid_request", message, can_retry=False) from None
    # Some gateways wrap their one error in a list.
    if isinstance(body, list) and len(body) == 1:
        body = body[0]
    if not isinstance(body, dict):
        raise EngineError("bad_body", "The provider's answer is no JSON object, or was cut off.", can_retry=True)
    return body


def _no_json(raw: bytes, error: Exception) -> str:
    """What a body is that would be the same when asked for again; empty where it may be a broken object."""
    if raw.lstrip().startswith(b"<"):
        return "an HTML page, and no JSON"
    is_lines = isinstance(error, json.JSONDecodeError) and error.msg == "Extra data"
    return "an event stream, which is not read here" if is_lines or _EVENT.match(raw) else ""


def blank(words: str) -> bool:
    """Whether a text is only white space, zero-width and other invisible characters."""
    return not any(unicodedata.category(sign)[0] in "LNPS" and sign not in _FILLERS for sign in words)


def table(value: Any) -> Body:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def tables(value: Any) -> list[Body]:
    """The objects in a list, without everything else in it."""
    return [element for element in value if isinstance(element, dict)] if isinstance(value, list) else []


def text(value: Any) -> str:
    """The value if it is text, else nothing. What no database can store is replaced, sign by sign."""
    return _UNSTORABLE.sub("\ufffd", value) if isinstance(value, str) else ""


def texts(value: Any) -> list[str]:
    """The texts in a list that are not blank."""
    elements = value if isinstance(value, list) else []
    return [words for element in elements if (words := text(element)).strip()]


def distinct(words: Iterable[str]) -> tuple[str, ...]:
    """Each once, in the order in which they came."""
    return tuple(dict.fromkeys(words))


def whole(value: Any) -> int | None:
    """The value if it is a whole number that can count something, else None."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST else None


def count(body: Body, field: str) -> int:
    """The whole number in a field, 0 without one."""
    return whole(body.get(field)) or 0


def money(value: Any) -> Decimal | None:
    """The value, a number or one written as text, as an amount that is finite and not negative, else None."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal | str):
        return None
    try:
        amount = Decimal(value)
    except InvalidOperation:
        return None
    return amount if amount.is_finite() and 0 <= amount <= LARGEST else None


def unknown_kinds(where: str, items: Iterable[Body], known: Collection[str]) -> list[str]:
    """The kinds of items that no reader here knows, as "where:type"."""
    kinds = (text(item.get("type")) or "untyped" for item in items)
    return [f"{where}:{kind}"[:100] for kind in kinds if kind not in known]


def addressless(citations: Iterable[Body]) -> list[str]:
    """The unknown part of citations that name no page, if there are such."""
    return [NO_ADDRESS for citation in citations if not text(citation.get("url"))]


def spanned(url: str, title: str, base: int, words: str, start: Any, end: Any) -> Source:
    """A source whose span counts from `base`, where these words of the text begin; without span where that is off.

    Some servers count UTF-16 units, which differ behind an emoji: then a span is off, or only in units a link.
    """
    first, last = whole(start), whole(end)
    if first is None or last is None or first >= last:
        return Source(url=url, title=title)
    if last > len(words) or words[first] not in "([":
        units = words.encode("utf-16-le")
        from_unit, to_unit = (len(units[: 2 * place].decode("utf-16-le", "ignore")) for place in (first, last))
        if 2 * last <= len(units) and (last > len(words) or words[from_unit] in "(["):
            first, last = from_unit, to_unit
    if not first < last <= len(words):
        return Source(url=url, title=title)
    return Source(url=url, title=title, start=base + first, end=base + last)


def object_in(value: Any) -> Body:
    """An object that some servers give as text in JSON; an empty one where it is neither."""
    if not isinstance(value, str):
        return table(value)
    try:
        return table(json.loads(value))
    except (ValueError, RecursionError):
        return {}


def marked(words: str, results: Iterable[tuple[str, str, str]]) -> list[Source]:
    """Each result (marker, address, title) with each place of its marker, such as "[7]", in a text, else without."""
    places: dict[str, list[tuple[int | None, int | None]]] = {}
    for match in _MARKER.finditer(words):
        places.setdefault(match[1], []).append(match.span())
    return [
        Source(url=url, title=title, start=start, end=end)
        for marker, url, title in results
        if url
        for start, end in places.get(marker) or [(None, None)]
    ]
