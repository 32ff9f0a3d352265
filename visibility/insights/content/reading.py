"""Reads what opportunities rest on, in a fixed number of queries, however many answers there are."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from uuid import UUID

from apikeys.text.sentences import one_line, shortened
from brands.models import Brand
from visibility.detection.types import SourceClass
from visibility.insights.content.from_kinds import FORMATS, OfKind, read_of_kinds
from visibility.insights.content.opportunities import (
    MAX_OPPORTUNITIES,
    Opportunity,
    OpportunityKind,
    find_opportunities,
    suitable_format,
)
from visibility.insights.pages.reading import GapAnswers, PageToActOn, read_pages_to_act_on
from visibility.insights.recommendations.evidence import MAX_EVIDENCE, read_evidence
from visibility.insights.recommendations.kind import Effect, Effort, Factors, Words
from visibility.insights.recommendations.material import Material
from visibility.insights.recommendations.priority import priority
from visibility.insights.recommendations.wording import MAX_QUOTE, EvidenceText
from visibility.measured.basis import EngineDay
from visibility.measured.evidence import read_at_once
from visibility.measured.facts import AnswerFacts, BrandFacts
from visibility.measured.generations import tracked_names_of
from visibility.measured.own_pages import Match, OwnPages
from visibility.measured.reading import answers_of
from visibility.measured.searches import Search
from visibility.models import Citation
from visibility.writers.tasks import DraftFormat

MAX_SOURCES = 10
MAX_SEARCHES = 100
"""Of the searches of engines, those of most answers."""
MAX_QUESTIONS = 10
"""Of an opportunity that own pages are compared with."""


@dataclass(frozen=True, slots=True)
class Found:
    """One opportunity with its evidence, the domains that its answers cite, the cited pages to act on, and the kind
    of page that suits it; `page` is the own one that answers its questions already and is to be revised, None where
    none does or none is known. `words` and `topic` are those of the kind of recommendation that it follows from."""

    subject: BrandFacts
    opportunity: Opportunity
    evidence: Sequence[EvidenceText]
    sources: Sequence[str]
    pages: Sequence[PageToActOn]
    format: DraftFormat
    page: Match | None = None
    words: Words | None = None
    topic: str = ""


@dataclass(frozen=True, slots=True)
class AskedSearch:
    """A search that engines made, and the own page that answers it; None where none does, or none is known."""

    search: Search
    match: Match | None


@dataclass(frozen=True, slots=True)
class Findings:
    """The opportunities of now; `day` is the latest measured one, None and nothing before the first; `pages` are the
    cited ones to act on over all of them, `competitors` the names of those that they speak of; `searches` are what
    engines searched for, compared with `own_pages` pages of the brand; `topics` are names by key, `not_own` the keys
    of those that people said are not the brand's business."""

    day: date | None
    opportunities: Sequence[Found]
    pages: Sequence[PageToActOn] = ()
    competitors: Mapping[UUID, str] = field(default_factory=dict)
    searches: Sequence[AskedSearch] = ()
    own_pages: int = 0
    topics: Mapping[str, str] = field(default_factory=dict)
    not_own: Collection[str] = ()

    def topic_name(self, topic: str) -> str:
        """What people read for the topic of a question."""
        return self.topics.get(topic, topic)


def read_opportunities(brand: Brand, is_meant: Callable[[Opportunity], bool] | None = None) -> Findings:
    """What the answers of now show to be worth writing, the most worthwhile first; of those that are meant fifty."""
    material = Material(brand)
    basis = material.basis
    if not basis.engines:
        return Findings(None, ())
    read_at_once(brand.pk, by_topic=True)
    tracked_names_of(brand)  # with the names of competitors, which are asked for below
    pages = _rival_pages(basis.compared)
    of_kinds = {row.opportunity.id: row for row in read_of_kinds(material)}
    every = [*_of_answers(material, pages), *(row.opportunity for row in of_kinds.values())]
    opportunities = sorted(filter(is_meant, every), key=lambda opportunity: opportunity.gap.worth)[:MAX_OPPORTUNITIES]
    to_act_on = read_pages_to_act_on(
        basis.compared,
        material.cited,
        material.answers,
        material.subject.prompts,
        [_gap_answers(row) for row in opportunities],
        len(opportunities),
    )
    rows = _with_evidence(opportunities, material, pages, to_act_on.by_gap, of_kinds)
    return Findings(
        basis.latest,
        [replace(row, page=_existing(row, material.own_pages)) for row in rows],
        to_act_on.over_all,
        material.subject.competitors,
        _asked(material),
        len(material.own_pages.pages),
        material.subject.topics,
        material.not_own,
    )


def _of_answers(material: Material, pages: "_Pages") -> list[Opportunity]:
    """Those that rest on who is named and cited, by the factors of recommendations; no shop: what it lists is no page
    to write."""
    rivals_by_answer = {answer: {page.competitor for page in of_answer} for answer, of_answer in pages.items()}
    answers = [answer for answer in material.answers if answer.prompt in material.subject.prompts]
    opportunities = find_opportunities(answers, material.subject.prompts, rivals_by_answer)
    shops = {source.domain for source in material.sources.sources if source.cls is SourceClass.SHOP}
    kept = [
        row for row in opportunities if row.subject not in shops and not _topics(row, material) <= material.not_own
    ]
    return [_weighed(row, material) for row in kept]


def _topics(opportunity: Opportunity, material: Material) -> set[str]:
    return {material.subject.prompts[prompt].topic for prompt in opportunity.gap.prompts}


