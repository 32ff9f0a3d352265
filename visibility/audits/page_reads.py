"""Reads of audits for pages: the audited pages, worst first, and earlier audits."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count

from brands.models import Brand
from visibility.audit import Gathered, PageState, SitePage, from_json, state_of
from visibility.audits.reads import latest_audit
from visibility.counts.reader import select_now
from visibility.detection.canonical import canonical_url
from visibility.models import AuditFinding, AuditPage, Citation, Run

MOST_AUDITS = 12
WORST = ("unread", "shut", "hidden", "empty", "partly_shut", "readable")


@dataclass(frozen=True, slots=True)
class AuditedPage:
    """A page of the latest audit: how many findings name it among their first addresses, and how many current answers
    cite it."""

    url: str
    title: str
    state: PageState
    findings: int
    cited: int


def earlier_audits(brand: Brand) -> list[Run]:
    """The last audits that ended with a score, the newest first."""
    runs = Run.objects.measured().filter(brand=brand, kind=Run.Kind.AUDIT, score__isnull=False)
    return list(runs.newest()[:MOST_AUDITS])


def audited_pages(brand: Brand) -> tuple[list[AuditedPage], int]:
    """The pages of the latest audit that has a score, worst state first, then those with most findings; and how many
    of its addresses are no page."""
    run = latest_audit(brand)
    if run is None:
        return [], 0
    gathered = from_json(Gathered, bytes(run.audit.gathered)) if run.audit.gathered else Gathered()
    stored = AuditPage.objects.filter(run=run).order_by("position").values_list("page", flat=True)
    looked = [from_json(SitePage, bytes(each)) for each in stored]
    pages = [page for page in looked if not page.aside]
    findings, cited = _findings(run), _cited(brand)
    rows = [
        AuditedPage(
            url=page.url,
            title=page.parsed.title if page.parsed else "",
            state=state_of(page, gathered.robots, run.finished_at or run.created_at),
            findings=findings[page.url],
            cited=cited.get(canonical_url(page.url), 0),
        )
        for page in pages
    ]
    rows.sort(key=lambda row: (WORST.index(row.state), -row.findings, row.url))
    return rows, len(looked) - len(pages)


def changed_findings(brand: Brand, runs: Sequence[Run]) -> tuple[int, int]:
    """How many checks failed in the earlier of the two latest audits only, and how many in the latest only."""
    if len(runs) < 2:
        return 0, 0
    rows = AuditFinding.objects.filter(run__brand=brand, run__in=runs[:2]).values_list("run", "check_id")
    of_run: Mapping[object, set[str]] = {run.pk: {check for pk, check in rows if pk == run.pk} for run in runs[:2]}
    latest, before = (of_run[run.pk] for run in runs[:2])
    return len(before - latest), len(latest - before)


def _findings(run: Run) -> Counter[str]:
    """How many findings name each address."""
    rows: Iterable[dict[str, list[str]]] = run.findings.values_list("finding", flat=True)
    return Counter(url for row in rows for url in set(row["urls"]))


def _cited(brand: Brand) -> dict[str, int]:
    """By own address, how many current answers cite it."""
    own = Citation.objects.filter(answer__in=select_now(brand).answers, is_own=True).order_by()
    return dict(own.values_list("url").annotate(number=Count("answer", distinct=True)))
