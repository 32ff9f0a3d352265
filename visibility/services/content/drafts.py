"""Writing a draft: what it may quote is gathered first, then it is written, checked, and stored within the quota."""

from collections import Counter
from collections.abc import Callable, Sequence
from uuid import UUID

from django.db import transaction

from apikeys.caller import Caller
from apikeys.errors import invalid
from apikeys.models import Usage
from apikeys.scopes import Scope
from apikeys.services.guards import conflict
from apikeys.services.usage import quota_exceeded, spend
from apikeys.text.sentences import counted, one_line
from apikeys.text.storable import storable
from apikeys.text.validation import clean_line
from brands.models import Brand
from brands.services.access import editable_brand
from visibility.insights.content.reading import Found, read_opportunities
from visibility.insights.content.wording import topic_of
from visibility.models import ContentDraft, Prompt, ProviderCall
from visibility.models.prompts import MAX_TOPIC
from visibility.resources.writing import WrittenDraftResource
from visibility.services.content.judging import judged, source_rows
from visibility.services.content.material import gathered
from visibility.services.content.opportunities import draft_quota, draft_resource
from visibility.services.content.revising import OwnText, page_that_answers
from visibility.services.writing import Done, by_engine, by_rule, subject_of
from visibility.writers.drafting import compose
from visibility.writers.grounding import Grounded, ground
from visibility.writers.markup import MARK, finished
from visibility.writers.outline import distinct_questions
from visibility.writers.protocol import Writer, WrittenDraft
from visibility.writers.tasks import DraftFormat, DraftTask
from visibility.writers.words import names_any, wording_key

MIN_OWN = 3
"""Passages of the brand's own pages that make a draft worth having."""
MIN_SOURCES, MIN_OF_BRAND = 6, 2
"""Passages that do where there are fewer of its own, and how many of them speak of the brand: below that, drafts that
were read were headings and gaps, or spoke of everybody else (docs/drafts)."""


def prepare_draft(
    caller: Caller, *, brand_id: UUID, opportunity_id: str = "", topic: str = "", format: str = ""
) -> Callable[[], WrittenDraftResource]:
    """Have a page written for an opportunity or on a topic, and return what stores it within the month's drafts.

    `format` defaults to what suits the opportunity, else to an article. It quotes what is stored and invents nothing:
    what is not known is a marked gap. Preparing is not to be done in a transaction. Raises insufficient_scope,
    not_found, read_only_collaborator, invalid_arguments, quota_exceeded, upstream_unavailable, and conflict where
    there are too few sources: then nothing is asked, stored or charged.
    """
    caller.require(Scope.WRITE_CONTENT)
    brand = editable_brand(caller, brand_id)
    if bool(opportunity_id) == bool(topic.strip()):
        raise invalid("opportunity_id", "Give either the id of an opportunity or a topic of your own.")
    if format and format not in list(DraftFormat):
        raise invalid(
            "format", f"{format!r} is not a known format. Choose one of {', '.join(DraftFormat)}, or leave it out."
        )
    quota = draft_quota(brand.owner)
    if quota.used >= quota.limit:
        raise quota_exceeded("drafts", quota.limit, quota.used, quota.resets_at)
    if opportunity_id:
        task = _for_opportunity(brand, _opportunity(brand, opportunity_id), format)
    else:
        task = _on_topic(brand, clean_line("topic", topic, longest=MAX_TOPIC), format)
    _require_sources(task)

    def work(writer: Writer) -> WrittenDraft:
        return writer.draft(task)

    done = by_engine(brand.owner, work, purpose=ProviderCall.Purpose.WRITER, brand=brand) or by_rule(work)
    grounded = ground(done.result, task)
    page = page_that_answers(brand, task)
    return lambda: _store(caller, brand, opportunity_id, task, done, grounded, page)


