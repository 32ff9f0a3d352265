"""What an audit found wrong, as recommendations: a card for each grave defect, one for all that is smaller."""

from collections.abc import Iterable, Sequence

from django.db import transaction

from apikeys.text import marked
from brands.models import Brand
from visibility.audits.resources import AuditFindingResource
from visibility.models import Run
from visibility.models.recommendations import Level
from visibility.recommendations.queue import Card, refresh

KIND = "site_audit"
GRAVE = ("critical", "high")
SMALLER = "smaller defects"
"""The subject of the card with all findings that are not grave."""
CRITICAL_PRIORITY, HIGH_PRIORITY, SMALLER_PRIORITY = 90, 41, 30
MOST_GAIN = 18
"""Points of the audit's score that count for the priority of a defect which is high, so that none is critical."""
MOST_EVIDENCE = 5
LONG_LIST = 10
"""Findings from which on the card takes days, not hours."""


@transaction.atomic
def recommend_fixes(brand: Brand) -> None:
    """Bring the queue in line with the newest measured audit; may run twice. An audit of fewer pages than the one
    before closes nothing: it may not have read the page with the defect."""
    audits = Run.objects.measured().filter(brand=brand, kind=Run.Kind.AUDIT).newest()
    run = audits.first()
    if run is None:
        return
    findings = [AuditFindingResource.model_validate(row.finding) for row in run.findings.order_by("position")]
    grave = [finding for finding in findings if finding.severity in GRAVE]
    smaller = [finding for finding in findings if finding.severity not in GRAVE and finding.gain > 0]
    cards = _grave(grave)
    if smaller:
        cards.append(_smaller(smaller))
    before = audits.filter(created_at__lt=run.created_at).first()
    looked = before is None or run.done >= before.done
    refresh(brand, run, KIND, cards, lambda row: "The last audit does not find it any more." if looked else None)


def _grave(findings: Sequence[AuditFindingResource]) -> list[Card]:
    """Cards in the order of the audit: critical defects have priority by their place, high ones by what they cost,
    and always more than the next."""
    cards: list[Card] = []
    for place, finding in reversed(list(enumerate(findings))):
        is_critical = finding.severity == "critical"
        cost = HIGH_PRIORITY + round(min(finding.gain, MOST_GAIN))
        behind = cards[0].priority + 1 if cards else 0
        priority = (
            CRITICAL_PRIORITY + max(9 - place, 0) if is_critical else min(max(cost, behind), CRITICAL_PRIORITY - 1)
        )
        cards.insert(0, _card(finding, priority))
    return cards


def _card(finding: AuditFindingResource, priority: int) -> Card:
    is_critical = finding.severity == "critical"
    return Card(
        subject=finding.check,
        title=finding.title,
        summary=f"{marked(finding.finding)} Mended, it gains {finding.gain:g} points of the audit's score.",
        priority=priority,
        impact=Level.HIGH if is_critical else Level.MEDIUM,
        effort=Level.MEDIUM,
        evidence=_evidence([finding]),
        payload={"fixPrompt": finding.fix_prompt or "", "check": finding.check},
    )


def _smaller(findings: Sequence[AuditFindingResource]) -> Card:
    gain = sum(finding.gain for finding in findings)
    lines = [
        f"{finding.title} ({finding.affected:,} address{'es' * (finding.affected != 1)})." for finding in findings
    ]
    prompts = [finding.fix_prompt for finding in findings if finding.fix_prompt]
    return Card(
        subject=SMALLER,
        title=f"Mend {len(findings)} smaller defect{'s' * (len(findings) > 1)} of the site",
        summary=(f"Together {gain:.1f} points of the audit's score. " if gain else "") + " ".join(lines),
        priority=SMALLER_PRIORITY,
        impact=Level.MEDIUM if gain >= 5 else Level.LOW,
        effort=Level.MEDIUM if len(findings) >= LONG_LIST else Level.LOW,
        evidence=_evidence(findings),
        payload={"fixPrompt": "\n\n---\n\n".join(prompts), "checks": [finding.check for finding in findings]},
    )


def _evidence(findings: Iterable[AuditFindingResource]) -> list[dict[str, str]]:
    """The first places where each was seen."""
    seen = [
        {
            "kind": "finding",
            "text": f"{finding.title}: {piece.quote}" if piece.quote else finding.title,
            "url": piece.url,
        }
        for finding in findings
        for piece in finding.evidence[:MOST_EVIDENCE]
    ]
    return seen[: 2 * MOST_EVIDENCE]
