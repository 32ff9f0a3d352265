"""What changed, and what the change is made of: only what is on record is told as a change."""

from collections.abc import Iterator, Sequence
from datetime import date
from uuid import UUID

from visibility.engines.display import display_name
from visibility.resources.brands import ChangeReport, SubjectChanges
from visibility.resources.change_records import ChangeRecord, Part
from visibility.resources.changes import Change, Confirmation, EngineChange, MetricChange, Monitor
from visibility.services.ask.fact import Fact, QuestionContext, Told, fact, site_step
from visibility.services.ask.types import Step, Value
from visibility.services.reading.change_records import records_within
from visibility.services.reading.change_words import Developed, is_called, once_each
from visibility.services.reading.changes import change_report

MOST_RECORDS = 3
MOST_PARTS = 4
MOST_BESIDE = 2
"""Competitors, and sources."""


def told_of_change(context: QuestionContext) -> Told:
    """Whether the score of whom is meant changed, and what the change is made of; else how the latest day differs."""
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
    if about.rivals:
        facts = [row for subject in subjects for row in _of_rival(context, subject, report.as_of)]
    else:
        facts = list(_of_brand(context, subjects[0], report))
    return Told(facts, _unseen(context, report))


def _of_brand(context: QuestionContext, subject: SubjectChanges, report: ChangeReport) -> Iterator[Fact]:
    """What is told as a change, the first with its parts; else that there is none, with the latest day as a note."""
    about, day, period = context.about, report.as_of, context.about.period
    if records := _meant(context, report):
        first, *others = records[:MOST_RECORDS]
        yield _recorded(subject, first, day)
        yield from _parts(first)
        for record in others:
            yield _recorded(subject, record, day)
    elif period and day and not period.first <= day <= period.last:
        dates = sorted({engine_day.day for engine_day in about.days})
        if dates:
            yield fact("never_changed", subject=subject.name, first=dates[0], day=dates[-1], count=len(dates))
    else:
        for engine in about.engines:
            yield _unchanged(subject, engine, _of_engine(subject, engine), day)
        if not about.engines:
            yield _unchanged(subject, None, subject, day)
            yield from _notes(subject)


def _meant(context: QuestionContext, report: ChangeReport) -> Sequence[ChangeRecord]:
    """What is told now, or was in the period that is asked for: of the engines and topics that are meant, else of the
    score and of engines, and of topics where these have not changed."""
    about = context.about
    records: Sequence[ChangeRecord] = report.change_records
    if about.period is not None:
        records = records_within(context.brand.pk, about.period.first, about.period.last)
    if about.engines:
        return [record for record in records if record.engine in about.engines]
    if of_topics := [record for record in records if record.topic and record.topic in context.topic_names]:
        return of_topics
    return once_each(record for record in records if not record.topic) or records


def _of_rival(context: QuestionContext, subject: SubjectChanges, day: date) -> Iterator[Fact]:
    """Of a competitor nothing is recorded: what its latest day says."""
    yield from _outside(context, subject, day)
    for engine in context.about.engines:
        yield _development(subject, engine, _of_engine(subject, engine), day)
    if not context.about.engines:
        yield _development(subject, None, subject, day)
        yield from () if is_called(subject) else _notes(subject)


def _recorded(subject: SubjectChanges, record: ChangeRecord, day: date | None) -> Fact:
    sign = 1 if record.direction == "up" else -1
    ends = sorted(sign * end for end in (record.low, record.high) if end is not None)
    low, high = (ends[0], ends[1]) if len(ends) == 2 else (None, None)
    return fact(
        "change_over" if record.state == "recovered" else "change_record",
        subject=subject.name,
        engine=record.engine,
        topic=record.topic,
        competitor=None,
        day=day,
        direction="rose" if sign > 0 else "fell",
        delta=record.delta,
        size=sign * record.delta,
        low=low,
        high=high,
        since=record.began,
        before=record.before,
        beforeFirst=record.before_first,
        beforeLast=record.before_last,
        after=record.after,
        afterDay=record.after_day,
        promptsChanged=record.prompts_changed or None,
        verdict=record.known_by,
        knownOn=record.known_on,
        state=record.state,
        stateSince=record.state_since,
    )


def _parts(record: ChangeRecord) -> Iterator[Fact]:
    """What the change is made of, what is known of it and what changed at the same time, what says most first."""
    yield from _partition(record, "change_by_topic", record.topics)
    for cause in record.known_causes[:MOST_PARTS]:
        yield fact("change_known_cause", what=cause.what, url=cause.url, day=cause.day)
    beside: list[Value] = [
        {"name": row.name, "before": row.before, "after": row.after}
        for rows in (record.competitors, record.sources)
        for row in sorted(rows, key=lambda row: -abs(row.points))[:MOST_BESIDE]
    ]
    if beside:
        yield fact("change_beside", others=beside)
    engines = [part.model_copy(update={"name": display_name(part.name)}) for part in record.engines]
    yield from _partition(record, "change_by_engine", engines)
    yield from _partition(record, "change_by_prompt", record.wordings)


def _partition(record: ChangeRecord, sentence: str, parts: Sequence[Part]) -> Iterator[Fact]:
    """One part alone says nothing."""
    if len(parts) < 2:
        return
    told_rows, others = parts[:MOST_PARTS], parts[MOST_PARTS:]
    rows: list[Value] = [{"name": part.name, "points": part.points} for part in told_rows]
    yield fact(
        sentence,
        *(answer.answer for part in told_rows for answer in part.answers),
        delta=record.delta,
        parts=rows,
        count=len(others) or None,
        rest=round(sum(part.points for part in others), 2) if others else None,
    )


def _outside(context: QuestionContext, subject: SubjectChanges, last: date) -> Iterator[Fact]:
    """That the latest change is not within the period that is asked for."""
    period, change = context.about.period, subject.change
    if not context.counts.days or period is None or change is None:
        return
    first = change.since
    if not period.first <= first <= last <= period.last:
        begin = None if period.first.year == 1 else period.first
        yield fact("change_outside", subject=subject.name, first=first, day=last, begin=begin, end=period.last)


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
    return _unchanged(subject, engine, figure, day)


def _unchanged(subject: SubjectChanges, engine: str | None, figure: Developed, day: date | None) -> Fact:
    """That there is no clear change, and why."""
    confirmation, change = figure.confirmation, subject.change
    state: str = confirmation.state if confirmation and confirmation.state != "confirmed" else "none"
    if engine is None and not confirmation and not figure.monitor and change is not None:
        state = "not_comparable" if change.verdict == "not_comparable" else "none"
    moved_on = confirmation.moved_on if confirmation and state not in ("none", "not_comparable") else None
    return fact(
        "unchanged",
        *([subject.competitor] if subject.competitor else []),
        subject=subject.name,
        engine=engine,
        day=day,
        competitor=str(subject.competitor) if subject.competitor else None,
        verdict=state,
        movedOn=moved_on,
    )


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
