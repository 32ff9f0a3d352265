"""Whether AI can read the site: the score, what costs most, the pages, one audit more, and earlier ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import HttpResponse
from django.utils.translation import gettext, gettext_lazy, ngettext

from visibility.audits.page_reads import AuditedPage, audited_pages, changed_findings, earlier_audits
from visibility.audits.reads import read_audit, read_findings
from visibility.audits.resources import AuditFindingResource, SiteAudit
from visibility.audits.services import MOST_PAGES, start_audit
from visibility.drawing import charts
from visibility.models import Run
from visibility.pages.forms import PageForm, form_or
from visibility.pages.frame import Visit, act, brand_page
from visibility.pages.tables import Table, wanted
from visibility.runs.services import cancel_run

CAUSES = 3
FINDING = ("check", "title", "finding", "severity", "category", "affected", "gain", "urls")
"""The fields of a finding in its table."""
SEVERITIES = {
    "critical": (gettext_lazy("Critical"), gettext_lazy("AI does not get to a part of your pages")),
    "high": (gettext_lazy("High"), gettext_lazy("Costs citations or trust")),
    "medium": (gettext_lazy("Medium"), gettext_lazy("Makes you harder to quote")),
    "low": (gettext_lazy("Low"), gettext_lazy("Good manners")),
    "info": (gettext_lazy("For information"), gettext_lazy("Changes no score")),
}
CATEGORIES = {
    "access": gettext_lazy("Access for crawlers"),
    "rendering": gettext_lazy("Text without scripts"),
    "discovery": gettext_lazy("Sitemaps and links"),
    "structure": gettext_lazy("Structure of pages"),
    "structured-data": gettext_lazy("Structured data"),
    "entity-trust": gettext_lazy("Who you are"),
    "freshness": gettext_lazy("Freshness"),
    "citability": gettext_lazy("Fit to be quoted"),
    "agent-surfaces": gettext_lazy("Access for agents"),
}
STATES = {
    "unread": (gettext_lazy("could not be read"), "bad"),
    "shut": (gettext_lazy("shut out"), "bad"),
    "hidden": (gettext_lazy("hidden"), "bad"),
    "empty": (gettext_lazy("empty"), "bad"),
    "partly_shut": (gettext_lazy("partly shut"), "warn"),
    "readable": (gettext_lazy("readable"), "good"),
}


@dataclass(frozen=True, slots=True)
class Severity:
    """The findings of one severity."""

    name: str
    meaning: str
    findings: Sequence[AuditFindingResource]


@brand_page
def audit(visit: Visit) -> HttpResponse:
    """The latest audit, and the one under way."""
    return _page(visit)


def _page(visit: Visit, form: PageForm | None = None) -> HttpResponse:
    found = read_audit(visit.caller, visit.brand.pk)
    findings = read_findings(visit.caller, visit.brand.pk).findings
    (pages, aside), earlier = audited_pages(visit.brand), earlier_audits(visit.brand)
    if file := wanted(visit, *_tables(findings, pages, earlier)):
        return file
    return visit.show(
        "audit.html",
        "audit",
        audit=found,
        lead=_lead(found, findings, pages),
        categories=[(CATEGORIES[each.id], each.score, charts.bar(each.score)) for each in found.categories],
        pages=[(page, *STATES[page.state]) for page in pages],
        aside=aside,
        form=form_or(form, AuditForm),
        **_findings(findings),
        **_since(visit, earlier),
    )


def _lead(found: SiteAudit, findings: Sequence[AuditFindingResource], pages: Sequence[AuditedPage]) -> str:
    """What keeps AI from pages, the worst first; then the score."""
    if found.overall is None:
        return gettext("Not audited yet. An audit reads up to 50 pages as AI crawlers do.")
    shut = sum(page.state == "partly_shut" for page in pages)
    unread = sum(page.state != "readable" for page in pages) - shut
    facts = []
    if unread:
        facts.append(gettext("AI cannot read or show {pages}.").format(pages=_of(unread, len(pages))))
    if shut:
        facts.append(gettext("Some AI crawlers are shut out of {pages}.").format(pages=_of(shut, len(pages))))
    if not facts:
        facts.append(gettext("AI can read every page."))
        things = ngettext("{number} thing could be better.", "{number} things could be better.", len(findings))
        facts.append(things.format(number=len(findings)) if findings else gettext("Nothing was found wrong."))
    return f"{' '.join(facts)} {gettext('Score: {score:.0f} %.').format(score=found.overall)}"


def _of(number: int, pages: int) -> str:
    words = gettext("{number} of {pages} pages") if number < pages else gettext("all {pages} pages")
    return words.format(number=number, pages=pages)


def _findings(findings: Sequence[AuditFindingResource]) -> dict[str, Any]:
    """What costs most, and the rest by severity."""
    by_name: dict[str, list[AuditFindingResource]] = {}
    for each in findings[CAUSES:]:
        by_name.setdefault(each.severity, []).append(each)
    severities = [
        Severity(str(SEVERITIES[name][0]), str(SEVERITIES[name][1]), by_name[name])
        for name in SEVERITIES
        if name in by_name
    ]
    return {"causes": findings[:CAUSES], "severities": severities}


def _since(visit: Visit, earlier: Sequence[Run]) -> dict[str, Any]:
    """Earlier audits, and what changed since the last one before: points, findings that are fixed, and new ones."""
    scores = [run.score for run in earlier[:2] if run.score is not None]
    fixed, new = changed_findings(visit.brand, earlier)
    return {
        "earlier": [(run, charts.bar(run.score)) for run in earlier],
        "difference": scores[0] - scores[1] if len(scores) == 2 else None,
        "fixed": fixed,
        "new": new,
    }


def _tables(
    findings: Sequence[AuditFindingResource], pages: Sequence[AuditedPage], earlier: Sequence[Run]
) -> tuple[Table, ...]:
    return (
        Table(
            "findings",
            ("check", "finding", "seen", "severity", "category", "addresses", "points to gain", "first addresses"),
            lambda: ([getattr(each, name) for name in FINDING] for each in findings),
        ),
        Table(
            "pages",
            ("page", "title", "to AI", "findings", "answers that cite it"),
            lambda: ([page.url, page.title, page.state, page.findings, page.cited] for page in pages),
        ),
        Table(
            "audits",
            ("day", "score", "pages"),
            lambda: ([run.created_at.date(), run.score, run.total] for run in earlier),
        ),
    )


class AuditForm(PageForm):
    """How far an audit reads."""

    pages = forms.IntegerField(
        label=gettext_lazy("Pages at most"), min_value=1, max_value=MOST_PAGES, initial=MOST_PAGES
    )


def _start(visit: Visit, values: dict[str, Any]) -> str:
    number = values["pages"]
    started = start_audit(visit.caller, brand_id=visit.brand.pk, trigger=Run.Trigger.WEB, max_pages=number)
    return gettext("The audit has begun.") if started.started else gettext("An audit is under way already.")


def _stop(visit: Visit, values: dict[str, Any]) -> str:
    running = Run.objects.active().filter(brand=visit.brand, kind=Run.Kind.AUDIT).first()
    if running is None:
        return gettext("No audit is under way.")
    cancel_run(visit.caller, brand_id=visit.brand.pk, run_id=running.pk)
    return gettext("Stopped. What was not read is given back.")


audit_act, stop_act = act(_start, "brand-audit", AuditForm, _page), act(_stop, "brand-audit")
