"""Work: what is to do for a brand, what was done, and what explains a fall, read at once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.db.models import Q

from brands.models import Brand
from visibility.models import Recommendation
from visibility.models.recommendations import RecommendationStatus
from visibility.recommendations.kinds import CHORES

FALL = "fall"
"""The kind that explains a fall of the score, with its day as subject."""


@dataclass(frozen=True, slots=True)
class Work:
    """The rows of a brand by what became of them."""

    rows: Sequence[Recommendation]

    @property
    def advice(self) -> list[Recommendation]:
        """What is to do, the most urgent first, without housekeeping."""
        return [each for each in self.rows if each.status == RecommendationStatus.OPEN and each.kind not in CHORES]

    @property
    def done(self) -> list[Recommendation]:
        """What people marked as done."""
        return [each for each in self.rows if each.status == RecommendationStatus.DONE]

    def fall_of(self, day: date) -> Recommendation | None:
        """What explains the fall of a day, also where it is dismissed."""
        return next((each for each in self.rows if each.kind == FALL and each.subject == str(day)), None)


def work_of(brand: Brand) -> Work:
    """The work of a brand."""
    return works_of([brand])[brand.pk]


def works_of(brands: Iterable[Brand]) -> dict[UUID, Work]:
    """The work of several brands by their ids."""
    shown = Q(status__in=(RecommendationStatus.OPEN, RecommendationStatus.DONE)) | Q(kind=FALL)
    rows: dict[UUID, list[Recommendation]] = {brand.pk: [] for brand in brands}
    for row in Recommendation.objects.filter(shown, brand__in=rows):
        rows[row.brand_id].append(row)
    return {pk: Work(of_brand) for pk, of_brand in rows.items()}
