"""What an audit found, as the doors show it."""

from collections.abc import Sequence

from django.db.models import Count, Q

from visibility.audit.wording import title
from visibility.measured.audits import AuditFacts, CheckedEntry, FoundDefect
from visibility.metrics.types import rounded
from visibility.models import Audit, AuditPage, Run
from visibility.resources.audits import (
    AuditPages,
    CategoryScore,
    CheckCounts,
    CriticalDefect,
    EarlierFinding,
    Finding,
    FindingEvidence,
    KnownEffect,
    SeverityCounts,
    SinceLastAudit,
    Source,
)


def full_finding(defect: FoundDefect) -> Finding:
    """A finding with all that shows it, what to do about it, and what is known of its effect."""
    entry, result, effect = defect.entry, defect.result, defect.entry.effect
    return Finding(
        check=entry.id,
        title=defect.title,
        category=entry.category,
        severity=defect.severity,
        weight=entry.weight,
        critical=result.critical,
        gain=rounded(defect.gain),
        state=defect.state,
        what=defect.sentence,
        affected=result.affected,
        urls=list(result.urls),
        evidence=[FindingEvidence.model_validate(piece) for piece in defect.outcome.evidence],
        fix_prompt=defect.prompt or None,
        effect=KnownEffect(known=effect.known or None, counter=effect.counter or None, source=effect.source or None),
        source=Source(grade=entry.evidence_grade, references=list(entry.sources)),
    )


def earlier_finding(checked: CheckedEntry) -> EarlierFinding:
    """A check that failed in the audit before."""
    return EarlierFinding(check=checked.entry.id, title=title(checked.entry), severity=checked.entry.severity)


def counts_by_severity(defects: Sequence[FoundDefect]) -> SeverityCounts:
    """How many checks fail, by severity."""
    severities = [defect.severity for defect in defects]
    return SeverityCounts(**{severity: severities.count(severity) for severity in set(severities)})


def categories_of(facts: AuditFacts) -> list[CategoryScore]:
    """The scores by category as they are shown, with two decimals."""
    rows = [CategoryScore.model_validate(row) for row in (facts.audit.categories if facts.audit else [])]
    for row in rows:
        row.score = rounded(row.score)
        row.weight = round(row.weight, 2)
    return rows


def critical_defects(facts: AuditFacts) -> list[CriticalDefect]:
    """What caps the score, in the order of all findings."""
    return [
        CriticalDefect(check=defect.entry.id, title=defect.title, what=defect.sentence, cap=rounded(defect.cap))
        for defect in facts.critical
    ]


def check_counts(facts: AuditFacts) -> CheckCounts:
    """How many checks say what."""
    verdicts = [check.result.verdict for check in facts.others]
    return CheckCounts(
        passed=verdicts.count("passed"),
        failed=len(facts.defects),
        not_applicable=verdicts.count("not_applicable"),
        inconclusive=verdicts.count("inconclusive"),
    )


def pages_of(run: Run) -> AuditPages:
    """What came of the pages of a crawl; one statement. Addresses that are no pages of the site are left out."""
    pages = AuditPage.objects.filter(run=run, state__in=(AuditPage.State.FETCHED, AuditPage.State.FAILED))
    counts = pages.aggregate(
        total=Count("pk"),
        read=Count("pk", filter=Q(content__parsed=True)),
        cut=Count("pk", filter=Q(fetched__cut=True)),
    )
    return AuditPages(**counts, failed=counts["total"] - counts["read"])


def since_last(facts: AuditFacts) -> SinceLastAudit | None:
    """What changed since the audit before; None for the first."""
    if facts.before is None:
        return None
    states = [defect.state for defect in facts.defects]
    then, now = facts.before.score, facts.run.score
    return SinceLastAudit(
        run=facts.before.pk,
        created_at=facts.before.created_at,
        overall=rounded(then),
        change=None if then is None or now is None else rounded(now - then),
        new=states.count("new"),
        fixed=len(facts.fixed),
        still_there=states.count("still_there"),
        unclear=len(facts.unclear),
        max_pages=Audit.objects.filter(pk=facts.before.pk).values_list("max_pages", flat=True).first(),
    )
