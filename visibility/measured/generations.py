"""What the current figures of a brand were counted for: the names and domains of its current generation."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from uuid import UUID

from brands.models import Brand, Competitor
from visibility.measured.names import TrackedNames, Vocabulary, vocabulary_of
from visibility.models import Generation

NO_GENERATION = UUID(int=0)
"""No row is of it: what stands for a brand that nothing was measured of yet."""


def tracked_names_of(brand: Brand) -> TrackedNames:
    """What the brand's current figures were analysed for; today's names where nothing is measured yet."""
    current: Generation | None = Generation.objects.filter(brand=brand, state=Generation.State.CURRENT).first()
    return tracked_names_in(current) if current else TrackedNames(NO_GENERATION, vocabulary_of(brand))


def tracked_names_by_brand(brands: Collection[UUID]) -> dict[UUID, TrackedNames]:
    """As `tracked_names_of`, of those brands that have figures, in as many statements for one as for all."""
    watched: dict[UUID, list[UUID]] = defaultdict(list)
    for brand, rival in Competitor.objects.filter(brand__in=brands).order_by().values_list("brand_id", "pk"):
        watched[brand].append(rival)
    current: Iterable[Generation] = Generation.objects.filter(
        brand__in=brands, state=Generation.State.CURRENT
    ).order_by()
    return {
        generation.brand_id: TrackedNames(
            generation.pk, Vocabulary.from_json(generation.names, watched[generation.brand_id])
        )
        for generation in current
    }


def tracked_names_in(generation: Generation) -> TrackedNames:
    """What a generation is analysed for, without competitors that were removed since."""
    watched = Competitor.objects.filter(brand=generation.brand_id).values_list("pk", flat=True)
    return TrackedNames(generation.pk, Vocabulary.from_json(generation.names, list(watched)))
