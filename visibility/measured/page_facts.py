"""What a page says as it is stored, and back."""

import zlib
from typing import Any

from pydantic import TypeAdapter
from pydantic_core import PydanticSerializationError

from apikeys.text.storable import storable
from visibility.audit.page import ParsedPage, Unparsed

FAST = 1
"""The level of compression: facts are large, and written more often than read."""
_PARSED = TypeAdapter(ParsedPage)
_UNPARSED = TypeAdapter(Unparsed)


def page_as_bytes(page: ParsedPage | Unparsed) -> bytes:
    """For `PageContent.facts`."""
    adapter: TypeAdapter[Any] = _PARSED if isinstance(page, ParsedPage) else _UNPARSED
    try:
        text = adapter.dump_json(page)
    except PydanticSerializationError:  # half a surrogate pair, which JSON-LD can name
        text = adapter.dump_json(adapter.validate_python(storable(adapter.dump_python(page))))
    return zlib.compress(text, FAST)


def page_from_bytes(facts: bytes, *, parsed: bool) -> ParsedPage | Unparsed:
    """From `PageContent.facts`."""
    adapter: TypeAdapter[Any] = _PARSED if parsed else _UNPARSED
    page: ParsedPage | Unparsed = adapter.validate_json(zlib.decompress(facts))
    return page
