"""What changed: only what is confirmed, or was raised by the monitor, is told as a change."""

from collections.abc import Iterator, Sequence
from datetime import date
from uuid import UUID

from django.db.models import Q

from visibility.models import DailyScore
from visibility.resources.brands import ChangeReport, SubjectChanges
from visibility.resources.changes import Change, Confirmation, EngineChange, MetricChange, Monitor
from visibility.services.ask.fact import Fact, QuestionContext, Told, fact, site_step
from visibility.services.ask.types import Step, Value
from visibility.services.reading.change_words import Developed, is_called
from visibility.services.reading.changes import change_report


def told_of_change(context: QuestionContext) -> Told:
    """Whether the score of whom is meant changed; how the latest day differs; the last change that there was."""
    about = context.about
    report = change_report(context.caller, brand_id=context.brand.pk)
    meant: set[UUID | None] = {rival.pk for rival in about.rivals} or {None}
    subjects = [subject for subject in report.subjects if subject.competitor in meant and subject.change]
    if not subjects or report.as_of is None:
        names = [rival.name for rival in about.rivals] or [context.brand.name]
        return Told(
            [fact("change_takes_two_days", subject=names[0], day=report.as_of)],
            site_step("run_visibility_scan", "would_compare_days", context.brand),
        )
    facts = list(_outside(context, subjects, report.as_of)) if context.counts.days else []
    for subject in subjects:
        developments: Sequence[tuple[str | None, Developed]] = [(None, subject)]
        if about.engines:
            developments = [(engine, _of_engine(subject, engine)) for engine in about.engines]
        facts += [_development(subject, engine, figure, report.as_of) for engine, figure in developments]
        if not any(is_called(figure) for _, figure in developments):
            facts += _last_change(context, subject)
            facts += [] if about.engines else _notes(subject)
        if not about.engines:
            facts += _engines_alone(subject, report.as_of)
    return Told(facts, _unseen(context, report))


def _outside(context: QuestionContext, subjects: Sequence[SubjectChanges], last: date) -> Iterator[Fact]:
    """That the latest change is not within the period that is asked for."""
    period = context.about.period
    first = min(subject.change.since for subject in subjects if subject.change)
    if period is not None and not period.first <= first <= last <= period.last:
        begin = None if period.first.year == 1 else period.first
        yield fact("change_outside", subject=subjects[0].name, first=first, day=last, begin=begin, end=period.last)


class _Nothing:
    """Of whom nothing is said."""

    confirmation: Confirmation | None = None
    monitor: Monitor | None = None


def _of_engine(subject: SubjectChanges, engine: str) -> Developed:
    """What is said of the subject's score on one engine alone."""
    change: EngineChange | MetricChange | None = next(
        (row for row in (subject.change.by_engine if subject.change else []) if row.engine == engine), None
    ) or next((row for row in subject.changes if row.engine == engine and row.metric == "score"), None)
    return change or _Nothing()


def _development(subject: SubjectChanges, engine: str | None, figure: Developed, day: date) -> Fact:
    """A confirmed or raised change with its size, or that there is none, and why."""
    whom: dict[str, Value] = {
        "subject": subject.name,
        "engine": engine,
        "day": day,
        "competitor": str(subject.competitor) if subject.competitor else None,
    }
    refs = [subject.competitor] if subject.competitor else []
    confirmation, monitor = figure.confirmation, figure.monitor
    if confirmation and confirmation.state == "confirmed" and confirmation.delta is not None:
        return fact("changed", *refs, **_size(confirmation, confirmation.moved_on), **whom, verdict="confirmed")
    if monitor and monitor.raised and monitor.delta is not None:
        return fact("drifted", *refs, **_size(monitor, monitor.since), **whom, verdict="raised")
    state: str = confirmation.state if confirmation else "none"
    change = subject.change
    if engine is None and not confirmation and not monitor and change is not None:
        state = "not_comparable" if change.verdict == "not_comparable" else "none"
    moved_on = confirmation.moved_on if confirmation and state not in ("none", "not_comparable") else None
    return fact("unchanged", *refs, **whom, verdict=state, movedOn=moved_on)


