"""The context of a question: the brand, what was meant, and the answers that count, by rows."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from uuid import UUID

from apikeys.caller import Caller
from apikeys.scopes import Scope
from brands.models import Brand
from visibility.ask.question import Meant, Question
from visibility.ask.resources import FactRow, NextCall
from visibility.counts.reader import Selection, select_between, select_now
from visibility.counts.rows import Axis, CountRow
from visibility.counts.sums import Sums
from visibility.counts.untracked import Naming, by_answer, company_by_name, sums_naming
from visibility.detection import UntrackedName as FoundName
from visibility.models import UntrackedName
from visibility.recommendations.diagnosis import diagnosis_of

LEAST_ANSWERS = 2
"""A name that nobody tracks is shown when so many answers have it."""
MOST_UNTRACKED = 5
"""Names that nobody tracks, of those offered most, that are compared at once; one that was asked for joins them."""
WEEK = "Counted over the answers of now: each engine's last measured day and the six days before it."


@dataclass
class Context:
    """What a read works on. `first_day` and `last_day` are measured; `untracked`, where a name that nobody tracks was
    asked for, the rows of it and of those that it is compared with."""

    caller: Caller
    brand: Brand
    question: Question
    first_day: date | None
    last_day: date | None
    meant: Meant = field(default_factory=Meant)
    untracked: Mapping[str, Sequence[Sums]] = field(default_factory=dict)

    @cached_property
    def selection(self) -> Selection:
        """The answers that facts are about."""
        return self.select(self.question.first, self.question.last)

    @cached_property
    def untracked_names(self) -> Mapping[int, Sequence[FoundName]]:
        """The names that each of these answers offers and nobody tracks, by place."""
        return by_answer(UntrackedName.objects.offered().filter(answer__in=self.selection.answers))

    @cached_property
    def company_of(self) -> Mapping[str, str]:
        """The company behind each of these names, as far as the key may see them; those in most answers first."""
        if not self.sees_competitors:
            return {}
        companies = company_by_name(self.selection, self.untracked_names).items()
        return {name: company for name, company in companies if any(map(str.isalpha, company))}  # not "10-Piece Set"

    @property
    def offered(self) -> Sequence[str]:
        """These companies."""
        return [*dict.fromkeys(self.company_of.values())]

    @cached_property
    def compared_untracked(self) -> Naming:
        """The rows of the names that nobody tracks and that are compared where none is asked for."""
        return sums_naming(self.selection, self.offered[:MOST_UNTRACKED])

    def select(self, first: date | None, last: date | None) -> Selection:
        """The answers of some days, without days those of now, narrowed to what was meant."""
        brand, meant = self.brand, self.meant
        is_now = first is None and last is None
        every = select_now(brand) if is_now else select_between(brand, first or date.min, last or date.max)
        prompts = [meant.prompt] if meant.prompt else []
        return every.narrow(topics=meant.topics, engines=meant.engines, prompts=prompts)

    def diagnosed(self, slots: Collection[str]) -> list[str]:
        """The sentences of the diagnosis in these slots, where the facts are narrowed by at most one topic."""
        meant = self.meant
        sees = {Scope.READ_RECOMMENDATIONS, Scope.READ_COMPETITORS} <= self.caller.scopes
        if not slots or not sees or meant.is_narrow or self.question.has_days or len(meant.topics) > 1:
            return []
        facts = [fact for fact in diagnosis_of(self.brand, next(iter(meant.topics), None)) if fact.slot in slots]
        return [f"Diagnosis: {fact.sentence.marked}" for fact in facts] + ([f"Diagnosis: {WEEK}"] if facts else [])

    @cached_property
    def names(self) -> Mapping[UUID | None, str]:
        """The brand (None) and the competitors that are counted, as far as the key may see them."""
        names: dict[UUID | None, str] = {None: self.brand.name}
        names.update(self.selection.names.items() if self.sees_competitors else ())
        return names

    def again(self, **changes: object) -> NextCall:
        """The same call with other arguments."""
        return self.question.again(self.brand.pk, self.meant.resolved, **changes)

    @property
    def brief(self) -> NextCall:
        """The call that sums up the site: what helps where nothing better does."""
        return NextCall(tool="get_site_brief", arguments={"siteId": str(self.brand.pk)})

    @property
    def limits(self) -> str:
        """What facts do not hold."""
        days = f", measured from {self.first_day} to {self.last_day}" if self.first_day else ""
        return f"Facts count answers{days}: no other days, forecasts, countries, buyers, ads, traffic or money."

    @property
    def sees_competitors(self) -> bool:
        """Whether the key may see competitors."""
        return Scope.READ_COMPETITORS in self.caller.scopes

    @property
    def chosen(self) -> set[UUID | None]:
        """The competitors that facts are narrowed to; empty: none in particular."""
        return {competitor.pk for competitor in self.meant.competitors}

    @property
    def is_about_others(self) -> bool:
        """Whether others were asked for by name, also one that no answer has."""
        return bool(self.chosen or self.untracked) or "competitor" in self.meant.unknown

    @property
    def asked(self) -> str | None:
        """Whom the question is about: the only other that was asked for, or the brand if it is named."""
        names = [each.name for each in self.meant.competitors]
        names += [self.meant.name] if self.meant.name else []
        if names:
            return names[0] if len(names) == 1 else None
        return self.brand.name if self.question.words_of(self.brand.name) else None

    @property
    def narrowed(self) -> str:
        """What the answers are narrowed to, for sentences."""
        topics, engines = len(self.meant.topics), self.meant.engines
        of_topic = {0: "", 1: " on this topic"}.get(topics, " on these topics")
        to_prompt = " to this prompt" if self.meant.prompt else ""
        return (f" of {' and '.join(engines)}" if engines else "") + of_topic + to_prompt

    @cached_property
    def where(self) -> str:
        """The same with the days of the answers."""
        days = {day for span in self.selection.engines.values() for day in span}
        if not days:
            return self.narrowed
        period = f"{min(days)} to {max(days)}" if len(days) > 1 else str(min(days))
        which = "" if self.question.has_days else ", now"
        return f"{self.narrowed} ({period}{which})"

    def compare(
        self, *by: Axis, alone: bool = False, untracked: Mapping[str, Sequence[Sums]] | None = None
    ) -> "Compared":
        """Rows by subject, these axes, and topic or engine where several are meant; with these untracked names,
        or the one that was given. `alone`: of the brand, and of others only where they were asked for."""
        several: dict[Axis, Sequence[object]] = {"topic": self.meant.topics, "engine": self.meant.engines}
        axes: set[Axis] = {*by, *(axis for axis, each in several.items() if len(each) > 1)}
        if not alone or self.chosen or self.untracked:
            axes.add("subject")
        rows = self.selection.rows(*axes, untracked=self.untracked if untracked is None else untracked)
        others = [row for row in rows if not row.is_own] if self.sees_competitors else []
        named = [
            row
            for row in others
            if (row.competitor_id in self.chosen if row.tracked else row.subject == self.meant.name)
        ]
        return Compared([row for row in rows if row.is_own], others, named)

    def fact(self, row: CountRow) -> FactRow:
        """A row as a fact, with the one topic or engine that it is narrowed to."""
        topics, engines = self.meant.topics, self.meant.engines
        fact = FactRow.model_validate(row)
        topic = topics[0].name if len(topics) == 1 else fact.topic
        engine = engines[0] if len(engines) == 1 else fact.engine
        update = {
            "topic": topic,
            "engine": engine,
            "share_of_voice": None if topic or engine else fact.share_of_voice,
            "tracked": None if row.tracked else False,
            "without_brand": None if row.is_own else fact.without_brand,
        }
        return fact.model_copy(update=update)


@dataclass(frozen=True, slots=True)
class Compared:
    """Rows of the brand, of all others, and of those others that were asked for."""

    own: Sequence[CountRow]
    others: Sequence[CountRow]
    named: Sequence[CountRow]

    @property
    def pair(self) -> tuple[CountRow, CountRow] | None:
        """The brand and the only other that was asked for."""
        return (self.own[0], self.named[0]) if len(self.own) == len(self.named) == 1 else None

    @property
    def subject(self) -> CountRow | None:
        """The row of the only other that was asked for, else of the brand; None where there are several."""
        if self.pair:
            return self.pair[1]
        return self.own[0] if len(self.own) == 1 and not self.named else None

    def grouped(self, others: Sequence[CountRow]) -> list[CountRow]:
        """Each row of the brand with these others of the same answers."""
        return [row for own in self.own for row in (own, *(each for each in others if each.is_of_same_answers(own)))]
