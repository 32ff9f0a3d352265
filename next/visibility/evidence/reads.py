"""Reads of evidence."""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

from apikeys.caller import Caller
from apikeys.resources import Resource
from brands.access import readable_brand
from brands.models import Brand
from visibility.evidence.items import HOW_TO_GET_A_VOICE
from visibility.evidence.resources import (
    BuyerCriteria,
    Claim,
    ClaimRow,
    Criterion,
    CriterionRow,
    PositioningClaims,
    Quote,
    ReviewThemes,
    Theme,
    ThemeRow,
    VoiceProfile,
)
from visibility.models import EvidenceItem, Topic
from visibility.models.evidence import EvidenceKind

Kind = EvidenceItem.Kind
R = TypeVar("R", bound=Resource)
SHORT = 200
"""Characters of a quote in short."""
NO_CRITERIA = (
    "No label stands in three answers of two engines, or to three prompts of one, yet. Criteria are made when a scan "
    "is measured: scan the site, and ask more questions that name no brand."
)
NO_CLAIMS = "No claim that can be checked was read on own pages. Claims are made when an audit ends: audit the site."
NO_THEMES = (
    "There are too few reviews. Operators import them with the command import_reviews; those in the structured data "
    "of own pages are read when the site is audited."
)


class _Rows(NamedTuple):
    """What is stored of a kind: its items, who refined them, and when they were made."""

    items: Sequence[Any]
    refined_by: str | None
    made_at: Any


def criteria_of(brand: Brand) -> list[Criterion]:
    """What answers judge by, for those rooms that read on; a topic that is not the brand's own is left out."""
    return [Criterion.model_validate(item) for item in _rows(brand, Kind.CRITERION).items]


def claims_of(brand: Brand) -> list[Claim]:
    """What the site claims, and whether engines repeat it."""
    return [Claim.model_validate(item) for item in _rows(brand, Kind.CLAIM).items]


def themes_of(brand: Brand) -> list[Theme]:
    """What customers speak of."""
    return [Theme.model_validate(item) for item in _rows(brand, Kind.THEME).items]


def read_criteria(caller: Caller, brand_id: UUID, topic: Topic | None, *, full: bool) -> BuyerCriteria:
    """What answers judge by, of one topic or all, the weightiest first; in short unless `full`."""
    brand = readable_brand(caller, brand_id)
    rows = _rows(brand, Kind.CRITERION, topic)
    found = [Criterion.model_validate(item) for item in rows.items]
    found.sort(key=lambda each: (-each.weight, -each.labelled, each.label))
    return BuyerCriteria(
        site_id=brand.pk,
        criteria=list(found) if full else list(map(_criterion, found)),
        total=len(found),
        answers=sum({each.topic_id: each.of for each in found}.values()),
        how_to_get_some=None if found else NO_CRITERIA,
        refined_by=rows.refined_by,
        made_at=rows.made_at,
    )


def read_claims(caller: Caller, brand_id: UUID, *, full: bool) -> PositioningClaims:
    """What the site claims and what answers say of it; in short unless `full`."""
    brand = readable_brand(caller, brand_id)
    rows = _rows(brand, Kind.CLAIM)
    found = [Claim.model_validate(item) for item in rows.items]
    return PositioningClaims(
        site_id=brand.pk,
        claims=list(found) if full else list(map(_claim, found)),
        total=len(found),
        pages=len({each.ours.url for each in found}),
        how_to_get_some=None if found else NO_CLAIMS,
        refined_by=rows.refined_by,
        made_at=rows.made_at,
    )


def read_themes(caller: Caller, brand_id: UUID, *, full: bool) -> ReviewThemes:
    """What customers speak of; in short unless `full`."""
    brand = readable_brand(caller, brand_id)
    rows = _rows(brand, Kind.THEME)
    found = [Theme.model_validate(item) for item in rows.items]
    return ReviewThemes(
        site_id=brand.pk,
        themes=list(found) if full else list(map(_theme, found)),
        total=len(found),
        reviews=max((each.of for each in found), default=brand.reviews.count()),
        how_to_get_some=None if found else NO_THEMES,
        refined_by=rows.refined_by,
        made_at=rows.made_at,
    )


def read_voice(caller: Caller, brand_id: UUID) -> VoiceProfile:
    """How the site writes; without a profile, how to get one."""
    brand = readable_brand(caller, brand_id)
    rows = _rows(brand, Kind.VOICE)
    if not rows.items:
        return VoiceProfile(
            site_id=brand.pk,
            has_profile=False,
            how_to_get_one=HOW_TO_GET_A_VOICE,
            traits=[],
            examples=[],
            calls_to_action=[],
            words=0,
            refined_by=None,
            made_at=None,
        )
    profile = VoiceProfile.model_validate(rows.items[0])
    return profile.model_copy(update={"refined_by": rows.refined_by, "made_at": rows.made_at})


def _rows(brand: Brand, kind: EvidenceKind, topic: Topic | None = None) -> _Rows:
    """The items of a kind in their order, without topics that are not the brand's own."""
    rows = EvidenceItem.objects.filter(brand=brand, kind=kind).exclude(topic__own=False).order_by("position")
    if topic is not None:
        rows = rows.filter(topic=topic)
    stored = list(rows)
    first = stored[0] if stored else None
    return _Rows([row.item for row in stored], (first and first.refined_by) or None, first and first.made_at)


def _criterion(each: Criterion) -> CriterionRow:
    names = ("label", "topic", "labelled", "mentioned", "of", "weight", "winner")
    return CriterionRow(
        winners=[f"{winner.subject} {winner.answers}" for winner in each.winners[:3]],
        own_sentence=_short([each.own_sentence] if each.own_sentence else []),
        quote=_short([*(winner.quote for winner in each.winners[:1]), *each.quotes]),
        **{name: getattr(each, name) for name in names},
    )


def _claim(each: Claim) -> ClaimRow:
    names = ("claim", "kind", "says", "supported", "contradicted", "of")
    return ClaimRow(url=each.ours.url, quote=_short(each.quotes), **{name: getattr(each, name) for name in names})


def _theme(each: Theme) -> ThemeRow:
    names = ("label", "polarity", "count", "of", "trend", "in_answers")
    return ThemeRow(quote=_short(each.quotes), **{name: getattr(each, name) for name in names})


def _short(quotes: Sequence[Quote]) -> str | None:
    return " ".join(quotes[0].text.split())[:SHORT] if quotes else None
