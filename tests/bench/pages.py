"""What a brand's pages cost the web process, on a short history and on a long one: `make bench`.

Each page is asked for as a browser does, without a network, in turns over both brands; printed are its statements and
the CPU of the fastest call. Exits with 1 where a page costs more than LIMIT, or grows with the history.
"""

import sys
import time
from typing import Any

from tests.bench.tools import measured_brand  # isort: skip - starts a server before the settings are read

from django.db import connection
from django.test import Client, override_settings
from django.urls import reverse

from tests.factories import RecommendationFactory, UserFactory
from tests.live import own_database

LIMIT = 100.0
"""Milliseconds of CPU that a page may cost."""
FLAT = 1.3
"""The most that it may cost on a long history, in times of a short one; half a millisecond is noise."""
PLAIN = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
SHORT, LONG, CALLS, RECOMMENDATIONS = 30, 1_800, 20, 40
PAGES = [f"brand{page}" for page in ("", "-todo", "-prompts", "-competitors", "-sources", "-audit", "-settings")]


def milliseconds(client: Client, address: str) -> float:
    """CPU of this process for one page."""
    began = time.process_time()
    response = client.get(address)
    taken = 1_000 * (time.process_time() - began)
    assert response.status_code == 200, address
    return taken


def statements_of(client: Client, address: str) -> int:
    """How many statements one page takes."""
    seen = []

    def note(run: Any, sql: str, *about: Any) -> Any:
        seen.append(sql)
        return run(sql, *about)

    with connection.execute_wrapper(note):
        client.get(address)
    return len(seen)


def main() -> int:
    """Make two brands, measure, print; 1 when a limit is missed."""
    missed, costs = [], dict[str, float]()
    with own_database(), override_settings(ALLOWED_HOSTS=["testserver"], SECURE_SSL_REDIRECT=False, STORAGES=PLAIN):
        owner, client = UserFactory(), Client()
        client.force_login(owner)
        brands = [measured_brand(owner, name, days) for name, days in (("Kryton", SHORT), ("Velo", LONG))]
        for brand in brands:
            RecommendationFactory.create_batch(RECOMMENDATIONS, brand=brand)
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")
        print(f"{'page':<20}{'statements':>12}{f'{SHORT} days, ms':>16}{f'{LONG:,} days, ms':>16}{'ratio':>8}")
        for name in PAGES:
            short, long = (reverse(name, args=[brand.pk]) for brand in brands)
            client.get(short)
            taken = [(milliseconds(client, short), milliseconds(client, long)) for _ in range(CALLS)]
            best, best_long = (min(times) for times in zip(*taken, strict=True))
            ratio = (best_long + 0.5) / (best + 0.5)
            print(f"{name:<20}{statements_of(client, long):>12}{best:>16.1f}{best_long:>16.1f}{ratio:>8.2f}")
            if best_long > LIMIT or ratio > FLAT:
                missed.append(name)
            costs[name] = best
        sign_in = min(milliseconds(Client(), reverse("sign-in")) for _ in range(CALLS))
    print(f"The brand page costs {costs['brand'] / sign_in:.1f} times the sign-in page ({sign_in:.1f} ms).")
    print(f"Limits: {LIMIT:.0f} ms, {FLAT} times the short history. Missed: {', '.join(missed) or 'none'}.")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
