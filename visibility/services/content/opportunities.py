"""What to write for a brand, and what has been written."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from uuid import UUID

from django.utils.formats import date_format

from apikeys.caller import Caller
from apikeys.db.snapshot import remembered, snapshot
from apikeys.errors import not_found
from apikeys.models import Usage, User
from apikeys.resources import Quota
from apikeys.scopes import Scope
from apikeys.services.usage import quotas
from apikeys.text.sentences import one_line
from brands.models import Brand
from brands.services.access import readable_brand
from visibility.insights.content.opportunities import Opportunity as FoundOpportunity
from visibility.insights.content.reading import Findings, Found, read_opportunities
from visibility.insights.content.wording import title_of, topic_of, why
from visibility.measured.generations import rival_names
from visibility.measured.topics import Topic
from visibility.models import ContentDraft
from visibility.resources.recommendations import Evidence
from visibility.resources.writing import (
    ContentReport,
    Draft,
    DraftSummary,
    Opportunity,
    OpportunityQuestion,
    SearchMade,
    WriterResource,
)
from visibility.services.reading.cited_pages import page_resources
from visibility.services.reading.tallies import engine_counts
from visibility.services.reading.topics import named_topic
from visibility.writers.structured import in_script

SUMMARY_FIELDS = (
    *("title", "edited_title", "edited_at", "topic", "format", "opportunity", "created_at", "writer", "brand_id"),
)


@snapshot()
def content_report(caller: Caller, *, brand_id: UUID, topic: str | None = None) -> ContentReport:
    """The opportunities of now, highest score first, of one topic or of all, and all drafts, newest first.

    Raises insufficient_scope, not_found, and invalid_arguments for a topic that there is not. It costs the same
    number of statements for one answer and for thousands.
    """
    caller.require(Scope.READ_CONTENT)
    brand = readable_brand(caller, brand_id)
    stored_topic = named_topic(brand.pk, topic)
    findings = read_opportunities(brand, partial(_rests_on, stored_topic) if stored_topic else None)
    drafts = list(ContentDraft.objects.filter(brand=brand).only(*SUMMARY_FIELDS))
    written: dict[str, list[UUID]] = defaultdict(list)
    for draft in drafts:
        written[draft.opportunity].append(draft.pk)
    return ContentReport(
        site=brand.pk,
        as_of=findings.day,
        topic=stored_topic.name if stored_topic else None,
        opportunities=[_opportunity(finding, written) for finding in findings.opportunities],
        pages=page_resources(findings.pages, findings.competitors),
        searches=_searches(findings, stored_topic),
        own_pages=findings.own_pages,
        drafts=[DraftSummary(**summary_of(draft)) for draft in drafts],
        quota=draft_quota(brand.owner),
        how_to_get_more=_advice(brand, findings, stored_topic),
    )


def draft_of(caller: Caller, *, draft_id: UUID) -> Draft:
    """One draft with its text. Raises insufficient_scope and not_found."""
    return draft_resource(readable_draft(caller, draft_id))


@remembered
def readable_draft(caller: Caller, draft_id: UUID) -> ContentDraft:
    """The draft with its brand. Raises insufficient_scope and not_found."""
    caller.require(Scope.READ_CONTENT)
    drafts = ContentDraft.objects.restrict(caller, "view").select_related("brand")
    draft: ContentDraft | None = drafts.filter(pk=draft_id).first()
    if draft is None:
        raise not_found()
    return draft


def draft_resource(draft: ContentDraft) -> Draft:
    """The draft as it looks from outside."""
    return Draft.model_validate(
        {
            **summary_of(draft),
            "site": draft.brand_id,
            "markdown": draft.latest_markdown,
            "page_url": draft.page_url or None,
            "diff": draft.diff or None,
            "structured_data": in_script(draft.structured_data) if draft.structured_data else "",
            "version": draft.version,
            "sources": draft.sources,
            "checks": draft.checks,
        }
    )


def draft_quota(payer: User) -> Quota:
    """The drafts of this month on the plan of the brand's owner."""
    return quotas(payer)[Usage.Kind.DRAFTS]


def summary_of(draft: ContentDraft) -> dict[str, object]:
    """The fields of a draft without its text."""
    return {
        "id": draft.pk,
        "title": draft.latest_title,
        "topic": draft.topic,
        "format": draft.format,
        "opportunity_id": draft.opportunity or None,
        "created_at": draft.created_at,
        "writer": WriterResource.model_validate(draft.writer),
    }


def _opportunity(finding: Found, written: Mapping[str, Sequence[UUID]]) -> Opportunity:
    opportunity, gap, subject = finding.opportunity, finding.opportunity.gap, finding.subject
    return Opportunity(
        id=opportunity.id,
        kind=opportunity.kind.value,
        title=title_of(finding),
        why=why(finding),
        score=gap.priority,
        topic=topic_of(finding),
        format=finding.format.value,
        questions=[OpportunityQuestion(prompt_id=prompt, text=subject.question(prompt)) for prompt in gap.prompts],
        competitors=[one_line(subject.competitors[rival]) for rival in gap.rivals],
        sources=list(finding.sources),
        pages=page_resources(finding.pages, subject.competitors),
        engines=engine_counts(gap, subject),
        evidence=[Evidence.model_validate(evidence) for evidence in finding.evidence],
        drafts=list(written.get(opportunity.id, ())),
        own_page=finding.page.page.url if finding.page else None,
    )


def _searches(findings: Findings, topic: Topic | None) -> list[SearchMade]:
    """What engines searched for on a topic or on all, each on the topic that it was made for most."""
    rows = [
        SearchMade(
            query=search.query,
            topic=findings.topic_name(key),
            answers=search.answers,
            engines=sorted(search.engines),
            own_page=row.match.page.url if row.match else None,
        )
        for row in findings.searches
        if (search := row.search) and (topic is None or topic.key in search.topics)
        for key in [topic.key if topic else min(search.topics, key=lambda key: (-search.topics[key], key))]
    ]
    return sorted(rows, key=lambda row: (row.topic, -row.answers, row.query))


def _rests_on(topic: Topic, opportunity: FoundOpportunity) -> bool:
    return not topic.prompts.isdisjoint(opportunity.gap.prompts)


def _advice(brand: Brand, findings: Findings, topic: Topic | None) -> str | None:
    """What would bring opportunities where there are none."""
    if findings.opportunities:
        return None
    if findings.day is None:
        return "Nothing is measured yet. Add prompts and competitors, then start a visibility scan."
    if not rival_names(brand.pk):
        return "Opportunities are where answers name competitors and not the brand: add competitors."
    if topic and topic.key in findings.not_own:
        return "People chose that this topic is not the brand's business. Leave topic out for all others."
    if topic:
        return "No answer on this topic names or cites a competitor instead of the brand. Leave topic out for all."
    return (
        f"No answer up to {date_format(findings.day)} on a topic of the brand names or cites a competitor instead of "
        "it. Add prompts on what it sells."
    )
