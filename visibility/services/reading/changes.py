"""What changed since the measured day before, for every door: verdicts of one family, and the variance budgets."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

import orjson

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.scopes import Scope
from brands.models import Brand
from visibility.measured.now import Now, count_now, in_order, stored_now
from visibility.measured.reading import read_basis
from visibility.metrics.change import confirmed
from visibility.metrics.verdicts import Verdict
from visibility.models import DailyScore
from visibility.resources.brands import Change, ChangeReport, ReportedChange, SubjectChanges
from visibility.resources.plans import Budgets
from visibility.services.reading import statements
from visibility.services.reading.budgets import budgets_of
from visibility.services.reading.reporting import visible
from visibility.services.reading.statements import LATEST_FIELDS, LATEST_JSON, LATEST_PLAN


@snapshot()
def change_report(caller: Caller, *, brand_id: UUID) -> ChangeReport:
    """The changes of the brand and of each competitor on the latest measured day, with what blurs the brand's.

    Raises insufficient_scope and not_found. Before the first measured day there are no subjects.
    """
    return change_of(latest_scores(caller, brand_id=brand_id))


@dataclass(frozen=True, slots=True)
class LatestScores:
    """What is measured now, the brand's own first, then that of competitors by name, and what was on the measured
    day before: by the names of `LATEST_FIELDS`, JSON as text. `day` is None before the first."""

    brand_id: UUID
    day: date | None
    latest: Sequence[Mapping[str, Any]]
    before: Sequence[Mapping[str, Any]]
    now: Now


def latest_scores(caller: Caller, *, brand_id: UUID) -> LatestScores:
    """What was measured last. Raises insufficient_scope and not_found."""
    caller.require(Scope.READ_VISIBILITY)
    records = visible(caller, brand_id, statements.LATEST_DAYS.rows(caller, brand_id=brand_id))
    rows = [dict(zip(LATEST_FIELDS, row, strict=True)) for row in records]
    day: date | None = rows[0]["date"] if rows else None
    latest = sorted((row for row in rows if row["date"] == day), key=lambda row: row["competitor_id"] is not None)
    basis = read_basis(brand_id, caller)
    now = stored_now(basis, ())
    if not basis.is_latest_day:
        brands = Brand.objects.restrict(caller, "view").select_related("owner__plan").filter(pk=brand_id)
        now = count_now(brands, {brand_id: basis})[brand_id]
        latest = [_latest_row(row) for row in now.rows]
    return LatestScores(brand_id, day, latest, [row for row in rows if row["date"] != day], now)


def latest_rows(caller: Caller, brand: Brand) -> LatestScores:
    """As `latest_scores`, of a brand that was read through `caller`; with the stored rows of now, all figures in
    them. So one statement reads what changed and where everybody stands."""
    days = DailyScore.objects.filter(brand=brand, competitor=None).order_by("-date").values("date")[:2]
    stored = DailyScore.objects.restrict(caller, "view").filter(brand=brand, date__in=days)
    rows = in_order(stored.select_related("competitor"))
    for row in rows:
        row.brand = brand
    day = max((row.date for row in rows), default=None)
    basis = read_basis(brand.pk, caller)
    if basis.is_latest_day:
        now = stored_now(basis, [row for row in rows if row.date == day])
    else:
        now = count_now([brand], {brand.pk: basis})[brand.pk]
    latest, before = map(_latest_row, now.rows), (_latest_row(row) for row in rows if row.date != day)
    return LatestScores(brand.pk, day, list(latest), list(before), now)


def _latest_row(row: DailyScore) -> dict[str, Any]:
    """The row in the form of those that are read."""
    return {name: _latest_value(row, name) for name in LATEST_FIELDS}


def _latest_value(row: DailyScore, name: str) -> Any:
    value: Any = row
    for part in name.split("__"):
        value = getattr(value, part, None)
    return orjson.dumps(value).decode() if name in LATEST_JSON and value is not None else value


def change_of(scores: LatestScores) -> ChangeReport:
    """The changes from the day before to the latest one."""
    before = {row["competitor_id"]: orjson.loads(row["changes"]) for row in scores.before}
    subjects = [
        SubjectChanges(
            competitor=row["competitor_id"],
            name=row["competitor__name"] or row["brand__name"],
            change=Change.model_validate_json(row["change"]) if row["change"] is not None else None,
            changes=_reported(orjson.loads(row["changes"]), before.get(row["competitor_id"], [])),
        )
        for row in scores.latest
    ]
    budgets = Budgets()
    if scores.latest:
        own = scores.latest[0]
        budgets = budgets_of(own["budget"], {name: own[path] for name, path in LATEST_PLAN.items()})
    return ChangeReport(brand=scores.brand_id, as_of=scores.day, subjects=subjects, budgets=budgets)


def _reported(latest: Sequence[dict[str, Any]], before: Iterable[dict[str, Any]]) -> list[ReportedChange]:
    earlier = {(change["engine"], change["metric"]): change for change in before}
    reported = []
    for change in latest:
        both = [
            day_change for day_change in (earlier.get((change["engine"], change["metric"])), change) if day_change
        ]
        verdicts = [(Verdict(day_change["verdict"]), day_change["delta"]) for day_change in both]
        reported.append(ReportedChange(**change, confirmed=confirmed(verdicts)))
    return reported
