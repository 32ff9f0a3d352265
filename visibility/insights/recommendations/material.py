"""What kinds of recommendations look at, read once for all of them, and only where one of them looks."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from brands.models import Brand
from visibility.evidence.types import Criterion, Theme, Voice, WeighedClaim
from visibility.measured.basis import Basis
from visibility.measured.evidence import (
    Stored,
    criteria_by_topic,
    stored_claims,
    stored_criteria,
    stored_themes,
    stored_voice,
)
from visibility.measured.facts import AnswerFacts, BrandFacts
from visibility.measured.found import Found, facts_of, read_found
from visibility.measured.generations import not_own_topics
from visibility.measured.own_pages import OwnPages, read_own_pages
from visibility.measured.reading import read_basis
from visibility.measured.searches import Search, read_searches
from visibility.measured.sources import CitedByAnswer, Sources, find_sources
from visibility.measured.topic_table import TopicTable, read_topic_table, subject_names
from visibility.models import Recommendation


@dataclass(frozen=True)
class Material:
    """Everything that is measured of one brand now. `basis.engines` is empty before the first measured day: then
    what rests on answers is not to be asked for."""

    brand: Brand

    @cached_property
    def basis(self) -> Basis:
        """What now rests on."""
        return read_basis(self.brand.pk)

    @cached_property
    def subject(self) -> BrandFacts:
        """The names of the brand, its competitors, questions and topics."""
        return facts_of(self.brand, self.basis, self.found)

    @cached_property
    def found(self) -> Found:
        """What the answers of all engines show."""
        return read_found(self.basis.engines)

    @cached_property
    def answers(self) -> Sequence[AnswerFacts]:
        """What each answer of now shows, branded questions too."""
        return tuple(self.found.of(self.basis.compared))

    @cached_property
    def unbranded(self) -> Sequence[AnswerFacts]:
        """Those to questions that do not name the brand: what every figure rests on."""
        return tuple(answer for answer in self.answers if not self.subject.prompts[answer.prompt].branded)

    @cached_property
    def engines(self) -> frozenset[str]:
        """The engines of these answers."""
        return frozenset(answer.engine for answer in self.unbranded)

    @cached_property
    def topics(self) -> TopicTable:
        """How everybody stands on each topic."""
        return read_topic_table(self.basis, subject_names(self.brand))

    @cached_property
    def cited(self) -> CitedByAnswer:
        """The pages that each answer cites."""
        return self.found.cited

    @cached_property
    def sources(self) -> Sources:
        """Who is cited, and who is named beside."""
        return find_sources(self.answers, self.subject.prompts, self.cited)

    @cached_property
    def not_own(self) -> frozenset[str]:
        """The topics that people said are not the brand's own, by key."""
        return not_own_topics(self.brand.pk)

    @cached_property
    def standing(self) -> Mapping[str, Sequence[tuple[str, str]]]:
        """The stored subjects that measurement can close, each with its topic, by kind and in their order."""
        status = Recommendation.Status
        rows = Recommendation.objects.filter(
            brand=self.brand, status__in=(status.OPEN, status.IN_PROGRESS, status.DONE)
        ).order_by("subject")
        by_kind: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for kind, subject, topic in rows.values_list("kind", "subject", "topic"):
            by_kind[kind].append((subject, topic))
        return by_kind

    @cached_property
    def own_pages(self) -> OwnPages:
        """The brand's own pages."""
        return read_own_pages(self.brand)

    @cached_property
    def searches(self) -> Sequence[Search]:
        """What engines searched for."""
        return read_searches(self.basis.compared, self.subject)

    @cached_property
    def criteria(self) -> Stored[tuple[Criterion, ...]] | None:
        """What answers judge by, over all topics."""
        return stored_criteria(self.brand.pk)

    @cached_property
    def criteria_by_topic(self) -> Mapping[str, Sequence[Criterion]]:
        """The same by topic."""
        return criteria_by_topic(self.brand.pk)

    @cached_property
    def claims(self) -> Stored[tuple[WeighedClaim, ...]] | None:
        """What the brand's pages claim, and what engines say of it."""
        return stored_claims(self.brand.pk)

    @cached_property
    def themes(self) -> Stored[tuple[Theme, ...]] | None:
        """What reviews speak about."""
        return stored_themes(self.brand.pk)

    @cached_property
    def voice(self) -> Stored[Voice] | None:
        """How the brand's pages speak."""
        return stored_voice(self.brand.pk)
