"""The figures of now, of the brand and of each competitor: those of the latest day where it has all that is shown,
else counted from the answers of the engines' own days."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from apikeys.caller import Caller
from apikeys.db.instances import columns_of, instances_of
from apikeys.db.prepared import Prepared, Slot
from brands.models import Brand, Competitor
from visibility.detection.detector import DETECTOR_VERSION, named_in
from visibility.detection.types import BRAND
from visibility.engines.surfaces import Surface, averaged_together
from visibility.measured.basis import Basis, EngineDay, Reason, covers
from visibility.measured.changes import tell_changes
from visibility.measured.generations import tracked_names_by_brand
from visibility.measured.kept import Counted, keep, key_of, plain, recall
from visibility.measured.names import TrackedNames
from visibility.measured.reading import answers_of, read_basis
from visibility.measured.sampling import Sample, read_samples
from visibility.measured.scoring import score_rows
from visibility.measured.topics import Asked, read_asked
from visibility.models import DailyScore, Panel


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
    return stored_now(basis, in_order(_rows_of(brand, basis.latest) if basis.latest else ()))


def _rows_of(brand: Brand, day: date) -> Iterable[DailyScore]:
    """The scores of a day with their competitors."""
    for row in _OF_DAY.rows(None, brand_id=brand.pk, day=day):
        score, score.competitor = instances_of(row, DailyScore, Competitor)
        score.brand = brand
        yield score


def _of_day(caller: Caller | None, brand_id: Slot, day: Slot) -> QuerySet[DailyScore, Any]:
    scores = DailyScore.objects.filter(brand=brand_id, date=day).order_by()
    return scores.values_list(*columns_of(DailyScore), *columns_of(Competitor, "competitor__"))


_OF_DAY = Prepared(_of_day)


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


Stored = Mapping[UUID, Sequence[DailyScore]]
"""Scores of the engines' own days, by brand, with their competitors."""


def count_now(brands: Iterable[Brand], bases: Mapping[UUID, Basis], stored: Stored | None = None) -> dict[UUID, Now]:
    """Now, by brand, counted from the answers of each engine's own day to the prompts that are active today: as many
    statements for one brand as for all. What was counted is kept for as long as all that it is counted from stays.
    `stored` where it was read already; other days may be among them."""
    brand_by_id = {brand.pk: brand for brand in brands}
    stored = _of_days(stored or _stored([bases[brand] for brand in brand_by_id]), bases)
    questions = read_asked(brand_by_id)
    keys = {brand: key_of(bases[brand], questions[brand], rows) for brand, rows in stored.items()}
    kept = recall(keys.values())
    counted = {brand: kept[key] for brand, key in keys.items() if key in kept}
    if new := brand_by_id.keys() - counted.keys():
        fresh = _count({brand: bases[brand] for brand in new}, questions)
        keep({keys[brand]: of_brand for brand, of_brand in fresh.items() if brand in keys})
        counted |= fresh
    rivals = _rivals(counted, stored)
    return {
        brand: _now(brand_by_id[brand], bases[brand], of_brand, stored.get(brand, ()), rivals)
        for brand, of_brand in counted.items()
    }


def _of_days(stored: Stored, bases: Mapping[UUID, Basis]) -> Stored:
    return {brand: [row for row in rows if row.date in bases[brand].days] for brand, rows in stored.items()}


def _stored(bases: Sequence[Basis]) -> Stored:
    """The scores of the engines' own days, for what they say of changes."""
    conditions = [Q(brand=basis.brand, date__in=basis.days) for basis in bases if basis.days]
    scores: dict[UUID, list[DailyScore]] = defaultdict(list)
    if conditions:
        rows = DailyScore.objects.filter(reduce(or_, conditions)).select_related("competitor")
        for row in rows.defer("details", "panel"):
            scores[row.brand_id].append(row)
    return scores


