"""What changed since the measured day before, for every door: verdicts of one family, and the variance budgets."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

import orjson

from apikeys.caller import Caller
from apikeys.scopes import Scope
from apikeys.snapshot import snapshot
from visibility.metrics.change import confirmed
from visibility.metrics.verdicts import Verdict
from visibility.resources import Budgets, Change, ChangeReport, ReportedChange, SubjectChanges
from visibility.services import statements
from visibility.services.reading import visible
from visibility.services.statements import LATEST_FIELDS


@snapshot()
def change_report(caller: Caller, *, brand_id: UUID) -> ChangeReport:
    """The changes of the brand and of each competitor on the latest measured day, with what blurs the brand's.

    Raises insufficient_scope and not_found. Before the first measured day there are no subjects.
    """
    return change_of(latest_scores(caller, brand_id=brand_id))


@dataclass(frozen=True, slots=True)
class LatestScores:
    """What was measured on the latest day, the brand's own first, then that of competitors by name, and on the
    measured day before: by the names of `LATEST_FIELDS`, JSON as text. `day` is None before the first."""

    brand_id: UUID
    day: date | None
    latest: Sequence[Mapping[str, Any]]
    before: Sequence[Mapping[str, Any]]


def latest_scores(caller: Caller, *, brand_id: UUID) -> LatestScores:
    """What was measured last. Raises insufficient_scope and not_found."""
    caller.require(Scope.READ_VISIBILITY)
    found = visible(caller, brand_id, statements.LATEST_DAYS.rows(caller, brand_id=brand_id))
    rows = [dict(zip(LATEST_FIELDS, row, strict=True)) for row in found]
    day: date | None = rows[0]["date"] if rows else None
    latest = sorted((row for row in rows if row["date"] == day), key=lambda row: row["competitor_id"] is not None)
    return LatestScores(brand_id, day, latest, [row for row in rows if row["date"] != day])


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
    budgets = Budgets.model_validate_json(scores.latest[0]["budget"]) if scores.latest else Budgets()
    return ChangeReport(brand=scores.brand_id, as_of=scores.day, subjects=subjects, budgets=budgets)


def _reported(latest: Sequence[dict[str, Any]], before: Iterable[dict[str, Any]]) -> list[ReportedChange]:
    earlier = {(change["engine"], change["metric"]): change for change in before}
    reported = []
    for change in latest:
        both = [each for each in (earlier.get((change["engine"], change["metric"])), change) if each]
        told = [(Verdict(each["verdict"]), each["delta"]) for each in both]
        reported.append(ReportedChange(**change, confirmed=confirmed(told)))
    return reported
