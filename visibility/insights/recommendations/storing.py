"""Keeps the queue of recommendations in step with what is measured now."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format

from brands.models import Brand
from visibility.insights.recommendations.evidence import read_evidence
from visibility.insights.recommendations.fix_prompts import fix_prompt
from visibility.insights.recommendations.gaps import find_gaps
from visibility.insights.recommendations.types import EngineTally, Findings, Gap, GapKind, Payload
from visibility.insights.recommendations.wording import EvidenceText, summary, title
from visibility.measured.facts import BrandFacts, read_answers, read_brand_facts
from visibility.measured.reading import read_basis
from visibility.measured.stored import as_stored
from visibility.models import Prompt, Recommendation, Run

MAX_OPEN = 100
"""Open recommendations of one brand: those of the highest priority, the newest first among equals."""

_SUBJECT_LENGTH = 100
_Level = Recommendation.Level
_Status = Recommendation.Status
_Key = tuple[str, str]


@transaction.atomic
def refresh_recommendations(brand: Brand, run: Run | None = None) -> None:
    """Derive the recommendations of what is measured now anew; `run` is the one that was measured last, None where
    stored answers were measured again.

    A recommendation is the same as long as brand, kind and subject are: its priority and evidence follow the
    measurement. An open one whose gap has closed (measured by the engines that showed it, and the brand is named)
    becomes resolved, and open again when the gap comes back; one that nothing can close any more is dropped. What
    people have set stays. Call it under the lock of the brand's row.
    """
    basis = read_basis(brand.pk)
    if not basis.engines:
        return
    subject = read_brand_facts(brand, basis)
    findings = find_gaps(read_answers(basis.compared), subject.prompts)
    stored = Recommendation.objects.filter(brand=brand).select_for_update(of=("self",), no_key=True)
    known = {(row.kind, row.subject): row for row in stored.defer("summary", "evidence")}
    now = timezone.now()
    latest = max(basis.engines, key=lambda engine_day: engine_day.day).runs
    seen_in = run.pk if run and run.pk in latest else latest[-1]
    _close(known, findings, now)
    _drop_moot(brand, known, findings, subject)
    _write(brand, _kept(known, findings), known, subject, seen_in, now)
    _trim(brand)


def _key(kind: str, subject: str) -> _Key:
    """The identity of a gap's recommendation; a subject too long for its column is kept as its digest."""
    return kind, subject if len(subject) <= _SUBJECT_LENGTH else hashlib.sha256(subject.encode()).hexdigest()


def _close(known: dict[_Key, Recommendation], findings: Findings, now: datetime) -> None:
    """Resolve the open recommendations whose gap has closed."""
    gaps = {_key(gap.kind, gap.subject) for gap in findings.gaps}
    closed = []
    for (kind, subject), measured in findings.measured.items():
        row = known.get(_key(kind, subject))
        if row is None or row.status != _Status.OPEN or _key(kind, subject) in gaps:
            continue
        shown_by = {item["engine"] for item in row.payload.get("engines", []) if item["gaps"]}
        if measured.brand_named and shown_by <= measured.engines:
            _set_status(row, _Status.RESOLVED, now)
            closed.append(row)
    Recommendation.objects.bulk_update(closed, _STATUS, batch_size=200)


def _set_status(row: Recommendation, status: str, now: datetime) -> None:
    row.status = status
    row.updated_at = row.status_changed_at = now


def _drop_moot(brand: Brand, known: dict[_Key, Recommendation], findings: Findings, subject: BrandFacts) -> None:
    """Drop open recommendations that later scans can neither show nor close: their question is archived or names the
    brand by now, or none of their rivals is watched any more. They come back with the gap."""
    gaps = {_key(gap.kind, gap.subject) for gap in findings.gaps}
    active_prompts = {str(pk) for pk in Prompt.objects.filter(brand=brand).active().values_list("pk", flat=True)}
    active_prompts -= {str(pk) for pk, prompt in subject.prompts.items() if prompt.branded}
    watched = {str(pk) for pk in subject.competitors}
    moot = [
        key
        for key, row in known.items()
        if row.status == _Status.OPEN
        and key not in gaps
        and (
            (row.kind == GapKind.MENTION and row.subject not in active_prompts)
            or watched.isdisjoint(row.payload.get("rivals", watched))
        )
    ]
    Recommendation.objects.filter(pk__in=[known.pop(key).pk for key in moot]).delete()


