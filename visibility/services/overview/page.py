"""All that the page of a brand shows, of one reading: in twelve statements where the latest day has all of now."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.utils import timezone

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from brands.models import Brand
from visibility.detection.types import BRAND
from visibility.engines.surfaces import surface_of
from visibility.measured.basis import StoredDay, StoredEngine
from visibility.measured.reading import KnownDays
from visibility.measured.topic_table import TopicTable, read_topic_table
from visibility.resources.brands import ChangeReport, RunResource, TrendItem
from visibility.resources.figures import FiguresReport
from visibility.resources.now import NowItem
from visibility.resources.topics import TopicItem, TopicSubject
from visibility.services.overview.standing import Standing, standing_of
from visibility.services.reading import reporting
from visibility.services.reading.changes import change_of, latest_rows
from visibility.services.reading.figures import figures_now
from visibility.services.reading.now import item_of_row
from visibility.services.reading.rescoring import Counting, counting_of
from visibility.services.reading.statements import RUN_HISTORY_CAP
from visibility.services.reading.topics import topic_items
from visibility.services.recommendations.listing import ToDo, first_to_do

FIRST_DAY = date(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class TopicRow:
    """One topic: the brand, and the competitor whom most answers name; None where no competitor is watched."""

    topic: str
    own: TopicSubject
    rival: TopicSubject | None

    @property
    def lead(self) -> float:
        """Points by which the competitor is ahead; negative where the brand is."""
        rival = self.rival.score if self.rival else None
        return (rival or 0.0) - (self.own.score or 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What there is from the first measured day on. `topics` begin with those on which a competitor is furthest
    ahead."""

    now: NowItem
    changes: ChangeReport
    figures: FiguresReport
    standing: Standing
    topics: Sequence[TopicRow]


@dataclass(frozen=True, slots=True, kw_only=True)
class BrandOverview:
    """A brand's page: the measured days oldest first, the runs newest first, what to do first, how it is counted."""

    trend: Sequence[TrendItem]
    runs: Sequence[RunResource]
    to_do: ToDo
    counting: Counting
    measured: Measured | None


@snapshot()
def brand_overview(caller: Caller, brand: Brand, *, most_to_do: int) -> BrandOverview:
    """Of a brand that was read through the caller. Raises insufficient_scope."""
    runs = reporting.runs(caller, brand_id=brand.pk, known=True).runs
    trend = reporting.trend(caller, brand_id=brand.pk, first=FIRST_DAY, last=timezone.now().date()).trend
    measured, table = _measured(caller, brand, trend, runs) if trend else (None, None)
    names = table.topics.names if table else None
    return BrandOverview(
        trend=trend,
        runs=runs,
        to_do=first_to_do(caller, brand=brand, most=most_to_do, topic_names=names),
        counting=counting_of(brand),
        measured=measured,
    )


def _measured(
    caller: Caller, brand: Brand, trend: Sequence[TrendItem], runs: Sequence[RunResource]
) -> tuple[Measured, TopicTable]:
    scores = latest_rows(caller, brand, KnownDays([_stored(item) for item in trend], _imported(runs)))
    now, figures = item_of_row(scores.now, scores.now.rows[0]), figures_now(scores.now, brand)
    names = {str(row.competitor or BRAND): row.name for row in figures.subjects}
    table = read_topic_table(scores.now.basis, names, [row.engine for row in scores.now.averaged])
    measured = Measured(
        now=now,
        changes=change_of(scores),
        figures=figures,
        standing=standing_of(now, figures.subjects, trend),
        topics=sorted(map(_topic_row, topic_items(table)), key=lambda row: -row.lead),
    )
    return measured, table


def _stored(item: TrendItem) -> StoredDay:
    engines = [
        StoredEngine(row.engine, row.score, row.answers, surface_of(row.engine, row.surface)) for row in item.engines
    ]
    return StoredDay(item.date, engines, item.runs)


def _imported(runs: Sequence[RunResource]) -> frozenset[str] | None:
    """The engines whose answers were imported; None where not all runs are known."""
    if len(runs) >= RUN_HISTORY_CAP:
        return None
    return frozenset(engine for run in runs if run.trigger == "import" for engine in run.engines)


def _topic_row(item: TopicItem) -> TopicRow:
    own, *rivals = item.subjects
    return TopicRow(item.topic, own, rivals[0] if rivals else None)
