"""Facts of the latest audit of a site: its score, what caps it, what changed, the worst findings."""

from collections.abc import Iterator

from django.utils.formats import date_format

from visibility.resources.audits import AuditScores, SinceLastAudit
from visibility.services.ask.fact import MOST, Fact, QuestionContext, percent
from visibility.services.audits.reports import FindingFilter, audit_findings, audit_scores

_LISTED = FindingFilter(limit=MOST)


def facts_of_audit(context: QuestionContext) -> Iterator[Fact]:
    """What the latest finished audit says; that there is none, where there is none."""
    caller, brand = context.caller, context.brand
    scores = audit_scores(caller, brand_id=brand.pk)
    if scores.run is None:
        yield Fact(scores.how_to_get_one or "There is no audit.")
        return
    run = str(scores.run.id)
    yield Fact(_scored(brand.name, scores), (run,))
    if scores.note:
        yield Fact(scores.note)
    for defect in scores.critical_defects:
        yield Fact(f"Critical, the score is no higher than {percent(defect.cap)}: {_sentence(defect.what)}", (run,))
    critical = {defect.check for defect in scores.critical_defects}
    for finding in audit_findings(caller, brand_id=brand.pk, wanted=_LISTED).findings:
        if finding.check not in critical:
            sentence = f"{finding.severity.capitalize()} ({finding.check}): {_sentence(finding.what)}"
            yield Fact(sentence, (run,), tool="get_audit_findings")


def _sentence(what: str) -> str:
    return f"{what.rstrip('.')}."


def _scored(name: str, scores: AuditScores) -> str:
    failing = sum(scores.findings.model_dump().values())
    day = date_format(scores.run.created_at) if scores.run else ""
    rated = [category for category in scores.categories if category.score is not None and category.weight]
    worst = min(rated, key=lambda category: category.score or 0.0, default=None)
    sentence = f"The audit of {name} of {day} scored {percent(scores.overall)}; {failing} checks fail"
    if worst:
        sentence += f", and the weakest category is {worst.id} at {percent(worst.score)}"
    return f"{sentence}.{_since(scores.since_last)}"


def _since(last: SinceLastAudit | None) -> str:
    if last is None:
        return ""
    return (
        f" Since the audit of {date_format(last.created_at)} ({percent(last.overall)}): findings new {last.new}, "
        f"fixed {last.fixed}, still there {last.still_there}."
    )
