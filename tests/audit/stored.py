"""Audits as the pipeline leaves them behind, made here without a crawl."""

from datetime import UTC, datetime, timedelta

from tests.factories import RunFactory
from visibility.models import Audit, AuditPage, CheckResult, PageContent

HOME = "https://acme.example/"
FIRST = datetime(2026, 3, 10, 12, tzinfo=UTC)
AGENT = "BrandVisibilityBot/1.0"


def audited(brand, *, day=0, failing=(), passing=(), unclear=(), untold=(), score=60.0, max_pages=50, **run):
    """A finished audit. `failing` are ids of checks, or pairs of one and fields of its result; `unclear` do not
    apply, `untold` could not be found out."""
    at = FIRST + timedelta(days=day)
    run = RunFactory(
        brand=brand, kind="audit", created_at=at, started_at=at, finished_at=at + timedelta(minutes=1), score=score,
        engines=[], **{"total": 3, "done": 3, **run},
    )  # fmt: skip
    Audit.objects.create(
        run=run,
        home_url=HOME,
        max_pages=max_pages,
        user_agent=AGENT,
        categories=[{"id": "access", "score": 50.0, "passed": 5, "failed": 1, "weight": 20.0}],
        checked_at=run.finished_at,
    )
    for each in failing:
        check, fields = (each, {}) if isinstance(each, str) else each
        CheckResult.objects.create(run=run, check_id=check, **{**failure(), **fields})
    for check in passing:
        CheckResult.objects.create(run=run, check_id=check, verdict="passed", share=1.0)
    for check in unclear:
        CheckResult.objects.create(
            run=run, check_id=check, verdict="not_applicable", because="There are no articles."
        )
    for check in untold:
        CheckResult.objects.create(run=run, check_id=check, verdict="inconclusive", because="No clear answer.")
    return run


def failure(url=f"{HOME}prices", quote="Ask us <b>now</b>", where="line 12"):
    """The fields of a result that fails on one page."""
    return {
        "verdict": "failed",
        "share": 0.0,
        "words": {"finding": "1 of 4 offer pages show no price in their text.", "q": quote},
        "evidence": [{"url": url, "where": where, "quote": quote}],
        "urls": [url],
        "affected": 1,
    }


def crawled(run, url=HOME, *, position=0, status=200, parsed=True, state="fetched", **fetched):
    """A page of the crawl, with what it answered."""
    content = None
    if parsed is not None:
        content = PageContent.objects.create(
            brand=run.brand, key=f"{run.pk}{position}"[:64], parsed=parsed, facts=b""
        )
    return AuditPage.objects.create(
        run=run,
        url=url,
        position=position,
        state=state,
        found_by="link" if position else "home",
        depth=min(position, 2),
        fetched={"url": url, "status": status, "final_url": url, "cut": False, "error": "", **fetched},
        content=content,
    )


CRITICAL = (
    "ACC-06",
    {
        **failure(),
        "critical": True,
        "lost": 1.0,
        "words": {"finding": "/ carries noindex; it cannot be shown or cited."},
    },
)
"""A check that fails in the way that caps the score."""
