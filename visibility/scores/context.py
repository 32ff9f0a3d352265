"""What else changed over the days of a change: competitors that moved, sources that appeared or vanished.

All of it happened "at the same time"; none of it is shown to be the cause.
"""

from collections.abc import Collection
from datetime import date
from typing import Any

from django.db.models import Count, Q, Sum

from brands.models import Brand
from visibility.answers.detect import BRAND
from visibility.counts.sums import rounded
from visibility.counts.window import own_cells
from visibility.metrics import Metric, SubjectFigures, Verdict, compare, measure
from visibility.models import Citation
from visibility.scores.days import counts_of_days

MOST = 5
"""Competitors, and sources, of one change: the largest."""
CHANCE = 0.05


def context_of(brand: Brand, before: Collection[date], since: Collection[date], engine: str) -> dict[str, Any]:
    """Competitors and sources as a change record stores them, by their names in the API; `engine` "": all engines."""
    return {
        "competitors": _competitors(brand, before, since, engine),
        "sources": _sources(brand, before, since, engine),
    }


def _competitors(
    brand: Brand, before: Collection[date], since: Collection[date], engine: str
) -> list[dict[str, object]]:
    """Those whose score moved by more than chance from the earlier days, pooled, to the later ones."""
    earlier, later = counts_of_days(brand, before).counts, counts_of_days(brand, since).counts
    figures = measure(earlier), measure(later)
    moved = [
        change
        for change in compare(earlier, later)
        if change.subject != BRAND
        and (change.engine or "", change.metric, change.verdict) == (engine, Metric.SCORE, Verdict.MOVED)
    ]
    moved.sort(key=lambda change: (-abs(change.delta or 0.0), str(change.subject)))
    return [
        {
            "key": str(change.subject),
            "before": _score(figures[0][change.subject], engine),
            "after": _score(figures[1][change.subject], engine),
            "delta": rounded(change.delta),
            "low": rounded(change.low),
            "high": rounded(change.high),
        }
        for change in moved[:MOST]
    ]


def _sources(brand: Brand, before: Collection[date], since: Collection[date], engine: str) -> list[dict[str, object]]:
    """Domains that only one side cites, in answers to wordings that both asked, too often for chance."""
    cells = own_cells(brand).filter(competitor=None)
    citations = Citation.objects.filter(brand=brand)
    if engine:
        name, surface = engine.rsplit(" ", 1)
        cells = cells.filter(engine__name=name, surface=surface)
        citations = citations.filter(answer__engine__name=name, answer__surface=surface)
    asked = cells.filter(answers__gt=0).order_by().values_list("version")
    earlier, later = (dict(asked.filter(day__in=days).annotate(Sum("answers"))) for days in (before, since))
    both = earlier.keys() & later.keys()
    of_before, of_after = (sum(answers[version] for version in both) for answers in (earlier, later))
    cited = citations.filter(day__in=[*before, *since], answer__version__in=both).order_by().values("domain")
    counted = cited.annotate(
        before=Count("answer", distinct=True, filter=Q(day__in=before)),
        after=Count("answer", distinct=True, filter=Q(day__in=since)),
    )
    found = [
        {**row, "ofBefore": of_before, "ofAfter": of_after}
        for row in counted
        if (row["before"] == 0 and (1 - row["after"] / of_after) ** of_before <= CHANCE)
        or (row["after"] == 0 and (1 - row["before"] / of_before) ** of_after <= CHANCE)
    ]
    found.sort(key=lambda row: (-abs(row["after"] / of_after - row["before"] / of_before), row["domain"]))
    return found[:MOST]


def _score(figures: SubjectFigures, engine: str) -> float | None:
    return rounded((figures.by_engine[engine] if engine else figures.overall).score.value)
