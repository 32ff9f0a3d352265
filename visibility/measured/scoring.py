"""Figures of a sample: of the brand and of each competitor, over all engines and by engine. Nothing is stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from visibility.measured.details import details_json, further_of
from visibility.measured.names import Lexicon
from visibility.measured.sampling import Sample
from visibility.metrics.budget import Budget, score_budget
from visibility.metrics.measure import measure
from visibility.metrics.types import UNMEASURED, Estimate, Measures, rounded
from visibility.models import DailyScore, Panel
from visibility.resources.brands import EngineScore, VarianceBudget


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


def score_rows(lexicon: Lexicon, day: date, sample: Sample, panel: Panel) -> list[DailyScore]:
    """All figures of each subject of the lexicon, as a day keeps them, not yet stored."""
    scores, further = score_sample(sample, lexicon.subjects), further_of(sample, lexicon.subjects)
    rows = [_daily_score(lexicon, day, subject, scores[subject], sample, panel) for subject in lexicon.subjects]
    for subject, row in zip(lexicon.subjects, rows, strict=True):
        row.details = details_json(further[subject], scores[subject].by_engine)
    return rows


def _daily_score(
    lexicon: Lexicon, day: date, subject: str, score: SubjectScore, sample: Sample, panel: Panel
) -> DailyScore:
    overall = score.overall
    row = DailyScore(
        generation_id=lexicon.generation,
        brand_id=panel.brand_id,
        competitor_id=subject or None,
        date=day,
        prompts=overall.prompts,
        topics=overall.topics,
        answers=overall.answers,
        failed=sample.failed,
        engines=_engine_items(sample, score),
        budget={"score": budget_json(_budget(sample, subject))},
        runs=[str(run) for run in sample.runs],
        panel=panel,
        detector_version=panel.content["detector"],
    )
    row.score, row.low, row.high = _figures(overall.score)
    _, row.panel_low, row.panel_high = _figures(overall.panel)
    row.share_of_voice, row.share_of_voice_low, row.share_of_voice_high = _figures(overall.share_of_voice)
    row.prominence, row.prominence_low, row.prominence_high = _figures(overall.prominence)
    row.citation_rate, row.citation_rate_low, row.citation_rate_high = _figures(overall.citation_rate)
    return row


def _budget(sample: Sample, subject: str) -> Budget | None:
    return score_budget([outcome for name in sample.averaged for outcome in sample.outcomes[name]], subject)


def _engine_items(sample: Sample, score: SubjectScore) -> list[dict[str, Any]]:
    """One item for each engine that was asked. `answers` are those behind its score; where too few of its prompts
    were answered the score is null, and they are all that came."""
    items = []
    for name, engine in sample.engines.items():
        measures = score.by_engine.get(name)
        value, low, high = _figures(measures.score if measures else UNMEASURED)
        voice, voice_low, voice_high = _figures(measures.share_of_voice if measures else UNMEASURED)
        cited, cited_low, cited_high = _figures(measures.citation_rate if measures else UNMEASURED)
        item = EngineScore(
            engine=name,
            models=sorted(model for model in engine.models if model),
            score=value,
            low=low,
            high=high,
            answers=measures.answers if measures else engine.answers,
            share_of_voice=voice,
            share_of_voice_low=voice_low,
            share_of_voice_high=voice_high,
            citation_rate=cited,
            citation_rate_low=cited_low,
            citation_rate_high=cited_high,
        )
        items.append(item.model_dump(mode="json"))
    return items


def _figures(estimate: Estimate) -> tuple[float | None, float | None, float | None]:
    return rounded(estimate.value), rounded(estimate.low), rounded(estimate.high)


def budget_json(budget: Budget | None) -> dict[str, Any] | None:
    """A budget as it is stored and shown."""
    if budget is None:
        return None
    shown = VarianceBudget.model_validate(budget)
    shown.shares = {source: round(share, 2) for source, share in shown.shares.items()}
    shown.reach, shown.samples = rounded(shown.reach), round(shown.samples, 2)
    return shown.model_dump(mode="json")
