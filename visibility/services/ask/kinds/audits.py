"""The latest audit of a site: its score, what caps it, what changed, the worst findings."""

from collections.abc import Iterator
from dataclasses import replace

from visibility.resources.audits import AuditScores
from visibility.services.ask.fact import MOST, Fact, QuestionContext, Told, fact, site_step
from visibility.services.ask.types import Value
from visibility.services.audits.reports import FindingFilter, audit_findings, audit_scores

_LISTED = FindingFilter(limit=MOST)


def told_of_audit(context: QuestionContext) -> Told:
    """What the latest finished audit says; that there is none, where there is none."""
    caller, brand = context.caller, context.brand
    scores = audit_scores(caller, brand_id=brand.pk)
    if scores.run is None:
        running = scores.running
        key = "audit_running" if running else "audit_failed" if scores.failed else "no_audit"
        run = running or scores.failed
        unknown = None if running else site_step("run_audit_scan", "would_audit", brand)
        return Told([fact(key, *([run.id] if run else []), subject=brand.name, **_trouble(scores))], unknown)
    facts = [_scored(brand.name, scores), *_since(scores), *_beside(brand.name, scores), *_defects(context, scores)]
    return Told(facts[: MOST + 1], site_step("get_audit_findings", "effect_of_work", brand))


def _scored(name: str, scores: AuditScores) -> Fact:
    rated = [category for category in scores.categories if category.score is not None and category.weight]
    worst = min(rated, key=lambda category: category.score or 0.0, default=None)
    run = scores.run
    return fact(
        "audited",
        run.id if run else "",
        subject=name,
        overall=scores.overall,
        day=run.created_at.date() if run else None,
        count=sum(scores.findings.model_dump().values()),
        category=worst.id if worst else None,
        categoryScore=worst.score if worst else None,
    )


def _since(scores: AuditScores) -> Iterator[Fact]:
    last = scores.since_last
    if last is not None:
        yield fact(
            "audited_before",
            last.run,
            day=last.created_at.date(),
            overall=last.overall,
            new=last.new,
            fixed=last.fixed,
            stillThere=last.still_there,
            delta=last.change,
        )


def _beside(name: str, scores: AuditScores) -> Iterator[Fact]:
    """An audit under way, or one that failed since."""
    if scores.running:
        yield fact("audit_running", scores.running.id, subject=name, **_trouble(scores))
    elif scores.failed:
        yield fact("audit_failed", scores.failed.id, subject=name, **_trouble(scores))


def _trouble(scores: AuditScores) -> dict[str, Value]:
    error = scores.failed.error if scores.failed else None
    return {"error": error.message if error else None, "reason": error.code if error else None}


def _defects(context: QuestionContext, scores: AuditScores) -> Iterator[Fact]:
    """What caps the score, then the worst of the other findings."""
    run = scores.run.id if scores.run else ""
    for defect in scores.critical_defects:
        yield fact("defect", run, cap=defect.cap, check=defect.check, label=defect.what.rstrip("."))
    critical = {defect.check for defect in scores.critical_defects}
    for finding in audit_findings(context.caller, brand_id=context.brand.pk, wanted=_LISTED).findings:
        if finding.check not in critical:
            item = fact(
                "finding",
                run,
                severity=finding.severity,
                check=finding.check,
                count=finding.affected,
                label=finding.what.rstrip("."),
            )
            yield replace(item, tool="get_audit_findings")
