"""Compares measured days with those before them, and writes the verdicts beside their scores."""

from collections.abc import Callable, Iterable
from datetime import date
from itertools import pairwise
from typing import Any

from brands.querysets import BrandScopedQuerySet
from visibility.detection.types import BRAND
from visibility.metrics.budget import Budget, change_budget
from visibility.metrics.change import Change, Metric, compare
from visibility.metrics.pairs import Pair, pair_days
from visibility.metrics.types import rounded
from visibility.metrics.verdicts import Verdict
from visibility.models import DailyScore
from visibility.resources import Change as ChangeResource
from visibility.resources import MetricChange, VarianceBudget
from visibility.scans.panels import comparable
from visibility.scans.sampling import Sample

WRITTEN = ("comparable", "change", "changes", "budget")
Read = Callable[[date], Sample]
"""Gives the sample of a day of the brand."""


def judge_changes(rows: BrandScopedQuerySet, day: date, read: Read) -> None:
    """Say anew of `day`, and of the measured day after it, what changed since the measured day before.

    `rows` are all daily scores of the brand. Call it when the scores of `day` are written or gone.
    """
    of_brand = rows.filter(competitor=None).order_by("date").values_list("date", flat=True)
    near = [
        of_brand.filter(date__lt=day).last(),
        of_brand.filter(date=day).first(),
        of_brand.filter(date__gt=day).first(),
    ]
    days = [each for each in near if each is not None]
    if near[0] is None and days:
        _store(rows, [_first(row) for row in rows.filter(date=days[0])])
    for earlier, later in pairwise(days):
        _judge(rows, earlier, later, read)


def budget_json(budget: Budget | None) -> dict[str, Any] | None:
    """A budget as it is stored and shown."""
    if budget is None:
        return None
    shown = VarianceBudget.model_validate(budget)
    shown.shares = {source: round(share, 2) for source, share in shown.shares.items()}
    shown.reach, shown.samples = rounded(shown.reach), round(shown.samples, 2)
    return shown.model_dump(mode="json")


def _judge(rows: BrandScopedQuerySet, earlier: date, later: date, read: Read) -> None:
    """All subjects of a day share its panel; one that was not measured on the day before has nothing to be compared
    with. The family is that of all subjects that both days have."""
    before = {_subject(row): row for row in rows.filter(date=earlier).select_related("panel")}
    now = {_subject(row): row for row in rows.filter(date=later).select_related("panel")}
    alike = comparable(before[BRAND].panel.content, now[BRAND].panel.content)
    known = [subject for subject in now if alike and subject in before]
    pair = _pair(read(earlier), read(later), known) if known else None
    changes = compare(pair) if pair else []
    for subject, row in now.items():
        own = [change for change in changes if change.subject == subject]
        head = next((each for each in own if each.engine is None and each.metric == Metric.SCORE), None)
        row.comparable = subject in known
        row.change = _headline(earlier, head)
        row.changes = [_item(change) for change in own]
        row.budget = {**row.budget, "change": budget_json(change_budget(pair, head)) if pair and head else None}
    _store(rows, now.values())


def _pair(before: Sample, now: Sample, subjects: list[str]) -> Pair | None:
    """An engine is compared where it counted on both days and was the same; the all-engine figure where all of its
    engines were. (Engines beside that figure are not part of the panel.)"""
    same = [
        name
        for name in now.counted
        if name in before.counted and before.engines[name].models == now.engines[name].models
    ]
    averaged = now.averaged if before.averaged == now.averaged and set(now.averaged) <= set(same) else []
    earlier, later = ([each for name in same for each in day.outcomes[name]] for day in (before, now))
    return pair_days(earlier, later, subjects, averaged)


def _first(row: DailyScore) -> DailyScore:
    row.comparable, row.change, row.changes = False, None, []
    row.budget = {**row.budget, "change": None}
    return row


def _store(rows: BrandScopedQuerySet, changed: Iterable[DailyScore]) -> None:
    rows.bulk_update(changed, WRITTEN)


def _subject(row: DailyScore) -> str:
    return str(row.competitor_id) if row.competitor_id else BRAND


def _headline(earlier: date, change: Change | None) -> dict[str, Any]:
    figures: dict[str, float | None] = dict.fromkeys(("delta", "low", "high", "minimum_detectable"))
    if change:
        figures = {name: rounded(getattr(change, name)) for name in figures}
    verdict = change.verdict if change else Verdict.NOT_COMPARABLE
    return ChangeResource(from_=earlier, verdict=verdict.value, **figures).model_dump(mode="json")


def _item(change: Change) -> dict[str, Any]:
    return MetricChange(
        engine=change.engine,
        metric=change.metric.value,
        delta=rounded(change.delta),
        low=rounded(change.low),
        high=rounded(change.high),
        verdict=change.verdict.value,
        minimum_detectable=rounded(change.minimum_detectable),
        p=change.p and round(change.p, 6),
        adjusted_p=change.adjusted_p and round(change.adjusted_p, 6),
    ).model_dump(mode="json")
