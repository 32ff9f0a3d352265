"""What a person may know of, and ask for, when a brand's history is measured again with other names."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Sum

from apikeys.caller import Caller
from brands.services.access import editable_brand, readable_brand
from visibility.models import Generation, RunScore
from visibility.pipeline.generations.planning import plan_generation


@dataclass(frozen=True, slots=True)
class Rescoring:
    """A history that is being measured again: since when, and how far.

    `looked` of `answers` stored answers are looked through, `percent` of them; the figures change together, when all
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


def request_rescore(caller: Caller, *, brand_id: UUID) -> Rescoring | None:
    """Measure the brand's history again if its names, domains or the detector have changed; None if they have not.

    Nothing is lost without this call, the scheduler notices too; it only begins at once. Raises not_found and
    read_only_collaborator.
    """
    brand = editable_brand(caller, brand_id)
    plan_generation(brand)
    return rescoring_of(caller, brand_id=brand_id)


def rescoring_of(caller: Caller, *, brand_id: UUID) -> Rescoring | None:
    """How far the brand's history is measured again; None while nothing is to be done. Raises not_found."""
    brand = readable_brand(caller, brand_id)
    building: Generation | None = Generation.objects.filter(brand=brand, state=Generation.State.BUILDING).first()
    if building is None:
        return None
    scores = RunScore.objects.filter(generation__brand=brand).order_by()
    looked = dict(scores.values_list("generation__state").annotate(looked=Sum("looked")))
    return Rescoring(
        since=building.created_at,
        looked=looked.get(Generation.State.BUILDING, 0),
        answers=looked.get(Generation.State.CURRENT, 0),
        trouble=building.error_message,
        next_attempt=building.not_before,
    )
