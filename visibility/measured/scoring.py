"""Figures of a sample: of the brand and of each competitor, over all engines and by engine. Nothing is stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from visibility.detection.types import BRAND
from visibility.measured.details import further_of, rates_of, score_details
from visibility.measured.locales import scores_by_locale
from visibility.measured.names import TrackedNames
from visibility.measured.sampling import Sample
from visibility.measured.stored import AllTopics, EngineScore, VarianceBudget, as_stored
from visibility.metrics.budget import Budget, score_budget
from visibility.metrics.measure import measure
from visibility.metrics.types import UNMEASURED, Estimate, Measures, rounded, rounded_bounds
from visibility.models import DailyScore, Panel


@dataclass(frozen=True, slots=True)
class SubjectScore:
    """The figures of one subject: over the averaged engines, and of each engine that counted."""

    overall: Measures
    by_engine: Mapping[str, Measures]


NOTHING = Measures(UNMEASURED, UNMEASURED, UNMEASURED, UNMEASURED, UNMEASURED, prompts=0, topics=0, answers=0)


def score_sample(sample: Sample, subjects: Sequence[str]) -> dict[str, SubjectScore]:
    """Measure each subject. Engines with too few answers are left out, and local-search is listed by itself
    where any other engine counted: it never enters their mean."""
    overall = _measured(sample, sample.averaged, subjects)
    aside = _measured(sample, [name for name in sample.counted if name not in sample.averaged], subjects)
    return {
        subject: SubjectScore(overall[subject].overall, {**aside[subject].by_engine, **overall[subject].by_engine})
        for subject in subjects
    }


def _measured(sample: Sample, engines: Sequence[str], subjects: Sequence[str]) -> dict[str, SubjectScore]:
    outcomes = [outcome for engine in engines for outcome in sample.outcomes[engine]]
    if not outcomes:
        return {subject: SubjectScore(NOTHING, {}) for subject in subjects}
    measured = measure(outcomes, subjects)
    return {subject: SubjectScore(measured[subject].overall, measured[subject].by_engine) for subject in subjects}


def score_rows(tracked: TrackedNames, day: date, sample: Sample, panel: Panel) -> list[DailyScore]:
    """All figures of each subject of the tracked, as a day keeps them, not yet stored."""
    scores, further = score_sample(sample, tracked.subjects), further_of(sample, tracked.subjects)
    locale_scores = scores_by_locale(sample, tracked.subjects)
    rows = [_daily_score(tracked, day, subject, scores[subject], sample, panel) for subject in tracked.subjects]
    for subject, row in zip(tracked.subjects, rows, strict=True):
        ranks = further[subject].overall.ranks
        row.mentions, row.ranked = ranks.mentions, ranks.ranked
        row.details = as_stored(score_details(further[subject], scores[subject].overall, scores[subject].by_engine))
        row.by_locale = as_stored(locale_scores[subject])
    return rows


def _all_topics(sample: Sample) -> AllTopics | None:
    """The brand's score with the topics that are left out, over the same engines."""
    if sample.all_topics is None:
        return None
    engines = sample.averaged or sample.all_topics.averaged
    measures = _measured(sample.all_topics, engines, [BRAND])[BRAND].overall
    score, low, high = _figures(measures.score)
    return AllTopics(
        score=score, low=low, high=high, prompts=measures.prompts, topics=measures.topics, answers=measures.answers
    )


def _daily_score(
    tracked: TrackedNames, day: date, subject: str, score: SubjectScore, sample: Sample, panel: Panel
) -> DailyScore:
    overall = score.overall
    row = DailyScore(
        generation_id=tracked.generation,
        brand_id=panel.brand_id,
        competitor_id=subject or None,
        date=day,
        prompts=overall.prompts,
        topics=overall.topics,
        answers=overall.answers,
        failed=sample.failed,
        engines=as_stored(_engine_scores(sample, score)),
        budget={"score": as_stored(variance_budget(_budget(sample, tracked.subjects) if subject == BRAND else None))},
        all_topics=as_stored(_all_topics(sample)) if subject == BRAND else None,
        runs=[str(run) for run in sample.runs],
        panel=panel,
        detector_version=panel.content["detector"],
    )
    row.score, row.low, row.high = _figures(overall.score)
    _, row.panel_low, row.panel_high = _figures(overall.panel)
    row.share_of_voice, row.share_of_voice_low, row.share_of_voice_high = _figures(overall.share_of_voice)
    row.prominence, row.prominence_low, row.prominence_high = _figures(overall.prominence)
    row.prominence_bounds = as_stored(rounded_bounds(overall.prominence.bounds))
    row.citation_rate, row.citation_rate_low, row.citation_rate_high = _figures(overall.citation_rate)
    row.interval, row.share_of_voice_interval = overall.score.interval, overall.share_of_voice.interval
    row.prominence_interval, row.citation_rate_interval = overall.prominence.interval, overall.citation_rate.interval
    return row


def _budget(sample: Sample, subjects: Sequence[str]) -> Budget | None:
    """The brand's own: nobody else's uncertainty is told."""
    return score_budget([outcome for name in sample.averaged for outcome in sample.outcomes[name]], subjects)


def _engine_scores(sample: Sample, score: SubjectScore) -> list[EngineScore]:
    """One for each engine that was asked."""
    items = []
    for name, engine in sample.engines.items():
        measures = score.by_engine.get(name)
        item = EngineScore(
            engine=name,
            models=sorted(model for model in engine.models if model),
            no_interval=measures.score.reason if measures else None,
            answers=measures.answers if measures else engine.answers,
            surface=engine.surface.value,
            **rates_of(measures),
        )
        items.append(item)
    return items


def _figures(estimate: Estimate) -> tuple[float | None, float | None, float | None]:
    return rounded(estimate.value), rounded(estimate.low), rounded(estimate.high)


def variance_budget(budget: Budget | None) -> VarianceBudget | None:
    """A budget as it is kept, rounded."""
    if budget is None:
        return None
    return VarianceBudget(
        shares={source: round(share, 2) for source, share in budget.shares.items()},
        reach=rounded(budget.reach),
        target=budget.target,
        prompts=budget.prompts,
        topics=budget.topics,
        samples=round(budget.samples, 2),
        engines=budget.engines,
        branded=budget.branded,
        spread=budget.spread,
        wander=budget.wander,
    )
