"""The running service fuzzed from its own description: every check of schemathesis, over rows of every kind."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from apikeys.models import CallLog
from tests.factories import BrandFactory, DailyScoreFactory, RecommendationFactory, RunFactory, make_key
from tests.live import ROOT, live_web

EXAMPLES = 300
HERE = Path(__file__).parent


@pytest.mark.proof
def test_the_service_does_what_its_description_says(django_db_setup, django_db_blocker, tmp_path):
    with django_db_blocker.unblock(), live_web(RATE_LIMIT="100000000/m") as server:
        brand, key = rows()
        command = [
            str(Path(sys.executable).with_name("schemathesis")),
            *("--config-file", str(HERE / "schemathesis.toml")),
            *("run", f"{server.url}/openapi.json"),
            *("--header", f"Authorization: Bearer {key}"),
            *("--checks", "all"),
            *("--max-examples", str(EXAMPLES)),
            "--continue-on-failure",
        ]
        environment = {
            **os.environ,
            "SCHEMATHESIS_HOOKS": "tests.rest.schemathesis_hooks",
            "SCHEMATHESIS_BRAND": brand,
            "PYTHONPATH": str(ROOT),
        }
        done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-10_000:] + done.stderr
        successes = CallLog.objects.filter(success=True, name__startswith="GET").values_list("name", flat=True)
        assert len(set(successes)) == 5, "each endpoint was reached with input that it accepts"


def rows():
    """A brand with runs, days and recommendations; (its id, a raw key of its owner)."""
    brand = BrandFactory()
    for status in ("succeeded", "failed", "running"):
        run = RunFactory(brand=brand, status=status, total=4, done=2, failed=1, error_code=status[:1])
    DailyScoreFactory(brand=brand, runs=[run.pk])
    for status in ("open", "done"):
        RecommendationFactory(brand=brand, status=status, first_seen_run=run)
    return str(brand.pk), make_key(owner=brand.owner)[1]
