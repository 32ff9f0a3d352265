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
from visibility.measured.names import TrackedNames, Vocabulary, vocabulary_of
from visibility.models import Generation

NO_GENERATION = UUID(int=0)
"""No row is of it: what stands for a brand that nothing was measured of yet."""


@remembered
def rival_names(brand_id: UUID) -> dict[UUID, str]:
    """The names of a brand's competitors, by name."""
    return dict(Competitor.objects.filter(brand=brand_id).order_by("name", "pk").values_list("pk", "name"))


@remembered
def tracked_names_of(brand: Brand) -> TrackedNames:
    """What the brand's current figures were analysed for; today's names where nothing is measured yet. One statement
    where something is, which also reads the names of the competitors."""
    rows = _ROWS.rows(None, brand_id=brand.pk)
    names = {pk: name for is_rival, pk, name in rows if is_rival}
    remember(rival_names, names, brand.pk)
    if not rows or rows[0][0]:
        return TrackedNames(NO_GENERATION, vocabulary_of(brand))
    _, generation, state = rows[0]
    return TrackedNames(generation, Vocabulary.from_json(orjson.loads(state), list(names)))


def tracked_names_by_brand(brands: Collection[UUID]) -> dict[UUID, TrackedNames]:
    """As `tracked_names_of`, of those brands that have figures, in one statement."""
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


def tracked_names_in(generation: Generation) -> TrackedNames:
    """What a generation is analysed for, without competitors that were removed since."""
    watched = Competitor.objects.filter(brand=generation.brand_id).values_list("pk", flat=True)
    return TrackedNames(generation.pk, Vocabulary.from_json(generation.names, list(watched)))


def _rows(caller: Caller | None, brand_id: Slot) -> QuerySet[Any, Any]:
    """The current generation with its names, then the competitors by name."""
    rivals = Competitor.objects.filter(brand=brand_id).order_by().annotate(is_rival=Value(True))
    current = Generation.objects.filter(brand=brand_id, state=Generation.State.CURRENT).order_by()
    texts = current.annotate(is_rival=Value(False), text=Cast("names", TextField()))
    columns = ("is_rival", "pk", "text")
    named: QuerySet[Any, Any] = rivals.annotate(text=Cast("name", TextField())).values_list(*columns)
    return named.union(texts.values_list(*columns), all=True).order_by("is_rival", "text", "pk")


_ROWS = Prepared(_rows)
