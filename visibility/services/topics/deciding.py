"""Which topics are the brand's own: what its people said, what nobody has said yet, and saying it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.errors import invalid
from apikeys.scopes import Scope
from apikeys.text.sentences import joined, shortened
from brands.models import Brand
from brands.services.access import count_new_names, editable_brand, readable_brand
from visibility.detection.detector import named_in
from visibility.detection.types import BRAND
from visibility.insights.recommendations import refresh_from_evidence, refresh_recommendations
from visibility.measured.generations import topic_choices, tracked_names_of
from visibility.measured.names import TrackedNames
from visibility.measured.reading import read_basis
from visibility.measured.topic_table import read_topic_table, subject_names
from visibility.measured.topics import Topic, Topics, read_topics
from visibility.models import TopicChoice
from visibility.pipeline.generations.planning import plan_generation


class TopicState(StrEnum):
    """Whether a topic is the brand's own, as its owner or an editor said."""

    OWN = "own"
    NOT_OWN = "not_own"
    UNDECIDED = "undecided"


MAX_LISTED = 50
"""Topics that a refusal lists."""
STATE_OF: Mapping[bool | None, TopicState] = {
    True: TopicState.OWN,
    False: TopicState.NOT_OWN,
    None: TopicState.UNDECIDED,
}
"""By what was said of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownTopic:
    """A topic of the brand: scans ask `prompts` of its prompts, and of the `answers` that count now, `named` name the
    brand; both 0 before its first answer, and while it is not own."""

    key: str
    name: str
    state: TopicState
    prompts: int
    named: int
    answers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicDecisions:
    """The topics of a brand, those that are to be decided first, then by name."""

    brand: Brand
    topics: Sequence[KnownTopic]

    @property
    def undecided(self) -> list[KnownTopic]:
        """Those of which nobody has said whether they are own and that scans ask about: they count."""
        return [topic for topic in self.topics if topic.state is TopicState.UNDECIDED and topic.prompts]


@dataclass(frozen=True, slots=True)
class TopicsQuestion:
    """Which of the topics that scans ask about are undecided: their names by key, of `active` in all."""

    undecided: Mapping[str, str]
    active: int

    @property
    def states(self) -> str:
        """That they are, in a sentence."""
        undecided = len(self.undecided)
        if self.active == 1:
            return "The one topic that is asked about is not decided"
        return f"{undecided} of {self.active} topics {'is' if undecided == 1 else 'are'} not decided"


@snapshot()
def topic_decisions(caller: Caller, *, brand_id: UUID) -> TopicDecisions:
    """Every topic of the brand, those that were never asked about and those that are asked no more, too. Raises
    insufficient_scope and not_found."""
    caller.require(Scope.READ_PROMPTS)
    brand = readable_brand(caller, brand_id)
    tracked = tracked_names_of(brand)
    topics, choices = read_topics(brand.pk), topic_choices(brand.pk)
    basis = read_basis(brand.pk)
    rows = read_topic_table(basis, subject_names(brand)).rows if basis.engines else ()
    figures = {row.topic.key: row.own for row in rows}
    known = [
        KnownTopic(
            key=topic.key,
            name=topic.name,
            state=STATE_OF[choices.get(topic.key)],
            prompts=len(topic.prompts & topics.wordings.keys()),
            named=figures[topic.key].named if topic.key in figures else 0,
            answers=figures[topic.key].answers if topic.key in figures else 0,
        )
        for topic in _deciding(tracked, topics, topics.topics)
    ]
    known.sort(key=lambda topic: not (topic.state is TopicState.UNDECIDED and topic.prompts))
    return TopicDecisions(brand=brand, topics=known)


@snapshot()
def topics_question(caller: Caller, *, brand: Brand) -> TopicsQuestion:
    """The undecided topics of a brand that the caller sees, beside all that scans ask about. Raises
    insufficient_scope."""
    caller.require(Scope.READ_PROMPTS)
    tracked = tracked_names_of(brand)  # which reads the choices, too
    choices, topics = topic_choices(brand.pk), read_topics(brand.pk)
    active = [topic for topic in topics.topics if topic.active]
    waiting = [topic for topic in active if topic.key not in choices]
    undecided = {topic.key: topic.name for topic in _deciding(tracked, topics, waiting)} if waiting else {}
    return TopicsQuestion(undecided, len(active) - len(waiting) + len(undecided))


def undecided_topics(caller: Caller, *, brand: Brand) -> Mapping[str, str]:
    """The names by key, in their order, of the topics of a brand that the caller sees, that scans ask about, and of
    which nobody has said whether they are own."""
    return topics_question(caller, brand=brand).undecided


def _deciding(tracked: TrackedNames, topics: Topics, among: Collection[Topic]) -> list[Topic]:
    """Those of the topics that can enter a figure: not those that are asked about in prompts that name the brand
    alone."""
    dictionary, keys = tracked.dictionary, {topic.key for topic in among}
    counting = {
        topics.key_of[wording.prompt]
        for wording in topics.versions.values()
        if topics.key_of[wording.prompt] in keys and BRAND not in named_in(wording.text, dictionary)
    }
    return [topic for topic in among if topic.key in counting]


@transaction.atomic
def choose_topics(caller: Caller, *, brand_id: UUID, choices: Mapping[str, bool | None]) -> int:
    """Keep whether the brand sells what each of these topics (by key) is about, None for who takes back what was said
    of it; how many topics change. Its history is counted again in the background without those that it does not sell,
    and its recommendations follow at once.

    Raises not_found, read_only_collaborator, and invalid_arguments for a topic that there is not: then nothing is
    kept.
    """
    brand = editable_brand(caller, brand_id, lock=True)
    if choices.keys() - {topic.key for topic in read_topics(brand.pk).topics}:
        raise invalid("topics", "One of these topics is gone: its prompts were changed. Look at the list again.")
    before = dict(TopicChoice.objects.filter(brand=brand).values_list("topic", "is_own"))
    changed = {topic: is_own for topic, is_own in choices.items() if before.get(topic) is not is_own}
    if not changed:
        return 0
    now = timezone.now()
    TopicChoice.objects.filter(
        brand=brand, topic__in=[key for key, is_own in changed.items() if is_own is None]
    ).delete()
    TopicChoice.objects.bulk_create(
        [
            TopicChoice(brand=brand, topic=topic, is_own=is_own, decided_by=caller.actor, decided_at=now)
            for topic, is_own in changed.items()
            if is_own is not None
        ],
        update_conflicts=True,
        unique_fields=["brand", "topic"],
        update_fields=["is_own", "decided_by", "decided_at"],
    )
    if any(is_own is False or before.get(topic) is False for topic, is_own in changed.items()):
        count_new_names(brand)  # also for the tick, which plans where this process dies
        plan_generation(brand)
    refresh_recommendations(brand)
    refresh_from_evidence(brand)
    return len(changed)


@transaction.atomic
def choose_own_topics(caller: Caller, *, brand: Brand, names: Collection[str]) -> int:
    """Keep that the brand sells what these topics are about (by name, or as prompts have them), and none of its other
    topics; how many topics change. Raises as `choose_topics`, where a name is none of a topic with all that there
    are."""
    topics = read_topics(brand.pk)
    meant = {name: topics.meant_by(name) for name in names}
    if unknown := [name for name, topic in meant.items() if topic is None]:
        known = ", ".join(shortened(topic.name, 80) for topic in topics.topics[:MAX_LISTED]) or "none"
        more = len(topics.topics) - MAX_LISTED
        raise invalid(
            "topics",
            f"There is no topic {joined([f'“{shortened(name, 80)}”' for name in unknown])}. The topics of "
            f"{brand.name} are: {known}{f', and {more} more' if more > 0 else ''}. Nothing was stored.",
        )
    own = {topic.key for topic in meant.values() if topic is not None}
    return choose_topics(caller, brand_id=brand.pk, choices={topic.key: topic.key in own for topic in topics.topics})
