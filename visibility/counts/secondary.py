"""Figures beside the score: how often answers recommend the brand, what part of all citations is its own, how alike
answers to one prompt are, and how many topics a narrower margin takes."""

from dataclasses import dataclass

from apikeys.errors import ServiceError
from brands.models import Brand, Cadence
from visibility.answers.detect import BRAND
from visibility.counts.reader import Selection
from visibility.counts.sums import rounded
from visibility.metrics import Counts, repeatability, topics_for
from visibility.models import Citation
from visibility.runs.services import plan_scan

MARGIN = 10.0
"""The margin that is asked about, in points either way."""
SCANS_A_MONTH = {Cadence.MANUAL: 1, Cadence.DAILY: 30, Cadence.WEEKLY: 4, Cadence.MONTHLY: 1}


@dataclass(frozen=True, slots=True)
class Secondary:
    """Of the answers that the score counts: shares from 0 to 100, None where there is nothing to count.

    `recommended` and `cautioned` are answers that speak so of the brand, as far as the detector reads stances;
    `balance` is (recommended - cautioned) of both, -100 to 100. Each site counts once an answer in `citation_share`.
    `repeatability` is the chance that two answers to one prompt agree on mentioning the brand.
    """

    recommended: int
    cautioned: int
    balance: float | None
    citation_share: float | None
    own_citations: int
    citations: int
    repeatability: float | None
    topics_for_margin: int | None


@dataclass(frozen=True, slots=True)
class Precision:
    """What a margin of ± 10 takes: so many topics (None: not reached), with as many prompts, engines and samples each
    as now, and the credits of a month of scans of them at the brand's cadence."""

    topics: int | None
    topics_now: int
    credits_a_month: int | None


def secondary_of(selection: Selection) -> Secondary:
    """The figures beside the score of a selection."""
    scored = selection.scored
    own = [each for each in scored.sums if each.subject is None]
    recommended, cautioned = sum(each.recommended for each in own), sum(each.cautioned for each in own)
    sites = Citation.objects.filter(answer__in=scored.answers).order_by().values("answer", "domain").distinct()
    citations, own_citations = sites.count(), sites.filter(is_own=True).count()
    agreeing, topics = of_table(selection.table) if own else (None, None)
    return Secondary(
        recommended=recommended,
        cautioned=cautioned,
        balance=balance_of(recommended, cautioned),
        citation_share=rounded(100 * own_citations / citations) if citations else None,
        own_citations=own_citations,
        citations=citations,
        repeatability=agreeing,
        topics_for_margin=topics,
    )


def of_table(table: Counts) -> tuple[float | None, int | None]:
    """The brand's repeatability, and how many topics a margin of ± 10 takes."""
    return rounded(repeatability(table)[BRAND]), topics_for(MARGIN, table, BRAND)


def balance_of(recommended: int, cautioned: int) -> float | None:
    """How far recommendations outweigh warnings, -100 to 100; None without either."""
    both = recommended + cautioned
    return rounded(100 * (recommended - cautioned) / both) if both else None


def precision_of(brand: Brand, topics: int | None, topics_now: int) -> Precision:
    """What so many topics would cost, by what a scan of today's costs."""
    credits = None
    if topics is not None and topics_now:
        try:
            credits = round(plan_scan(brand).total * topics / topics_now) * SCANS_A_MONTH[Cadence(brand.cadence)]
        except ServiceError:  # without prompts or engines no scan has a price
            credits = None
    return Precision(topics, topics_now, credits)
