"""Compares measured days with those before them, and writes what may be said of changes beside their scores."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from visibility.detection.types import BRAND
from visibility.measured.scoring import variance_budget
from visibility.measured.stored import Change as StoredChange
from visibility.measured.stored import CommonChange, EngineChange, as_stored
from visibility.metrics.budget import change_budget
from visibility.metrics.change import Change, Metric
from visibility.metrics.pairs import pair_counts
from visibility.metrics.types import rounded
from visibility.metrics.verdicts import Verdict
from visibility.models import DailyScore
from visibility.pipeline.days.common import Common, common_change
from visibility.pipeline.days.developing import Figure, Finding, develop_day
from visibility.pipeline.days.history import History, MeasuredDay, counting, looking_back, read_history
from visibility.pipeline.days.panels import Why, no_score
from visibility.pipeline.days.records import write_records
from visibility.pipeline.days.writing import (
    confirmation_of,
    figures_since,
    kept,
    metric_change_of,
    monitor_of,
    span_of,
)

WRITTEN = ("comparable", "change", "change_week", "change_month", "confirmation", "monitor", "changes", "budget")
AT_ONCE = 100
"""Rows that are written in one statement."""


def judge_changes(generation: UUID, brand: UUID, days: Sequence[date]) -> None:
    """Say anew what changed by each of `days` (in order of time), and by the later ones that look back to them, each
    judged once; and write the records of change that follow. Call it when the scores and counts of `days` are written
    or gone."""
    if not days:
        return
    history = read_history(generation, days)
    rows = DailyScore.of_all_generations.filter(generation=generation)
    by_day: dict[date, list[DailyScore]] = {day: [] for day in looking_back(history, days)}
    for row in rows.filter(date__in=by_day).select_related("competitor").defer("details"):
        by_day[row.date].append(row)
    changed = [row for day, of_day in by_day.items() for row in _judged(history, day, of_day)]
    rows.bulk_update(changed, WRITTEN, batch_size=AT_ONCE)
    write_records(generation, brand, days[0])


def _judged(history: History, day: date, rows: Sequence[DailyScore]) -> list[DailyScore]:
    """The rows of a measured day that now say something else than before."""
    said_before = [_said(row) for row in rows]
    today, before = history.on(day), history.before(day)
    if before:
        judgement = _judge(history, today, before)
        for row in rows:
            _write(row, judgement)
    else:
        for row in rows:
            _write_first(row)
    return [row for row, said in zip(rows, said_before, strict=True) if _said(row) != said]


def _said(row: DailyScore) -> list[object]:
    return [getattr(row, name) for name in WRITTEN]


@dataclass(frozen=True, slots=True)
class _Judgement:
    """A day against the days before it: why it cannot be compared with the measured day before, what is said of each
    figure, and of each engine the last day on which it counted (None: there is none), or why that cannot be compared.

    `subjects` are those that were measured on the day before.
    """

    history: History
    today: MeasuredDay
    previous: MeasuredDay
    reasons: Sequence[Why]
    findings: Mapping[Figure, Finding]
    common: Common | None
    lasts: Mapping[str, MeasuredDay | None]

    def reasons_of(self, row: DailyScore) -> list[Why]:
        """Why a subject cannot be compared with the measured day before."""
        subject, name = _subject(row), row.competitor.name if row.competitor else ""
        known = self.previous.content is None or subject in self.history.counts(self.previous.day).subjects
        return [*([] if known else [no_score(name)]), *self.reasons]

    def latest(self, figure: Figure) -> Finding | None:
        """What is said of an engine's figure, where that is against the last day on which the engine counted."""
        finding, last = self.findings.get(figure), self.lasts.get(figure[1] or "")
        return finding if finding and last and finding.since == last.day else None


def _judge(history: History, today: MeasuredDay, before: Sequence[MeasuredDay]) -> _Judgement:
    previous = before[-1]
    reasons = history.causes(previous, today)
    return _Judgement(
        history=history,
        today=today,
        previous=previous,
        reasons=reasons,
        findings=develop_day(history, today, before),
        common=common_change(history, previous, today)
        if reasons or history.asked_otherwise(previous, today)
        else None,
        lasts={
            engine: next((day for day in reversed(before) if engine in day.engines), None)
            for engine in sorted(today.engines)
        },
    )


