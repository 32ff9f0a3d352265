"""What changed since the measured day before, for every door: verdicts of one family, and the variance budgets."""

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from apikeys.caller import Caller
from apikeys.scopes import Scope
from apikeys.snapshot import snapshot
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
    caller.require(Scope.READ_VISIBILITY)
    brand = readable_brand(caller, brand_id)
    scores = DailyScore.objects.for_caller(caller).filter(brand=brand)
    days = list(scores.filter(competitor=None).order_by("-date").values_list("date", flat=True)[:2])
    rows = scores.filter(date__in=days).select_related("competitor").order_by("-date", "competitor__name")
    latest = [row for row in rows if row.date == days[0]]
    before = {row.competitor_id: row.changes for row in rows if row.date != days[0]}
    latest.sort(key=lambda row: row.competitor_id is not None)
    subjects = [
        SubjectChanges(
            competitor=row.competitor_id,
            name=row.competitor.name if row.competitor else brand.name,
            change=row.change,
            changes=_reported(row.changes, before.get(row.competitor_id, [])),
        )
        for row in latest
    ]
    budgets = latest[0].budget if latest else {}
    return ChangeReport(
        brand=brand_id, as_of=days[0] if days else None, subjects=subjects, budgets=Budgets.model_validate(budgets)
    )


def _reported(latest: Sequence[dict[str, Any]], before: Iterable[dict[str, Any]]) -> list[ReportedChange]:
    earlier = {(change["engine"], change["metric"]): change for change in before}
    reported = []
    for change in latest:
        both = [each for each in (earlier.get((change["engine"], change["metric"])), change) if each]
        told = [(Verdict(each["verdict"]), each["delta"]) for each in both]
        reported.append(ReportedChange(**change, confirmed=confirmed(told)))
    return reported
