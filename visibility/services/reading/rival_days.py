"""The measured days of competitors, to be held against those of the brand."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from apikeys.caller import Caller
from apikeys.scopes import Scope
from brands.models import Competitor
from visibility.models import DailyScore

_FIELDS = ("date", "score", "low", "high", "interval", "answers", "comparable")


@dataclass(frozen=True, slots=True)
class RivalDay:
    """One UTC day of a competitor: 0–100, None where unmeasured; `comparable` with the measured day before."""

    day: date
    score: float | None
    low: float | None
    high: float | None
    interval: str | None
    answers: int
    comparable: bool | None


@dataclass(frozen=True, slots=True)
class RivalTrend:
    """A competitor and its measured days, oldest first."""

    id: UUID
    name: str
    days: Sequence[RivalDay]


def competitor_names(caller: Caller, *, brand_id: UUID) -> dict[UUID, str]:
    """The competitors that the caller sees, by name. Raises insufficient_scope."""
    caller.require(Scope.READ_COMPETITORS)
    rows = Competitor.objects.restrict(caller, "view").filter(brand=brand_id).order_by("name", "id")
    return dict(rows.values_list("id", "name"))


def rival_trends(
    caller: Caller, *, brand_id: UUID, names: dict[UUID, str], ids: Collection[UUID], first: date, last: date
) -> list[RivalTrend]:
    """The days from `first` to `last` (both included) of those of `ids` that are in `names`, in the order of these.
    One statement; none where there is nobody. Raises insufficient_scope."""
    caller.require(Scope.READ_VISIBILITY)
    chosen = [key for key in names if key in ids]
    if not chosen:
        return []
    rows = DailyScore.objects.restrict(caller, "view").filter(
        brand=brand_id, competitor__in=chosen, date__range=(first, last)
    )
    days: dict[UUID, list[RivalDay]] = {key: [] for key in chosen}
    for key, *row in rows.order_by("date").values_list("competitor_id", *_FIELDS):
        days[key].append(RivalDay(*row))
    return [RivalTrend(key, names[key], days[key]) for key in chosen]
