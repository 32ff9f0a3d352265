"""The prompts of a brand page by page, for people who keep many: chosen and counted in the database."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.resources import Quota
from apikeys.scopes import Scope
from brands.models import Brand
from visibility.measured.generations import not_own_topics, tracked_names_of
from visibility.measured.reading import read_basis
from visibility.measured.topics import Topics, read_topics
from visibility.models import Prompt
from visibility.models.prompts import MAX_TOPIC
from visibility.resources.prompts import PromptItem
from visibility.services.prompts.editing import quota_of
from visibility.services.prompts.listing import names_in_use, prompt_item
from visibility.services.reading.mention_counts import counted_wordings

PAGE_SIZE = 50
MAX_TOPICS = 60
"""Stated topics that are offered to choose from, those of most prompts first."""
ACTIVE, ARCHIVED = "active", "archived"


@dataclass(frozen=True, slots=True)
class PromptChoice:
    """Which prompts: those that scans ask or those in the archive, whose wording or topic holds `text`, of one topic
    (as it is stored), stage and intent; what is empty fits all."""

    state: str = ACTIVE
    text: str = ""
    topic: str = ""
    stage: str = ""
    intent: str = ""

    @property
    def is_narrowed(self) -> bool:
        """Whether it leaves out some prompts of its state."""
        return bool(self.text or self.topic or self.stage or self.intent)


@dataclass(frozen=True, slots=True)
class TopicCount:
    """A topic as it is stored, as people read it, and how many prompts of the chosen state it has."""

    key: str
    name: str
    prompts: int


@dataclass(frozen=True, slots=True)
class BrowsedPrompts:
    """A page of the prompts that fit. `counts` are all prompts of the brand by state, `as_of` the latest measured
    day, `quota` that of active prompts."""

    brand: Brand
    choice: PromptChoice
    page: Page[PromptItem]
    counts: dict[str, int]
    topics: Sequence[TopicCount]
    as_of: date | None
    quota: Quota


@snapshot()
def browse_prompts(caller: Caller, *, brand: Brand, choice: PromptChoice, number: str | int = 1) -> BrowsedPrompts:
    """The page of this number (the nearest there is) of the prompts that fit, by topic, each with “k of n” as in
    `prompts_of`, of a brand that the caller sees."""
    caller.require(Scope.READ_PROMPTS)
    topics = read_topics(brand.pk)
    counts = {ACTIVE: len(topics.wordings), ARCHIVED: len(topics.key_of) - len(topics.wordings)}
    fitting = _that_fit(Prompt.objects.restrict(caller, "view").filter(brand=brand).tracked(), choice)
    page: Page[Any] = Paginator(fitting, PAGE_SIZE).get_page(number)
    basis = read_basis(brand.pk)
    rows = list(page.object_list)
    results = counted_wordings(basis.engines, among=[row.pk for row in rows])
    tracked_names_of(brand)  # with all names, which are asked for next
    dictionary = names_in_use(brand)
    not_own = not_own_topics(brand.pk)
    page.object_list = [prompt_item(row, topics, dictionary, results.get(row.pk), not_own) for row in rows]
    return BrowsedPrompts(
        brand=brand,
        choice=choice,
        page=page,
        counts=counts,
        topics=_offered(topics, choice.state),
        as_of=basis.latest,
        quota=quota_of(brand, counts[ACTIVE]),
    )


def _offered(topics: Topics, state: str) -> list[TopicCount]:
    """The topics that people stated, with what they have of this state: for the others the wording itself stands."""
    texts = {text[:MAX_TOPIC] for text in topics.wordings.values()}
    counts = [
        TopicCount(topic.key, topic.name, sum((pk in topics.wordings) == (state == ACTIVE) for pk in topic.prompts))
        for topic in topics.topics
        if topic.is_stated and topic.key not in texts
    ]
    return sorted((topic for topic in counts if topic.prompts), key=lambda topic: -topic.prompts)[:MAX_TOPICS]


def _that_fit(tracked: QuerySet[Prompt], choice: PromptChoice) -> QuerySet[Prompt]:
    rows = tracked.filter(archived_at__isnull=choice.state != ARCHIVED)
    if choice.text:
        rows = rows.filter(Q(text__icontains=choice.text) | Q(topic__icontains=choice.text))
    stated = {name: getattr(choice, name) for name in ("topic", "stage", "intent") if getattr(choice, name)}
    return rows.filter(**stated).order_by("topic", "created_at", "pk")
