"""The one reader of evidence: what was found of a brand, in the types that it was found in, and how it is kept."""

from dataclasses import dataclass
from datetime import date
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.db.models import QuerySet
from pydantic import TypeAdapter

from apikeys.caller import Caller
from apikeys.db.snapshot import remember, remembered
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
    return {row.topic: CRITERIA.validate_python(row.content) for row in _rows_by_topic(brand_id)}


def read_at_once(brand_id: UUID, caller: Caller | None = None, *, by_topic: bool = False) -> None:
    """In a snapshot, read evidence of all kinds in one statement, with `by_topic` the criteria of each topic too: who
    asks for one of them next has it. As `stored_voice`."""
    rows = _restricted(caller).filter(brand=brand_id).order_by("topic")
    of_brand = list(rows if by_topic else rows.filter(topic=""))
    by_kind = {row.kind: row for row in of_brand if not row.topic}
    for kind in Evidence.Kind:
        remember(_row, by_kind.get(kind), kind, brand_id, "", caller)
    if by_topic:
        criteria = [row for row in of_brand if row.topic and row.kind == Evidence.Kind.CRITERIA]
        remember(_rows_by_topic, criteria, brand_id)


def as_stored(adapter: TypeAdapter[Content], content: Content) -> Any:
    """In the form that a row keeps."""
    return storable(adapter.dump_python(content, mode="json"))


def _stored(
    adapter: TypeAdapter[Content], kind: Evidence.Kind, brand_id: UUID, topic: str, caller: Caller | None
) -> Stored[Content] | None:
    row = _row(kind, brand_id, topic, caller)
    if row is None:
        return None
    content = adapter.validate_python(row.content)
    return Stored(content, row.pages, row.reviews, row.answers, row.used, row.as_of)


@remembered
def _row(kind: Evidence.Kind, brand_id: UUID, topic: str, caller: Caller | None) -> Evidence | None:
    row: Evidence | None = _restricted(caller).filter(brand=brand_id, kind=kind, topic=topic).order_by().first()
    return row


@remembered
def _rows_by_topic(brand_id: UUID) -> list[Evidence]:
    rows = Evidence.objects.filter(brand=brand_id, kind=Evidence.Kind.CRITERIA).exclude(topic="")
    return list(rows.order_by("topic"))


def _restricted(caller: Caller | None) -> QuerySet[Evidence]:
    rows: QuerySet[Evidence] = Evidence.objects.all()
    return rows if caller is None else Evidence.objects.restrict(caller, "view")