def _weighed(opportunity: Opportunity, material: Material) -> Opportunity:
    gap = opportunity.gap
    factors = Factors(
        answers=sum(tally.gaps for tally in gap.tallies),
        of_answers=sum(tally.answers for tally in gap.tallies),
        engines=sum(tally.gaps > 0 for tally in gap.tallies),
        of_engines=len(material.engines),
        reach=len(gap.answers) / max(1, len(material.unbranded)),
        effect=Effect.LIKELY,
        effort=Effort.LOW if gap.brand_page_cited else Effort.MEDIUM,
    )
    return replace(opportunity, gap=replace(gap, priority=priority(factors)))


def _asked(material: Material) -> list[AskedSearch]:
    """The searches of most answers, each with the own page that answers it."""
    own_pages = material.own_pages
    return [AskedSearch(search, own_pages.answers(search.query)) for search in material.searches[:MAX_SEARCHES]]


def _existing(finding: Found, pages: OwnPages) -> Match | None:
    """The own page that answers the topic or most of a question, the best of all that do."""
    gap, subject = finding.opportunity.gap, finding.subject
    questions = [subject.question(prompt) for prompt in gap.prompts[:MAX_QUESTIONS]]
    if finding.topic:
        return pages.best_answer([finding.topic, *questions])
    topics = [] if finding.opportunity.kind == OpportunityKind.CITED_SOURCE else [finding.opportunity.subject]
    questions = [*(subject.topic_name(topic) for topic in topics if topic != str(gap.prompts[0])), *questions]
    return pages.best_answer(questions)


def _gap_answers(opportunity: Opportunity) -> GapAnswers:
    is_source = opportunity.kind == OpportunityKind.CITED_SOURCE
    return GapAnswers(opportunity.gap.answers, opportunity.subject if is_source else None)


@dataclass(frozen=True, slots=True)
class _RivalPage:
    """A competitor's page that an answer cites."""

    competitor: UUID
    url: str
    title: str
    domain: str


_Pages = Mapping[UUID, Sequence[_RivalPage]]


def _rival_pages(engines: Sequence[EngineDay]) -> _Pages:
    """The competitors' pages that each of the answers cites, in its order."""
    citations = Citation.objects.filter(answer__in=answers_of(engines).values("pk"))
    rows = citations.filter(owner=Citation.Owner.COMPETITOR, competitor__isnull=False).order_by("position")
    pages: dict[UUID, list[_RivalPage]] = defaultdict(list)
    for answer, *page in rows.values_list("answer_id", "competitor_id", "url", "title", "domain"):
        pages[answer].append(_RivalPage(*page))
    return pages


def _with_evidence(
    opportunities: Sequence[Opportunity],
    material: Material,
    pages: _Pages,
    to_act_on: Sequence[Sequence[PageToActOn]],
    of_kinds: Mapping[str, OfKind],
) -> list[Found]:
    subject = material.subject
    quoted = [row for row in opportunities if row.kind in (OpportunityKind.NOT_NAMED, OpportunityKind.CITED_SOURCE)]
    texts = {
        opportunity.id: evidence
        for opportunity, evidence in zip(
            quoted, read_evidence([opportunity.gap for opportunity in quoted], subject), strict=True
        )
    }
    classes = {page.domain: page.cls.value for cited in material.cited.values() for page in cited}
    return [
        Found(
            subject=subject,
            opportunity=opportunity,
            evidence=_evidence(opportunity, texts, pages, of_kinds),
            sources=_sources(opportunity.gap.answers, pages),
            pages=pages_of_gap,
            format=FORMATS.get(opportunity.kind)
            or suitable_format(
                opportunity,
                [subject.prompts[prompt].intent for prompt in opportunity.gap.prompts],
                classes.get(opportunity.subject, ""),
            ),
            words=of_kinds[opportunity.id].words if opportunity.id in of_kinds else None,
            topic=of_kinds[opportunity.id].topic if opportunity.id in of_kinds else "",
        )
        for opportunity, pages_of_gap in zip(opportunities, to_act_on, strict=True)
    ]


def _evidence(
    opportunity: Opportunity,
    texts: Mapping[str, Sequence[EvidenceText]],
    pages: _Pages,
    of_kinds: Mapping[str, OfKind],
) -> Sequence[EvidenceText]:
    if opportunity.id in of_kinds:
        return of_kinds[opportunity.id].words.evidence
    return texts.get(opportunity.id) or _citations(opportunity, pages)


def _citations(opportunity: Opportunity, pages: _Pages) -> list[EvidenceText]:
    """The competitors' pages that the answers cite, each once."""
    citations: dict[str, EvidenceText] = {}
    for answer in opportunity.gap.answers:
        for page in pages.get(answer.id, ()):
            text = shortened(one_line(page.title) or page.domain, MAX_QUOTE)
            evidence = EvidenceText("citation", text, answer.engine, answer.prompt, answer.id, page.url)
            citations.setdefault(page.url, evidence)
    return list(citations.values())[:MAX_EVIDENCE]


def _sources(answers: Sequence[AnswerFacts], pages: _Pages) -> list[str]:
    """The domains that are not the brand's, by how many of the answers cite them."""
    counts = Counter(
        domain
        for answer in answers
        for domain in {*answer.domains, *(page.domain for page in pages.get(answer.id, ()))}
    )
    return sorted(counts, key=lambda domain: (-counts[domain], domain))[:MAX_SOURCES]
