"""What a service for others than this machine refuses to run with."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(__file__).parent.parent.parent
SAFE = {
    "ALLOWED_HOSTS": "example.com",
    "PUBLIC_URL": "https://example.com",
    "SECRET_KEY": "x" * 50,
    "DATABASE_URL": os.environ["DATABASE_URL"],
}


def start_web_process(environment: dict[str, str]) -> subprocess.CompletedProcess:
    inherited = {name: os.environ[name] for name in ("PATH", "VAR_DIR", "LD_LIBRARY_PATH") if name in os.environ}
    command = [sys.executable, "-c", "import config.asgi"]
    return subprocess.run(
        command, cwd=ROOT, env=inherited | environment, capture_output=True, text=True, timeout=60, check=False
    )


def test_a_public_service_starts_with_values_of_its_own():
    assert start_web_process(SAFE).returncode == 0


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"ALLOWED_HOSTS": "*"}, "ALLOWED_HOSTS"),
        *(
            pytest.param(changed, *changed, marks=pytest.mark.proof)  # each starts a process
            for changed in (
                {"SECRET_KEY": "short"},
                {"SECRET_KEY": None},
                {"DATABASE_URL": None},
                {"PUBLIC_URL": None},
                {"RATE_LIMIT": "many"},
            )
        ),
    ],
)
def test_an_unsafe_default_is_refused_by_name(changed, named):
    environment = {name: text for name, text in {**SAFE, **changed}.items() if text is not None}
    started = start_web_process(environment)
    assert started.returncode != 0
    assert named in started.stderr.splitlines()[-1]


def test_what_the_service_writes_is_for_its_user_alone():
    assert stat.S_IMODE(settings.VAR_DIR.stat().st_mode) == 0o700
    assert stat.S_IMODE((settings.VAR_DIR / "secret_key").stat().st_mode) == 0o600
