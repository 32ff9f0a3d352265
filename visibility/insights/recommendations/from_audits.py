"""What to do about the findings of an audit: one recommendation for each check that matters and fails.

A finding *matters* when its severity is above `info` and it weighs in the score; one of high severity matters without
a weight, too: hidden text that addresses AI systems may be somebody else's.

    priority = base of the severity + 10 · weight / the greatest weight · share of what was looked at that fails

The bases stand in `BASES`; a defect that caps the score has priority 100.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format

from apikeys.text.sentences import shortened
from apikeys.text.untrusted import clean
from visibility.audit import wording
from visibility.audit.catalogue import CATALOGUE
from visibility.audit.outcome import CatalogueEntry, Category, Severity
from visibility.insights.recommendations.queue import (
    MAX_OPEN,
    Draft,
    Key,
    Measurement,
    key_of,
    known_rows,
    resolve,
    trim,
    write,
)
from visibility.insights.recommendations.wording import MAX_QUOTE, MAX_TITLE
from visibility.measured.audits import AuditFacts, FoundDefect, read_audit
from visibility.models import Audit, Recommendation, Run

KIND = Recommendation.Kind.AUDIT_FINDING
BASES: Mapping[Severity, int] = {"critical": 85, "high": 60, "medium": 35, "low": 10, "info": 0}
_MAX_WEIGHT = max(entry.weight for entry in CATALOGUE.values())
_Level = Recommendation.Level
_IMPACTS: Mapping[Severity, str] = {
    "critical": _Level.HIGH,
    "high": _Level.HIGH,
    "medium": _Level.MEDIUM,
    "low": _Level.LOW,
    "info": _Level.LOW,
}
_EFFORTS: Mapping[Category, str] = {
    "access": _Level.LOW,
    "discovery": _Level.LOW,
    "structured-data": _Level.LOW,
    "agent-surfaces": _Level.LOW,
    "entity-trust": _Level.MEDIUM,
    "structure": _Level.MEDIUM,
    "citability": _Level.MEDIUM,
    "freshness": _Level.MEDIUM,
    "rendering": _Level.HIGH,
}
"""Low: a setting or a template. Medium: pages are edited. High: how the site is built changes."""


def matters(entry: CatalogueEntry) -> bool:
    """Whether a failing check is something to do."""
    return entry.severity != "info" and (entry.weight > 0 or entry.severity in ("critical", "high"))


@transaction.atomic
def recommend_from_audit(run: Run) -> None:
    """Derive the recommendations of the brand's audits anew from this one, a finished audit whose results are stored.

    One is the same as long as its check is. An open one whose check passes becomes resolved, unless this audit could
    look at fewer pages than the one that found it; it opens again when the check fails again. A check that does not
    apply or could not be found out changes nothing. What people have set stays. An audit that is older than one whose
    findings are in the queue changes nothing. Call it under the lock of the brand's row.
    """
    known = known_rows(run.brand, [KIND])
    if _is_superseded(run, known):
        return
    facts = read_audit(run)
    now = timezone.now()
    _close(known, facts, now)
    drafts = [
        Draft(key_of(KIND, defect.entry.id), _derived(defect, facts))
        for defect in facts.defects
        if matters(defect.entry)
    ]
    write(run.brand, drafts, known, Measurement(now, run.pk, run.created_at.date()))
    trim(run.brand, {KIND: MAX_OPEN})


def _is_superseded(run: Run, known: Mapping[Key, Recommendation]) -> bool:
    seen_in = {row.last_seen_run_id for row in known.values() if row.last_seen_run_id not in (None, run.pk)}
    return Run.objects.filter(pk__in=seen_in, created_at__gt=run.created_at).exists()


def _close(known: Mapping[Key, Recommendation], facts: AuditFacts, now: datetime) -> None:
    """Resolve the open ones whose checks pass; also those that no longer matter or that the catalogue dropped."""
    passed = {check.entry.id for check in facts.others if check.result.verdict == "passed"}
    open_rows = [row for row in known.values() if row.status == Recommendation.Status.OPEN]
    seen_in = {row.last_seen_run_id for row in open_rows if row.last_seen_run_id}
    reach = dict(Audit.objects.filter(pk__in=[*seen_in, facts.run.pk]).values_list("pk", "max_pages"))
    pages = reach.get(facts.run.pk, 0)
    closed = [row for row in open_rows if row.subject in passed and reach.get(row.last_seen_run_id, 0) <= pages]
    moot = [row for row in open_rows if row.subject not in CATALOGUE or not matters(CATALOGUE[row.subject])]
    resolve([*closed, *(row for row in moot if row not in closed)], now)


def _derived(defect: FoundDefect, facts: AuditFacts) -> dict[str, Any]:
    """The columns that follow the audit."""
    entry, result = defect.entry, defect.result
    return {
        "title": shortened(defect.title, MAX_TITLE),
        "summary": _summary(defect, facts),
        "priority": _priority(defect),
        "impact": _IMPACTS[entry.severity],
        "effort": _EFFORTS[entry.category],
        "evidence": [
            {"kind": "page", "text": shortened(clean(f"{piece.where}: {piece.quote}"), MAX_QUOTE), "url": piece.url}
            for piece in defect.outcome.evidence
        ]
        or [{"kind": "page", "text": defect.title, "url": url} for url in result.urls],
        "payload": {
            "fix_prompt": defect.prompt,
            "check": entry.id,
            "measured_on": facts.run.created_at.date().isoformat(),
        },
    }


def _priority(defect: FoundDefect) -> int:
    if defect.result.critical:
        return 100
    failing = 1.0 - (defect.result.share or 0.0)
    return BASES[defect.entry.severity] + round(10 * defect.entry.weight / _MAX_WEIGHT * failing)


def _summary(defect: FoundDefect, facts: AuditFacts) -> str:
    day = date_format(facts.run.created_at)
    return f"{defect.sentence.rstrip('.')} (audit of {day}, {defect.entry.id}). {wording.effect(defect.entry)}"
