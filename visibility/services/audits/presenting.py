"""What an audit found, as the doors show it."""

from collections.abc import Sequence

from django.db.models import Count, Q

from apikeys.text.sentences import shortened
from visibility.measured.audits import AuditFacts, CheckedEntry, FoundDefect
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

MAX_SHORT_TEXT = 200
MAX_SHORT_URL = 120


def short_finding(found: FoundDefect) -> Finding:
    """A finding in short: without evidence, prompt, effect and source."""
    entry, result = found.entry, found.result
    return Finding(
        check=entry.id,
        title=entry.title,
        category=entry.category,
        severity=entry.severity,
        weight=entry.weight,
        critical=result.critical,
        state=found.state,
        what=shortened(found.sentence, MAX_SHORT_TEXT),
        affected=result.affected,
        urls=[shortened(url, MAX_SHORT_URL) for url in result.urls[:1]],
    )


def full_finding(found: FoundDefect) -> Finding:
    """A finding at full depth."""
    effect = found.entry.effect
    return short_finding(found).model_copy(
        update={
            "what": found.sentence,
            "urls": list(found.result.urls),
            "evidence": [FindingEvidence.model_validate(each) for each in found.evidence],
            "fix_prompt": found.prompt,
            "effect": KnownEffect(
                known=effect.known or None, counter=effect.counter or None, source=effect.source or None
            ),
            "source": Source(grade=found.entry.evidence_grade, references=list(found.entry.sources)),
        }
    )


def earlier_finding(checked: CheckedEntry) -> EarlierFinding:
    """A check that failed in the audit before."""
    return EarlierFinding(check=checked.entry.id, title=checked.entry.title, severity=checked.entry.severity)


def counts_by_severity(found: Sequence[FoundDefect]) -> SeverityCounts:
    """How many checks fail, by severity."""
    severities = [each.entry.severity for each in found]
    return SeverityCounts(**{severity: severities.count(severity) for severity in set(severities)})


def categories_of(facts: AuditFacts) -> list[CategoryScore]:
    """The scores by category as they are shown, with two decimals."""
    rows = [CategoryScore.model_validate(each) for each in (facts.audit.categories if facts.audit else [])]
    for row in rows:
        row.score = None if row.score is None else round(row.score, 2)
        row.weight = round(row.weight, 2)
    return rows


def critical_defects(facts: AuditFacts) -> list[CriticalDefect]:
    """What caps the score, the lowest cap first."""
    told = [
        CriticalDefect(check=each.entry.id, title=each.entry.title, what=each.sentence, cap=each.entry.cap)
        for each in facts.critical
    ]
    return sorted(told, key=lambda each: 100.0 if each.cap is None else each.cap)


def check_counts(facts: AuditFacts) -> CheckCounts:
    """How many checks say what."""
    verdicts = [each.result.verdict for each in facts.others]
    return CheckCounts(
        passed=verdicts.count("passed"),
        failed=len(facts.found),
        not_applicable=verdicts.count("not_applicable"),
        inconclusive=verdicts.count("inconclusive"),
    )


def pages_of(run: Run) -> AuditPages:
    """What came of the pages of a crawl; one statement. Addresses that are no pages of the site are left out."""
    pages = AuditPage.objects.filter(run=run, state__in=(AuditPage.State.FETCHED, AuditPage.State.FAILED))
    counts = pages.aggregate(
        asked=Count("pk"),
        read=Count("pk", filter=Q(content__parsed=True)),
        cut=Count("pk", filter=Q(fetched__cut=True)),
    )
    return AuditPages(**counts, failed=counts["asked"] - counts["read"])


def since_last(facts: AuditFacts) -> SinceLastAudit | None:
    """What changed since the audit before; None for the first."""
    if facts.before is None:
        return None
    states = [each.state for each in facts.found]
    then, now = facts.before.score, facts.run.score
    return SinceLastAudit(
        run=facts.before.pk,
        created_at=facts.before.created_at,
        overall=then,
        change=None if then is None or now is None else round(now - then, 2),
        new=states.count("new"),
        fixed=len(facts.fixed),
        still_there=states.count("still_there"),
        unclear=len(facts.unclear),
        max_pages=Audit.objects.filter(pk=facts.before.pk).values_list("max_pages", flat=True).first(),
    )
