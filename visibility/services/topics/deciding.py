"""Which topics are the brand's business: what is known, what nobody knows, and what its people say."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from django.core.cache import cache
from django.db import transaction
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.errors import invalid
from apikeys.scopes import Scope
from brands.models import Brand
from brands.services.access import editable_brand, readable_brand
from visibility.insights.recommendations import refresh_from_evidence, refresh_recommendations
from visibility.insights.recommendations.material import Material
from visibility.insights.recommendations.relevance import Concern, concerns
from visibility.measured.generations import topic_choices, tracked_names_of
from visibility.measured.own_pages import OwnPages, read_own_pages
from visibility.measured.topic_table import TopicTable
from visibility.measured.topics import read_topics
from visibility.models import TopicChoice

logger = logging.getLogger(__name__)

KEPT_SECONDS = 600
"""How long it is kept which topics are undecided: whether a page is about one takes reading all own pages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownTopic:
    """A topic that is answered now: in `named` of `answers` answers the brand is named."""

    key: str
    name: str
    concern: Concern
    named: int
    answers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicDecisions:
    """The topics of a brand, those that nobody knows of first, then by name."""

    brand: Brand
    topics: Sequence[KnownTopic]

    @property
    def undecided(self) -> list[KnownTopic]:
        """Those that nothing is recommended on until somebody says whether they are the brand's business."""
        return [topic for topic in self.topics if topic.concern is Concern.UNKNOWN]


@snapshot()
def topic_decisions(caller: Caller, *, brand_id: UUID) -> TopicDecisions:
    """Every topic that is answered now, with how it is known whether it is the brand's business. Raises
    insufficient_scope and not_found."""
    caller.require(Scope.READ_PROMPTS)
    brand = readable_brand(caller, brand_id)
    topics = _known_topics(brand)
    return TopicDecisions(brand=brand, topics=topics)


def topic_concerns(caller: Caller, *, brand: Brand, table: TopicTable) -> Mapping[str, Concern]:
    """Of each topic of the table whether it is the business of the brand, which the caller sees, as it was up to ten
    minutes ago; empty while the cache is silent, as no page is to wait for what it keeps."""
    caller.require(Scope.READ_PROMPTS)
    key = _cache_keys(brand.pk)[1]
    try:
        known: dict[str, str] | None = cache.get(key)
    except Exception:  # each cache backend has its own family of errors
        return _unasked()
    if known is None or known.keys() != {row.topic.key for row in table.rows}:
        tracked_names_of(brand)  # with the choices, and the names that own pages are told by
        choices = topic_choices(brand.pk)
        known = {topic: concern.value for topic, concern in _concerns(brand, table, choices).items()}
        try:
            cache.set(key, known, KEPT_SECONDS)
        except Exception:  # as above
            return _unasked()
    return {topic: Concern(value) for topic, value in known.items()}


def undecided_topics(caller: Caller, *, brand: Brand) -> dict[str, str]:
    """The names of the undecided topics by key, of a brand that the caller sees, as they were up to ten minutes ago;
    none while the cache is silent, as no page is to wait for what it keeps."""
    caller.require(Scope.READ_PROMPTS)
    key = _cache_key(brand.pk)
    try:
        names: dict[str, str] | None = cache.get(key)
    except Exception:  # each cache backend has its own family of errors
        return _unasked()
    if names is not None:
        return names
    names = _undecided(brand)
    try:
        cache.set(key, names, KEPT_SECONDS)
    except Exception:  # as above
        return _unasked()
    return names


@transaction.atomic
def choose_topics(caller: Caller, *, brand_id: UUID, choices: Mapping[str, bool]) -> int:
    """Keep whether the brand sells what each of these topics (by key) is about, and have its recommendations follow
    at once; how many choices are new or others than before.

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
    TopicChoice.objects.bulk_create(
        [
            TopicChoice(brand=brand, topic=topic, is_own=is_own, decided_by=caller.actor, decided_at=now)
            for topic, is_own in changed.items()
        ],
        update_conflicts=True,
        unique_fields=["brand", "topic"],
        update_fields=["is_own", "decided_by", "decided_at"],
    )
    refresh_recommendations(brand)
    refresh_from_evidence(brand)
    transaction.on_commit(partial(cache.delete_many, _cache_keys(brand.pk)), robust=True)
    return len(changed)


def _unasked() -> dict[str, Any]:
    logger.warning("The cache is silent: nobody is asked about topics", exc_info=True)
    return {}


def _undecided(brand: Brand) -> dict[str, str]:
    material = Material(brand)
    if not material.basis.engines:
        return {}
    known = _concerns(brand, material.topics, material.choices)
    rows = sorted(material.topics.rows, key=lambda row: (row.topic.name.casefold(), row.topic.key))
    return {row.topic.key: row.topic.name for row in rows if known[row.topic.key] is Concern.UNKNOWN}


def _concerns(brand: Brand, table: TopicTable, choices: Mapping[str, bool]) -> Mapping[str, Concern]:
    """Whether each topic is the brand's business; its own pages are read only where they may decide."""
    known = concerns(table, OwnPages(()), choices)
    if Concern.UNKNOWN not in known.values():
        return known
    return concerns(table, read_own_pages(brand, titles_only=True), choices)


def _known_topics(brand: Brand) -> list[KnownTopic]:
    material = Material(brand)
    if not material.basis.engines:
        return []
    known = concerns(material.topics, read_own_pages(brand, titles_only=True), material.choices)
    topics = [
        KnownTopic(
            key=row.topic.key,
            name=row.topic.name,
            concern=known[row.topic.key],
            named=row.own.named,
            answers=row.own.answers,
        )
        for row in material.topics.rows
    ]
    return sorted(topics, key=lambda topic: (topic.concern is not Concern.UNKNOWN, topic.name.casefold(), topic.key))


def _cache_key(brand: UUID) -> str:
    return f"undecided-topics:{brand}"


def _cache_keys(brand: UUID) -> list[str]:
    """All under which something is kept of the brand's topics: of those that are undecided, and of each."""
    return [_cache_key(brand), f"topic-concerns:{brand}"]
