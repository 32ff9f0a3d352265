"""Days: from cells to the figures of one UTC day, of the brand and each of its competitors."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from django.db.models import QuerySet, Sum

from brands.models import Brand
from visibility.answers.detect import BRAND, competitor_of, subject_key
from visibility.metrics import Counts, Figure, Figures, Row, SubjectFigures, count, measure
from visibility.models import Cell, DailyScore, Run, RunEngine, Surface

LEAST_ANSWERED = 0.8
"""An engine counts on a day when at least this part of its prompts was answered."""
SURFACE_ORDER = (Surface.API, Surface.APP, Surface.API_IMPORTED, Surface.IMPORTED, Surface.PAGES)
"""Of the surfaces of a day the first that is there makes the figure over engines: they are never pooled."""
_MENTIONS = ("mentioned", "ranked", "gain", "gain_squares", "comentions", "without_brand")
_SUMS = ("answers", "failed", *_MENTIONS, "cited", "unsourced")
EngineKey = tuple[str, str]
"""An engine's name, and the surface that it was asked through."""
Summed = Mapping[str, Any]
"""Sums over the cells of one engine, wording and subject."""


@dataclass(frozen=True, slots=True)
class Served:
    """The models that an engine's answers say they are of, and whose countries; empty: they do not say."""

    models: frozenset[str]
    countries: frozenset[str]


@dataclass(frozen=True, slots=True)
class DayCounts:
    """What was asked on a day: the counts of the engines that count, and how many answers failed.

    `engines` and `served` have the keys that engines have in `counts`.
    """

    counts: Counts
    failed: int
    engines: Mapping[str, EngineKey]
    served: Mapping[str, Served]
    runs: Sequence[UUID]


def counts_of_days(brand: Brand, days: Collection[date]) -> DayCounts:
    """What was asked and answered on these days together, over their visibility runs."""
    cells = Cell.objects.filter(brand=brand, day__in=days, run__kind=Run.Kind.VISIBILITY)
    return count_rows(brand, own_rows(cells), sorted(set(cells.values_list("run", flat=True))))


def counts_of_day(brand: Brand, day: date) -> DayCounts:
    """What was asked and answered on one day."""
    return counts_of_days(brand, [day])


def own_rows(cells: QuerySet[Cell]) -> list[Summed]:
    """The counts of these cells by engine, wording and subject, without topics that are not the brand's own."""
    own = cells.exclude(version__prompt__topic__own=False)
    keys = ("engine__name", "surface", "version", "version__prompt__topic", "competitor", "named")
    return list(own.values(*keys).annotate(**{f"sum_{name}": Sum(name) for name in _SUMS}).order_by())


def count_rows(brand: Brand, rows: Sequence[Summed], runs: Sequence[UUID]) -> DayCounts:
    """The rows as counts, of the engines of which enough prompts were answered."""
    counted, averaged = engines_that_count(rows)
    names = {_engine_key(key): key for key in sorted(counted)}
    subjects = [BRAND, *(str(pk) for pk in brand.competitors.order_by("pk").values_list("pk", flat=True))]
    counts = count(
        (_row(row) for row in rows if engine_of(row) in counted),
        subjects,
        [name for name, key in names.items() if key in averaged],
    )
    failed = sum(row["sum_failed"] for row in rows if row["competitor"] is None)
    served = _served(runs)
    return DayCounts(counts, failed, names, {name: served[key] for name, key in names.items()}, runs)


def engines_that_count(rows: Iterable[Summed]) -> tuple[set[EngineKey], set[EngineKey]]:
    """The engines of which enough prompts were answered, and those of them that make the figure over engines."""
    asked: dict[EngineKey, list[bool]] = defaultdict(list)
    for row in rows:
        if row["competitor"] is None:
            asked[engine_of(row)].append(bool(row["sum_answers"]))
    counted = {key for key, answered in asked.items() if sum(answered) >= LEAST_ANSWERED * len(answered)}
    if any(surface != Surface.PAGES for _, surface in counted):
        counted = {key for key in counted if key[1] != Surface.PAGES}  # pages are searched, and are no AI system
    first = next((surface for surface in SURFACE_ORDER if any(key[1] == surface for key in counted)), None)
    return counted, {key for key in counted if key[1] == first}


def _served(runs: Sequence[UUID]) -> Mapping[EngineKey, Served]:
    models: dict[EngineKey, set[str]] = defaultdict(set)
    countries: dict[EngineKey, set[str]] = defaultdict(set)
    columns = ("engine__name", "surface", "served_models", "countries")
    for name, surface, run_models, run_countries in RunEngine.objects.filter(run__in=runs).values_list(*columns):
        models[name, surface].update(run_models)
        countries[name, surface].update(run_countries)
    served = {key: Served(frozenset(models[key]), frozenset(countries[key])) for key in models}
    return defaultdict(lambda: Served(frozenset(), frozenset()), served)


def daily_scores(brand: Brand, day: date | None, counted: DayCounts) -> list[DailyScore]:
    """The scores of the brand and its competitors, not saved."""
    return [
        DailyScore(
            brand=brand,
            competitor_id=competitor_of(str(subject)),
            date=day,
            **_score(figures.overall),
            figures=stored_figures(figures, counted),
            runs=list(counted.runs),
        )
        for subject, figures in measure(counted.counts).items()
    ]


def stored_figures(figures: SubjectFigures, counted: DayCounts) -> dict[str, object]:
    """The figures in addition to the score, by their names in the API."""
    overall = figures.overall
    panel = overall.score.panel
    return {
        "panelLow": rounded(panel.low) if panel else None,
        "panelHigh": rounded(panel.high) if panel else None,
        "prompts": overall.prompts,
        "topics": overall.topics,
        "answers": overall.answers,
        "failed": counted.failed,
        **_stored("shareOfVoice", overall.share_of_voice),
        **_stored("prominence", overall.prominence),
        **_stored("citationRate", overall.citation_rate),
        "engines": [_stored_engine(counted.engines[str(key)], each) for key, each in figures.by_engine.items()],
    }


def _stored(name: str, figure: Figure) -> dict[str, float | None]:
    return {name: rounded(figure.value), f"{name}Low": _low(figure), f"{name}High": _high(figure)}


def _stored_engine(key: EngineKey, figures: Figures) -> dict[str, object]:
    return {"engine": key[0], "surface": key[1], **_score(figures), "answers": figures.answers}


def _score(figures: Figures) -> dict[str, float | None]:
    return {"score": rounded(figures.score.value), "low": _low(figures.score), "high": _high(figures.score)}


def engine_of(row: Summed) -> EngineKey:
    """The engine of a row of sums."""
    return row["engine__name"], row["surface"]


def _row(row: Summed) -> Row:
    sums = {name: float(row[f"sum_{name}"]) for name in _SUMS if name != "failed"}
    return Row(
        engine=_engine_key(engine_of(row)),
        prompt=str(row["version"]),
        topic=str(row["version__prompt__topic"]),
        subject=subject_key(row["competitor"]),
        named=row["named"],
        **sums,
    )


def _engine_key(key: EngineKey) -> str:
    return f"{key[0]} {key[1]}"


def rounded(value: float | None) -> float | None:
    """With two decimals, as figures are stored; never -0.0."""
    return None if value is None else round(value, 2) + 0.0


def _low(figure: Figure) -> float | None:
    return rounded(figure.interval.low) if figure.interval else None


def _high(figure: Figure) -> float | None:
    return rounded(figure.interval.high) if figure.interval else None
