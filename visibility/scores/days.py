"""Days: the figures of one UTC day, or of now, as they are stored, of the brand and each of its competitors."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.db.models import Sum

from brands.models import Brand
from visibility.answers.detect import competitor_of
from visibility.counts.figures import ends_of, shown_of
from visibility.counts.reader import select_days
from visibility.counts.secondary import secondary_of
from visibility.counts.sums import EngineKey, Sums, engines_of, rounded, table_of
from visibility.counts.window import own_cells
from visibility.metrics import Counts, Figure, Figures, SubjectFigures, measure
from visibility.models import DailyScore, RunEngine


@dataclass(frozen=True, slots=True)
class Served:
    """The models that an engine's answers say they are of, and the countries where none was asked for; empty: they do
    not say."""

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
    cells = own_cells(brand).filter(day__in=days, competitor=None).order_by()
    failed = dict(cells.values_list("run").annotate(Sum("failed")))
    return day_counts(brand, select_days(brand, days).sums, sum(failed.values()), sorted(failed))


def counts_of_day(brand: Brand, day: date) -> DayCounts:
    """What was asked and answered on one day."""
    return counts_of_days(brand, [day])


def day_counts(brand: Brand, sums: Sequence[Sums], failed: int = 0, runs: Sequence[UUID] = ()) -> DayCounts:
    """These sums with all competitors of the brand: also those that are being counted now."""
    competitors = brand.competitors.order_by("pk").values_list("pk", flat=True)
    engines, served = engines_of(sums), _served(runs)
    return DayCounts(
        table_of(sums, [None, *competitors]),
        failed,
        engines,
        {name: served[key] for name, key in engines.items()},
        runs,
    )


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


def secondary_of_day(brand: Brand, day: date) -> dict[str, object]:
    """What stands beside the brand's score of a day, by the names of the API."""
    return secondary_of(select_days(brand, [day])).model_dump(by_alias=True)


def stored_figures(figures: SubjectFigures, counted: DayCounts) -> dict[str, object]:
    """The figures in addition to the score, by their names in the API."""
    overall = figures.overall
    return {
        **_panel(overall.score),
        "prompts": overall.prompts,
        "topics": overall.topics,
        "answers": overall.answers,
        "failed": counted.failed,
        **_stored("shareOfVoice", overall.share_of_voice),
        **_stored("prominence", overall.prominence),
        **_stored("citationRate", overall.citation_rate),
        **_stored("recommendedRate", overall.recommended_rate),
        "engines": [_stored_engine(counted.engines[str(key)], each) for key, each in figures.by_engine.items()],
    }


def _stored_engine(key: EngineKey, figures: Figures) -> dict[str, object]:
    return {
        "engine": key[0],
        "surface": key[1],
        **_score(figures),
        **_panel(figures.score),
        "mentioned": figures.mentioned,
        "answers": figures.answers,
        **({"shown": shown.model_dump(by_alias=True)} if (shown := shown_of(figures)) else {}),
    }


def _score(figures: Figures) -> dict[str, float | None]:
    low, high = ends_of(figures.score.topic)
    return {"score": rounded(figures.score.value), "low": low, "high": high}


def _panel(figure: Figure) -> dict[str, float | None]:
    return dict(zip(("panelLow", "panelHigh"), ends_of(figure.panel), strict=True))


def _stored(name: str, figure: Figure) -> dict[str, float | None]:
    low, high = ends_of(figure.topic)
    return {name: rounded(figure.value), f"{name}Low": low, f"{name}High": high}
