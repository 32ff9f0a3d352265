"""The further figures of a day, and all figures by engine, as a daily score keeps them."""

from collections.abc import Mapping, Sequence
from typing import Any

from visibility.measured.sampling import Sample
from visibility.measured.stored import EngineDetails, Figure, FurtherFigures, RankFigure, ScoreDetails
from visibility.metrics.further import FurtherMeasures, SubjectFurther, measure_further
from visibility.metrics.types import UNMEASURED, Estimate, Measures, rounded, rounded_bounds


def further_of(sample: Sample, subjects: Sequence[str]) -> dict[str, SubjectFurther]:
    """The further figures of each subject: over the averaged engines, and of each engine that counted."""
    overall = _measured(sample, sample.averaged, subjects)
    aside = _measured(sample, [name for name in sample.counted if name not in sample.averaged], subjects)
    return {
        subject: SubjectFurther(figures.overall, {**aside[subject].by_engine, **figures.by_engine})
        for subject, figures in overall.items()
    }


MAIN = ("score", "panel", "share_of_voice", "prominence", "citation_rate")
"""The figures that a daily score keeps in columns."""


def score_details(further: SubjectFurther, overall: Measures, main: Mapping[str, Measures]) -> ScoreDetails:
    """As a daily score keeps them; `overall` are the main figures, `main` those by engine."""
    reasons = {name: getattr(overall, name).reason for name in MAIN}
    return ScoreDetails(
        overall=FurtherFigures(**_further(further.overall)),
        no_interval={name: reason for name, reason in reasons.items() if reason},
        engines={
            name: EngineDetails(
                **_further(figures),
                share_of_voice=_figure(main[name].share_of_voice),
                prominence=_rank_figure(main[name].prominence),
                citation_rate=_figure(main[name].citation_rate),
                prompts=main[name].prompts,
                topics=main[name].topics,
            )
            for name, figures in further.by_engine.items()
        },
    )


def _measured(sample: Sample, engines: Sequence[str], subjects: Sequence[str]) -> dict[str, SubjectFurther]:
    return measure_further([outcome for name in engines for outcome in sample.outcomes[name]], subjects)


def _further(figures: FurtherMeasures) -> dict[str, Any]:
    ranks = figures.ranks
    return {
        "reciprocal_rank": _rank_figure(ranks.mean_reciprocal_rank),
        "top_three": _rank_figure(ranks.top_three),
        "average_position": rounded(ranks.mean_rank),
        "mentions": ranks.mentions,
        "ranked": ranks.ranked,
        "citation_share": rounded(figures.citation_share),
        "own_citations": figures.own_citations,
        "citations": figures.citations,
        "impression_share": _figure(figures.impression),
        "impression_share_published": _figure(figures.impression_published),
        "agreement": rounded(figures.alike),
        "ordered_agreement": rounded(figures.ordered_alike),
        "mentioned_again": rounded(figures.again),
        "repeated_prompts": figures.repeated,
    }


def _figure(estimate: Estimate) -> Figure:
    return Figure(*_ends(estimate), estimate.interval, estimate.reason)


def _rank_figure(estimate: Estimate) -> RankFigure:
    return RankFigure(*_ends(estimate), estimate.interval, estimate.reason, bounds=rounded_bounds(estimate.bounds))


def _ends(estimate: Estimate) -> tuple[float | None, float | None, float | None]:
    return rounded(estimate.value), rounded(estimate.low), rounded(estimate.high)


def rates_of(measures: Measures | None) -> dict[str, Any]:
    """Score, share of voice and citation rate with their intervals, by the names that `EngineScore` and `LocaleScore`
    have for them; all None where nothing was measured."""
    columns: dict[str, Any] = {}
    for prefix, name in (("", "score"), ("share_of_voice_", "share_of_voice"), ("citation_rate_", "citation_rate")):
        estimate: Estimate = getattr(measures, name) if measures else UNMEASURED
        columns[name] = rounded(estimate.value)
        columns[f"{prefix}low"], columns[f"{prefix}high"] = rounded(estimate.low), rounded(estimate.high)
        columns[f"{prefix}interval"] = estimate.interval
    return columns
