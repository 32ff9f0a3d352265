"""What changed since the measured day before, for every door: verdicts of one family, and the variance budgets."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from apikeys.caller import Caller
from apikeys.scopes import Scope
from apikeys.snapshot import snapshot
from brands.models import Brand
from brands.services.access import readable_brand
from visibility.metrics.change import confirmed
from visibility.metrics.verdicts import Verdict
from visibility.models import DailyScore
from visibility.resources import Budgets, ChangeReport, ReportedChange, SubjectChanges


@snapshot()
def change_report(caller: Caller, *, brand_id: UUID) -> ChangeReport:
    """The changes of the brand and of each competitor on the latest measured day, with what blurs the brand's.

    Raises insufficient_scope and not_found. Before the first measured day there are no subjects.
    """
    return change_of(latest_scores(caller, brand_id=brand_id))


@dataclass(frozen=True, slots=True)
class LatestScores:
    """The rows of the latest measured day, the brand's own first, then those of competitors by name, and of the
    measured day before. `day` is None before the first."""

    brand: Brand
    day: date | None
    latest: Sequence[DailyScore]
    before: Sequence[DailyScore]


def latest_scores(caller: Caller, *, brand_id: UUID) -> LatestScores:
    """What was measured last. Raises insufficient_scope and not_found."""
    caller.require(Scope.READ_VISIBILITY)
    brand = readable_brand(caller, brand_id)
    scores = DailyScore.objects.for_caller(caller).filter(brand=brand)
    days = list(scores.filter(competitor=None).order_by("-date").values_list("date", flat=True)[:2])
    rows = scores.filter(date__in=days).select_related("competitor").order_by("-date", "competitor__name")
    latest = sorted((row for row in rows if row.date == days[0]), key=lambda row: row.competitor_id is not None)
    return LatestScores(brand, days[0] if days else None, latest, [row for row in rows if row.date != days[0]])


def change_of(scores: LatestScores) -> ChangeReport:
    """The changes from the day before to the latest one."""
    before = {row.competitor_id: row.changes for row in scores.before}
    subjects = [
        SubjectChanges(
            competitor=row.competitor_id,
            name=row.competitor.name if row.competitor else scores.brand.name,
            change=row.change,
            changes=_reported(row.changes, before.get(row.competitor_id, [])),
        )
        for row in scores.latest
    ]
    budgets = scores.latest[0].budget if scores.latest else {}
    return ChangeReport(
        brand=scores.brand.pk, as_of=scores.day, subjects=subjects, budgets=Budgets.model_validate(budgets)
    )


def _reported(latest: Sequence[dict[str, Any]], before: Iterable[dict[str, Any]]) -> list[ReportedChange]:
    earlier = {(change["engine"], change["metric"]): change for change in before}
    reported = []
    for change in latest:
        both = [each for each in (earlier.get((change["engine"], change["metric"])), change) if each]
        told = [(Verdict(each["verdict"]), each["delta"]) for each in both]
        reported.append(ReportedChange(**change, confirmed=confirmed(told)))
    return reported
