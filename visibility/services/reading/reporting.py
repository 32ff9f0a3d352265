"""What the doors read: each function checks the scope and the visibility, and returns a resource.

The rows of a brand are read first, through the brands that the caller reaches; only when there are none is the
brand itself looked for. So a call costs one statement, or two where there is nothing to show.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from django.db.models import Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.db.written import Written, written
from apikeys.errors import ErrorCode, invalid, not_found
from apikeys.scopes import Scope
from visibility.measured.ages import age
from visibility.measured.topics import Topic
from visibility.models import Run
from visibility.resources.brands import (
    RUN_FIELDS,
    RUN_SUMMARY_FIELDS,
    BrandDetail,
    BrandList,
    RunList,
    RunResource,
    Trend,
)
from visibility.resources.recommendations import RecommendationList, RecommendationPayload, RecommendationResource
from visibility.services.reading import statements
from visibility.services.reading.change_records import begun_by_day
from visibility.services.reading.recommended import RECOMMENDATION_FIELDS, recommendation_fields
from visibility.services.reading.statements import BRAND_FIELDS, DAY, RUN_HISTORY_CAP
from visibility.services.reading.topics import named_topic
from visibility.services.reading.withheld import run_for, shown_run

_KINDS = list(Run.Kind.values)


def brands_of(caller: Caller) -> BrandList:
    """The brands that the caller sees, by name then id, each with its most recent run."""
    caller.require(Scope.READ_SITES)
    rows = statements.BRANDS.rows(caller)
    return BrandList.model_validate(
        {"brands": [{**brand_fields(row), "latest_run": latest_run(caller, row)} for row in rows]}
    )


def brand_detail(caller: Caller, *, brand_id: UUID) -> BrandDetail:
    """One brand with its most recent run; not_found when the caller cannot see it."""
    caller.require(Scope.READ_SITES)
    for row in statements.BRAND.rows(caller, brand_id=brand_id):
        return BrandDetail.model_validate({"brand": brand_fields(row), "latest_run": latest_run(caller, row)})
    raise not_found()


def trend(caller: Caller, *, brand_id: UUID, first: date, last: date) -> Trend:
    """The measured days from `first` to `last` (UTC, both included), oldest first."""
    return written_trend(caller, brand_id=brand_id, first=first, last=last).read()


def written_trend(caller: Caller, *, brand_id: UUID, first: date, last: date) -> Written[Trend]:
    """As `trend`, for answers that only pass it on."""
    rows = measured_days(caller, brand_id=brand_id, first=first, last=last)
    return written(Trend, brand=brand_id, trend=trend_items(brand_id, rows))


def trend_items(brand_id: UUID, rows: Sequence[Any], engine: str | None = None) -> list[dict[str, Any]]:
    """The rows of `measured_days` as items, each with the changes that began on it; with `engine` those of other
    engines left out."""
    items = [DAY.item(row) for row in rows]
    begun = begun_by_day(brand_id, [item["date"] for item in items])
    for item in items:
        records = begun.get(item["date"], [])
        item["changeRecords"] = [row for row in records if not (row.engine and engine) or row.engine == engine]
    return items


def measured_days(caller: Caller, *, brand_id: UUID, first: date, last: date) -> list[Any]:
    """The rows of `trend`, each the fields of `DAY`. Raises insufficient_scope and not_found."""
    caller.require(Scope.READ_VISIBILITY)
    rows = statements.DAYS.rows(caller, brand_id=brand_id, first=first, last=last)
    return visible(caller, brand_id, rows)


def measured_span(caller: Caller, *, brand_id: UUID) -> tuple[date | None, date | None]:
    """The first and the latest day that a brand was ever measured on. Raises insufficient_scope and not_found."""
    caller.require(Scope.READ_VISIBILITY)
    for first, last in statements.SPAN.rows(caller, brand_id=brand_id):
        return first, last
    raise not_found()


def runs(caller: Caller, *, brand_id: UUID, known: bool = False) -> RunList:
    """The most recent runs of every kind, newest first, 60 at most. `known`: the caller sees the brand for sure."""
    caller.require(Scope.READ_VISIBILITY)
    rows = statements.RUNS.rows(caller, brand_id=brand_id)
    rows = rows if known else visible(caller, brand_id, rows)
    return RunList(brand=brand_id, runs=[run_for(caller, dict(zip(RUN_FIELDS, row, strict=True))) for row in rows])


@dataclass(frozen=True, slots=True)
class RunHistory:
    """The most recent runs of every kind, newest first, 60 at most; and the latest of each kind that there is."""

    newest: Sequence[RunResource]
    latest: Sequence[RunResource]


def run_history(caller: Caller, *, brand_id: UUID) -> RunHistory:
    """Of a brand that the caller sees for sure, in one statement. Raises insufficient_scope."""
    caller.require(Scope.READ_VISIBILITY)
    rows = statements.RUNS_AND_LATEST.rows(caller, brand_id=brand_id)
    known = [run_for(caller, dict(zip(RUN_FIELDS, row, strict=True))) for row in rows]
    return RunHistory(known[:RUN_HISTORY_CAP], latest_of(known))


def recommendations(
    caller: Caller,
    *,
    brand_id: UUID,
    status: str | None,
    ids: Collection[UUID] | None = None,
    known: bool = False,
    topic: str | None = None,
) -> RecommendationList:
    """The queue with one status (None: with any): by priority, then by evidence (more answers, on more engines), then
    newest; of `ids` those alone. `known`: the caller sees the brand for sure. With a `topic` those that are
    about it or rest on answers to its prompts. Raises invalid_arguments for an id that is not in it, and for a topic
    that there is not.
    """
    caller.require(Scope.READ_RECOMMENDATIONS)
    if status is None:
        rows = statements.RECOMMENDATIONS.rows(caller, brand_id=brand_id)
    else:
        rows = statements.RECOMMENDATIONS_WITH_STATUS.rows(caller, brand_id=brand_id, status=status)
    rows = rows if known else visible(caller, brand_id, rows)
    items = [dict(zip(RECOMMENDATION_FIELDS, row, strict=True)) for row in rows]
    if ids is not None:
        items = _chosen(items, ids)
    if (stored_topic := named_topic(brand_id, topic)) is not None:
        items = [item for item in items if _is_about(stored_topic, item)]
    queue = RecommendationList.model_validate(
        {"brand": brand_id, "recommendations": [recommendation_fields(item) for item in items]}
    )
    today = timezone.now().date()
    for item in queue.recommendations:
        item.payload.age = _age(item.payload, today)
    # Stable: what is equal stays as it was read, the newest first.
    queue.recommendations.sort(key=lambda item: (-item.priority, *_evidence(item)))
    return queue


def _is_about(topic: Topic, item: Mapping[str, Any]) -> bool:
    """One that is about a topic says which; one that is about none belongs to those whose answers it rests on."""
    if item["topic"]:
        return bool(item["topic"] == topic.key)
    prompts = {str(prompt) for prompt in topic.prompts}
    return any(row.get("prompt_id") in prompts for row in item["evidence"])


def _chosen(items: Sequence[dict[str, Any]], ids: Collection[UUID]) -> list[dict[str, Any]]:
    chosen = [item for item in items if item["id"] in ids]
    if len(chosen) < len(set(ids)):
        raise invalid("ids", "One of these is no recommendation of this site. Leave ids out to list them.")
    return chosen


def _evidence(item: RecommendationResource) -> tuple[int, int]:
    if item.factors:
        return -item.factors.answers, -item.factors.engines
    gap_counts = [row.gaps for row in item.payload.engines if row.gaps]
    return -sum(gap_counts), -len(gap_counts)


def _age(payload: RecommendationPayload, today: date) -> str | None:
    days = [row.as_of for row in payload.engines if row.as_of]
    return (age(min(days), max(days), today) or None) if days else None


def visible(caller: Caller, brand_id: UUID, rows: list[Any]) -> list[Any]:
    """The rows; where there are none, not_found unless the caller sees the brand."""
    if not rows and not statements.sees(caller, brand_id):
        raise not_found()
    return rows


def brand_fields(row: Sequence[Any]) -> dict[str, Any]:
    """The fields of a brand, from a row that begins with them."""
    return dict(zip(BRAND_FIELDS, row, strict=False))


def latest_runs(caller: Caller, *, brand_ids: Collection[UUID]) -> dict[UUID, list[RunResource]]:
    """By brand the most recent run of each kind that there is: scan, audit, comparison, in one statement.

    Runs cancelled for lack of credits are passed over, as in `latest_run`.
    """
    place = Window(RowNumber(), partition_by=["brand_id", "kind"], order_by=["-created_at", "-id"])
    runs = Run.objects.restrict(caller, "view").filter(brand__in=brand_ids)
    runs = runs.exclude(status=Run.Status.CANCELLED, error_code=ErrorCode.QUOTA_EXCEEDED)
    newest = runs.annotate(place=place).filter(place=1).values("brand_id", *RUN_FIELDS)
    by_brand: dict[UUID, list[RunResource]] = {}
    for row in sorted(newest, key=lambda row: _KINDS.index(row["kind"])):
        by_brand.setdefault(row["brand_id"], []).append(run_for(caller, row))
    return by_brand


def latest_of(runs: Sequence[RunResource]) -> list[RunResource]:
    """As `latest_runs`, from all runs of a brand, newest first."""
    by_kind: dict[str, RunResource] = {}
    for run in runs:
        refused = run.status == "cancelled" and run.error is not None and run.error.code == ErrorCode.QUOTA_EXCEEDED
        if not refused:
            by_kind.setdefault(run.kind, run)
    return sorted(by_kind.values(), key=lambda run: _KINDS.index(run.kind))


def latest_run(caller: Caller, row: Sequence[Any]) -> dict[str, Any] | None:
    """The fields of a run as the caller may see them, from a row that begins with those of a brand and of it; None
    where the brand has none."""
    fields = dict(zip(RUN_SUMMARY_FIELDS, row[len(BRAND_FIELDS) :], strict=False))
    return shown_run(caller, fields) if fields["id"] is not None else None
