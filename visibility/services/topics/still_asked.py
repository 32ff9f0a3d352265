"""Prompts on topics that are not the brand's own: scans ask them until somebody archives them."""

from collections.abc import Collection
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from apikeys.caller import Caller
from apikeys.errors import ServiceError
from apikeys.scopes import Scope
from apikeys.text.sentences import counted
from brands.models import Brand
from brands.services.access import editable_brand
from visibility.measured.generations import topic_choices
from visibility.measured.topics import Topic, read_topics
from visibility.services.prompts.keeping import archive_prompts
from visibility.services.scans.estimates import estimate_scan


@dataclass(frozen=True, slots=True)
class StillAsked:
    """Active prompts on topics that are not own, and what they take of each scan: credits and US dollars, `cost` None
    where a price is not known, `credits` 0 where nothing can be asked now."""

    topics: int
    prompts: int
    credits: int
    cost: Decimal | None

    @property
    def words(self) -> str:
        """How many they are, in a sentence without its end."""
        topics = counted(self.topics, "topic that is", "topics that are")
        return f"{counted(self.prompts, 'prompt is', 'prompts are')} still asked on {topics} not yours"


def still_asked(caller: Caller, *, brand: Brand) -> StillAsked | None:
    """What is still asked on topics that are not own, of a brand that the caller sees; None where nothing is. Raises
    insufficient_scope."""
    caller.require(Scope.READ_PROMPTS)
    topics = _not_own(brand.pk)
    if not topics:
        return None
    prompts = len(_prompts(brand.pk, topics))
    try:
        estimate = estimate_scan(caller, brand_id=brand.pk)
    except ServiceError:  # no engine can be asked
        return StillAsked(len(topics), prompts, 0, None)
    # A scan asks all prompts alike.
    of_all = len(read_topics(brand.pk).wordings)
    cost = None if estimate.cost is None else estimate.cost * prompts / of_all
    return StillAsked(len(topics), prompts, estimate.credits * prompts // of_all, cost)


def archive_not_own(caller: Caller, *, brand_id: UUID) -> int:
    """Ask nothing more on topics that are not own; how many prompts were asked before. Raises insufficient_scope,
    not_found and read_only_collaborator."""
    caller.require(Scope.WRITE_PROMPTS)
    brand = editable_brand(caller, brand_id)
    return archive_prompts(caller, brand_id=brand.pk, prompt_ids=_prompts(brand.pk, _not_own(brand.pk)))


def _not_own(brand_id: UUID) -> list[Topic]:
    """The topics that are not own and that scans ask about."""
    choices = topic_choices(brand_id)
    return [topic for topic in read_topics(brand_id).topics if topic.active and choices.get(topic.key) is False]


def _prompts(brand_id: UUID, topics: Collection[Topic]) -> set[UUID]:
    active = read_topics(brand_id).wordings.keys()
    return {prompt for topic in topics for prompt in topic.prompts & active}
