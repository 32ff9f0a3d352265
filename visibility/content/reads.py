"""Reads of content."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from uuid import UUID

from apikeys.accounts.caller import Caller
from apikeys.accounts.usage import quotas
from apikeys.errors import not_found
from apikeys.models import Usage
from brands.access import readable_brand
from brands.models import Brand
from visibility.content.opportunities import (
    TOO_FEW,
    Chance,
    can_draft,
    chance_of,
    ground_of,
    opportunities_of,
    writable_topics,
)
from visibility.content.resources import DraftLine, Opportunities, Opportunity, Writer, draft_resource
from visibility.models import Draft, Recommendation, Topic
from visibility.runs.writing import writing_engine

MOST_OTHER_DRAFTS = 10


def list_opportunities(
    caller: Caller, brand_id: UUID, *, topic: Topic | None = None, draft_id: UUID | None = None
) -> Opportunities:
    """What is worth writing, with its drafts: recommendations first, then what touches most answers. With `draft_id`
    that draft, and what it is for alone. Raises not_found."""
    brand = readable_brand(caller, brand_id)
    asked = readable_draft(brand, draft_id) if draft_id else None
    ground = ground_of(brand)
    chances = [
        each
        for each in opportunities_of(ground)
        if topic in (None, each.topic) and (asked is None or each.id == asked.opportunity)
    ]
    drafts: dict[str, list[DraftLine]] = defaultdict(list)
    for draft in Draft.objects.filter(brand=brand).order_by("-created_at"):
        drafts[draft.opportunity].append(DraftLine.model_validate(draft))
    rows = [_opportunity(each, drafts.pop(each.id, []), ground.can_draft) for each in chances]
    return Opportunities(
        site_id=brand.pk,
        opportunities=rows,
        total=len(rows),
        other_drafts=_newest(drafts.values()) if topic is None and asked is None else [],
        draft=asked and draft_resource(asked),
        writer=_writer(),
        quota=quotas(brand.owner)[Usage.Kind.DRAFTS],
    )


def readable_draft(brand: Brand, draft_id: UUID) -> Draft:
    """A draft of a brand; raises not_found."""
    draft: Draft | None = Draft.objects.filter(brand=brand, pk=draft_id).first()
    if draft is None:
        raise not_found()
    return draft


def writer_for(brand: Brand, row: Recommendation) -> Writer | None:
    """Who would write a draft of a recommendation now; None where nobody can. The same rule as
    `list_opportunities`."""
    return _writer() if can_draft(brand) and chance_of(brand, row, writable_topics(brand)) else None


def _writer() -> Writer:
    reached = writing_engine()
    if reached is None:
        return Writer(kind="brief")
    return Writer(kind="engine", engine=reached.engine.name, model=reached.settings.model)


def _newest(drafts: Iterable[Sequence[DraftLine]]) -> list[DraftLine]:
    found = sorted((draft for each in drafts for draft in each), key=lambda draft: draft.created_at, reverse=True)
    return found[:MOST_OTHER_DRAFTS]


def _opportunity(chance: Chance, drafts: Sequence[DraftLine], is_ready: bool) -> Opportunity:
    fields = ("id", "kind", "title", "why", "format", "answers", "of", "page")
    return Opportunity(
        **{name: getattr(chance, name) for name in fields},
        topic=chance.topic.name if chance.topic else None,
        recommendation_id=chance.recommendation,
        can_draft=is_ready,
        why_not=None if is_ready else TOO_FEW,
        drafts=list(drafts),
    )
