"""The one reader of evidence: what was found of a brand, in the types that it was found in, and how it is kept."""

from dataclasses import dataclass
from datetime import date
from typing import Any, Generic, TypeVar
from uuid import UUID

from pydantic import TypeAdapter

from apikeys.caller import Caller
from apikeys.text.storable import storable
from visibility.evidence.types import Criterion, Theme, Voice, WeighedClaim
from visibility.models import Evidence

Content = TypeVar("Content")

VOICE: TypeAdapter[Voice] = TypeAdapter(Voice)
CLAIMS: TypeAdapter[tuple[WeighedClaim, ...]] = TypeAdapter(tuple[WeighedClaim, ...])
THEMES: TypeAdapter[tuple[Theme, ...]] = TypeAdapter(tuple[Theme, ...])
CRITERIA: TypeAdapter[tuple[Criterion, ...]] = TypeAdapter(tuple[Criterion, ...])


@dataclass(frozen=True, slots=True)
class Stored(Generic[Content]):
    """What was found, and in how much: `used` of the `answers` speak of the matter. `as_of` is the day of the newest
    of what was read, null where nothing was."""

    content: Content
    pages: int
    reviews: int
    answers: int
    used: int
    as_of: date | None


def stored_voice(brand_id: UUID, caller: Caller | None = None) -> Stored[Voice] | None:
    """How the brand's pages speak; None while evidence was never made. With a caller through what that one reaches,
    and without for those who have checked it."""
    return _stored(VOICE, Evidence.Kind.VOICE, brand_id, "", caller)


def stored_claims(brand_id: UUID, caller: Caller | None = None) -> Stored[tuple[WeighedClaim, ...]] | None:
    """What the brand's pages claim, best backed first; as `stored_voice`."""
    return _stored(CLAIMS, Evidence.Kind.CLAIMS, brand_id, "", caller)


def stored_themes(brand_id: UUID, caller: Caller | None = None) -> Stored[tuple[Theme, ...]] | None:
    """What reviews speak about, those of most reviews first; as `stored_voice`."""
    return _stored(THEMES, Evidence.Kind.THEMES, brand_id, "", caller)


def stored_criteria(
    brand_id: UUID, caller: Caller | None = None, *, topic: str = ""
) -> Stored[tuple[Criterion, ...]] | None:
    """What answers to buying questions judge by, weightiest first; as `stored_voice`. With a `topic`, as prompts
    have it, all figures are of the answers on it, and None also means that there are none."""
    return _stored(CRITERIA, Evidence.Kind.CRITERIA, brand_id, topic, caller)


def criteria_by_topic(brand_id: UUID) -> dict[str, tuple[Criterion, ...]]:
    """What answers to buying questions judge by, by topic as prompts have it, in one statement; for those who have
    checked what may be read of the brand."""
    rows = Evidence.objects.filter(brand=brand_id, kind=Evidence.Kind.CRITERIA).exclude(topic="").order_by("topic")
    return {topic: CRITERIA.validate_python(content) for topic, content in rows.values_list("topic", "content")}


def as_stored(adapter: TypeAdapter[Content], content: Content) -> Any:
    """In the form that a row keeps."""
    return storable(adapter.dump_python(content, mode="json"))


def _stored(
    adapter: TypeAdapter[Content], kind: Evidence.Kind, brand_id: UUID, topic: str, caller: Caller | None
) -> Stored[Content] | None:
    rows = Evidence.objects.all() if caller is None else Evidence.objects.restrict(caller, "view")
    row: Evidence | None = rows.filter(brand=brand_id, kind=kind, topic=topic).order_by().first()
    if row is None:
        return None
    content = adapter.validate_python(row.content)
    return Stored(content, row.pages, row.reviews, row.answers, row.used, row.as_of)
