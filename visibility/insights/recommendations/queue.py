"""The stored queue of recommendations, whatever they follow from: what it holds, what is written, what is closed.

Each source of recommendations (answers, audits) has kinds of its own and touches no other's rows.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.utils.formats import date_format

from brands.models import Brand
from visibility.models import QUEUE_ORDER, Recommendation, StatusChange

MAX_OPEN = 100
"""Open recommendations of one brand and kind, where the kind has no budget of its own."""

SURPLUS = "Others of its kind are more urgent now. It opens again when it is among them."
_SUBJECT_LENGTH = 100
_DERIVED = ("title", "summary", "priority", "impact", "effort", "topic", "evidence", "factors", "payload")
_OPENED = ("opened_at", "opened_on")
_STATUS_FIELDS = ("status", "status_reason", "status_by", "updated_at", "status_changed_at")
_Status = Recommendation.Status
Key = tuple[str, str]
"""What a recommendation is about: its kind and its subject."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A recommendation as it follows from what was measured now; `fields` are the columns that say it."""

    key: Key
    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Measurement:
    """When the queue is written, by which `run` it was measured (None: by stored pages and reviews), and the latest
    measured `day` that the findings rest on."""

    at: datetime
    run: UUID | None
    day: date | None


def key_of(kind: str, subject: str) -> Key:
    """The identity of a recommendation; a subject too long for its column is kept as its digest."""
    return kind, subject if len(subject) <= _SUBJECT_LENGTH else hashlib.sha256(subject.encode()).hexdigest()


def known_rows(brand: Brand, kinds: Collection[str]) -> dict[Key, Recommendation]:
    """The stored recommendations of these kinds, locked."""
    stored = Recommendation.objects.filter(brand=brand, kind__in=kinds).select_for_update(of=("self",), no_key=True)
    return {(row.kind, row.subject): row for row in stored.defer("summary", "evidence")}


def resolve(rows: Sequence[Recommendation], now: datetime, reason: str = "") -> None:
    """What they ask for is done, as far as was measured; or it is no more to be done, for this reason.

    Who knows one by its id finds it: none is ever deleted.
    """
    changes = [_set_status(row, _Status.RESOLVED, now, reason) for row in rows]
    Recommendation.objects.bulk_update(rows, _STATUS_FIELDS, batch_size=200)
    StatusChange.objects.bulk_create(changes, batch_size=200)


def write(
    brand: Brand, drafts: Sequence[Draft], known: Mapping[Key, Recommendation], measurement: Measurement
) -> None:
    """Store the drafts: new ones are open, known ones follow the measurement, resolved ones open again. What people
    have set stays."""
    created, changed, reopened = [], [], []
    before = _substances([known[draft.key] for draft in drafts if draft.key in known])
    for draft in drafts:
        row = known.get(draft.key)
        if row is None:
            row = _new(brand, draft.key, measurement)
            created.append(row)
        else:
            changed.append(row)
        if row.status == _Status.RESOLVED:
            reopened.append(_set_status(row, _Status.OPEN, measurement.at))
            row.opened_at, row.opened_on = measurement.at, measurement.day
        if before.get(row.pk, "") != _substance(draft.fields):
            row.updated_at = measurement.at
        for field, value in draft.fields.items():
            setattr(row, field, value)
        if measurement.run is None or row.last_seen_run_id != measurement.run:  # one run is seen once
            row.last_seen_at = measurement.at
        row.last_seen_run_id = measurement.run or row.last_seen_run_id
    Recommendation.objects.bulk_create(created, batch_size=100)
    columns = [*_DERIVED, *_STATUS_FIELDS, *_OPENED, "last_seen_at", "last_seen_run"]
    Recommendation.objects.bulk_update(changed, columns, batch_size=100)
    StatusChange.objects.bulk_create(reopened, batch_size=200)


def trim(brand: Brand, budgets: Mapping[str, int], written: Collection[Key], now: datetime) -> None:
    """Close the open recommendations beyond so many of each kind: those that were just written stay, then the most
    urgent. What is still there can come back; were a written one closed, the next measurement would open it again."""
    queue = Recommendation.objects.filter(brand=brand, kind__in=budgets, status=_Status.OPEN)
    ranked: dict[str, list[Recommendation]] = defaultdict(list)
    for row in queue.order_by(*QUEUE_ORDER).defer("summary", "evidence"):
        ranked[row.kind].append(row)
    for rows in ranked.values():
        rows.sort(key=lambda row: (row.kind, row.subject) not in written)
    surplus = [row for kind, rows in ranked.items() for row in rows[budgets[kind] :]]
    resolve(surplus, now, SURPLUS)


def _new(brand: Brand, key: Key, measurement: Measurement) -> Recommendation:
    kind, subject = key
    now = measurement.at
    return Recommendation(
        brand=brand,
        kind=kind,
        subject=subject,
        created_at=now,
        updated_at=now,
        status_changed_at=now,
        opened_at=now,
        last_seen_at=now,
        opened_on=measurement.day,
        first_seen_run_id=measurement.run,
    )


def _set_status(row: Recommendation, status: str, now: datetime, reason: str = "") -> StatusChange:
    """The change, by measurement."""
    change = StatusChange(recommendation=row, before=row.status, status=status, reason=reason, changed_at=now)
    row.status, row.status_reason, row.status_by = status, reason, ""
    row.updated_at = row.status_changed_at = now
    return change


def _substances(rows: Sequence[Recommendation]) -> dict[UUID, str]:
    """What the stored rows say, by their id."""
    stored = Recommendation.objects.filter(pk__in=[row.pk for row in rows]).values("pk", *_DERIVED)
    return {fields.pop("pk"): _substance(fields) for fields in stored}


def _substance(derived: Mapping[str, Any]) -> str:
    """What the fields say, but for the days of the measurement and the ids of the answers that are quoted: these are
    others after each scan, also where it found the same."""
    payload = dict(derived["payload"])
    engines = payload.get("engines", [])
    days = {payload.pop("measured_on", None), *(row.get("as_of") for row in engines)} - {None}
    payload["engines"] = [{name: value for name, value in row.items() if name != "as_of"} for row in engines]
    evidence = [{name: value for name, value in item.items() if name != "answer_id"} for item in derived["evidence"]]
    unset = {"topic": "", "factors": {}}
    text = json.dumps({**unset, **derived, "payload": payload, "evidence": evidence}, sort_keys=True)
    written = [*days, *(date_format(date.fromisoformat(day)) for day in days)]
    for day in sorted(written, key=len, reverse=True):  # 11 May before 1 May, which it ends with
        text = text.replace(day, "")
    return text
