"""A site whose files are made to hold up whoever reads them, audited beside a scan: neither loses its lease."""

import pytest
from django.utils import timezone

from tests.audit.runs.sites import HOST, Answer
from tests.factories import PromptFactory
from tests.scans import workers
from tests.scans.workers import worker
from visibility.models import Audit, Run
from visibility.pipeline.audit.facts import site_from_json
from visibility.services.scans.starting import start_scan

LEASE_SECONDS = 12
pytestmark = [pytest.mark.crash, pytest.mark.django_db(transaction=True, serialized_rollback=True)]


@pytest.fixture
def hostile_site(site, monkeypatch):
    """Each file is small enough to be read, and is looked at once more for each of its places by careless readers.

    Workers' leases are long enough for a busy machine, and short beside what those readers take.
    """
    monkeypatch.setattr(workers, "LEASE_SECONDS", LEASE_SECONDS)
    site.page("/", "/a")
    site.page("/a", "/")
    site.robots(f"Sitemap: http://{HOST}/types.xml\nSitemap: http://{HOST}/brackets.txt\n" + "\n" * 64_000)
    site.pages["/types.xml"] = Answer(b"<!DOCTYPE " * 400_000, content_type="application/xml")
    site.pages["/brackets.txt"] = Answer(b"[" * 4_000_000, content_type="text/plain")
    site.pages["/llms.txt"] = Answer("[" * 65_000, content_type="text/plain")
    site.pages["/.well-known/mcp.json"] = Answer('{"a":' * 13_000, content_type="application/json")
    site.pages["/license.xml"] = Answer("<" * 65_000, content_type="application/xml")
    return site


def test_no_heartbeat_is_late_beside_a_running_scan(hostile_site, engines, cast, owner, start, celery, wait_until):
    engines("Slow")
    for number in range(30):
        PromptFactory(brand=cast.brand, text=f"which product number {number}?")
    audit = start()
    scan = start_scan(owner, brand_id=cast.brand.pk, trigger=Run.Trigger.AGENT, samples=2).run
    worker(celery)
    leases, late = {audit.pk: set(), scan.pk: set()}, []

    def both_ended():
        for run in Run.objects.filter(status="running").exclude(lease_until=None):
            leases[run.pk].add(run.lease_until)
            if run.lease_until < timezone.now():
                late.append((run.kind, run.lease_until))
        return not Run.objects.exclude(status__in=("succeeded", "failed", "partial", "cancelled")).exists()

    wait_until(both_ended, "the end of both")
    runs = {run.kind: run for run in Run.objects.all()}
    assert late == []
    assert {kind: (run.status, run.attempt) for kind, run in runs.items()} == {
        "audit": ("succeeded", 1),
        "visibility": ("succeeded", 1),
    }
    facts = site_from_json(Audit.objects.get().site)
    assert [sitemap.kind for sitemap in facts.sitemaps] == ["", ""]
    assert facts.probes["llms.txt"].text.characters == 65_000
    renewed = {run.kind: len(leases[run.pk]) for run in runs.values()}
    print(f"leases of {LEASE_SECONDS} s, renewed {renewed} times, none late")
