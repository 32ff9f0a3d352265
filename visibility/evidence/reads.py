"""Reads of evidence."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar
from uuid import UUID

from apikeys.caller import Caller
from apikeys.resources import Resource
from brands.access import readable_brand
from brands.models import Brand
from visibility.evidence.resources import (
    BuyerCriteria,
    Claim,
    ClaimRow,
    Criterion,
    CriterionRow,
    PositioningClaims,
    ReviewThemes,
    Theme,
    ThemeRow,
    VoiceProfile,
)
from visibility.models import AuditPage, EvidenceItem, Topic
from visibility.models.evidence import EvidenceKind

R = TypeVar("R", bound=Resource)
NO_CRITERIA = (
    "No label stands in three answers of two engines, or to three prompts of one, yet. Criteria are made when a scan "
    "is measured: scan the site, and ask more questions that name no brand."
)
NO_CLAIMS = "No claim that can be checked was read on own pages. Claims are made when an audit ends: audit the site."
NO_THEMES = (
    "There are too few reviews. Operators import them with the command import_reviews; those in the structured data "
    "of own pages are read when the site is audited."
)
NO_VOICE = (
    "Audit the site: the profile is made when the audit ends, if its own pages have 1,000 words of whole sentences."
)
TOO_FEW_WORDS = (
    "The pages that the last audit read have fewer than 1,000 words of whole sentences, too few to tell how the site "
    "writes. Audit it again when it has more."
)


def criteria_of(brand: Brand) -> list[Criterion]:
    """What answers judge by, in full; topics that are not the brand's own are left out."""
    return _items(_rows(brand, EvidenceKind.CRITERION), Criterion)


def claims_of(brand: Brand) -> list[Claim]:
    """What the site claims and whether engines repeat it, in full."""
    return _items(_rows(brand, EvidenceKind.CLAIM), Claim)


def read_criteria(caller: Caller, brand_id: UUID, topic: Topic | None, *, full: bool) -> BuyerCriteria:
    """What answers judge by, of one topic or all, the weightiest first; in short unless `full`."""
    brand = readable_brand(caller, brand_id)
    rows = _rows(brand, EvidenceKind.CRITERION, topic)
    found = _items(rows, Criterion if full else CriterionRow)
    found.sort(key=lambda each: (-each.weight, -each.labelled, each.label))
    answers = sum({each.topic: each.of for each in found}.values())
    return BuyerCriteria(criteria=found, answers=answers, **_listed(brand, rows, NO_CRITERIA))


def read_claims(caller: Caller, brand_id: UUID, *, full: bool) -> PositioningClaims:
    """What the site claims and what answers say of it; in short unless `full`."""
    brand = readable_brand(caller, brand_id)
    rows = _rows(brand, EvidenceKind.CLAIM)
    found = _items(rows, Claim if full else ClaimRow)
    pages = len({each.ours.url for each in found})
    return PositioningClaims(claims=found, pages=pages, **_listed(brand, rows, NO_CLAIMS))


def read_themes(caller: Caller, brand_id: UUID, *, full: bool) -> ReviewThemes:
    """What customers speak of; in short unless `full`."""
    brand = readable_brand(caller, brand_id)
    rows = _rows(brand, EvidenceKind.THEME)
    found = _items(rows, Theme if full else ThemeRow)
    reviews = max((each.of for each in found), default=brand.reviews.count())
    return ReviewThemes(themes=found, reviews=reviews, **_listed(brand, rows, NO_THEMES))


def read_voice(caller: Caller, brand_id: UUID) -> VoiceProfile:
    """How the site writes; without a profile, how to get one."""
    brand = readable_brand(caller, brand_id)
    rows = _rows(brand, EvidenceKind.VOICE)
    how = TOO_FEW_WORDS if AuditPage.objects.filter(run__brand=brand).exists() else NO_VOICE
    profile = VoiceProfile.model_validate(
        rows[0].item if rows else {"site_id": brand.pk, "has_profile": False, "how_to_get_one": how}
    )
    return profile.model_copy(update=_made(rows))


def _rows(brand: Brand, kind: EvidenceKind, topic: Topic | None = None) -> Sequence[EvidenceItem]:
    """The rows of a kind in their order, without topics that are not the brand's own."""
    rows = EvidenceItem.objects.filter(brand=brand, kind=kind).exclude(topic__own=False).order_by("position")
    return list(rows.filter(topic=topic) if topic else rows)


def _items(rows: Iterable[EvidenceItem], shape: type[R]) -> list[R]:
    return [shape.model_validate(row.item) for row in rows]


def _listed(brand: Brand, rows: Sequence[EvidenceItem], how_to_get_some: str) -> dict[str, Any]:
    """What every list says of its rows."""
    return {
        "site_id": brand.pk,
        "total": len(rows),
        "how_to_get_some": None if rows else how_to_get_some,
        **_made(rows),
    }


def _made(rows: Sequence[EvidenceItem]) -> dict[str, Any]:
    """Who refined them, and when they were made."""
    return {"refined_by": rows[0].refined_by or None, "made_at": rows[0].made_at} if rows else {}
