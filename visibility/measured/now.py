"""The figures of now, of the brand and of each competitor: those of the latest day where it has all that is shown,
else counted from the answers of the engines' own days."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from brands.models import Brand, Competitor
from visibility.detection.detector import DETECTOR_VERSION, named_in
from visibility.detection.types import BRAND
from visibility.engines.surfaces import Surface, averaged_together
from visibility.measured.basis import Basis, EngineDay, Reason, covers
from visibility.measured.changes import tell_changes
from visibility.measured.generations import tracked_names_by_brand
from visibility.measured.names import TrackedNames
from visibility.measured.reading import answers_of, read_basis
from visibility.measured.sampling import Sample, read_samples
from visibility.measured.scoring import score_rows
from visibility.models import Answer, DailyScore, Panel, Prompt


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many of the active prompts that do not name the brand an engine's day answered."""

    answered: int
    prompts: int

    @property
    def is_enough(self) -> bool:
        """Whether the engine may enter the figure over engines."""
        return self.answered > 0 and covers(self.answered, self.prompts)


NO_COVERAGE = Coverage(0, 0)


@dataclass(frozen=True, slots=True)
class Now:
    """What is measured now. `rows` are unsaved where they were counted for this: the brand's first, then those of
    competitors by name; none before the first measured day. `aside` are the engines of `basis` that are no part of
    the figure over engines, with their reason; `coverage` by engine, where it was counted."""

    basis: Basis
    rows: Sequence[DailyScore]
    aside: Mapping[str, Reason]
    coverage: Mapping[str, Coverage]

    @property
    def own(self) -> DailyScore | None:
        """The brand's own figures."""
        return self.rows[0] if self.rows else None

    @property
    def averaged(self) -> tuple[EngineDay, ...]:
        """The engines of the figure over engines."""
        return tuple(engine_day for engine_day in self.basis.engines if engine_day.engine not in self.aside)


def read_now(brand: Brand, basis: Basis | None = None) -> Now:
    """What is measured of the brand and its competitors now; `basis` where it is known already."""
    basis = basis or read_basis(brand.pk)
    if not basis.is_latest_day:
        return count_now([brand], {brand.pk: basis})[brand.pk]
    rows = DailyScore.objects.filter(brand=brand, date=basis.latest).select_related("competitor", "brand")
    return stored_now(basis, in_order(rows))


def in_order(rows: Iterable[DailyScore]) -> list[DailyScore]:
    """The brand first, then its competitors by name."""
    return sorted(rows, key=lambda row: (row.competitor is not None, row.competitor.name if row.competitor else ""))


def stored_now(basis: Basis, rows: Sequence[DailyScore]) -> Now:
    """Now, where the latest day has all of it."""
    return Now(basis, rows, surfaces_aside({day.engine: day.surface for day in basis.engines}), {})


def surfaces_aside(surfaces: Mapping[str, Surface]) -> dict[str, Reason]:
    """The engines whose surface stands beside the one that makes the figure over engines, with their reason."""
    averaged = averaged_together(surfaces)
    return {
        name: Reason.LOCAL_SEARCH if surfaces[name] is Surface.PAGES else Reason.SURFACE
        for name in sorted(surfaces.keys() - set(averaged))
    }


def engines_aside(surfaces: Mapping[str, Surface], uncovered: Collection[str]) -> dict[str, Reason]:
    """As `surfaces_aside`, where these engines cover too few of the active prompts."""
    aside = surfaces_aside({name: surface for name, surface in surfaces.items() if name not in uncovered})
    return aside | dict.fromkeys(uncovered, Reason.COVERAGE)


