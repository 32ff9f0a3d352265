"""What a call of each REST endpoint costs, against bare DRF views that serve the same rows: `make bench`.

All run as the service does, on one PostgreSQL, and are asked in turns over one connection each. What every call pays
at the door (rate counter, key, call log) is what an empty endpoint costs more than an empty bare view; the ratio is
that of the rest. Also: the default window costs the same however long the history is. Exits with 1 when a limit is
missed; a machine that is busy with other work misses them.
"""

import asyncio
import os
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import date, timedelta
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import tests.postgres  # noqa: F401 - starts a server before the settings are read, unless DATABASE_URL names one

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from django.conf import settings  # noqa: E402 - needs the settings, as the models do
from django.utils import timezone  # noqa: E402

from apikeys.edge.door import Credential, authenticate, record_call  # noqa: E402
from apikeys.edge.ratelimit import Counters, Rate  # noqa: E402
from apikeys.models import CallLog  # noqa: E402
from brands.models import Brand  # noqa: E402
from tests.factories import (  # noqa: E402
    BrandFactory,
    DailyScoreFactory,
    EngineFactory,
    RecommendationFactory,
    RunEngineFactory,
    RunFactory,
    make_key,
)
from tests.live import WEB, live_process, own_database  # noqa: E402
from visibility.models import DailyScore  # noqa: E402

AIM, LIMIT = 1.5, 2.0
"""What an endpoint should cost without the door, and what it may cost, in times of the bare view."""
DOOR_MS = 5.0
FLAT = 1.25
"""The most that the default window may cost over a long history, in times of a short one."""
LONG, SHORT, YEAR = 1_800, 60, 365
BRANDS, RUNS, RECOMMENDATIONS = 20, 60, 40
ROUNDS, CALLS = 9, 40


class Address:
    """One address of a server, asked over one connection that stays open."""

    def __init__(self, url: str, path: str, key: str = "") -> None:
        parts = urlsplit(url)
        self.connection = HTTPConnection(str(parts.hostname), parts.port)
        self.path, self.headers = path, {"Authorization": f"Bearer {key}"} if key else {}

    def ask(self) -> bytes:
        self.connection.request("GET", self.path, headers=self.headers)
        response = self.connection.getresponse()
        body = response.read()
        assert response.status == 200, (self.path, response.status, body[:500])
        return body


def in_turns(*works: Callable[[], Any]) -> list[float]:
    """Milliseconds that each of these takes: the best of rounds in which all take their turn."""
    rounds: list[list[float]] = []
    for work in works:
        work()  # the first call loads and connects
    for _ in range(ROUNDS):
        rounds.append([])
        for work in works:
            began = time.perf_counter()
            for _ in range(CALLS):
                work()
            rounds[-1].append((time.perf_counter() - began) / CALLS * 1_000)
    return [min(column) for column in zip(*rounds, strict=True)]


def fill(brand: Brand, days: int) -> None:
    """A history of so many days with three engines each, up to today."""
    today = timezone.now().date()
    rows = []
    for back in range(days):
        row = DailyScoreFactory.build(brand=brand, date=today - timedelta(back))
        row.figures["engines"] = row.figures["engines"] * 3
        rows.append(row)
    DailyScore.objects.bulk_create(rows)


def main() -> int:
    """Make the rows, serve both, measure, print; 1 when a limit is missed."""
    with ExitStack() as stack:
        database = stack.enter_context(own_database())
        brand = BrandFactory()
        owner = brand.owner
        _, key = make_key(owner=owner)
        engine = EngineFactory()
        for other in BrandFactory.create_batch(BRANDS - 1, owner=owner):
            RunFactory(brand=other)
        for run in RunFactory.create_batch(RUNS, brand=brand):
            RunEngineFactory(run=run, engine=engine)
        RecommendationFactory.create_batch(RECOMMENDATIONS, brand=brand)
        young = BrandFactory(owner=owner)
        fill(brand, LONG)
        fill(young, SHORT)
        same = {"database": database, "RATE_LIMIT": "100000000/m"}
        other = {**same, "DJANGO_SETTINGS_MODULE": "tests.bench.settings_bare"}
        ours = stack.enter_context(live_process(*WEB, **same)).url
        bare = stack.enter_context(live_process(*WEB, "tests.bench.bare:application", ready="/empty", **other)).url
        behind = stack.enter_context(live_process(*WEB, **other)).url
        costs = door_costs(key)
        print("At the door, each by itself, in ms: " + ", ".join(f"{name} {ms:.2f}" for name, ms in costs.items()))
        print(f"\n{'endpoint':<28}{'whole ms':>10}{'door ms':>10}{'rest ms':>10}{'bare ms':>10}{'ratio':>8}")
        above, missed = [], []
        today = timezone.now()
        first, epoch = today - timedelta(YEAR - 1), date(1970, 1, 1)
        begin = (first.date() - epoch).days * 86_400_000
        endpoints = {
            f"brands, {BRANDS + 1}": ("/brands", f"/brands?owner={owner.pk}"),
            "brand": (f"/brands/{brand.pk}", f"/brands/{brand.pk}"),
            f"visibility, {YEAR} days": (
                f"/brands/{brand.pk}/visibility?from={begin}",
                f"/brands/{brand.pk}/visibility?first={first.date()}&last={today.date()}",
            ),
            f"recommendations, {RECOMMENDATIONS}": (f"/brands/{brand.pk}/recommendations",) * 2,
            f"runs, {RUNS}": (f"/brands/{brand.pk}/runs",) * 2,
        }
        for name, (path, bare_path) in endpoints.items():
            whole, guarded, bare_ms, empty = in_turns(
                Address(ours, f"/api/v1{path}", key).ask,
                Address(behind, "/door", key).ask,
                Address(bare, bare_path).ask,
                Address(bare, "/empty").ask,
            )
            door = guarded - empty
            ratio = (whole - door) / bare_ms
            print(f"{name:<28}{whole:>10.2f}{door:>10.2f}{whole - door:>10.2f}{bare_ms:>10.2f}{ratio:>8.2f}")
            if ratio > AIM:
                above.append(name)
            if ratio > LIMIT:
                missed.append(name)
            if door > DOOR_MS:
                missed.append(f"door at {name}")
        paths = [f"/api/v1/brands/{each.pk}/visibility" for each in (young, brand)]
        short, long = in_turns(*(Address(ours, path, key).ask for path in paths))
        print(f"\nThirty days of {SHORT}: {short:.2f} ms; of {LONG:,}: {long:.2f} ms")
        if long / short > FLAT:
            missed.append("history")
        print(f"Above the aim of {AIM}: {', '.join(above) or 'none'}.")
        print(f"Limits: ratio {LIMIT}, door {DOOR_MS} ms, history {FLAT}. Missed: {', '.join(missed) or 'none'}.")
        return 1 if missed else 0


def door_costs(key: str) -> dict[str, float]:
    """Milliseconds of each of the three things that every call pays at the door."""
    counters = Counters()
    rate = Rate.parse(settings.RATE_LIMIT)
    caller = authenticate(key)
    assert caller.key is not None
    known = caller.key

    def record() -> None:
        record_call(Credential(known), door=CallLog.Door.REST, name="bench", duration_ms=1.0, request_id="")

    with asyncio.Runner() as runner:
        costs = in_turns(lambda: runner.run(counters.count("bench", rate)), lambda: authenticate(key), record)
    return dict(zip(("rate counter", "key", "call log"), costs, strict=True))


if __name__ == "__main__":
    sys.exit(main())
