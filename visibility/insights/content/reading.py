"""Reads what opportunities rest on, in a fixed number of queries, however many answers there are."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from uuid import UUID

from apikeys.text.sentences import one_line, shortened
from brands.models import Brand
from visibility.insights.content.opportunities import (
    MAX_OPPORTUNITIES,
    Opportunity,
    OpportunityKind,
    find_opportunities,
    suitable_format,
)
from visibility.insights.pages.reading import GapAnswers, PageToActOn, read_pages_to_act_on
from visibility.insights.recommendations.evidence import MAX_EVIDENCE, read_evidence
from visibility.insights.recommendations.wording import MAX_QUOTE, EvidenceText
from visibility.measured.basis import EngineDay
from visibility.measured.facts import AnswerFacts, BrandFacts, read_answers, read_brand_facts
from visibility.measured.own_pages import Match, OwnPages, read_own_pages
from visibility.measured.reading import answers_of, read_basis
from visibility.models import Citation, Prompt
from visibility.writers.tasks import DraftFormat

MAX_SOURCES = 10
MAX_QUESTIONS = 10
"""Of an opportunity that own pages are compared with."""


@dataclass(frozen=True, slots=True)
class Found:
    """One opportunity with its evidence, the domains that its answers cite, the cited pages to act on, and the kind
    of page that suits it; `page` is the own one that answers its questions already and is to be revised, None where
    none does or none is known."""

    subject: BrandFacts
    opportunity: Opportunity
    evidence: Sequence[EvidenceText]
    sources: Sequence[str]
    pages: Sequence[PageToActOn]
    format: DraftFormat
    page: Match | None = None


@dataclass(frozen=True, slots=True)
class Findings:
    """The opportunities of now; `day` is the latest measured one, None and nothing before the first; `pages` are the
    cited ones to act on over all of them, `competitors` the names of those that they speak of."""

    day: date | None
    opportunities: Sequence[Found]
    pages: Sequence[PageToActOn] = ()
    competitors: Mapping[UUID, str] = field(default_factory=dict)


def read_opportunities(brand: Brand, is_meant: Callable[[Opportunity], bool] | None = None) -> Findings:
    """What the answers of now show to be worth writing, the most worthwhile first; of those that are meant fifty."""
    basis = read_basis(brand.pk)
    if not basis.engines:
        return Findings(None, ())
    subject = read_brand_facts(brand, basis)
    answers = [answer for answer in read_answers(basis.compared) if answer.prompt in subject.prompts]
    pages = _rival_pages(basis.compared)
    rivals_by_answer = {answer: {page.competitor for page in rival_pages} for answer, rival_pages in pages.items()}
    opportunities = find_opportunities(answers, subject.prompts, rivals_by_answer)
    opportunities = list(filter(is_meant, opportunities))[:MAX_OPPORTUNITIES]
    to_act_on = read_pages_to_act_on(
        basis.compared,
        answers,
        subject.prompts,
        [_gap_answers(row) for row in opportunities],
        len(opportunities),
    )
    evidence = _with_evidence(opportunities, subject, basis.compared, pages, to_act_on.by_gap)
    own_pages = read_own_pages(brand)
    evidence = [replace(row, page=_existing(row, own_pages)) for row in evidence]
    return Findings(basis.latest, evidence, to_act_on.over_all, subject.competitors)


def _existing(finding: Found, pages: OwnPages) -> Match | None:
    """The own page that answers the topic or most of a question, the best of all that do."""
    gap, subject = finding.opportunity.gap, finding.subject
    questions = [subject.question(prompt) for prompt in gap.prompts[:MAX_QUESTIONS]]
    topics = [] if finding.opportunity.kind == OpportunityKind.CITED_SOURCE else [finding.opportunity.subject]
    asked = [*(subject.topic_name(topic) for topic in topics if topic != str(gap.prompts[0])), *questions]
    return pages.best_answer(asked)


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
    subject: BrandFacts,
    engines: Sequence[EngineDay],
    pages: _Pages,
    to_act_on: Sequence[Sequence[PageToActOn]],
) -> list[Found]:
    quoted = [opportunity for opportunity in opportunities if opportunity.kind != OpportunityKind.NOT_CITED]
    texts = {
        opportunity.id: evidence
        for opportunity, evidence in zip(
            quoted, read_evidence([opportunity.gap for opportunity in quoted], subject), strict=True
        )
    }
    intents = dict(Prompt.objects.filter(pk__in=subject.prompts).values_list("pk", "intent"))
    domains = [
        opportunity.subject for opportunity in opportunities if opportunity.kind == OpportunityKind.CITED_SOURCE
    ]
    citations = Citation.objects.filter(answer__in=answers_of(engines).values("pk"), domain__in=domains).order_by()
    classes = dict(citations.values_list("domain", "cls").distinct())
    return [
        Found(
            subject=subject,
            opportunity=opportunity,
            evidence=texts.get(opportunity.id) or _citations(opportunity, pages),
            sources=_sources(opportunity.gap.answers, pages),
            pages=pages_of_gap,
            format=suitable_format(
                opportunity,
                [intents[prompt] for prompt in opportunity.gap.prompts],
                classes.get(opportunity.subject, ""),
            ),
        )
        for opportunity, pages_of_gap in zip(opportunities, to_act_on, strict=True)
    ]


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