def _kept(known: dict[_Key, Recommendation], findings: Findings) -> list[Gap]:
    """The gaps to write: those that people have taken up or decided on, and the most urgent of the others."""
    decided = {key for key, row in known.items() if row.status not in (_Status.OPEN, _Status.RESOLVED)}
    gaps = [(gap, _key(gap.kind, gap.subject) in decided) for gap in findings.gaps]
    others = [gap for gap, is_decided in gaps if not is_decided]
    return [gap for gap, is_decided in gaps if is_decided] + others[:MAX_OPEN]


def _write(
    brand: Brand,
    gaps: Sequence[Gap],
    known: dict[_Key, Recommendation],
    subject: BrandFacts,
    seen_in: UUID,
    now: datetime,
) -> None:
    created, changed = [], []
    before = _substances([known[key] for gap in gaps if (key := _key(gap.kind, gap.subject)) in known])
    for gap, evidence in zip(gaps, read_evidence(gaps, subject), strict=True):
        kind, name = _key(gap.kind, gap.subject)
        row = known.get((kind, name))
        if row is None:
            row = Recommendation(brand=brand, kind=kind, subject=name, created_at=now, first_seen_run_id=seen_in)
            row.updated_at = row.status_changed_at = now
            created.append(row)
        else:
            changed.append(row)
        if row.status == _Status.RESOLVED:
            _set_status(row, _Status.OPEN, now)
        derived = _derived(gap, subject, evidence)
        if before.get(row.pk, "") != _substance(derived):
            row.updated_at = now
        for field, value in derived.items():
            setattr(row, field, value)
        row.last_seen_run_id = seen_in
    Recommendation.objects.bulk_create(created, batch_size=100)
    Recommendation.objects.bulk_update(changed, [*_DERIVED, *_STATUS, "last_seen_run"], batch_size=100)


_DERIVED = ("title", "summary", "priority", "impact", "effort", "evidence", "payload")
_STATUS = ("status", "updated_at", "status_changed_at")


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
    text = json.dumps({**derived, "payload": payload, "evidence": evidence}, sort_keys=True)
    written = [*days, *(date_format(date.fromisoformat(day)) for day in days)]
    for day in sorted(written, key=len, reverse=True):  # 11 May before 1 May, which it ends with
        text = text.replace(day, "")
    return text


def _derived(gap: Gap, subject: BrandFacts, evidence: Sequence[EvidenceText]) -> dict[str, Any]:
    """The fields that follow the measurement."""
    return {
        "title": title(gap, subject),
        "summary": summary(gap, subject),
        "priority": gap.priority,
        "impact": _impact(gap.priority),
        "effort": _effort(gap),
        "evidence": as_stored(evidence),
        "payload": as_stored(
            Payload(
                fix_prompt=fix_prompt(gap, subject, evidence),
                measured_on=subject.day,
                rivals=gap.rivals,
                engines=[
                    EngineTally(row.engine, row.gaps, row.answers, subject.day_of(row.engine)) for row in gap.tallies
                ],
            )
        ),
    }


def _impact(priority: int) -> str:
    if priority >= 60:
        return _Level.HIGH
    return _Level.MEDIUM if priority >= 30 else _Level.LOW


def _effort(gap: Gap) -> str:
    """Low: revise a page that is cited already. Medium: write one. High: win over somebody else's page."""
    if gap.kind == GapKind.SOURCE:
        return _Level.HIGH
    return _Level.LOW if gap.brand_page_cited else _Level.MEDIUM


def _trim(brand: Brand) -> None:
    """Drop the open recommendations beyond the most urgent ones; a gap that is still there can come back."""
    queue = Recommendation.objects.filter(brand=brand, status=_Status.OPEN).order_by("-priority", "-created_at", "pk")
    surplus: Iterable[Any] = list(queue.values_list("pk", flat=True)[MAX_OPEN:])
    Recommendation.objects.filter(pk__in=surplus).delete()
