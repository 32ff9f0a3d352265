"""The context of a question: the site, what facts are narrowed to, and the answers that count, by rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from uuid import UUID

from apikeys.accounts.caller import Caller
from apikeys.scopes import Scope
from brands.models import Brand, Competitor
from visibility.ask.measures import MEASURES, Measure
from visibility.ask.question import Question
from visibility.ask.resources import FactRow, Kind, NextCall, Resolved
from visibility.counts.reader import Selection, select_between, select_now
from visibility.counts.rows import Axis, CountRow
from visibility.counts.sums import Sums
from visibility.counts.untracked import Naming, by_answer, company_by_name, sums_naming
from visibility.counts.words import listed, market_name
from visibility.models import Topic, UntrackedName

MOST_COMPARED = 12
"""Names that nobody tracks, of those offered most, that are compared at once; one that was asked for joins them."""
INTERVALS = {"low", "high", "panel_low", "panel_high"}
OF_WHOLES = {*INTERVALS, "score", "share_of_voice"}
"""Fields that rows by topic or engine have only where they are asked for."""
MEASURED = {name for measure in MEASURES.values() for name in measure.fields} - {"mentioned", "surface"}
"""Fields of rows that another measure leaves out."""


@dataclass
class Context:
    """What a read works on. `last_day`: of all measured ones. Facts are narrowed to `topics`, `engine`,
    `markets` and `competitor`, or to the untracked `name`, whose rows and those it is compared with are `untracked`;
    `unknown`: of the arguments that were not understood, why, and what they nearly are."""

    caller: Caller
    brand: Brand
    question: Question
    measure: str | None
    last_day: date | None
    topics: Sequence[Topic] = ()
    engine: str | None = None
    markets: Sequence[str] = ()
    competitor: Competitor | None = None
    name: str | None = None
    untracked: Mapping[str, Sequence[Sums]] = field(default_factory=dict)
    resolved: list[Resolved] = field(default_factory=list)
    unknown: dict[Kind, tuple[str, str | None]] = field(default_factory=dict)

    @cached_property
    def selection(self) -> Selection:
        """The answers that facts are about."""
        return self.select(self.question.first, self.question.last)

    def select(self, first: date | None, last: date | None) -> Selection:
        """The answers of some days, without days those of now, narrowed."""
        asked = self.question.first, self.question.last
        every = self.every if asked == (first, last) else select_days_or_now(self.brand, first, last)
        engines = [self.engine] if self.engine else []
        return every.narrow(topics=self.topics, engines=engines, markets=self.markets)

    @cached_property
    def every(self) -> Selection:
        """The same answers before they are narrowed."""
        return select_days_or_now(self.brand, self.question.first, self.question.last)

    @property
    def pooled_markets(self) -> list[str]:
        """The markets that the facts pool, as far as they are known."""
        return markets_of(self.selection)

    @cached_property
    def company_of(self) -> Mapping[str, str]:
        """The company behind each name that these answers offer and nobody tracks, as far as the key may see them;
        those in most answers first."""
        if not self.sees_competitors:
            return {}
        names = by_answer(UntrackedName.objects.offered().filter(answer__in=self.selection.answers))
        companies = company_by_name(self.selection, names).items()
        return {name: company for name, company in companies if any(map(str.isalpha, company))}  # not "10-Piece Set"

    @property
    def offered(self) -> Sequence[str]:
        """These companies."""
        return [*dict.fromkeys(self.company_of.values())]

    @cached_property
    def compared_untracked(self) -> Naming:
        """The rows of the names that nobody tracks and that are compared where none is asked for."""
        return sums_naming(self.selection, self.offered[:MOST_COMPARED])

    @cached_property
    def names(self) -> Mapping[UUID | None, str]:
        """The brand (None) and the competitors that are counted, as far as the key may see them."""
        names: dict[UUID | None, str] = {None: self.brand.name}
        names.update(self.selection.names.items() if self.sees_competitors else ())
        return names

    @property
    def asked(self) -> str | None:
        """Whom the question is about, where somebody was given."""
        return next((row.name for row in self.resolved if row.kind in ("site", "competitor", "untracked")), None)

    @property
    def is_about_others(self) -> bool:
        """Whether others were asked for by name, also one that no answer has."""
        return bool(self.competitor or self.name) or "competitor" in self.unknown

    @property
    def is_narrow(self) -> bool:
        """Whether facts are narrowed by more than topics."""
        return bool(self.engine or self.markets or self.competitor or self.name or self.question.has_days)

    @property
    def sees_competitors(self) -> bool:
        """Whether the key may see competitors."""
        return Scope.READ_COMPETITORS in self.caller.scopes

    @property
    def brief(self) -> NextCall:
        """The call that sums up the site: what helps where nothing better does."""
        return NextCall(tool="get_site_brief", arguments={"siteId": str(self.brand.pk)})

    def again(self, **changes: object) -> NextCall:
        """The same call with other arguments."""
        return self.question.again(self.brand.pk, **changes)

    @cached_property
    def period(self) -> str | None:
        """The days of the answers, as rows have them; None where there are none."""
        days = {day for span in self.selection.engines.values() for day in span}
        return "/".join(map(str, sorted({min(days), max(days)}))) if days else None

    @property
    def narrowed(self) -> str:
        """What the answers are narrowed to, for sentences."""
        of_topic = {0: "", 1: " on this topic"}.get(len(self.topics), " on these topics")
        for_markets = f" for {listed([*map(market_name, self.markets)])}" if self.markets else ""
        return (f" of {self.engine}" if self.engine else "") + of_topic + for_markets

    @property
    def where(self) -> str:
        """The same with the days of the answers."""
        days = "" if self.question.has_days else ", now"
        return f"{self.narrowed} ({self.period.replace('/', ' to ')}{days})" if self.period else self.narrowed

    def rows(self, *by: Axis, untracked: Mapping[str, Sequence[Sums]] | None = None) -> list[CountRow]:
        """Rows by subject, these axes, and topic where several are meant; with these untracked names, or the one that
        was given."""
        axes: set[Axis] = {"subject", *by, *(["topic"] if len(self.topics) > 1 else ())}
        return self.selection.rows(*axes, untracked=self.untracked if untracked is None else untracked)

    def split(self, rows: Sequence[CountRow]) -> tuple[list[CountRow], list[CountRow], list[CountRow]]:
        """Of rows those of the brand, of others as far as the key may see them, and of the one that was asked for."""
        others = [row for row in rows if not row.is_own] if self.sees_competitors else []
        chosen = self.competitor.pk if self.competitor else self.name
        named = [row for row in others if chosen and chosen == (row.competitor_id if row.tracked else row.subject)]
        return [row for row in rows if row.is_own], others, named

    def fact(self, row: CountRow, *, measure: str | None = None, has_period: bool = False) -> FactRow:
        """A row as a fact: with the topic and engine that it is narrowed to, and only with this measure, or the one
        that was asked for; without one only the brand over all of the answers has intervals."""
        wanted = MEASURES.get(measure or self.measure or "", Measure()).fields
        is_part = row.topic is not None or row.engine is not None
        left_out = OF_WHOLES if is_part else INTERVALS if has_period or not row.is_own else set()
        left_out = (MEASURED.difference(wanted) if wanted else {*left_out, "first_relation"}) | (
            {"without_brand"} if row.is_own else set()
        )
        values = {name: None if name in left_out else getattr(row, name) for name in FactRow.model_fields}
        surfaces = {surface for _, surface in self.selection.engines} if self.engine else set()
        values |= {
            "topic": self.topics[0].name if len(self.topics) == 1 else row.topic,
            "engine": self.engine or row.engine,
            "surface": surfaces.pop() if len(surfaces) == 1 else row.surface,
            "tracked": None if row.tracked else False,
            "period": row.period if has_period or row.period != self.period else None,
        }
        return FactRow(**values)


def select_days_or_now(brand: Brand, first: date | None, last: date | None) -> Selection:
    """The answers of some days, both included; without days those of now."""
    if first is None and last is None:
        return select_now(brand)
    return select_between(brand, first or date.min, last or date.max)


def markets_of(selection: Selection) -> list[str]:
    """The markets that a figure over these answers pools, as far as they are known."""
    return sorted({each.market for each in selection.of_figure.sums if each.market})
