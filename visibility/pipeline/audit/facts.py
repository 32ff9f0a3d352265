"""What is stored of a site and its pages, as JSON and back."""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import TypeAdapter
from pydantic_core import PydanticSerializationError

from apikeys.text.storable import storable
from visibility.audit.page import ParsedPage, Unparsed
from visibility.audit.site import Fetched, Probe, ProbeName, Robots, Sitemap

FAST = 1
"""The level of compression: facts are large, and written more often than read."""


@dataclass(frozen=True, slots=True)
class SiteFacts:
    """What an audit knows of its site beside the pages. Null: that stage is still to do."""

    robots: Robots | None = None
    barred: str = ""
    """Why no page was fetched, where robots.txt alone is audited."""
    sitemaps: tuple[Sitemap, ...] | None = None
    probes: Mapping[ProbeName, Probe] | None = None
    sampled: tuple[Fetched, ...] | None = None
    linked_from: Mapping[str, str] = field(default_factory=dict)
    """Of the sampled addresses."""


_SITE = TypeAdapter(SiteFacts)
_FETCHED = TypeAdapter(Fetched)
_PARSED = TypeAdapter(ParsedPage)
_UNPARSED = TypeAdapter(Unparsed)


def site_as_json(facts: SiteFacts) -> dict[str, Any]:
    """For `Audit.site`."""
    stored: dict[str, Any] = storable(_SITE.dump_python(facts, mode="json"))
    return stored


def site_from_json(stored: Mapping[str, Any]) -> SiteFacts:
    """From `Audit.site`."""
    return _SITE.validate_python(dict(stored))


def fetched_as_json(fetched: Fetched) -> dict[str, Any]:
    """For `AuditPage.fetched`."""
    stored: dict[str, Any] = storable(_FETCHED.dump_python(fetched, mode="json"))
    return stored


def fetched_from_json(stored: Mapping[str, Any]) -> Fetched:
    """From `AuditPage.fetched`."""
    return _FETCHED.validate_python(dict(stored))


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