def count_now(brands: Iterable[Brand], bases: Mapping[UUID, Basis]) -> dict[UUID, Now]:
    """Now, by brand, counted from the answers of each engine's own day to the prompts that are active today: as many
    statements for one brand as for all."""
    brand_by_id = {brand.pk: brand for brand in brands}
    tracked_by_brand = tracked_names_by_brand(brand_by_id)
    answers = answers_of([engine_day for brand in brand_by_id for engine_day in bases[brand].engines])
    samples = read_samples(tracked_by_brand, answers)
    coverage = _coverage(tracked_by_brand, answers)
    stored = _stored([bases[brand] for brand in brand_by_id])
    rivals = {rival.pk: rival for rival in Competitor.objects.filter(brand__in=brand_by_id)}
    return {
        brand: _with_changes(
            _counted(brand_by_id[brand], bases[brand], tracked, samples[brand], coverage[brand], rivals), stored
        )
        for brand, tracked in tracked_by_brand.items()
    }


_Stored = dict[tuple[UUID, UUID | None], dict[date, DailyScore]]
"""The stored scores by brand and competitor, and by day."""


def _stored(bases: Sequence[Basis]) -> _Stored:
    """The scores of the engines' own days, for what they say of changes."""
    conditions = [Q(brand=basis.brand, date__in=basis.days) for basis in bases if basis.days]
    scores: _Stored = defaultdict(dict)
    for row in DailyScore.objects.filter(reduce(or_, conditions)).defer("details", "panel") if conditions else ():
        scores[row.brand_id, row.competitor_id][row.date] = row
    return scores


def _with_changes(now: Now, stored: _Stored) -> Now:
    for row in now.rows:
        of_subject = stored.get((now.basis.brand, row.competitor.pk if row.competitor else None), {})
        tell_changes(row, now.basis.compared, now.averaged, of_subject)
    return now


def _counted(
    brand: Brand,
    basis: Basis,
    tracked: TrackedNames,
    sample: Sample,
    coverage: Mapping[str, Coverage],
    rivals: Mapping[UUID, Competitor],
) -> Now:
    covered = {engine_day.engine: coverage.get(engine_day.engine, NO_COVERAGE) for engine_day in basis.engines}
    uncovered = sorted(name for name, engine_coverage in covered.items() if not engine_coverage.is_enough)
    covered_sample = _sample(sample, uncovered)
    aside = engines_aside({name: covered_sample.engines[name].surface for name in covered_sample.counted}, uncovered)
    days = [engine_day.day for engine_day in basis.engines if engine_day.engine not in aside] or list(basis.days)
    panel = Panel(brand=brand, content={"detector": DETECTOR_VERSION})
    rows = score_rows(tracked, max(days), covered_sample, panel)
    for row in rows:
        row.brand, row.competitor = brand, rivals.get(UUID(str(row.competitor_id))) if row.competitor_id else None
    return Now(basis, in_order(rows), aside, covered)


def _sample(sample: Sample, uncovered: Iterable[str]) -> Sample:
    """All engines count that answered anything: their days did. Those that cover too little stand aside."""
    engines = {
        name: replace(engine, versions=engine.answered) for name, engine in sample.engines.items() if engine.answered
    }
    return replace(sample, engines=engines, aside=frozenset(uncovered))


def _coverage(
    tracked_by_brand: Mapping[UUID, TrackedNames], answers: QuerySet[Answer, Any]
) -> dict[UUID, dict[str, Coverage]]:
    """By brand and engine: how many of the active prompts that do not name the brand are answered."""
    active = Prompt.objects.filter(brand__in=tracked_by_brand).active().order_by()
    prompts: dict[UUID, set[UUID]] = {brand: set() for brand in tracked_by_brand}
    for brand, pk, text in active.values_list("brand_id", "pk", "text"):
        if BRAND not in named_in(text, tracked_by_brand[brand].dictionary):
            prompts[brand].add(pk)
    answered: dict[UUID, Counter[str]] = {brand: Counter() for brand in tracked_by_brand}
    pairs = answers.filter(state=Answer.State.ANSWERED).values_list("brand_id", "engine", "prompt_id").distinct()
    for brand, engine, prompt in pairs:
        answered[brand][engine] += prompt in prompts[brand]
    return {
        brand: {engine: Coverage(number, len(prompts[brand])) for engine, number in engines.items()}
        for brand, engines in answered.items()
    }
