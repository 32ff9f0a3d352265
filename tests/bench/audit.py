"""Audits of a site on loopback: how near the whole comes to the time that its requests take anyway.

The ideal is ceil(requests / 2) × latency: two requests at a time, and nothing else would take time. With the pause
that other hosts than those of this machine get, it is the larger of that and requests ÷ 5 a second. Beside the pages
an audit asks for robots.txt, the sitemap, some fifteen addresses more, and some sixty times under the names of AI
crawlers. Runs on the database that DATABASE_URL names, else on SQLite.
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

PAGES, AT_ONCE, PAUSE = 50, 2, 0.2
CASES = ((30, 0.05), (100, 0.05), (300, 0.05), (30, 0.2), (100, 0.2))
"""Kilobytes of a page, and seconds until it is answered."""
AIM_CASE, RUNS = (30, 0.05), 3
AIM, AIM_WITH_PAUSE = 1.5, 1.2
"""Of the median of so many runs of the case, times the ideal."""

HEAD = """
                                              ms of processor for each page    peak MB
     KB latency           requests  wall s  ratio    worker  parsers             worker""".lstrip("\n")


@contextmanager
def site(kilobytes, latency):
    """A site in a process of its own; gives its port."""
    command = [sys.executable, "-m", "tests.bench.audit_site", str(PAGES), str(kilobytes), str(latency)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield int(process.stdout.readline())
        finally:
            process.kill()


def measure(kilobytes, latency, *, local_pause=0.0, parser="warm", audits=1):
    """An audit of a new brand, or the last of several; what is fast and wrong is not fast."""
    from apikeys.operators import system_caller  # noqa: PLC0415 -- models need django.setup() first
    from tests.factories import BrandFactory  # noqa: PLC0415
    from visibility.models import Run  # noqa: PLC0415
    from visibility.services.audits.starting import start_audit  # noqa: PLC0415

    with site(kilobytes, latency) as port:
        settings = environment(AUDIT_LOCAL_HOSTS=f"acme.example=127.0.0.1:{port}")
        Run.objects.all().delete()
        brand = BrandFactory(name="Acme", domain="acme.example")
        before = 0
        for _ in range(audits):
            run = start_audit(system_caller("bench"), brand_id=brand.pk, trigger=Run.Trigger.OPERATOR).run
            command = [sys.executable, "-m", "tests.bench.audit_worker", str(run.pk), str(local_pause), parser]
            ended = subprocess.run(command, cwd=ROOT, env=settings, check=True, stdout=subprocess.PIPE)
            run.refresh_from_db()
            assert (run.status, run.done, run.total) == ("succeeded", PAGES, PAGES), run.error_message
            with DIRECT.open(f"http://127.0.0.1:{port}/book", timeout=10) as answer:
                book = json.load(answer)
            requests, before = sum(book.values()) - before, sum(book.values())
        assert all(book[f"/page-{number}"] >= audits for number in range(1, PAGES)), book
    took = json.loads(ended.stdout)
    ideal = max(math.ceil(requests / AT_ONCE) * latency, requests * local_pause)
    return {**took, "requests": requests, "ratio": took["wall"] / ideal}


def show(kilobytes, latency, what, took):
    """A line for one measurement."""
    print(
        f"{kilobytes:>7}{latency:>8.2f}  {what:<9}{took['requests']:>8}{took['wall']:>8.2f}{took['ratio']:>7.2f}"
        f"{1000 * took['cpu'] / PAGES:>10.1f}{1000 * took['parser'] / PAGES:>9.1f}{took['peak']:>19.0f}",
        flush=True,
    )


def middle(what, **how):
    """The run of the middle ratio of several of the case that the aims are about."""
    runs = sorted((measure(*AIM_CASE, **how) for _ in range(RUNS)), key=lambda took: took["ratio"])
    show(*AIM_CASE, what, runs[RUNS // 2])
    return runs[RUNS // 2]["ratio"]


def main():
    """Measure every case and print a line for each. Exit status 1 when an aim is missed."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    os.environ["AUDIT_LOCAL_HOSTS"] = "acme.example=127.0.0.1:9"
    django.setup()
    call_command("migrate", verbosity=0)
    print(f"Load of the machine before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors.")
    print(HEAD, flush=True)
    without = middle("first")
    paused = middle("paused", local_pause=PAUSE)
    for case in CASES:
        if case != AIM_CASE:
            show(*case, "first", measure(*case))
    show(*AIM_CASE, "cold", measure(*AIM_CASE, parser="cold"))
    show(*AIM_CASE, "unchanged", measure(*AIM_CASE, parser="cold", audits=2))
    missed = without > AIM or paused > AIM_WITH_PAUSE
    told = f"ratio ≤ {AIM}, and ≤ {AIM_WITH_PAUSE} with the pause, with {AIM_CASE[0]} KB at {1000 * AIM_CASE[1]:g} ms"
    print(f"Aim: {told}, the middle of {RUNS} runs. {'Missed' if missed else 'Met'}.")
    return int(missed)


if __name__ == "__main__":
    raise SystemExit(main())
