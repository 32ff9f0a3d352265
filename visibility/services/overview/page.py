"""All that the page of a brand shows, of one reading: in twelve statements where the latest day has all of now."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from django.utils import timezone

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from brands.models import Brand
from visibility.detection.types import BRAND
from visibility.measured.topic_table import TopicTable, read_topic_table
from visibility.metrics.rivalry import find_leads
from visibility.resources.brands import ChangeReport, RunResource, TrendItem
from visibility.resources.figures import FiguresReport
from visibility.resources.now import NowItem
from visibility.resources.topics import TopicSubject
from visibility.services.overview.cited import Cited, cited_now
from visibility.services.overview.standing import Standing, standing_of
from visibility.services.overview.verdict import GoodOrNot, good_or_not
from visibility.services.reading import reporting
from visibility.services.reading.changes import change_of, latest_rows
from visibility.services.reading.figures import figures_now
from visibility.services.reading.now import item_of_row
from visibility.services.reading.rescoring import Counting, counting_of
from visibility.services.reading.topics import topic_items
from visibility.services.recommendations.listing import ToDo, first_to_do

FIRST_DAY = date(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class TopicRow:
    """One topic: the brand, and the competitor whom most answers name; None where no competitor is watched."""

    key: str
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
    good: GoodOrNot
    cited: Cited


@dataclass(frozen=True, slots=True, kw_only=True)
class BrandOverview:
    """A brand's page: the measured days oldest first, the runs newest first and the latest of each kind, what to do
    first, how it is counted; `measured` is None before the first measured day."""

    trend: Sequence[TrendItem]
    runs: Sequence[RunResource]
    latest_runs: Sequence[RunResource]
    to_do: ToDo
    counting: Counting
    measured: Measured | None


@snapshot()
def brand_overview(caller: Caller, brand: Brand, *, most_to_do: int) -> BrandOverview:
    """Of a brand that was read through the caller. Raises insufficient_scope."""
    runs = reporting.run_history(caller, brand_id=brand.pk)
    trend = reporting.trend(caller, brand_id=brand.pk, first=FIRST_DAY, last=timezone.now().date()).trend
    measured, table = _measured(caller, brand, trend) if trend else (None, None)
    names = table.topics.names if table else None
    return BrandOverview(
        trend=trend,
        runs=runs.newest,
        latest_runs=runs.latest,
        to_do=first_to_do(caller, brand=brand, most=most_to_do, topic_names=names),
        counting=counting_of(brand),
        measured=measured,
    )


def _measured(caller: Caller, brand: Brand, trend: Sequence[TrendItem]) -> tuple[Measured, TopicTable]:
    scores = latest_rows(caller, brand)
    now, figures = item_of_row(scores.now, scores.now.rows[0], scores.told_rows), figures_now(scores.now, brand)
    names = {str(row.competitor or BRAND): row.name for row in figures.subjects}
    table = read_topic_table(
        scores.now.basis, names, [row.engine for row in scores.now.averaged], packed=scores.packed
    )
    standing = standing_of(now, figures.subjects)
    leads = find_leads(table.counts, BRAND) if table.counts else {}
    measured = Measured(
        now=now,
        changes=change_of(scores),
        figures=figures,
        standing=standing,
        topics=sorted(_topic_rows(table), key=lambda row: -row.lead),
        good=good_or_not(leads, names, standing.rank.words if standing.rank else ""),
        cited=cited_now(table),
    )
    return measured, table


def _topic_rows(table: TopicTable) -> Iterator[TopicRow]:
    for row, item in zip(table.rows, topic_items(table), strict=True):
        own, *rivals = item.subjects
        yield TopicRow(row.topic.key, item.topic, own, rivals[0] if rivals else None)
