"""What may be said of changes, for every door: verdicts of one family, what is confirmed, and variance budgets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

import orjson
from django.db.models import Case, OuterRef, Subquery, When

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.scopes import Scope
from brands.models import Brand
from visibility.measured.now import Now, count_now, in_order
from visibility.measured.reading import read_basis
from visibility.models import DailyScore, DayCount
from visibility.resources.brands import ChangeReport, ReportedChange, SubjectChanges
from visibility.resources.change_records import ChangeRecord
from visibility.resources.changes import MetricChange
from visibility.resources.plans import Budgets
from visibility.services.reading import statements
from visibility.services.reading.budgets import budgets_of
from visibility.services.reading.change_records import told_records
from visibility.services.reading.change_words import development_in_words, figure_in_words, is_called
from visibility.services.reading.reporting import visible
from visibility.services.reading.statements import DEVELOPED, LATEST_FIELDS, LATEST_JSON, LATEST_LIMITS


@snapshot()
def change_report(caller: Caller, *, brand_id: UUID) -> ChangeReport:
    """The changes of the brand and of each competitor on the latest measured day, with what blurs the brand's.

    Raises insufficient_scope and not_found. Before the first measured day there are no subjects.
    """
    return change_of(latest_scores(caller, brand_id=brand_id))


@dataclass(frozen=True, slots=True)
class LatestScores:
    """What is measured now, the brand's own first, then that of competitors by name: by the names of `LATEST_FIELDS`,
    JSON as text. `day` is None before the first; `packed` are the counts of the days of now as they are stored, where
    they were read; `told` what is told as a change of the brand."""

    brand_id: UUID
    day: date | None
    latest: Sequence[Mapping[str, Any]]
    now: Now
    told_rows: Sequence[ChangeRecord]
    packed: Mapping[date, bytes] | None = None


def latest_scores(caller: Caller, *, brand_id: UUID) -> LatestScores:
    """What was measured last. Raises insufficient_scope and not_found."""
    caller.require(Scope.READ_VISIBILITY)
    records = visible(caller, brand_id, statements.LATEST_DAY.rows(caller, brand_id=brand_id))
    rows = [dict(zip(LATEST_FIELDS, row, strict=True)) for row in records]
    latest = sorted(rows, key=lambda row: row["competitor_id"] is not None)
    basis = read_basis(brand_id)
    now = Now(basis, ())
    if not basis.is_latest_day:
        brands = Brand.objects.restrict(caller, "view").select_related("owner__plan").filter(pk=brand_id)
        now = count_now(brands, {brand_id: basis})[brand_id]
        latest = [_latest_row(row) for row in now.rows]
    day = rows[0]["date"] if rows else None
    return LatestScores(brand_id, day, latest, now, told_records(brand_id, day))


def latest_rows(caller: Caller, brand: Brand) -> LatestScores:
    """As `latest_scores`, of a brand that was read through `caller`; with the stored rows of now, all figures in
    them. So one statement reads what changed, where everybody stands and how that was counted."""
    basis = read_basis(brand.pk)
    days = {day for day in (basis.latest, *(() if basis.is_latest_day else basis.days)) if day}
    stored = DailyScore.objects.restrict(caller, "view").filter(brand=brand, date__in=days)
    counts = DayCount.objects.filter(generation=OuterRef("generation"), date=OuterRef("date"))
    packed = Case(When(competitor=None, then=Subquery(counts.values("content")[:1])))
    rows = list(stored.select_related("competitor").annotate(packed=packed))
    for row in rows:
        row.brand = brand
    if basis.is_latest_day:
        now = Now(basis, in_order(rows))
    else:
        now = count_now([brand], {brand.pk: basis}, {brand.pk: rows})[brand.pk]
    return LatestScores(
        brand.pk,
        basis.latest,
        [_latest_row(row) for row in now.rows],
        now,
        told_records(brand.pk, basis.latest),
        {row.date: row.packed for row in rows if row.packed is not None},
    )


def _latest_row(row: DailyScore) -> dict[str, Any]:
    """The row in the form of those that are read."""
    return {name: _latest_value(row, name) for name in LATEST_FIELDS}


def _latest_value(row: DailyScore, name: str) -> Any:
    value: Any = row
    for part in name.split("__"):
        value = getattr(value, part, None)
    return orjson.dumps(value).decode() if name in LATEST_JSON and value is not None else value


def change_of(scores: LatestScores) -> ChangeReport:
    """What may be said of changes up to the latest day."""
    subjects = [_subject_changes(row, scores.told_rows) for row in scores.latest]
    budgets = Budgets()
    if scores.latest:
        own = scores.latest[0]
        limits = {
            name: own[plans] if own[accounts] is None else own[accounts]
            for name, (accounts, plans) in LATEST_LIMITS.items()
        }
        budgets = budgets_of(own["budget"], limits)
    return ChangeReport(
        brand=scores.brand_id,
        as_of=scores.day,
        subjects=subjects,
        change_records=list(scores.told_rows),
        budgets=budgets,
    )


def _subject_changes(row: Mapping[str, Any], told_rows: Sequence[ChangeRecord]) -> SubjectChanges:
    """Of a competitor nothing is recorded: what is said of it is what its latest day says."""
    stored = {name: orjson.loads(row[name]) if row[name] is not None else None for name in ("change", *DEVELOPED)}
    subject = SubjectChanges.model_validate(
        {
            "competitor": row["competitor_id"],
            "name": row["competitor__name"] or row["brand__name"],
            "development": "",
            "changes": [_reported(change) for change in orjson.loads(row["changes"])],
            **stored,
        }
    )
    if subject.competitor is None:
        subject.development = development_in_words(subject, told_rows)
    else:
        subject.development = figure_in_words(subject) if is_called(subject) else development_in_words(subject, ())
    return subject


def _reported(stored: Mapping[str, Any]) -> ReportedChange:
    change = MetricChange.model_validate(stored)
    is_confirmed = change.confirmation is not None and change.confirmation.state == "confirmed"
    return ReportedChange(**dict(change), confirmed=is_confirmed, called=is_called(change))