def _write_first(row: DailyScore) -> None:
    row.comparable, row.change, row.changes = None, None, []
    row.change_week, row.change_month, row.confirmation, row.monitor = None, None, None, None
    row.budget = {**row.budget, "change": None}


def _write(row: DailyScore, judgement: _Judgement) -> None:
    """All subjects of a day share its panel; one that was not measured on the day before has nothing to be compared
    with."""
    reasons, finding = judgement.reasons_of(row), judgement.findings.get((_subject(row), None, Metric.SCORE))
    head = finding.development.change if finding and not reasons else None
    row.comparable = not reasons
    row.change = as_stored(_change(row, judgement, head, reasons))
    development = finding.development if finding else None
    row.change_week = as_stored(span_of(development.week, development.week_since)) if development else None
    row.change_month = as_stored(span_of(development.month, development.month_since)) if development else None
    row.confirmation = as_stored(confirmation_of(development.confirmed)) if development else None
    row.monitor = as_stored(monitor_of(development.monitor)) if development else None
    row.changes = as_stored(
        [metric_change_of(finding) for finding in _figures(row, judgement, over_engines=not reasons)]
    )
    row.budget = {**row.budget, "change": _budget(judgement, head)}


def _change(row: DailyScore, judgement: _Judgement, head: Change | None, reasons: Sequence[Why]) -> StoredChange:
    """The engines are told of by themselves where the figure over engines is not, or where one of them looks back
    further."""
    own_lasts = [judgement.lasts[engine] for engine in counting(row.engines)]
    is_apart = reasons or not _is_told(head) or any(last is not judgement.previous for last in own_lasts)
    return StoredChange(
        causes=kept(reasons or ([] if _is_told(head) else [no_score("the site")])),
        common=_common(row, judgement),
        by_engine=[_of_engine(row, judgement, engine) for engine in sorted(counting(row.engines))]
        if is_apart
        else [],
        **figures_since(judgement.previous.day, head),
    )


def _common(row: DailyScore, judgement: _Judgement) -> CommonChange | None:
    common = judgement.common
    change = common.changes.get(_subject(row)) if common else None
    if common is None or change is None:
        return None
    before = judgement.history.score_on(judgement.previous.day, row.competitor_id)
    rest = None if row.score is None or before is None or change.delta is None else row.score - before - change.delta
    return CommonChange(
        engines=list(common.engines),
        prompts=common.prompts[change.subject],
        rest=rounded(rest),
        **figures_since(judgement.previous.day, change),
    )


def _of_engine(row: DailyScore, judgement: _Judgement, engine: str) -> EngineChange:
    """The change of an engine's score since the last day on which it counted, or why there is none."""
    last, finding = judgement.lasts[engine], judgement.findings.get((_subject(row), engine, Metric.SCORE))
    latest = judgement.latest((_subject(row), engine, Metric.SCORE))
    development = finding.development if finding else None
    reasons = judgement.history.engine_causes(last, judgement.today, engine) if last else []
    if not reasons and not (latest and _is_told(latest.development.change)):
        reasons = [no_score(engine)]
    return EngineChange(
        engine=engine,
        causes=kept(reasons),
        week=span_of(development.week, development.week_since) if development else None,
        month=span_of(development.month, development.month_since) if development else None,
        confirmation=confirmation_of(development.confirmed) if development else None,
        monitor=monitor_of(development.monitor) if development else None,
        **figures_since((last or judgement.previous).day, latest.development.change if latest else None),
    )


def _figures(row: DailyScore, judgement: _Judgement, *, over_engines: bool) -> Iterator[Finding]:
    """What is said of the subject's figures since the last day of each."""
    for figure, finding in judgement.findings.items():
        subject, engine, _ = figure
        if subject == _subject(row) and (over_engines if engine is None else judgement.latest(figure)):
            yield finding


def _budget(judgement: _Judgement, head: Change | None) -> object:
    if head is None:
        return None
    days = (judgement.history.counts(day.day) for day in (judgement.previous, judgement.today))
    pair = pair_counts(*days)
    budget = change_budget(pair, head) if pair else None
    return as_stored(variance_budget(budget))


def _is_told(change: Change | None) -> bool:
    return change is not None and change.verdict != Verdict.NOT_COMPARABLE


def _subject(row: DailyScore) -> str:
    return str(row.competitor_id) if row.competitor_id else BRAND
