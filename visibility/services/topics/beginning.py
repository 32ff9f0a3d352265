"""The topics that a new brand begins with: what is proposed, and prompts for those that its people choose."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from django.db import transaction

from apikeys.caller import Caller
from apikeys.errors import ServiceError, invalid
from apikeys.scopes import Scope
from brands.models import Brand
from brands.services.access import editable_brand
from visibility.measured.audits import finished_audits, read_pages
from visibility.models import Run
from visibility.services.prompts.editing import AddedPrompts, PromptDraft, add_prompts, no_room, prompt_quota
from visibility.services.prompts.generating import Wishes, draft_of, fresh_of
from visibility.services.topics.deciding import choose_topics
from visibility.services.topics.proposing import OFFERING
from visibility.services.writing import by_rule, subject_of
from visibility.writers.tasks import KnownPrompt, PromptsTask
from visibility.writers.topics import words_of
from visibility.writers.words import things_in

FEWEST, MOST = 5, 15
"""Topics to begin with: fewer than four give no interval."""
MAX_EACH = 5
"""Prompts on each of them."""


def first_topics(caller: Caller, *, brand: Brand) -> list[str]:
    """What a brand that the caller sees could begin with: the things that its description names, and where these are
    few those in the titles of the pages that were audited; none where there is neither. Raises insufficient_scope."""
    caller.require(Scope.READ_PROMPTS)
    subject = subject_of(brand)
    names = [*subject.names, *subject.rivals, subject.domain.split(".")[0]]
    topics = things_in([brand.description], without=names, most=MOST)
    if len(topics) >= FEWEST or (audit := finished_audits(Run.objects.filter(brand=brand)).first()) is None:
        return topics
    titles = [page.titles[0].text for page in read_pages(audit) if page.titles and page.kind in OFFERING]
    return things_in([brand.description, *titles], without=names, most=MOST)


@transaction.atomic
def begin_with_topics(caller: Caller, *, brand_id: UUID, topics: Sequence[str], on_each: int) -> AddedPrompts:
    """Have up to `on_each` prompts added on each of these topics, and decide that they are the brand's own.

    The prompts are written by rule, which neither waits nor costs: no engine stands between a new brand and its first
    scan. Where no rule knows how to ask on a topic, the topic itself is asked. Raises insufficient_scope, not_found,
    read_only_collaborator, invalid_arguments, and quota_exceeded where the plan has no room for one prompt on each.
    """
    caller.require(Scope.WRITE_PROMPTS)
    brand = editable_brand(caller, brand_id, lock=True)
    if not 1 <= on_each <= MAX_EACH:
        raise invalid("on_each", f"Ask for 1 to {MAX_EACH} prompts on each topic.")
    names = list({words_of(topic) or (topic,): topic for topic in topics if topic.strip()}.values())
    if not 1 <= len(names) <= MOST:
        raise invalid("topics", f"Write 1 to {MOST} topics, one on each line; {FEWEST} or more are a good start.")
    quota = prompt_quota(brand)
    room = (quota.limit - quota.used) // len(names)
    if room < 1:
        raise no_room(quota)
    wishes = [_wishes(brand, topic, min(on_each, room)) for topic in names]
    task, drafts = wishes[0].task(brand), list[PromptDraft]()
    for wish in wishes:
        written = _written(replace(task, topic=wish.topic), wish)
        drafts += written
        known = [KnownPrompt(draft.text, draft.topic, draft.stage, draft.intent, draft.locale) for draft in written]
        task = replace(task, existing=[*task.existing, *known])
    added = add_prompts(caller, brand=brand, drafts=drafts)
    choose_topics(caller, brand_id=brand.pk, choices={prompt.topic: True for prompt in added.prompts})
    return added


def _wishes(brand: Brand, topic: str, count: int) -> Wishes:
    try:
        return Wishes(brand, count=count, topic=topic, stage="", persona="", locale="")
    except ServiceError as refusal:
        raise invalid("topics", f"“{topic}”: {refusal.message}") from None


def _written(task: PromptsTask, wishes: Wishes) -> list[PromptDraft]:
    try:
        fresh = fresh_of(by_rule(lambda writer: writer.prompts(task)).result.prompts, task)[: wishes.count]
    except ServiceError:  # a language without templates
        fresh = []
    drafts = [draft_of(prompt, wishes) for prompt in fresh]
    return drafts or [PromptDraft(wishes.topic, wishes.topic, locale=wishes.locale)]
