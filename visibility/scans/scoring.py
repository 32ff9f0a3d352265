"""Turns stored answers into scores: of one run, and of one UTC day for the brand and each competitor."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any

from brands.models import Brand
from visibility.detection.types import BRAND
from visibility.metrics.budget import Budget, score_budget
from visibility.metrics.measure import measure
from visibility.metrics.types import UNMEASURED, Estimate, Measures, rounded
from visibility.models import DailyScore, Panel, Run
from visibility.resources import EngineScore
from visibility.scans.changes import Read, budget_json, judge_changes
from visibility.scans.details import details_json, further_of
from visibility.scans.names import Lexicon
from visibility.scans.panels import panel_content, store_panel
from visibility.scans.sampling import Sample, answers_of_day, answers_of_run, read_sample


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


def score_run(lexicon: Lexicon, run: Run) -> Estimate:
    """The brand's score over the run's own answers, with the topic interval, rounded as it is stored."""
    sample = read_sample(lexicon, answers_of_run(run))
    score = score_sample(sample, lexicon.subjects)[BRAND].overall.score
    return Estimate(rounded(score.value), rounded(score.low), rounded(score.high))


def day_reader(lexicon: Lexicon, finishing: Run | None = None) -> Read:
    """Reads days for the lexicon; `finishing` is the run that is about to end.

    In order of time each day is read once: it is kept while it is scored and compared with its neighbours.
    """

    @lru_cache(maxsize=3)
    def read(day: date) -> Sample:
        return read_sample(lexicon, answers_of_day(lexicon, day, finishing))

    return read


def score_days(brand: Brand, lexicon: Lexicon, days: Iterable[date], read: Read | None = None) -> None:
    """Write the scores of those UTC days anew, in the lexicon's generation, from all answers that are looked through
    for it, as `read` gives them.

    A day without a single answer has no scores. Also says anew what changed on each of the days, and on the next
    measured one. Call it under the lock of the brand's row, so that runs that end together see each other's answers.
    """
    read = read or day_reader(lexicon)
    rows = DailyScore.of_all_generations.filter(generation=lexicon.generation)
    for day in sorted(days):
        sample = read(day)
        rows.filter(date=day).delete()
        if sample.answers:
            panel = store_panel(brand, panel_content(sample))
            DailyScore.objects.bulk_create(score_rows(lexicon, day, sample, panel))
        judge_changes(rows, day, read)


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
