"""The prompts where competitors are named and the brand is not, from the answers of now."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.errors import invalid
from apikeys.scopes import Scope
from brands.models import Brand, Competitor
from brands.services.access import readable_brand
from visibility.insights.content.reading import MAX_SOURCES
from visibility.insights.pages.reading import GapAnswers, PageToActOn, read_pages_to_act_on
from visibility.insights.recommendations.evidence import read_evidence
from visibility.insights.recommendations.gaps import all_mention_gaps
from visibility.insights.recommendations.types import Gap
from visibility.insights.recommendations.wording import EvidenceText
from visibility.measured.basis import Basis
from visibility.measured.facts import AnswerFacts, BrandFacts
from visibility.measured.found import read_brand_facts, read_found
from visibility.measured.reading import read_basis
from visibility.measured.topics import Topic
from visibility.resources.gaps import CompetitorGap, CompetitorGaps, GapCompetitor
from visibility.resources.prompts import DomainCount
from visibility.resources.recommendations import Evidence
from visibility.services.reading.cited_pages import page_resources
from visibility.services.reading.tallies import engine_counts
from visibility.services.reading.topics import named_topic

MAX_GAPS = 50


@snapshot()
def competitor_gaps(
    caller: Caller,
    *,
    brand_id: UUID,
    competitor_id: UUID | None = None,
    topic: str | None = None,
    most: int | None = MAX_GAPS,
) -> CompetitorGaps:
    """Every gap, however rare, with how consistently answers show it: of one competitor or any, on one topic or all;
    of so many at `most` (None: of all) in full.

    Raises insufficient_scope, not_found, and invalid_arguments for a competitor of another brand and for a topic that
    there is not. It costs the same number of statements for one answer and for thousands.
    """
    caller.require(Scope.READ_COMPETITORS)
    brand = readable_brand(caller, brand_id)
    if competitor_id is not None and not Competitor.objects.filter(brand=brand, pk=competitor_id).exists():
        raise invalid(
            "competitor_id",
            f"{competitor_id} is not a competitor of this site. Use an id from the list of its competitors, or leave "
            "this out for gaps with any of them.",
        )
    stored_topic = named_topic(brand.pk, topic)
    basis = read_basis(brand.pk)
    if not basis.engines:
        return CompetitorGaps(
            site=brand.pk,
            as_of=basis.latest,
            topic=stored_topic.name if stored_topic else None,
            competitor=competitor_id,
            prompts=0,
            gaps=[],
            more=0,
            pages=[],
        )
    return _gaps(brand, basis, competitor_id, stored_topic, most)


def _gaps(
    brand: Brand, basis: Basis, competitor_id: UUID | None, topic: Topic | None, most: int | None
) -> CompetitorGaps:
    subject = read_brand_facts(brand, basis)
    meant = subject.prompts.keys() & topic.prompts if topic else subject.prompts.keys()
    findings = read_found(basis.engines)
    answer_facts = (answer for answer in findings.of(basis.compared) if answer.prompt in meant)
    answers = [_only(competitor_id, answer) for answer in answer_facts]
    prompts = {answer.prompt for answer in answers if not subject.prompts[answer.prompt].branded}
    gaps = all_mention_gaps(answers, subject.prompts)
    listed = gaps[:most]
    gap_answers = [GapAnswers(gap.answers) for gap in gaps]
    pages = read_pages_to_act_on(basis.compared, findings.cited, answers, subject.prompts, gap_answers, len(listed))
    return CompetitorGaps(
        site=brand.pk,
        as_of=basis.latest,
        topic=topic.name if topic else None,
        competitor=competitor_id,
        prompts=len(prompts),
        gaps=[
            _resource(gap, subject, evidence, gap_pages)
            for gap, evidence, gap_pages in zip(listed, read_evidence(listed, subject), pages.by_gap, strict=True)
        ],
        more=len(gaps) - len(listed),
        pages=page_resources(pages.over_all, subject.competitors),
    )


def _only(competitor_id: UUID | None, answer: AnswerFacts) -> AnswerFacts:
    """The answer as if it named no other competitor than this one; unchanged without one."""
    if competitor_id is None:
        return answer
    return replace(answer, rivals={rival: place for rival, place in answer.rivals.items() if rival == competitor_id})


def _resource(
    gap: Gap, subject: BrandFacts, evidence: Sequence[EvidenceText], pages: Sequence[PageToActOn]
) -> CompetitorGap:
    prompt = subject.prompts[gap.prompts[0]]
    rivals = Counter(rival for answer in gap.answers for rival in answer.rivals if rival not in prompt.named)
    domain_counts = Counter(domain for answer in gap.answers for domain in answer.domains)
    often = sorted(domain_counts.items(), key=lambda pair: (-pair[1], pair[0]))[:MAX_SOURCES]
    return CompetitorGap(
        prompt=prompt.id,
        text=prompt.text,
        topic="" if prompt.topic == str(prompt.id) else subject.topic_name(prompt.topic),
        stage=prompt.stage or None,
        priority=gap.priority,
        competitors=[
            GapCompetitor(id=rival, name=subject.competitors[rival], answers=rivals[rival]) for rival in gap.rivals
        ],
        engines=engine_counts(gap, subject),
        sources=[DomainCount(domain=domain, answers=answers) for domain, answers in often],
        pages=page_resources(pages, subject.competitors),
        own_page_cited=gap.brand_page_cited,
        evidence=[Evidence.model_validate(item) for item in evidence],
    )
