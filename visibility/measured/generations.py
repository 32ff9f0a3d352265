"""What the current figures of a brand were counted for: the names and domains of its current generation."""

from collections import defaultdict
from collections.abc import Collection
from typing import Any
from uuid import UUID

import orjson
from django.db.models import Case, F, OuterRef, Q, QuerySet, Subquery, TextField, Value, When
from django.db.models.functions import Cast

from apikeys.caller import Caller
from apikeys.db.prepared import Prepared, Slot
from apikeys.db.snapshot import remember, remembered
from brands.models import Brand, Competitor
from brands.services.tracked import FIRST_OTHER_KIND, RIVAL, name_rows, part_of_names, rows_of_names
from visibility.measured.names import TrackedNames, Vocabulary, vocabulary_of
from visibility.models import Generation, LeftOutTopic, TopicChoice

_GENERATION, _CHOICE = FIRST_OTHER_KIND, FIRST_OTHER_KIND + 1
_IS_OWN = "own"
NO_GENERATION = UUID(int=0)
"""No row is of it: what stands for a brand that nothing was measured of yet."""


@remembered
def rival_names(brand_id: UUID) -> dict[UUID, str]:
    """The names of a brand's competitors, by name."""
    return dict(Competitor.objects.filter(brand=brand_id).order_by("name", "pk").values_list("pk", "name"))


@remembered
def topic_choices(brand_id: UUID) -> dict[str, bool]:
    """What people said of topics: whether each is the brand's business."""
    return dict(TopicChoice.objects.filter(brand=brand_id).values_list("topic", "is_own"))


def not_own_topics(brand_id: UUID) -> frozenset[str]:
    """The topics, by key, that people said are not the brand's own."""
    return frozenset(topic for topic, is_own in topic_choices(brand_id).items() if not is_own)


def tracked_names_of(brand: Brand) -> TrackedNames:
    """What the brand's current figures were analysed for; today's names where nothing is measured yet. One statement
    where something is, which also reads what whoever asks this asks next: all names as they are now, and what people
    said of topics."""
    return _measured_for(brand.pk) or TrackedNames(NO_GENERATION, vocabulary_of(brand))


@remembered
def _measured_for(brand_id: UUID) -> TrackedNames | None:
    rows = _ROWS.rows(None, brand_id=brand_id)
    rivals = {rival: name for kind, rival, name, *_ in rows if kind == RIVAL}
    remember(name_rows, rows, brand_id)
    remember(rival_names, rivals, brand_id)
    remember(topic_choices, {topic: own == _IS_OWN for kind, _, topic, own, *_ in rows if kind == _CHOICE}, brand_id)
    for kind, generation, stored, *_ in rows:
        if kind == _GENERATION:
            return TrackedNames(generation, Vocabulary.from_json(orjson.loads(stored), list(rivals)))
    return None


def tracked_names_by_brand(brands: Collection[UUID]) -> dict[UUID, TrackedNames]:
    """As `tracked_names_of`, of those brands that have figures, in one statement."""
    if len(brands) == 1:
        measured_for = {brand: _measured_for(brand) for brand in brands}
        return {brand: tracked for brand, tracked in measured_for.items() if tracked}
    current: QuerySet[Generation] = Generation.objects.filter(brand__in=brands, state=Generation.State.CURRENT)
    rivals = Competitor.objects.filter(brand=OuterRef("brand")).order_by("pk").values("pk")
    is_first = Q(brand__competitors=None) | Q(brand__competitors=Subquery(rivals[:1]))
    rows = current.order_by().values_list(
        "brand_id", "pk", "brand__competitors", Case(When(is_first, then=F("names")))
    )  # the names once, not beside each competitor
    names: dict[UUID, tuple[UUID, dict[str, Any]]] = {}
    watched: dict[UUID, list[UUID]] = defaultdict(list)
    for brand, generation, rival, stored in rows:
        if rival is not None:
            watched[brand].append(rival)
        if stored is not None:
            names[brand] = generation, stored
    return {
        brand: TrackedNames(generation, Vocabulary.from_json(stored, watched[brand]))
        for brand, (generation, stored) in names.items()
    }


def left_out_topics(brands: Collection[UUID]) -> dict[UUID, frozenset[str]]:
    """The topics, by key, that the current figures of these brands leave out, by brand, in one statement; of one its
    names are read, as its readers do."""
    if len(brands) == 1:
        return {brand: tracked.vocabulary.not_own for brand, tracked in tracked_names_by_brand(brands).items()}
    left_out: dict[UUID, set[str]] = defaultdict(set)
    for brand, topic in LeftOutTopic.objects.filter(brand__in=brands).order_by().values_list("brand_id", "topic"):
        left_out[brand].add(topic)
    return {brand: frozenset(topics) for brand, topics in left_out.items()}


def tracked_names_in(generation: Generation) -> TrackedNames:
    """What a generation is analysed for, without competitors that were removed since."""
    watched = Competitor.objects.filter(brand=generation.brand_id).values_list("pk", flat=True)
    return TrackedNames(generation.pk, Vocabulary.from_json(generation.names, list(watched)))


def _rows(caller: Caller | None, brand_id: Slot) -> QuerySet[Any, Any]:
    """The names, the current generation with what it was analysed for, and the choices of topics."""
    current = Generation.objects.filter(brand=brand_id, state=Generation.State.CURRENT)
    choices = TopicChoice.objects.filter(brand=brand_id)
    is_own = Case(When(is_own=True, then=Value(_IS_OWN)), default=Value(""), output_field=TextField())
    return rows_of_names(
        brand_id,
        part_of_names(current, Value(_GENERATION), Cast("names", TextField()), F("pk")),
        part_of_names(choices, Value(_CHOICE), F("topic"), domain=is_own),
    )


_ROWS = Prepared(_rows)
