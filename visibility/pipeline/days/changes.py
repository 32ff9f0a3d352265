"""Compares measured days with those before them, and writes the verdicts beside their scores."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from brands.querysets import BrandScopedQuerySet
from visibility.detection.types import BRAND
from visibility.measured.sampling import Sample
from visibility.measured.scoring import variance_budget
from visibility.measured.stored import Cause, CommonChange, EngineChange, MetricChange, as_stored
from visibility.measured.stored import Change as StoredChange
from visibility.metrics.budget import change_budget
from visibility.metrics.change import Change, Metric, compare
from visibility.metrics.pairs import Pair, pair_days
from visibility.metrics.types import rounded
from visibility.metrics.verdicts import Verdict
from visibility.models import DailyScore
from visibility.pipeline.days.panels import Why, causes, detector_causes, engine_causes, no_score

WRITTEN = ("comparable", "change", "changes", "budget")
MAX_LOOK = 60
"""Measured days that are looked at, before and after, for those on which an engine counted."""

Engines = Sequence[Mapping[str, Any]]
Read = Callable[[date], Sample]
"""Gives the sample of a day of the brand."""


def judge_changes(rows: BrandScopedQuerySet, day: date, read: Read) -> None:
    """Say anew of `day` what changed since the measured day before, and of the days after it that look back to it.

    `rows` are all daily scores of the brand. Call it when the scores of `day` are written or gone.
    """
    of_brand = rows.filter(competitor=None).order_by("date").values_list("date", "engines")
    days = list(of_brand.filter(date__gte=day)[:MAX_LOOK])
    before = of_brand.filter(date__lt=day).last()
    for later in _looking_back(days, day):
        earlier = max(
            (measured_day for measured_day, _ in (*days, *filter(None, [before])) if measured_day < later),
            default=None,
        )
        if earlier is None:
            _store(rows, [_first(row) for row in rows.filter(date=later)])
        else:
            _judge(rows, earlier, later, read)


def _looking_back(days: Sequence[tuple[date, Engines]], day: date) -> list[date]:
    """The day itself, the next measured one, and of each engine the next on which it counts."""
    dates: dict[date, None] = {measured_day: None for measured_day, _ in days if measured_day == day}
    after = [(later_day, engines) for later_day, engines in days if later_day > day]
    known_engines: set[str] = set()
    for number, (later_day, engines) in enumerate(after):
        new = _counting(engines) - known_engines
        if number == 0 or new:
            dates[later_day] = None
        known_engines |= new
    return sorted(dates)


def _counting(engines: Engines) -> set[str]:
    return {item["engine"] for item in engines if item["score"] is not None}


@dataclass(frozen=True, slots=True)
class _Compared:
    """Two days of some engines: what differs of each of them, and one family of changes of those that are alike.

    `averaged` are the engines of the family's all-engine line."""

    before: date
    why: Mapping[str, Sequence[Why]]
    pair: Pair | None
    averaged: Sequence[str]
    changes: Sequence[Change]


def _judge(rows: BrandScopedQuerySet, earlier: date, later: date, read: Read) -> None:
    """All subjects of a day share its panel; one that was not measured on the day before has nothing to be compared
    with. The family is that of all subjects that both days have."""
    before = {_subject(row): row for row in rows.filter(date=earlier).select_related("panel")}
    now = {_subject(row): row for row in rows.filter(date=later).select_related("panel", "competitor")}
    unscored = [row.date for row in (before[BRAND], now[BRAND]) if row.score is None]
    reasons = [no_score(str(day)) for day in unscored] or causes(
        before[BRAND].panel.content, now[BRAND].panel.content
    )
    known = [subject for subject in now if subject in before]
    compared = [
        _compare(day_before, engines, known, read, later, detector_causes(detector, now[BRAND].detector_version))
        for day_before, (detector, engines) in _days_before(rows, before[BRAND], now[BRAND]).items()
    ]
    for subject, row in now.items():
        apart = reasons if subject in before else [no_score(row.competitor.name if row.competitor else ""), *reasons]
        _write(row, earlier, compared, apart)
    _store(rows, now.values())


def _days_before(rows: BrandScopedQuerySet, before: DailyScore, now: DailyScore) -> dict[date, tuple[str, list[str]]]:
    """The days that the engines are compared with, the measured day before first, each with its detector: of an
    engine that did not count then, the last on which it did."""
    open_engines = _counting(now.engines)
    days_before = {before.date: (before.detector_version, sorted(open_engines & _counting(before.engines)))}
    open_engines -= _counting(before.engines)
    if open_engines:
        since = rows.filter(competitor=None, date__lt=before.date).order_by("-date")
        for day, detector, engines in since.values_list("date", "detector_version", "engines")[:MAX_LOOK]:
            if engine_names := open_engines & _counting(engines):
                days_before[day] = (detector, sorted(engine_names))
                open_engines -= engine_names
    return days_before


