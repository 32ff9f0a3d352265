"""Fuzz the running service from its own description: `python -m tests.schemathesis_check`, or `make schemathesis`.

Every check of schemathesis, 500 examples for each endpoint, over seeded data, with a rate limit that is not met.
"""

import os
import subprocess
import sys
from pathlib import Path

import django

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = 500


def seed():
    """A brand with runs, days and recommendations; returns (brand id, raw key of its owner)."""
    from tests.factories import (  # noqa: PLC0415 -- models need django.setup() first
        ApiKeyFactory,
        BrandFactory,
        DailyScoreFactory,
        RecommendationFactory,
        RunFactory,
    )

    brand = BrandFactory(name="Acme", domain="acme.example")
    for status in ("succeeded", "failed", "running"):
        run = RunFactory(brand=brand, status=status, total=4, done=2, failed=1, error_code=status[:1])
    DailyScoreFactory(brand=brand, runs=[str(run.pk)])
    for status in ("open", "done"):
        RecommendationFactory(brand=brand, status=status, first_seen_run=run)
    return str(brand.pk), ApiKeyFactory(owner=brand.owner).raw


def reached_every_endpoint() -> int:
    """Print what was answered, from the call log; 1 unless each of the five endpoints also succeeded."""
    from django.db.models import Count  # noqa: PLC0415

    from apikeys.models import CallLog  # noqa: PLC0415

    answers = CallLog.objects.values("name", "error_code").annotate(calls=Count("pk")).order_by("name", "error_code")
    for answer in answers:
        print(f"{answer['calls']:>7,}  {answer['name']}  {answer['error_code'] or 'success'}")
    succeeded = {
        answer["name"] for answer in answers if answer["name"].startswith("GET") and not answer["error_code"]
    }
    return 0 if len(succeeded) == 5 else 1


def main(examples: int = EXAMPLES) -> int:
    """Start the service and fuzz it; returns the exit code of schemathesis."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    django.setup()
    from django.core.management import call_command  # noqa: PLC0415

    from tests.live import live_web  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    brand, key = seed()
    environment = {
        **os.environ,
        "SCHEMATHESIS_HOOKS": "tests.schemathesis_hooks",
        "SCHEMATHESIS_BRAND": brand,
        "PYTHONPATH": str(ROOT),
    }
    with live_web(RATE_LIMIT="100000000/m") as live:
        command = [
            str(Path(sys.executable).with_name("schemathesis")),
            "--config-file", str(ROOT / "tests" / "schemathesis.toml"),
            "run", f"{live.url}/openapi.json",
            "--header", f"Authorization: Bearer {key}",
            "--checks", "all",
            "--max-examples", str(examples),
            "--continue-on-failure",
        ]  # fmt: skip
        code = subprocess.run(command, env=environment, cwd=ROOT, check=False).returncode
    return code or reached_every_endpoint()


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
