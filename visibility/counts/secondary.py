"""Figures beside the score: how often answers recommend the brand, what part of all citations is its own, how alike
answers to one prompt are, and how many topics a narrower margin takes."""

from django.contrib.postgres.aggregates import BoolOr
from django.db.models import Count, Q

from brands.models import Brand
from visibility.answers.detect import BRAND
from visibility.counts.reader import Selection
from visibility.counts.resources import Secondary
from visibility.counts.sums import rounded
from visibility.metrics import repeatability, topics_for
from visibility.models import Citation
from visibility.runs.estimate import SCANS_A_MONTH
from visibility.runs.services import scan_credits

MARGIN = 10.0
"""The margin that is asked about, in points either way."""


def secondary_of(selection: Selection) -> Secondary:
    """The figures beside the score of a selection, over the answers that the score counts."""
    scored, table = selection.scored, selection.table
    own = [each for each in scored.sums if each.subject is None]
    recommended, cautioned = sum(each.recommended for each in own), sum(each.cautioned for each in own)
    cited = Citation.objects.filter(answer__in=scored.answers).order_by().values("answer", "domain")
    sites = cited.annotate(own=BoolOr("is_own")).aggregate(
        every=Count("*"), own_ones=Count("domain", filter=Q(own=True))
    )
    return Secondary(
        recommended=recommended,
        cautioned=cautioned,
        stance_balance=_percent(recommended - cautioned, recommended + cautioned),
        citation_share=_percent(sites["own_ones"], sites["every"]),
        repeatability=rounded(repeatability(table)[BRAND]) if own else None,
        topics_for_ten=topics_for(MARGIN, table, BRAND) if own else None,
    )


def credits_a_month(brand: Brand, topics: int, topics_now: int) -> int | None:
    """What scans of so many topics, each asked as those of now are, cost a month at the brand's cadence; None where
    none can be started."""
    credits = scan_credits([brand]).get(brand.pk)
    if credits is None:
        return None
    return round(credits * topics * SCANS_A_MONTH[brand.cadence] / topics_now)


def _percent(part: int, whole: int) -> float | None:
    return rounded(100 * part / whole) if whole else None