def _compare(
    before: date, engines: Sequence[str], subjects: list[str], read: Read, later: date, detector: Sequence[Why]
) -> _Compared:
    """An engine is compared where it counted on both days and was the same; the all-engine figure over those of its
    engines that are. (Engines beside that figure are not part of the panel.)"""
    earlier, now = read(before), read(later)
    engine_names = [name for name in engines if name in earlier.counted and name in now.counted]
    reasons = {name: [*engine_causes(earlier, now, name), *detector] for name in engine_names}
    same = [name for name in engine_names if not reasons[name]]
    averaged = [name for name in same if name in earlier.averaged and name in now.averaged]
    first, second = ([outcome for name in same for outcome in day.outcomes[name]] for day in (earlier, now))
    pair = pair_days(first, second, subjects, averaged) if subjects else None
    return _Compared(before, reasons, pair, averaged, compare(pair) if pair else [])


def _write(row: DailyScore, earlier: date, compared: Sequence[_Compared], reasons: Sequence[Why]) -> None:
    main, subject = compared[0], _subject(row)
    subject_changes = [change for change in main.changes if change.subject == subject]
    all_engines = next(
        (change for change in subject_changes if change.engine is None and change.metric == Metric.SCORE), None
    )
    head = None if reasons else all_engines
    row.comparable = not reasons
    is_apart = reasons or len(compared) > 1 or not _is_told(head)
    row.change = as_stored(
        StoredChange(
            causes=_kept(reasons or ([] if _is_told(head) else [no_score("the site")])),
            common=_common(main, all_engines) if reasons else None,
            by_engine=_by_engine(row, compared, earlier) if is_apart else [],
            **_figures(earlier, head),
        )
    )
    row.changes = as_stored(
        [_of_metric(change) for change in subject_changes if not reasons or change.engine is not None]
    )
    budget = change_budget(main.pair, head) if main.pair and head else None
    row.budget = {**row.budget, "change": as_stored(variance_budget(budget))}


def _is_told(change: Change | None) -> bool:
    return change is not None and change.verdict != Verdict.NOT_COMPARABLE


def _common(main: _Compared, change: Change | None) -> CommonChange | None:
    """The change over the engines that both days have, where there are several."""
    if change is None or len(main.averaged) < 2:
        return None
    return CommonChange(engines=list(main.averaged), **_figures(main.before, change))


def _by_engine(row: DailyScore, compared: Sequence[_Compared], earlier: date) -> list[EngineChange]:
    """The change of each engine since the last day on which it counted, or why there is none."""
    engine_changes = []
    for engine in sorted(_counting(row.engines)):
        last = next((comparison for comparison in compared if engine in comparison.why), None)
        changes = last.changes if last else []
        change = next(
            (change for change in changes
             if (change.subject, change.engine, change.metric) == (_subject(row), engine, Metric.SCORE)),
            None,
        )  # fmt: skip
        reasons = list(last.why[engine]) if last else []
        if not reasons and not _is_told(change):
            reasons = [no_score(engine)]
        figures = _figures(last.before if last else earlier, change)
        engine_changes.append(EngineChange(engine=engine, causes=_kept(reasons), **figures))
    return engine_changes


def _first(row: DailyScore) -> DailyScore:
    row.comparable, row.change, row.changes = None, None, []
    row.budget = {**row.budget, "change": None}
    return row


def _store(rows: BrandScopedQuerySet, changed: Iterable[DailyScore]) -> None:
    rows.bulk_update(changed, WRITTEN)


def _subject(row: DailyScore) -> str:
    return str(row.competitor_id) if row.competitor_id else BRAND


def _figures(earlier: date, change: Change | None) -> dict[str, Any]:
    names = ("delta", "low", "high", "minimum_detectable")
    return {
        "since": earlier,
        "verdict": (change.verdict if change else Verdict.NOT_COMPARABLE).value,
        **{name: rounded(getattr(change, name)) if change else None for name in names},
    }


def _kept(reasons: Sequence[Why]) -> list[Cause]:
    return [Cause(reason.code.value, reason.message) for reason in reasons]


def _of_metric(change: Change) -> MetricChange:
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
    )
