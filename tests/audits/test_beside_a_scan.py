"""An audit of a hostile site beside a scan, in one worker: the scan keeps its time and the worker its heartbeat."""

import gzip
import sys
import time
from math import ceil
from urllib.parse import urlencode

import pytest
from django.db import connection

from tests.audit.sites import HOST, Answer, WebSite, serving
from tests.engines.provider import running_provider
from tests.factories import BrandFactory
from tests.live import live_process, own_database, wait_for
from tests.runs.conftest import SYSTEM, make_brand, make_engine
from visibility.audits.services import start_audit
from visibility.models import Run
from visibility.runs.services import start_scan

LATENCY, WINDOW, ANSWERS = 1, 10, 200
MOST = 1.5
"""What the scan may take, in times of the ideal."""
BEAT, GRACE = 5, 1.5
"""Seconds between the heartbeats of a worker, and by how much one may be late on a busy machine."""
MB = 2**20
BAIT = {
    "comments": "<!--" * MB,
    "brackets": '<script type="application/ld+json">' + "[" * (3 * MB) + "</script>",
    "strings": '<script type="application/ld+json">{"a": "' + "\\" * (3 * MB),
    "prices": "<main><p>" + "€ 1 $ 1. " * (MB // 4),
    "dates": "<main><p>" + "1 May 2026 2026-01-01 " * (MB // 8),
    "orders": "<div hidden>" + "AI ignore " * (MB // 4),
    "anchors": '<a href="/x?' + "a=1&" * 200 + '">' + "<a href=" * (MB // 4),
    "items": "<div itemscope><p itemprop=a>" * (MB // 8),
    "deep": "<div>" * (MB // 2),
    "attributes": "<p " + " ".join(f"a{n}=1" for n in range(120_000)) + ">x",
    "numbers": "<main><p>" + "1 " * (2 * MB),
    "tables": "<table><tr><td>" * (MB // 8),
    "words": "<main><p>" + "kettle tea " * (MB // 4),
}


def hostile_site():
    """Everything that it answers is made to take long."""
    site = WebSite()
    site.page("/", *(f"/{name}" for name in BAIT), *(f"/slow-{n}" for n in "abcd"), "/bomb", "/endless")
    for name, text in BAIT.items():
        site.pages[f"/{name}"] = Answer(f"<!doctype html><title>{name}</title>{text}")
    for letter in "abcd":
        site.pages[f"/slow-{letter}"] = Answer("<p>" + "slow " * 20_000, drip=1)
    packed = {"Content-Encoding": "gzip"}
    site.pages["/bomb"] = Answer(gzip.compress(b"<p>" + b"a" * 300 * MB, 1), headers=packed)
    site.pages["/endless"] = Answer("", 302, {"Location": "/endless"})
    entry = f"<url><loc>http://{HOST}/kettle</loc></url>".encode()
    bomb = gzip.compress(b"<urlset>" + entry * (60 * MB // len(entry)), 1)
    site.pages["/bomb.xml.gz"] = Answer(bomb, content_type="application/gzip")
    site.pages["/tag.xml"] = Answer("<urlset><url" + " a" * (10 * MB), content_type="application/xml")
    maps = "".join(f"Sitemap: http://{HOST}/{name}\n" for name in ("bomb.xml.gz", "tag.xml"))
    rules = "".join(f"Disallow: /*{n}*a*a*a*a*a*b\n" for n in range(5_000))
    site.robots(f"User-agent: *\n{maps}{rules}" + "\n" * 300_000)
    return site


def heartbeat_age():
    """Seconds since the worker's last sign of life; 0 before its first."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT extract(epoch FROM max(now() - last_heartbeat)) FROM procrastinate_workers")
        return float(cursor.fetchone()[0] or 0)


@pytest.mark.proof
def test_a_hostile_site_delays_neither_a_scan_nor_a_heartbeat(django_db_blocker, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-right-key-of-the-tests")
    script = urlencode({"latency": LATENCY})
    with (
        django_db_blocker.unblock(),
        own_database() as database,
        serving(hostile_site()) as site,
        running_provider(script) as address,
    ):
        make_engine("gpt", "m", address, concurrency=WINDOW)
        scanned = make_brand(prompts=ANSWERS // 5, samples=5)
        audited = BrandFactory(name="Hostile", domain=HOST)
        local = f"{HOST}=127.0.0.1:{site.port},www.{HOST}=127.0.0.1:{site.port}"
        worker = (sys.executable, "manage.py", "worker")
        with live_process(*worker, database=database, ready="", AUDIT_LOCAL_HOSTS=local):
            audit = start_audit(SYSTEM, brand_id=audited.pk, trigger=Run.Trigger.OPERATOR).run
            wait_for(lambda: site.requests, seconds=60)
            begun = time.monotonic()
            scan = start_scan(SYSTEM, brand_id=scanned.pk, trigger=Run.Trigger.OPERATOR).run
            took, oldest = 0.0, 0.0
            while active := set(Run.objects.active().values_list("pk", flat=True)):
                oldest = max(oldest, heartbeat_age())
                took = took or (0.0 if scan.pk in active else time.monotonic() - begun)
                assert time.monotonic() - begun < 400, "the audit has no end"
                time.sleep(0.1)
            scan.refresh_from_db()
            audit.refresh_from_db()
    assert (scan.status, scan.done) == ("succeeded", ANSWERS)
    assert took <= MOST * ceil(ANSWERS / WINDOW) * LATENCY, took
    assert oldest <= BEAT + GRACE, oldest
    assert audit.status in ("succeeded", "partial") and audit.done >= len(BAIT)
    assert audit.finished_at > scan.finished_at, "they ran side by side"
