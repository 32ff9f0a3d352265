"""The cards of the overview: each is a read and a partial of its name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.utils.safestring import SafeString
from django.utils.translation import gettext

from visibility.counts.figures import TopicDuel, duels_of, engines_of, figures_of
from visibility.counts.reader import Selection
from visibility.counts.resources import EngineNow, NowFigures, TestedStanding
from visibility.counts.words import base_words, margin_words, place_words, shown_interval
from visibility.drawing import charts
from visibility.metrics import Verdict
from visibility.models import ChangeRecord
from visibility.overview.lead import lead_words
from visibility.overview.line import ends_of
from visibility.pages.filters import FIGURES, Filters
from visibility.pages.frame import Visit
from visibility.pages.subjects import Subjects, speak_in_general
from visibility.pages.trend import Trend
from visibility.recommendations.diagnosis import diagnosis_of
from visibility.recommendations.resources import DiagnosisFact
from visibility.recommendations.work import Work
from visibility.scores.now_resources import Part
from visibility.sources.cited import CitedSite

MOST_PARTS, MOST_SITES = 6, 6
ADDRESSES = {
    "standing": "brand-answers",
    "split": "brand-answers",
    "words": "brand-reading",
    "sources": "brand-sources",
    "next": "brand-todo",
}
"""Where the answers behind each sentence of the diagnosis are."""
SHARED_SLOTS = ("standing", "split", "sources")
"""Those that neither quote answers nor say what to do: for people without an account."""


@dataclass(frozen=True, slots=True)
class Tile:
    """One of the figures that switch the chart."""

    key: str
    name: str
    value: float | None
    margin: str | None


@dataclass(frozen=True, slots=True)
class EngineRow:
    """An AI engine with the bar of its score."""

    now: EngineNow
    drawn: SafeString


@dataclass(frozen=True, slots=True)
class Hero:
    """The large figure: its margin, the change that is reported, the place, the headline, and the other figures."""

    figures: NowFigures | None
    margin: str
    lead: str
    place: str | None
    verdict: str
    tiles: Sequence[Tile]
    base: str
    engines: Sequence[EngineRow]

    @property
    def margin_of(self) -> str:
        """What the margin speaks of: prompts like these, or these."""
        shown = shown_interval(self.figures) if self.figures else None
        return shown[-1] if shown else ""


def hero_of(work: Work, now: Selection, trend: Trend, standings: Sequence[TestedStanding]) -> Hero:
    """The large figure of these answers."""
    figures, engines = figures_of(now), engines_of(now)
    tiles = _tiles(figures)
    return Hero(
        figures=figures,
        margin=(tiles[0].margin or "") if tiles else "",
        lead=lead_words(work, trend.record, standings, figures),
        place=place_words(standings),
        verdict=_verdict(trend) if trend.filters.is_whole else "",
        tiles=tiles,
        base=base_words(figures, engines) if figures else "",
        engines=[EngineRow(each, charts.bar(each.score, each.panel_low, each.panel_high)) for each in engines],
    )


def _verdict(trend: Trend) -> str:
    """What may be said of the last measured day where no change of the score holds; nothing of a first day."""
    if trend.record is not None or len(trend.points) < 2:
        return ""
    is_other = trend.points[-1].verdict == Verdict.NOT_COMPARABLE
    return gettext("the last two days cannot be compared") if is_other else gettext("no clear change")


def _tiles(figures: NowFigures | None) -> list[Tile]:
    if figures is None:
        return []
    shown = figures.model_dump(by_alias=True)
    return [
        Tile(key, str(name), shown[value], margin_or_none(shown[value], *ends_of(shown, value, low, high)))
        for key, (name, value, low, high) in FIGURES.items()
    ]


def margin_or_none(value: float | None, low: float | None, high: float | None) -> str | None:
    """An interval in words; None where there is none."""
    return None if value is None or low is None or high is None else margin_words(value, low, high)


@dataclass(frozen=True, slots=True)
class Why:
    """How the brand stands in sentences, each with the page behind it, and what the change is made of."""

    facts: Sequence[tuple[DiagnosisFact, str]]
    parts: Sequence[tuple[str, float, SafeString]]


def why_of(visit: Visit, filters: Filters, record: ChangeRecord | None, work: Work) -> Why:
    """The diagnosis of the brand, or of a topic, with the first of its work."""
    facts = [
        (fact, ADDRESSES[fact.slot])
        for fact in diagnosis_of(visit.brand, filters.chosen_topic, work.advice)
        if visit.link is None or fact.slot in SHARED_SLOTS
    ]
    return Why(facts, _parts(filters, record))


def _parts(filters: Filters, record: ChangeRecord | None) -> list[tuple[str, float, SafeString]]:
    """What topics add to the change, the largest first."""
    topics, parts = filters.offer.topics, record.parts.get("topics", []) if record else []
    named = [Part(name=topics[part["key"]].title, points=part["points"]) for part in parts if part["key"] in topics]
    return drawn_parts(named[:MOST_PARTS])


def drawn_parts(parts: Sequence[Part]) -> list[tuple[str, float, SafeString]]:
    """What parts of a change are called, add to it in points, and look like."""
    most = max((abs(part.points) for part in parts), default=1.0)
    return [(part.name or gettext("all others"), part.points, charts.change(part.points, most)) for part in parts]


@dataclass(frozen=True, slots=True)
class Standing:
    """The brand and its competitors by their score, each with the class of its colour and its bar."""

    rows: Sequence[tuple[TestedStanding, str, Any]]
    in_general: bool
    """Whether margins speak of prompts like these."""


def standing_of(subjects: Subjects, standings: Sequence[TestedStanding]) -> Standing:
    """These standings as they are drawn."""
    return Standing(subjects.drawn(standings), speak_in_general(standings))


@dataclass(frozen=True, slots=True)
class HeatRow:
    """One topic: a cell of `charts.heat` for each subject with its id (None: the brand), and the distance to the best
    competitor."""

    duel: TopicDuel
    cells: Sequence[tuple[int, str, UUID | None]]
    distance: int
    best: str
    begins_level: bool = False
    """The first below those where somebody is ahead."""


@dataclass(frozen=True, slots=True)
class Heat:
    """Topics by subjects, those where the brand is furthest behind first."""

    heads: Sequence[str]
    rows: Sequence[HeatRow]

    @property
    def weakest(self) -> HeatRow | None:
        """The topic where the brand is furthest behind, else where fewest answers mention it; of one topic none."""
        return min(self.rows, key=self._strength) if len(self.rows) > 1 else None

    @property
    def is_tie(self) -> bool:
        """Whether another topic is as weak as the weakest."""
        strengths = sorted(map(self._strength, self.rows))
        return strengths[0] == strengths[1]

    def _strength(self, row: HeatRow) -> tuple[int, float]:
        share = row.duel.own.mentioned / row.duel.own.of
        return min(row.distance, 0), share if self.rows[0].distance >= 0 else 0


def heat_of(now: Selection, subjects: Subjects) -> Heat:
    """The map of these answers."""
    rivals = [pk for pk in subjects.names if pk in now.names]
    rows = [_heat_row(each, rivals, subjects, now.names) for each in duels_of(now)]
    first = next((place for place, row in enumerate(rows) if row.distance >= 0), 0)
    marked = [replace(row, begins_level=0 < first == place) for place, row in enumerate(rows)]
    return Heat([gettext("You"), *(now.names[pk] for pk in rivals)], marked)


def _heat_row(duel: TopicDuel, rivals: Sequence[UUID], subjects: Subjects, names: Mapping[UUID, str]) -> HeatRow:
    own, of = duel.own.mentioned, duel.own.of
    numbers = [own, *(duel.theirs[pk].mentioned for pk in rivals)]
    leaders = [names[pk] for pk in rivals if duel.best and duel.theirs[pk].mentioned == duel.best]
    cells = charts.heat(numbers, of, [subjects.hue(pk) for pk in rivals], misses=duel.best - own > of / 2)
    of_subjects = [(*cell, pk) for cell, pk in zip(cells, [None, *rivals], strict=True)]
    return HeatRow(duel, of_subjects, own - duel.best, ", ".join(leaders[:2]))


def first_sites(sites: Sequence[CitedSite]) -> Sequence[CitedSite]:
    """The sites that most answers cite."""
    return sites[:MOST_SITES]