def _rivals(counted: Mapping[UUID, Counted], stored: Mapping[UUID, Sequence[DailyScore]]) -> dict[UUID, Competitor]:
    """The competitors that were counted: as their stored scores have them, or else read."""
    rivals = {row.competitor.pk: row.competitor for rows in stored.values() for row in rows if row.competitor}
    missing = {pk for of_brand in counted.values() for pk in of_brand.rows if pk is not None} - rivals.keys()
    return rivals | Competitor.objects.in_bulk(missing) if missing else rivals


def _now(
    brand: Brand, basis: Basis, counted: Counted, stored: Iterable[DailyScore], rivals: Mapping[UUID, Competitor]
) -> Now:
    coverage = {engine: Coverage(*numbers) for engine, numbers in counted.covered.items()}
    rows = list(counted.scores())
    for row in rows:
        row.brand, row.competitor = brand, rivals.get(row.competitor_id) if row.competitor_id else None
    now = Now(basis, in_order(rows), counted.aside, coverage)
    by_subject: dict[UUID | None, dict[date, DailyScore]] = defaultdict(dict)
    for row in stored:
        by_subject[row.competitor_id][row.date] = row
    for row in now.rows:
        tell_changes(row, basis.compared, now.averaged, by_subject.get(row.competitor_id, {}))
    return now


def _count(bases: Mapping[UUID, Basis], questions: Mapping[UUID, Asked]) -> dict[UUID, Counted]:
    """What the answers say, by brand."""
    tracked_by_brand = tracked_names_by_brand(bases.keys())
    samples = read_samples(
        tracked_by_brand,
        answers_of([engine_day for basis in bases.values() for engine_day in basis.engines], all_topics=True),
    )
    return {
        brand: _counted(
            tracked,
            bases[brand],
            samples[brand],
            _coverage(samples[brand], questions[brand], _unbranded(tracked, questions[brand])),
        )
        for brand, tracked in tracked_by_brand.items()
    }


def _counted(tracked: TrackedNames, basis: Basis, sample: Sample, coverage: Mapping[str, Coverage]) -> Counted:
    covered = {engine_day.engine: coverage.get(engine_day.engine, NO_COVERAGE) for engine_day in basis.engines}
    uncovered = sorted(name for name, engine_coverage in covered.items() if not engine_coverage.is_enough)
    covered_sample = _sample(sample, uncovered)
    aside = engines_aside({name: covered_sample.engines[name].surface for name in covered_sample.counted}, uncovered)
    days = [engine_day.day for engine_day in basis.engines if engine_day.engine not in aside] or list(basis.days)
    panel = Panel(brand_id=basis.brand, content={"detector": DETECTOR_VERSION})
    rows = score_rows(tracked, max(days), covered_sample, panel)
    return Counted(
        {UUID(str(row.competitor_id)) if row.competitor_id else None: plain(row) for row in rows},
        aside,
        {name: (engine_coverage.answered, engine_coverage.prompts) for name, engine_coverage in covered.items()},
    )


def _sample(sample: Sample, uncovered: Iterable[str]) -> Sample:
    """All engines count that answered anything: their days did. Those that cover too little stand aside."""
    engines = {
        name: replace(engine, versions=engine.answered) for name, engine in sample.engines.items() if engine.answered
    }
    return replace(sample, engines=engines, aside=frozenset(uncovered))


def _unbranded(tracked: TrackedNames, questions: Asked) -> set[UUID]:
    """The active prompts on topics that count that do not name the brand."""
    return {
        prompt
        for prompt, text in questions.wordings.items()
        if questions.key_of[prompt] not in tracked.vocabulary.not_own
        and BRAND not in named_in(text, tracked.dictionary)
    }


def _coverage(sample: Sample, questions: Asked, unbranded: Collection[UUID]) -> dict[str, Coverage]:
    """By engine: how many of the active prompts that do not name the brand are answered."""
    answered = {
        engine: {questions.prompt_of.get(outcome.prompt) for outcome in outcomes} & set(unbranded)
        for engine, outcomes in sample.outcomes.items()
    }
    return {engine: Coverage(len(prompts), len(unbranded)) for engine, prompts in answered.items()}
