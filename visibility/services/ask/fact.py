"""What a fact is, what the readers of facts are given, and what they tell."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from uuid import UUID

from django.utils import timezone

from apikeys.caller import Caller
from apikeys.scopes import Scope
from brands.models import Brand
from visibility.measured.topics import Topics, read_topics
from visibility.resources.now import NowItem
from visibility.services.ask.about import About
from visibility.services.ask.counts import Counts, counts_of
from visibility.services.ask.types import Statement, Step, Subject, Value
from visibility.services.reading.scores import visibility_scores
from visibility.services.reading.withheld import WithheldSections

MOST = 5
"""Things of one list that are told."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact: what it says, the brand it concerns (None: the account), the ids of what it speaks of, and the tool
    that tells more, where that is not its kind's."""

    statement: Statement
    refs: tuple[str, ...] = ()
    site: UUID | None = None
    tool: str = ""


@dataclass(frozen=True, slots=True)
class Told:
    """What is known of one kind: the first fact answers the question, the others support it. `unknown` is the one
    thing that cannot be known, with the call that would tell."""

    facts: Sequence[Fact] = ()
    unknown: Step | None = None


@dataclass(frozen=True)
class QuestionContext:
    """Who asks what of which brand, and what the question is about; `sections` note what is left out of the facts."""

    caller: Caller
    brand: Brand
    question: str
    sections: WithheldSections
    about: About = field(repr=False)

    @property
    def own(self) -> Subject:
        """The brand as one of those who are counted."""
        return Subject(self.brand.name)

    @cached_property
    def counts(self) -> Counts:
        """How often answers of the engines, prompts and days that are meant name the brand and each competitor."""
        return counts_of(self.caller, self.brand, self.about)

    @cached_property
    def now(self) -> NowItem | None:
        """The brand's figures of now; None where a question is about less, before the first measured day, and to
        those who may not read them."""
        if self.about.is_narrowed or Scope.READ_VISIBILITY not in self.caller.scopes:
            return None
        today = timezone.now().date()
        return visibility_scores(self.caller, brand_id=self.brand.pk, first=today, last=today).now

    @cached_property
    def topics(self) -> Topics:
        """The topics of the brand, as people write them."""
        return read_topics(self.brand.pk)

    @cached_property
    def topic_names(self) -> list[str]:
        """The topics that figures are narrowed to, by name; else the words that their prompts share."""
        narrowing = self.about.narrowing
        if narrowing is None:
            return []
        return [self.topics.name_of(topic) for topic in narrowing.topics] or [narrowing.words]

    @cached_property
    def place(self) -> dict[str, Value]:
        """What figures are narrowed to: the topics by name, and the engines; one of each alone, not in a list."""
        topics, engines = self.topic_names, self.about.engines
        return {
            "topic": topics[0] if len(topics) == 1 else list[Value](topics) or None,
            "engine": engines[0] if len(engines) == 1 else list(engines) or None,
        }


def fact(key: str, *refs: object, **values: Value) -> Fact:
    """The fact that says this sentence of these values."""
    return Fact(Statement(key, values), tuple(map(str, refs)))


def step(tool: str, key: str, arguments: Mapping[str, Value], **values: Value) -> Step:
    """A call, and the sentence that says what it would tell."""
    return Step(tool, Statement(key, values), arguments)


def site_step(
    tool: str, key: str, brand: Brand, arguments: Mapping[str, Value] | None = None, **values: Value
) -> Step:
    """The same, of a tool of this site."""
    return step(tool, key, {"siteId": str(brand.pk), **(arguments or {})}, **values)


def unmeasured(context: QuestionContext) -> Told:
    """That nothing is measured before the first scan, and the call that would change it; nothing where there are
    only no days of the period that is asked for, which is said of the question."""
    brand = context.brand
    if context.about.days and context.about.period:
        return Told()
    return Told(
        [fact("unmeasured", subject=brand.name)],
        site_step("run_visibility_scan", "would_measure", brand, subject=brand.name),
    )
