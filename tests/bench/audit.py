"""Audits of a site on loopback: how near the whole comes to the time that its pages take anyway.

The limit is ceil(pages / 2) × latency: two requests at a time, and nothing else would take time. An audit asks for
robots.txt, the sitemap and some fifteen addresses more than the pages, and starts a process that parses. Runs on the
database that DATABASE_URL names, else on SQLite.
"""

import json
import math
import os
import subprocess
import sys
from contextlib import contextmanager

import django
from django.core.management import call_command

from tests.live import DIRECT, ROOT, environment

PAGES, AT_ONCE = 50, 2
CASES = ((30, 0.05), (100, 0.05), (300, 0.05), (30, 0.2), (100, 0.2))
"""Kilobytes of a page, and seconds until it is answered."""
AIM, AIM_CASE = 1.5, (30, 0.05)

HEAD = """
                                  ms of processor for each page    peak MB
     KB latency  wall s  ratio    worker  parser                 worker parser""".lstrip("\n")


@contextmanager
def site(kilobytes, latency):
    """A site in a process of its own; gives its port."""
    command = [sys.executable, "-m", "tests.bench.audit_site", str(PAGES), str(kilobytes), str(latency)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield int(process.stdout.readline())
        finally:
            process.kill()


def measure(kilobytes, latency):
    """An audit of a new brand; what is fast and wrong is not fast."""
    from apikeys.operators import system_caller  # noqa: PLC0415 -- models need django.setup() first
    from tests.factories import BrandFactory  # noqa: PLC0415
    from visibility.models import Run  # noqa: PLC0415
    from visibility.services.audits.starting import start_audit  # noqa: PLC0415

    with site(kilobytes, latency) as port:
        settings = environment(AUDIT_LOCAL_HOSTS=f"acme.example=127.0.0.1:{port}")
        Run.objects.all().delete()
        brand = BrandFactory(name="Acme", domain="acme.example")
        run = start_audit(system_caller("bench"), brand_id=brand.pk, trigger=Run.Trigger.OPERATOR).run
        command = [sys.executable, "-m", "tests.bench.audit_worker", str(run.pk)]
        ended = subprocess.run(command, cwd=ROOT, env=settings, check=True, stdout=subprocess.PIPE)
        run.refresh_from_db()
        assert (run.status, run.done, run.total) == ("succeeded", PAGES, PAGES), run.error_message
        with DIRECT.open(f"http://127.0.0.1:{port}/book", timeout=10) as answer:
            book = json.load(answer)
        assert all(book[f"/page-{number}"] == 1 for number in range(1, PAGES)), book
    return json.loads(ended.stdout)


def main():
    """Measure every case and print a line for each. Exit status 1 when the aim is missed."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    os.environ["AUDIT_LOCAL_HOSTS"] = "acme.example=127.0.0.1:9"
    django.setup()
    call_command("migrate", verbosity=0)
    print(f"Load of the machine before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors.")
    print(HEAD, flush=True)
    missed = False
    for kilobytes, latency in CASES:
        took = measure(kilobytes, latency)
        ratio = took["wall"] / (math.ceil(PAGES / AT_ONCE) * latency)
        print(
            f"{kilobytes:>7}{latency:>8.2f}{took['wall']:>8.2f}{ratio:>7.2f}{1000 * took['cpu'] / PAGES:>10.1f}"
            f"{1000 * took['parser'] / PAGES:>8.1f}{took['peak']:>23.0f}{took['parser_peak']:>7.0f}",
            flush=True,
        )
        missed |= (kilobytes, latency) == AIM_CASE and ratio > AIM
    told = f"ratio ≤ {AIM} with {AIM_CASE[0]} KB at {1000 * AIM_CASE[1]:g} ms"
    print(f"Aim: {told}. {'Missed' if missed else 'Met'}.")
    return int(missed)


if __name__ == "__main__":
    raise SystemExit(main())
