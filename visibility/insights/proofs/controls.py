"""Which topics are no control: one that somebody worked on as well does not show what would have happened anyway."""

from datetime import UTC, date, datetime, time

from brands.models import Brand
from visibility.models import Proof, Recommendation, StatusChange

_Status = Recommendation.Status


def topics_worked_on(brand: Brand, since: date) -> set[str]:
    """The topics, as counts call them, of recommendations that were done since a day and still are, and of proofs
    that are under way."""
    done = StatusChange.objects.filter(
        recommendation__brand=brand,
        recommendation__status__in=(_Status.DONE, _Status.RESOLVED),
        status=_Status.DONE,
        changed_at__gte=datetime.combine(since, time.min, UTC),
    )
    under_way = Proof.objects.filter(brand=brand).exclude(state=Proof.State.JUDGED)
    keys = {*done.values_list("recommendation__topic", flat=True), *under_way.values_list("topic", flat=True)} - {""}
    return keys | {f"prompt {key}" for key in keys}
