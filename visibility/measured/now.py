"""The figures of now, of the brand and of each competitor: those of the latest day where it has all that is shown,
else counted from the answers of the engines' own days."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
from visibility.detection.detector import DETECTOR_VERSION
from visibility.engines.surfaces import Surface, averaged_together
from visibility.measured.asked_then import AskedThen, read_asked_then
from visibility.measured.basis import Basis, EngineDay, Reason
from visibility.measured.changes import tell_changes
from visibility.measured.generations import tracked_names_by_brand
from visibility.measured.kept import Counted, keep, key_of, plain, recall
from visibility.measured.names import TrackedNames
from visibility.measured.reading import answers_of, read_basis
from visibility.measured.sampling import Sample, read_samples
from visibility.measured.scoring import score_rows
from visibility.measured.thin import drop_intervals
from visibility.measured.topics import read_asked
from visibility.models import DailyScore, Panel


@dataclass(frozen=True, slots=True)
class Now:
    """What is measured now. `rows` are unsaved where they were counted for this: the brand's first, then those of
    competitors by name; none before the first measured day. `thin` says of each engine, and under None of the figure
    over engines, of which most prompts are archived, how many are left of how many; it has no topic interval."""

    basis: Basis
    rows: Sequence[DailyScore]
    thin: Mapping[str | None, tuple[int, int]] = field(default_factory=dict)

    @property
    def own(self) -> DailyScore | None:
        """The brand's own figures."""
        return self.rows[0] if self.rows else None

    @property
    def aside(self) -> dict[str, Reason]:
        """The engines that are no part of the figure over engines, with their reason."""
        return engines_aside(self.basis)

    @property
    def averaged(self) -> tuple[EngineDay, ...]:
        """The engines of the figure over engines."""
        return averaged_of(self.basis)


def read_now(brand: Brand, basis: Basis | None = None) -> Now:
    """What is measured of the brand and its competitors now; `basis` where it is known already."""
    basis = basis or read_basis(brand.pk)
    if not basis.is_latest_day:
        return count_now([brand], {brand.pk: basis})[brand.pk]
    return Now(basis, in_order(_rows_of(brand, basis.latest) if basis.latest else ()))


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


def engines_aside(basis: Basis) -> dict[str, Reason]:
    """The engines whose surface stands beside the one that makes the figure over engines, with their reason."""
    surfaces = {row.engine: row.surface for row in basis.engines}
    averaged = averaged_together(surfaces)
    return {
        name: Reason.LOCAL_SEARCH if surfaces[name] is Surface.PAGES else Reason.SURFACE
        for name in sorted(surfaces.keys() - set(averaged))
    }


def averaged_of(basis: Basis) -> tuple[EngineDay, ...]:
    """The engines of the figure over engines."""
    aside = engines_aside(basis)
    return tuple(engine_day for engine_day in basis.engines if engine_day.engine not in aside)


Stored = Mapping[UUID, Sequence[DailyScore]]
"""Scores of the engines' own days, by brand, with their competitors."""


def count_now(brands: Iterable[Brand], bases: Mapping[UUID, Basis], stored: Stored | None = None) -> dict[UUID, Now]:
    """Now, by brand, counted from the answers of each engine's own day to the prompts that are still asked: as many
    statements for one brand as for all. What was counted is kept for as long as all that it is counted from stays.
    `stored` where it was read already; other days may be among them."""
    brand_by_id = {brand.pk: brand for brand in brands}
    stored = _of_days(stored or _stored([bases[brand] for brand in brand_by_id]), bases)
    questions = read_asked(brand_by_id)
    keys = {brand: key_of(bases[brand], questions[brand], rows) for brand, rows in stored.items()}
    kept = recall(keys.values())
    counted = {brand: kept[key] for brand, key in keys.items() if key in kept}
    if new := brand_by_id.keys() - counted.keys():
        fresh = _count({brand: bases[brand] for brand in new})
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
    rows = list(counted.scores())
    for row in rows:
        row.brand, row.competitor = brand, rivals.get(row.competitor_id) if row.competitor_id else None
    now = Now(basis, in_order(rows), counted.thin)
    by_subject: dict[UUID | None, dict[date, DailyScore]] = defaultdict(dict)
    for row in stored:
        by_subject[row.competitor_id][row.date] = row
    for row in now.rows:
        tell_changes(row, basis.compared, now.averaged, by_subject.get(row.competitor_id, {}))
    return now


def _count(bases: Mapping[UUID, Basis]) -> dict[UUID, Counted]:
    """What the answers say, by brand."""
    tracked_by_brand = tracked_names_by_brand(bases.keys())
    samples = read_samples(
        tracked_by_brand,
        answers_of([engine_day for basis in bases.values() for engine_day in basis.engines], all_topics=True),
    )
    panels = read_asked_then([basis for basis in bases.values() if basis.archived_since])
    return {
        brand: _counted(tracked, bases[brand], samples[brand], _thin(bases[brand], panels.get(brand)))
        for brand, tracked in tracked_by_brand.items()
    }


def _thin(basis: Basis, panel: AskedThen | None) -> dict[str | None, tuple[int, int]]:
    """Where fewer than half of the prompts are left that were asked."""
    if panel is None:
        return {}
    groups: dict[str | None, list[str]] = {row.engine: [row.engine] for row in basis.engines}
    groups[None] = [row.engine for row in averaged_of(basis)]
    left = {name: panel.left(engines) for name, engines in groups.items()}
    return {name: (still, then) for name, (still, then) in left.items() if 2 * still < then}


def _counted(
    tracked: TrackedNames, basis: Basis, sample: Sample, thin: Mapping[str | None, tuple[int, int]]
) -> Counted:
    days = [engine_day.day for engine_day in averaged_of(basis)] or list(basis.days)
    panel = Panel(brand_id=basis.brand, content={"detector": DETECTOR_VERSION})
    rows = score_rows(tracked, max(days), _sample(sample), panel)
    for row in rows:
        drop_intervals(row, thin)
    return Counted(
        {UUID(str(row.competitor_id)) if row.competitor_id else None: plain(row) for row in rows}, dict(thin)
    )


def _sample(sample: Sample) -> Sample:
    """All engines count that answered anything: their days did."""
    engines = {
        name: replace(engine, versions=engine.answered) for name, engine in sample.engines.items() if engine.answered
    }
    return replace(sample, engines=engines)