def _size(size: Confirmation | Monitor, since: date | None) -> dict[str, Value]:
    """The change in points: its interval as sizes, the smaller end first, and signed in `delta`."""
    delta = size.delta or 0.0
    low, high = size.low, size.high
    if low is not None and high is not None and delta < 0:
        low, high = -high, -low
    return {
        "delta": size.delta,
        "low": low,
        "high": high,
        "since": since,
        "direction": "rose" if delta > 0 else "fell",
    }


def _engines_alone(subject: SubjectChanges, day: date) -> Iterator[Fact]:
    """Where engines were last measured on different days: what is said of each that says anything."""
    for engine in subject.change.by_engine if subject.change else []:
        if is_called(engine) or (engine.confirmation and engine.confirmation.state not in ("none",)):
            yield _development(subject, engine.engine, engine, day)


def _notes(subject: SubjectChanges) -> Iterator[Fact]:
    """How the latest day compares with the one before; a move of a single day is no change, and is not told."""
    change = subject.change
    if change is None or change.verdict == "moved":
        return
    values: dict[str, Value] = {"subject": subject.name, "since": change.since, "verdict": change.verdict}
    if change.verdict == "not_comparable":
        yield from _not_comparable(change, values)
    elif change.verdict == "within_noise":
        yield fact("within_noise", **values, delta=change.delta, low=change.low, high=change.high)
    else:
        yield fact("cannot_detect", **values, minimum=change.minimum_detectable)


def _not_comparable(change: Change, values: dict[str, Value]) -> Iterator[Fact]:
    causes = list(dict.fromkeys(cause.code for cause in change.causes))
    yield fact("not_comparable", **values, causes=causes)
    common = change.common
    if common is not None and common.delta is not None and common.verdict != "moved":
        yield fact(
            "on_what_both_share",
            **{**values, "verdict": common.verdict},
            delta=common.delta,
            low=common.low,
            high=common.high,
        )


def _last_change(context: QuestionContext, subject: SubjectChanges) -> Iterator[Fact]:
    """The last change on record, however old; or that none was ever confirmed."""
    scores = DailyScore.objects.restrict(context.caller, "view").filter(
        brand=context.brand, competitor=subject.competitor
    )
    rows = scores.filter(Q(confirmation__state="confirmed") | Q(monitor__raised=True)).order_by("-date")
    latest = rows.values("date", "confirmation", "monitor").first()
    refs = [subject.competitor] if subject.competitor else []
    if latest is None:
        dates = sorted({day.day for day in context.about.days})
        if len(dates) > 1:
            yield fact("never_changed", *refs, subject=subject.name, first=dates[0], day=dates[-1], count=len(dates))
        return
    confirmation = Confirmation.model_validate(latest["confirmation"] or {"state": "none", **_EMPTY})
    is_confirmed = confirmation.state == "confirmed"
    size = confirmation if is_confirmed else Monitor.model_validate(latest["monitor"])
    since = confirmation.moved_on if is_confirmed else Monitor.model_validate(latest["monitor"]).since
    yield fact(
        "last_change",
        *refs,
        **_size(size, since),
        subject=subject.name,
        day=latest["date"],
        verdict="confirmed" if is_confirmed else "raised",
    )


_EMPTY = {"moved_on": None, "pooled_days": 0, "delta": None, "low": None, "high": None}


def _unseen(context: QuestionContext, report: ChangeReport) -> Step | None:
    """The smallest change that would be seen, and what would show smaller ones."""
    budget = report.budgets.change
    if budget is None or budget.reach is None or context.about.rivals:
        return None
    needed = budget.needed
    return site_step(
        "generate_prompts",
        "smaller_change",
        context.brand,
        reach=budget.reach,
        target=budget.target,
        topics=needed.topics if needed else None,
    )
