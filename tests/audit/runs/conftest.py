"""What the tests of audit runs share: a site on loopback, and an audit of it."""

import pytest

from config.settings.audit import local_hosts
from tests.audit.runs.sites import WebSite, serving
from tests.scans.conftest import engines
from tests.scans.workers import celery, wait_until
from visibility.models import Run
from visibility.pipeline.runner import execute
from visibility.services.audits.starting import start_audit

__all__ = ["celery", "engines", "wait_until"]


@pytest.fixture
def site(settings, monkeypatch):
    """The site of the brand Acme: without a page, its robots.txt and sitemap are not there. Workers reach it, too."""
    with serving(WebSite()) as served:
        monkeypatch.setenv("AUDIT_LOCAL_HOSTS", served.local_hosts)
        settings.AUDIT_LOCAL_HOSTS = local_hosts([served.local_hosts])
        yield served


@pytest.fixture
def start(cast, owner):
    """Start an audit of the brand's site."""

    def begin(max_pages=50):
        return start_audit(owner, brand_id=cast.brand.pk, trigger=Run.Trigger.AGENT, max_pages=max_pages).run

    return begin


@pytest.fixture
def audited(start):
    """Audit the brand's site to the end; gives the run."""

    def carry_out(max_pages=50):
        run = start(max_pages)
        execute(run.pk, "worker")
        run.refresh_from_db()
        return run

    return carry_out
