"""The prompts of a brand, with what answers to them show now."""

from collections.abc import Collection, Sequence
from itertools import product
from uuid import UUID

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.scopes import Scope
from brands.models import Brand
from brands.services.access import readable_brand
from brands.services.tracked import read_names
from visibility.detection.detector import named_in
from visibility.detection.names.matching import Dictionary
from visibility.detection.types import BRAND
from visibility.measured.generations import not_own_topics
from visibility.measured.names import domains_of, names_of
from visibility.measured.reading import read_basis
from visibility.measured.topics import Topics, read_topics
from visibility.models import Intent, Prompt, Purpose, Stage
from visibility.resources.prompts import Coverage, PromptItem, PromptList
from visibility.services.prompts.editing import prompt_quota
from visibility.services.reading.mention_counts import CountedWording, counted_wordings
from visibility.services.reading.topics import meant_topic


@snapshot()
def prompts_of(
    caller: Caller,
    *,
    brand_id: UUID,
    stage: str | None = None,
    branded: bool | None = None,
    active: bool | None = True,
    topic: str | None = None,
) -> PromptList:
    """The prompts that fit, by topic, with “k of n” for each engine; None fits all. Raises not_found, and
    invalid_arguments for a topic that there is not.

    Counted are answers to the latest wording of a prompt that was asked.
    """
    caller.require(Scope.READ_PROMPTS)
    brand = readable_brand(caller, brand_id)
    prompts = list(Prompt.objects.restrict(caller, "view").filter(brand=brand).tracked())
    topics = read_topics(brand.pk)
    stored_topic = meant_topic(topics, topic) if topic is not None else None
    basis = read_basis(brand.pk)
    results = counted_wordings(basis.engines)
    dictionary = names_in_use(brand)
    not_own = not_own_topics(brand.pk)
    items = [prompt_item(prompt, topics, dictionary, results.get(prompt.pk), not_own) for prompt in prompts]
    return PromptList(
        site=brand.pk,
        as_of=basis.latest,
        topic=stored_topic.name if stored_topic else None,
        engines=[row.engine for row in basis.engines],
        prompts=[
            item
            for item in items
            if stage in (None, item.stage) and branded in (None, item.branded) and active in (None, item.active)
            if stored_topic is None or item.id in stored_topic.prompts
        ],
        coverage=_coverage(items),
        quota=prompt_quota(brand),
    )


def names_in_use(brand: Brand) -> Dictionary:
    """The names of the brand and its competitors as they are now, ready to be found in prompts; one statement."""
    names = read_names(brand)
    return Dictionary(names_of(names), domains_of(names))


def prompt_item(
    prompt: Prompt, topics: Topics, dictionary: Dictionary, counted: CountedWording | None, not_own: Collection[str]
) -> PromptItem:
    """The prompt as every door shows it, with what answers to it show; `not_own` are topics that do not count."""
    engines = counted.engines if counted else []
    return PromptItem.of(
        prompt,
        topic=topics.name_of(prompt.topic),
        branded=is_branded(prompt.text, dictionary),
        active=prompt.archived_at is None and prompt.purpose == Purpose.VISIBILITY,
        counts=(prompt.topic or str(prompt.pk)) not in not_own,
        named=sum(row.named for row in engines),
        answers=sum(row.answers for row in engines),
        counted_version=counted.version if counted else None,
        engines=engines,
    )


def is_branded(text: str, dictionary: Dictionary) -> bool:
    """Whether a wording names the brand itself: answers to it are no part of the score."""
    return BRAND in named_in(text, dictionary)


def _coverage(items: Sequence[PromptItem]) -> list[Coverage]:
    """Every stage with every intent, empty ones too, then what states only one of them or neither."""
    cells: dict[tuple[str, str], list[PromptItem]] = {cell: [] for cell in product(Stage.values, Intent.values)}
    for item in sorted(items, key=lambda item: (item.stage or "", item.intent or "")):
        if item.active:
            cells.setdefault((item.stage or "", item.intent or ""), []).append(item)
    return [
        Coverage(
            stage=stage or None,
            intent=intent or None,
            prompts=len(members),
            named=sum(item.named for item in members),
            answers=sum(item.answers for item in members),
        )
        for (stage, intent), members in cells.items()
    ]
