"""Writing a draft: what it may quote is gathered first, then it is written, checked, and stored within the quota."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from uuid import UUID

from django.db import transaction

from apikeys.caller import Caller
from apikeys.errors import invalid
from apikeys.models import Usage
from apikeys.scopes import Scope
from apikeys.services.usage import quota_exceeded, spend
from apikeys.text.sentences import one_line, shortened
from apikeys.text.storable import storable
from apikeys.text.validation import clean_line
from brands.models import Brand
from brands.services.access import editable_brand
from visibility.engines.adapters.local_search import Passage, compose
from visibility.insights.content.reading import Found, read_opportunities
from visibility.insights.content.wording import topic_of
from visibility.insights.recommendations.wording import EvidenceText
from visibility.measured.own_pages import is_own, own_domains
from visibility.models import ContentDraft, Prompt
from visibility.models.prompts import MAX_TOPIC
from visibility.pipeline.ask.corpus import search_pages
from visibility.resources.writing import WrittenDraftResource
from visibility.services.content.opportunities import draft_quota, draft_resource
from visibility.services.writing import Done, by_engine, by_rule, subject_of
from visibility.writers.checks import check
from visibility.writers.drafting import MAX_QUESTIONS
from visibility.writers.protocol import Writer, WrittenDraft
from visibility.writers.tasks import DraftFormat, DraftTask, Material
from visibility.writers.words import names_any, wording_key

MAX_PASSAGES = 12
MAX_PASSAGE_LENGTH = 1_000
MAX_SEARCHED = 30
"""Pages that are analysed for the brand's own among them."""
MAX_OWN_PAGES = 2
_LIST_MARKER = re.compile(r"^(?:[-*+•]|\d+[.)])\s+")


def prepare_draft(
    caller: Caller, *, brand_id: UUID, opportunity_id: str = "", topic: str = "", format: str = ""
) -> Callable[[], WrittenDraftResource]:
    """Have a page written for an opportunity or on a topic, and return what stores it within the month's drafts.

    `format` defaults to what suits the opportunity, else to an article. It quotes what is stored and invents nothing:
    what is not known is a marked gap. Preparing is not to be done in a transaction. Raises insufficient_scope,
    not_found, read_only_collaborator, invalid_arguments, quota_exceeded and upstream_unavailable.
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

    def work(writer: Writer) -> WrittenDraft:
        return writer.draft(task)

    done = by_engine(brand.owner, work) or by_rule(work)
    return lambda: _store(caller, brand, opportunity_id, task, done)


@transaction.atomic
def _store(
    caller: Caller, brand: Brand, opportunity: str, task: DraftTask, done: Done[WrittenDraft]
) -> WrittenDraftResource:
    """Take one of the month's drafts and keep the page: both or neither."""
    brand = editable_brand(caller, brand.pk, lock=True)
    spend(brand.owner, Usage.Kind.DRAFTS, 1)
    draft: ContentDraft = ContentDraft.objects.create(
        brand=brand,
        opportunity=opportunity,
        topic=task.topic,
        format=task.format.value,
        title=storable(done.result.title),
        markdown=storable(done.result.markdown),
        sources=storable([_source(material) for material in task.materials]),
        checks=storable([draft_check.model_dump() for draft_check in check(done.result, task)]),
        writer=done.writer.model_dump(),
        created_by=caller.actor,
    )
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
    subject = finding.subject
    questions = [subject.question(prompt) for prompt in finding.opportunity.gap.prompts[:MAX_QUESTIONS]]
    locales = Prompt.objects.filter(pk__in=finding.opportunity.gap.prompts).values_list("locale", flat=True)
    passages = _own_passages(brand, questions)
    evidence = [_evidence(item, subject.question(item.prompt_id)) for item in finding.evidence if item.prompt_id]
    return DraftTask(
        subject=subject_of(brand),
        topic=topic_of(finding),
        format=DraftFormat(format_name) if format_name else finding.format,
        questions=questions,
        materials=_marked([*passages, *evidence]),
        locale=_most(list(locales)),
    )


def _on_topic(brand: Brand, topic: str, format_name: str) -> DraftTask:
    """The brand's own questions on the topic are answered; where it has none, the topic is the question."""
    words = wording_key(topic)
    near = [
        (text, locale)
        for text, named, locale in Prompt.objects.filter(brand=brand).active().values_list("text", "topic", "locale")
        if named.casefold() == topic.casefold() or words <= wording_key(text)
    ]
    own_names = (brand.name, brand.domain)
    questions = [one_line(text) for text, _ in near if not names_any(text, own_names)][:MAX_QUESTIONS]
    return DraftTask(
        subject=subject_of(brand),
        topic=topic,
        format=DraftFormat(format_name) if format_name else DraftFormat.ARTICLE,
        questions=questions or [topic],
        materials=_marked(_own_passages(brand, [*questions, topic])),
        locale=_most([locale for _, locale in near]),
    )


def _own_passages(brand: Brand, questions: Sequence[str]) -> list[Material]:
    """Sentences of the brand's own pages that share most words with the questions, word for word, each once."""
    domains = own_domains(brand)
    passages: dict[str, Material] = {}
    for question in questions:
        pages = search_pages(brand, question, MAX_SEARCHED)
        for page in [page for page in pages if is_own(page.url, domains)][:MAX_OWN_PAGES]:
            text = _best_words(question, page)
            passages.setdefault(text, Material("", text, one_line(page.title) or page.url, page.url, own=True))
    return list(passages.values())[:MAX_PASSAGES]


def _best_words(question: str, page: Passage) -> str:
    text, [source] = compose(question, [page])
    return shortened(one_line(text[source.start : source.end]), MAX_PASSAGE_LENGTH)


def _evidence(item: EvidenceText, question: str) -> Material:
    text = _LIST_MARKER.sub("", one_line(item.text), count=1)
    if item.kind == "citation":
        return Material("", text, f"{text} ({item.engine})", item.url or "", answer=str(item.answer_id))
    return Material("", text, f"{item.engine}: “{question}”", answer=str(item.answer_id))


def _marked(materials: Sequence[Material]) -> list[Material]:
    return [
        Material(f"S{number}", material.text, material.source, material.url, material.own, material.answer)
        for number, material in enumerate(materials, start=1)
    ]


def _source(material: Material) -> dict[str, object]:
    return {
        "mark": material.mark,
        "text": material.text,
        "source": material.source,
        "url": material.url or None,
        "own": material.own,
        "answer_id": material.answer or None,
    }


def _most(locales: Sequence[str]) -> str:
    """The locale that most have; empty where there is none."""
    return Counter(locales).most_common(1)[0][0] if locales else ""
