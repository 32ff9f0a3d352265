"""Whether AI can read the site: the score, what costs most, and one audit more."""

from django.http import HttpResponse
from django.urls import reverse

from visibility.audits.reads import read_audit, read_findings
from visibility.audits.services import start_audit
from visibility.models import Run
from visibility.pages import charts
from visibility.pages.frame import Visit, act, brand_page


@brand_page
def audit(visit: Visit) -> HttpResponse:
    """The latest audit, and the one under way."""
    found = read_audit(visit.caller, visit.brand.pk)
    findings = read_findings(visit.caller, visit.brand.pk).findings
    failed = Run.objects.filter(brand=visit.brand, kind=Run.Kind.AUDIT).newest().first()
    return visit.show(
        "audit.html",
        "audit",
        audit=found,
        findings=findings,
        categories=[(each, charts.bar(each.score)) for each in found.categories],
        failed=failed if failed and failed.status == Run.Status.FAILED else None,
    )


def _start(visit: Visit) -> str:
    started = start_audit(visit.caller, brand_id=visit.brand.pk, trigger=Run.Trigger.WEB)
    return "The audit has begun." if started.started else "An audit is under way already."


audit_act = act(_start, lambda visit: reverse("brand-audit", args=[visit.brand.pk]))
