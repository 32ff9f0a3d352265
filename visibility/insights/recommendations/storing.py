"""Keeps the recommendations from answers in step with what is measured now."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from brands.models import Brand
from visibility.insights.recommendations import queue
from visibility.insights.recommendations.evidence import read_evidence
from visibility.insights.recommendations.fix_prompts import fix_prompt
from visibility.insights.recommendations.gaps import find_gaps
from visibility.insights.recommendations.queue import Draft, Key, key_of, known_rows, resolve, trim, write
from visibility.insights.recommendations.types import EngineTally, Findings, Gap, GapKind, Payload
from visibility.insights.recommendations.wording import EvidenceText, summary, title
from visibility.measured.facts import BrandFacts, read_answers, read_brand_facts
from visibility.measured.reading import read_basis
from visibility.measured.stored import as_stored
from visibility.models import Prompt, Recommendation, Run

_KINDS = tuple(GapKind)
_Level = Recommendation.Level
_Status = Recommendation.Status


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
    known = known_rows(brand, _KINDS)
    now = timezone.now()
    latest = max(basis.engines, key=lambda engine_day: engine_day.day).runs
    seen_in = run.pk if run and run.pk in latest else latest[-1]
    _close(known, findings, now)
    _drop_moot(brand, known, findings, subject)
    kept = _kept(known, findings)
    drafts = [
        Draft(key_of(gap.kind, gap.subject), _derived(gap, subject, evidence))
        for gap, evidence in zip(kept, read_evidence(kept, subject), strict=True)
    ]
    write(brand, drafts, known, seen_in, now)
    trim(brand, _KINDS)


def _close(known: dict[Key, Recommendation], findings: Findings, now: datetime) -> None:
    """Resolve the open recommendations whose gap has closed."""
    gaps = {key_of(gap.kind, gap.subject) for gap in findings.gaps}
    closed = []
    for (kind, subject), measured in findings.measured.items():
        key = key_of(kind, subject)
        row = known.get(key)
        if row is None or row.status != _Status.OPEN or key in gaps:
            continue
        shown_by = {item["engine"] for item in row.payload.get("engines", []) if item["gaps"]}
        if measured.brand_named and shown_by <= measured.engines:
            closed.append(row)
    resolve(closed, now)


def _drop_moot(brand: Brand, known: dict[Key, Recommendation], findings: Findings, subject: BrandFacts) -> None:
    """Drop open recommendations that later scans can neither show nor close: their question is archived or names the
    brand by now, or none of their rivals is watched any more. They come back with the gap."""
    gaps = {key_of(gap.kind, gap.subject) for gap in findings.gaps}
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


def _kept(known: dict[Key, Recommendation], findings: Findings) -> list[Gap]:
    """The gaps to write: those that people have taken up or decided on, and the most urgent of the others of each
    kind."""
    decided = {key for key, row in known.items() if row.status not in (_Status.OPEN, _Status.RESOLVED)}
    others: Counter[GapKind] = Counter()
    kept = []
    for gap in findings.gaps:
        if key_of(gap.kind, gap.subject) not in decided:
            others[gap.kind] += 1
            if others[gap.kind] > queue.MAX_OPEN:
                continue
        kept.append(gap)
    return kept


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
