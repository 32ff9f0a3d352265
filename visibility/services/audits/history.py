"""The audits of a site as people look at them: one with all that it found and fetched, and all of them over time."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.errors import not_found
from apikeys.scopes import Scope
from brands.services.access import readable_brand
from visibility.audit import wording
from visibility.measured.audits import FINISHED, CheckedEntry, finished_audits, read_audit
from visibility.metrics.types import rounded
from visibility.models import AuditPage, CheckResult, Run
from visibility.resources.audits import (
    AuditPages,
    CategoryScore,
    CheckCounts,
    CriticalDefect,
    EarlierFinding,
    Finding,
    SinceLastAudit,
)
from visibility.resources.brands import RunResource
from visibility.services.audits.presenting import (
    categories_of,
    check_counts,
    critical_defects,
    earlier_finding,
    full_finding,
    pages_of,
    since_last,
)
from visibility.services.audits.state import AuditState, audit_state
from visibility.services.scans.estimates import credits_left
from visibility.services.scans.status import run_resource

MAX_AUDITS = 60
_SHOWN_FIELDS = ("url", "state", "found_by", "depth", "error_code", "fetched", "content__parsed")


@dataclass(frozen=True, slots=True)
class CrawledPage:
    """An address of the crawl and what it answered. `status` is 0 where nothing did; `trouble` says why it is no page
    that was read; empty: it is one."""

    url: str
    final_url: str
    status: int
    found_by: str
    clicks: int | None
    cut: bool
    trouble: str


@dataclass(frozen=True, slots=True)
class AuditReport:
    """All that one finished audit found, at full depth."""

    run: RunResource
    max_pages: int | None
    user_agent: str
    categories: Sequence[CategoryScore]
    critical_defects: Sequence[CriticalDefect]
    findings: Sequence[tuple[Finding, str]]
    """Each with what is known of its effect, in words."""
    fixed: Sequence[EarlierFinding]
    unclear: Sequence[EarlierFinding]
    others: Sequence[CheckedEntry]
    checks: CheckCounts
    pages: AuditPages
    since_last: SinceLastAudit | None
    crawl: Sequence[CrawledPage]


@snapshot()
def audit_report(caller: Caller, *, brand_id: UUID, run_id: UUID) -> AuditReport:
    """One finished audit of the brand; not_found for any other run."""
    caller.require(Scope.READ_AUDITS)
    audits = Run.objects.restrict(caller, "view").filter(brand=brand_id, pk=run_id)
    run = finished_audits(audits).first()
    if run is None:
        raise not_found()
    facts = read_audit(run)
    return AuditReport(
        run=run_resource(run),
        max_pages=facts.audit.max_pages if facts.audit else None,
        user_agent=facts.audit.user_agent if facts.audit else "",
        categories=categories_of(facts),
        critical_defects=critical_defects(facts),
        findings=[(full_finding(defect), wording.effect(defect.entry)) for defect in facts.defects],
        fixed=[earlier_finding(check) for check in facts.fixed],
        unclear=[earlier_finding(check) for check in facts.unclear],
        others=facts.others,
        checks=check_counts(facts),
        pages=pages_of(run),
        since_last=since_last(facts),
        crawl=_crawl(run),
    )


def _crawl(run: Run) -> list[CrawledPage]:
    pages = AuditPage.objects.filter(run=run).exclude(state=AuditPage.State.WAITING)
    return [_crawled(row) for row in pages.order_by("position").values(*_SHOWN_FIELDS)]


def _crawled(row: Mapping[str, Any]) -> CrawledPage:
    fetched = row["fetched"]
    unread = "" if row["content__parsed"] else "could not be parsed"
    return CrawledPage(
        url=row["url"],
        final_url=fetched.get("final_url") or row["url"],
        status=fetched.get("status", 0),
        found_by=row["found_by"],
        clicks=None if row["depth"] == 99 else row["depth"],
        cut=bool(fetched.get("cut")),
        trouble=fetched.get("detail") or row["error_code"].replace("_", " ") or unread,
    )


@dataclass(frozen=True, slots=True)
class PastAudit:
    """An audit of the history. The numbers are null where it gave no findings; `change` is in points since the
    finished audit before it."""

    run: RunResource
    failing: int | None = None
    new: int | None = None
    fixed: int | None = None
    change: float | None = None


@dataclass(frozen=True, slots=True)
class AuditHistory:
    """The audits of a site, newest first, how they stand, and what another would find in credits."""

    state: AuditState
    audits: Sequence[PastAudit]
    credits_left: int


@snapshot()
def audit_history(caller: Caller, *, brand_id: UUID) -> AuditHistory:
    """The audits of the brand, `MAX_AUDITS` at most; the number of statements does not grow with them."""
    caller.require(Scope.READ_AUDITS)
    brand = readable_brand(caller, brand_id)
    audits = Run.objects.restrict(caller, "view").filter(brand=brand, kind=Run.Kind.AUDIT)
    runs = list(audits.order_by("-created_at", "-id")[:MAX_AUDITS])
    return AuditHistory(audit_state(caller, brand_id), _past(runs), credits_left(brand))


def _past(runs: Sequence[Run]) -> list[PastAudit]:
    verdicts = _verdicts(run.pk for run in runs if run.status in FINISHED)
    past: list[PastAudit] = []
    before: Run | None = None
    for run in reversed(runs):
        if run.status not in FINISHED:
            past.append(PastAudit(run_resource(run)))
            continue
        item = _beside(run, verdicts.get(run.pk, {}), before, verdicts.get(before.pk, {}) if before else {})
        past.append(item)
        before = run
    return past[::-1]


def _beside(run: Run, now: Mapping[str, str], before: Run | None, then: Mapping[str, str]) -> PastAudit:
    """One finished audit beside the one before it. What that did not check is neither new nor fixed."""
    failing = _with(now, CheckResult.Verdict.FAILED)
    if before is None:
        return PastAudit(run_resource(run), failing=len(failing))
    failed_then = _with(then, CheckResult.Verdict.FAILED)
    return PastAudit(
        run_resource(run),
        failing=len(failing),
        new=len((failing & then.keys()) - failed_then),
        fixed=len(failed_then & _with(now, CheckResult.Verdict.PASSED)),
        change=_change(before.score, run.score),
    )


def _verdicts(runs: Iterable[UUID]) -> dict[UUID, dict[str, str]]:
    """By run the verdict of each check."""
    rows = CheckResult.objects.filter(run__in=list(runs)).order_by().values_list("run_id", "check_id", "verdict")
    verdicts_by_run: dict[UUID, dict[str, str]] = {}
    for run, check, verdict in rows:
        verdicts_by_run.setdefault(run, {})[check] = verdict
    return verdicts_by_run


def _with(verdicts: Mapping[str, str], verdict: str) -> set[str]:
    return {check for check, said in verdicts.items() if said == verdict}


def _change(then: float | None, now: float | None) -> float | None:
    return None if then is None or now is None else rounded(now - then)
