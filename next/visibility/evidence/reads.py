"""Reads of evidence."""

from brands.models import Brand
from visibility.evidence.resources import Claim, Criterion, Theme
from visibility.models import EvidenceItem

Kind = EvidenceItem.Kind


def criteria_of(brand: Brand) -> list[Criterion]:
    """What answers judge by, for those rooms that read on; a topic that is not the brand's own is left out."""
    rows = EvidenceItem.objects.filter(brand=brand, kind=Kind.CRITERION).exclude(topic__own=False)
    return [Criterion.model_validate(item) for item in rows.values_list("item", flat=True)]


def claims_of(brand: Brand) -> list[Claim]:
    """What the site claims, and whether engines repeat it."""
    rows = EvidenceItem.objects.filter(brand=brand, kind=Kind.CLAIM)
    return [Claim.model_validate(item) for item in rows.values_list("item", flat=True)]


def themes_of(brand: Brand) -> list[Theme]:
    """What customers speak of."""
    rows = EvidenceItem.objects.filter(brand=brand, kind=Kind.THEME)
    return [Theme.model_validate(item) for item in rows.values_list("item", flat=True)]