def _require_sources(task: DraftTask) -> None:
    """Refuse a page of which too little would have a source."""
    used = set(MARK.findall(compose(task).markdown))
    materials = [material for material in task.materials if material.mark in used]
    own = sum(material.own for material in materials)
    about = sum(material.own or material.of == task.subject.name for material in materials)
    count = len(materials)
    if own >= MIN_OWN or (count >= MIN_SOURCES and about >= MIN_OF_BRAND):
        return
    topic, brand = one_line(task.topic), task.subject.name
    raise conflict(
        f"There is too little to write from on “{topic}”: {counted(own, 'passage')} of your own pages, {count} in "
        f"all with answers and reviews, {about} of them about {brand}. A draft needs {MIN_OWN} of your own, or "
        f"{MIN_SOURCES} in all with {MIN_OF_BRAND} about you. Nothing was written or charged. Run a site audit, so "
        "that your own pages are read, import pages or reviews, or start a visibility scan where no answer on the "
        "topic is stored; then ask again.",
        reason="too_few_sources",
        ownPassages=own,
        sources=count,
        ofBrand=about,
    )


@transaction.atomic
def _store(
    caller: Caller,
    brand: Brand,
    opportunity: str,
    task: DraftTask,
    done: Done[WrittenDraft],
    grounded: Grounded,
    page: OwnText | None,
) -> WrittenDraftResource:
    """Take one of the month's drafts and keep the page: both or neither."""
    brand = editable_brand(caller, brand.pk, lock=True)
    spend(brand.owner, Usage.Kind.DRAFTS, 1)
    draft = ContentDraft(
        brand=brand,
        opportunity=opportunity,
        topic=task.topic,
        format=task.format.value,
        title=storable(grounded.draft.title),
        markdown=storable(finished(grounded.draft.markdown, task)),
        sources=storable(source_rows(task, grounded.draft.markdown)),
        questions=storable(list(task.questions)),
        criteria=storable(list(task.criteria)),
        locale=task.locale,
        dropped=grounded.dropped,
        page_url=page.url if page else "",
        page_text=storable(page.text) if page else "",
        writer=done.writer.model_dump(),
        created_by=caller.actor,
    )
    judged(draft)
    draft.save(force_insert=True)
    return WrittenDraftResource(draft=draft_resource(draft), quota=draft_quota(brand.owner))


def _opportunity(brand: Brand, opportunity_id: str) -> Found:
    findings = read_opportunities(brand, lambda opportunity: opportunity.id == opportunity_id).opportunities
    if not findings:
        raise invalid(
            "opportunity_id",
            "There is no such opportunity on the latest measured day: it has closed, or the id is wrong. List the "
            "content opportunities again, or give a topic.",
        )
    return findings[0]


def _for_opportunity(brand: Brand, finding: Found, format_name: str) -> DraftTask:
    prompts = list(Prompt.objects.filter(pk__in=finding.opportunity.gap.prompts).values_list("topic", "locale"))
    questions = [finding.subject.question(prompt) for prompt in finding.opportunity.gap.prompts]
    return gathered(
        brand,
        DraftTask(
            subject=subject_of(brand),
            topic=topic_of(finding),
            format=DraftFormat(format_name) if format_name else finding.format,
            questions=distinct_questions(questions),
            locale=_most([locale for _, locale in prompts]),
        ),
        _most([topic for topic, _ in prompts]),
        finding.opportunity.gap.prompts,
    )


def _on_topic(brand: Brand, topic: str, format_name: str) -> DraftTask:
    """The brand's own questions on the topic are answered; where it has none, the topic is the question."""
    words = wording_key(topic)
    near = [
        (text, named, locale, pk)
        for pk, text, named, locale in Prompt.objects.filter(brand=brand)
        .active()
        .values_list("pk", "text", "topic", "locale")
        if named.casefold() == topic.casefold() or words <= wording_key(f"{text} {named}")
    ]
    own_names = (brand.name, brand.domain)
    questions = distinct_questions(one_line(text) for text, _, _, _ in near if not names_any(text, own_names))
    task = DraftTask(
        subject=subject_of(brand),
        topic=topic,
        format=DraftFormat(format_name) if format_name else DraftFormat.ARTICLE,
        questions=questions or [topic],
        locale=_most([locale for _, _, locale, _ in near]),
    )
    return gathered(brand, task, _most([named for _, named, _, _ in near]), [pk for *_, pk in near])


def _most(values: Sequence[str]) -> str:
    """The value that most have; empty where there is none."""
    return Counter(values).most_common(1)[0][0] if values else ""
