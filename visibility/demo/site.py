"""The audit of the demo brand's site: a few files with true defects, served on loopback while they are audited.

Only in that one audit does the name of the site lead to this machine.
"""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone

from apikeys.accounts.caller import Caller
from brands.later import defer_for_run
from brands.models import Brand
from visibility.audits.run import audit
from visibility.demo.content import read_content
from visibility.models import Audit, Run

FOLDER = Path(__file__).with_name("site")
PAGES = 50
LONGEST = timedelta(minutes=10)
"""After which a worker ends what a killed command has left."""


def audit_site(caller: Caller, brand: Brand) -> None:
    """Audit the site of the demo brand once, which takes some seconds. As an import it spends no credits."""
    domain = read_content().brand.domain
    if brand.domain != domain or Run.objects.filter(brand=brand, kind=Run.Kind.AUDIT).exists():
        return
    run = _make_run(caller, brand)
    with serving() as address:
        asyncio.run(audit(run.pk, local_hosts=dict.fromkeys([domain, f"www.{domain}"], address)))


@transaction.atomic
def _make_run(caller: Caller, brand: Brand) -> Run:
    now = timezone.now()
    run = Run.objects.create(
        brand=brand,
        kind=Run.Kind.AUDIT,
        status=Run.Status.RUNNING,
        trigger=Run.Trigger.IMPORT,
        actor=caller.actor,
        day=now.date(),
        started_at=now,
        total=PAGES,
    )
    Audit.objects.create(run=run, max_pages=PAGES, unused_path="a-page-that-is-not-there")
    defer_for_run("audit", run.pk, after=LONGEST)
    return run


@contextmanager
def serving() -> Iterator[tuple[str, int]]:
    """Serve the files until the block ends; gives the address and the port, which the system chooses."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=str(FOLDER))) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield "127.0.0.1", server.server_port
        finally:
            server.shutdown()
            thread.join()


class _Files(SimpleHTTPRequestHandler):
    """Files of the folder; the addresses of pages are without their ending."""

    protocol_version = "HTTP/1.1"

    def translate_path(self, path: str) -> str:
        """The file that an address means."""
        file = Path(super().translate_path(path))
        page = file.with_suffix(".html")
        return str(page if page.is_file() and not file.suffix else file)

    def log_message(self, *args: Any) -> None:
        """Say nothing of requests."""
