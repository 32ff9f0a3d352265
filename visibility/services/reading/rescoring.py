"""What a person may know of, and ask for, when a brand's history is measured again with other names or topics."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import OuterRef, Subquery, Sum
from django.db.models.functions import Coalesce

from apikeys.caller import Caller
from brands.models import Brand
from brands.services.access import readable_brand
from brands.services.tracked import BrandNames
from visibility.measured.names import vocabulary_of
from visibility.models import Generation, RunScore
from visibility.pipeline.generations.planning import plan_in_held


@dataclass(frozen=True, slots=True)
class Rescoring:
    """A history that is being measured again: since when, and how far.

    `looked` of `answers` stored answers are analysed, `percent` of them; the figures change together, when all
    are. `trouble` says why the last attempt broke off, and is empty while all is well; then the next one is due at
    `next_attempt`.
    """

    since: datetime
    looked: int
    answers: int
    trouble: str
    next_attempt: datetime

    @property
    def percent(self) -> int:
        """Of the answers; 99 at most, as long as the figures have not changed."""
        return min(100 * self.looked // self.answers, 99) if self.answers else 0


def rescore(brand: Brand, names: BrandNames | None = None) -> tuple[Rescoring | None, bool]:
    """Measure the brand's history again if its names, domains or the detector have changed, in the transaction of who
    holds the brand: how far that is, None if they have not; and whether the current figures have a measured day.

    Nothing is lost without this call, the scheduler notices too; it only begins at once. `names` are those of the
    brand as they are now, where they were read already.
    """
    planned = plan_in_held(brand, vocabulary_of(brand, names))
    if planned.building is None:
        return None, planned.is_measured
    analysed, answers = (planned.analysed.get(generation.pk, 0) for generation in (planned.building, planned.current))
    return _progress(planned.building, analysed, answers), planned.is_measured


def rescoring_of(caller: Caller, *, brand_id: UUID) -> Rescoring | None:
    """How far the brand's history is measured again; None while nothing is to be done. Raises not_found."""
    return rescoring_in(readable_brand(caller, brand_id))


def rescoring_in(brand: Brand) -> Rescoring | None:
    """As `rescoring_of`, for services that have checked what the caller may read of the brand; in one statement."""
    in_use = Generation.objects.filter(brand=brand, state=Generation.State.CURRENT).values("pk")[:1]
    building = Generation.objects.filter(brand=brand, state=Generation.State.BUILDING)
    row = building.annotate(looked=_analysed(OuterRef("pk")), answers=_analysed(Subquery(in_use))).first()
    return _progress(row, row.looked, row.answers) if row else None


@dataclass(frozen=True, slots=True)
class Counting:
    """By what all days of a brand are counted: the detector, and the names and own topics of a day; and the counting
    that is under way. `since` is None before anything is counted, `topics_since` where its topics never changed."""

    since: datetime | None
    topics_since: datetime | None
    detector: int
    rescoring: Rescoring | None


def counting_of(brand: Brand) -> Counting:
    """For services that have checked what the caller may read of the brand; in one statement."""
    state = Generation.State
    rows = Generation.objects.filter(brand=brand, state__in=(state.CURRENT, state.BUILDING))
    by_state = {row.state: row for row in rows.annotate(looked=_analysed(OuterRef("pk")))}
    current, building = by_state.get(state.CURRENT), by_state.get(state.BUILDING)
    rescoring = _progress(building, building.looked, current.looked if current else 0) if building else None
    if current is None:
        return Counting(None, None, 0, rescoring)
    return Counting(current.names_since, current.topics_since, current.detector, rescoring)


def _analysed(generation: OuterRef | Subquery) -> Coalesce:
    scores = RunScore.objects.filter(generation=generation).order_by().values("generation")
    return Coalesce(Subquery(scores.annotate(sum=Sum("analysed")).values("sum")), 0)


def _progress(building: Generation, looked: int, answers: int) -> Rescoring:
    return Rescoring(
        since=building.created_at,
        looked=looked,
        answers=answers,
        trouble=building.error_message,
        next_attempt=building.not_before,
    )
