"""Reads of content."""

from collections import defaultdict
from collections.abc import Sequence
from uuid import UUID

from apikeys.caller import Caller
from apikeys.models import Usage
from apikeys.usage import quotas
from brands.access import readable_brand
from brands.models import Brand
from visibility.content.opportunities import (
    TOO_FEW,
    Chance,
    chance_of,
    ground_of,
    is_audited,
    opportunities_of,
    writable_topics,
)
from visibility.content.resources import DraftLine, Opportunities, Opportunity, Writer
from visibility.evidence.reads import criteria_of
from visibility.models import Draft, Recommendation, Topic
from visibility.runs.writing import writing_engine


def list_opportunities(caller: Caller, brand_id: UUID, *, topic: Topic | None = None) -> Opportunities:
    """What is worth writing, with its drafts: recommendations first, then what touches most answers."""
    brand = readable_brand(caller, brand_id)
    ground = ground_of(brand)
    chances = [each for each in opportunities_of(ground) if topic is None or each.topic == topic]
    drafts: dict[str, list[DraftLine]] = defaultdict(list)
    for draft in Draft.objects.filter(brand=brand).order_by("-created_at"):
        drafts[draft.opportunity].append(DraftLine.model_validate(draft))
    judged = {each.topic_id for each in criteria_of(brand)}
    rows = [_opportunity(each, drafts[each.id], ground.is_audited or _is_judged(each, judged)) for each in chances]
    return Opportunities(
        site_id=brand.pk,
        opportunities=rows,
        total=len(rows),
        writer=_writer(),
        quota=quotas(brand.owner)[Usage.Kind.DRAFTS],
    )


def writer_for(brand: Brand, row: Recommendation) -> Writer | None:
    """Who would write a draft of a recommendation now; None where nobody can. The same rule as
    `list_opportunities`."""
    chance = chance_of(brand, row, writable_topics(brand))
    if chance is None:
        return None
    if not is_audited(brand) and not _is_judged(chance, {each.topic_id for each in criteria_of(brand)}):
        return None
    return _writer()


def _writer() -> Writer:
    reached = writing_engine()
    if reached is None:
        return Writer(kind="brief")
    return Writer(kind="engine", engine=reached.engine.name, model=reached.settings.model)


def _is_judged(chance: Chance, judged: set[UUID]) -> bool:
    """Whether there are criteria to make a draft from."""
    return bool(judged) if chance.topic is None else chance.topic.pk in judged


def _opportunity(chance: Chance, drafts: Sequence[DraftLine], can_draft: bool) -> Opportunity:
    return Opportunity(
        id=chance.id,
        kind=chance.kind,
        title=chance.title,
        why=chance.why,
        topic=chance.topic.name if chance.topic else None,
        format=chance.format,
        answers=chance.answers,
        of=chance.of,
        page=chance.page,
        recommendation_id=chance.recommendation,
        can_draft=can_draft,
        why_not=None if can_draft else TOO_FEW,
        drafts=list(drafts),
    )
