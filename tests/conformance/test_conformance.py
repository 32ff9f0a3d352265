"""The protocol's own test suite, a program for Node, against the agent endpoint.

Each scenario that a server with nothing but tools can pass is run for each revision of the protocol that has it, and
its checks are compared with `expected.json`. What npm fetches goes to tests/conformance/node_modules.
"""

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from tests.factories import BrandFactory, make_key
from tests.live import WEB, live_process, own_database, status_of, wait_for

pytestmark = pytest.mark.proof
HERE = Path(__file__).resolve().parent
BIN = HERE / "node_modules" / ".bin"
EXPECTED = json.loads((HERE / "expected.json").read_text())
WORST = ["SUCCESS", "SKIPPED", "WARNING", "FAILURE"]


@pytest.fixture(scope="module")
def suite():
    """The suite and the Node that it needs, as locked."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("The conformance suite is a program for Node, and npm is not installed.")
    subprocess.run([npm, "ci", "--no-audit", "--no-fund", "--loglevel=error"], cwd=HERE, check=True, timeout=600)


@pytest.fixture(scope="module")
def url(suite, django_db_setup, django_db_blocker):
    """The endpoint with the suite's fixture tools over a database with one brand."""
    with django_db_blocker.unblock(), own_database() as database:
        key = make_key(owner=BrandFactory().owner)[1]
        command = (*WEB, "--asgi-lifespan", "off", "tests.conformance.server:application")
        environment = {"CONFORMANCE_KEY": key, "DJANGO_SETTINGS_MODULE": "config.settings"}
        with live_process(*command, database=database, ready="", **environment) as live:
            wait_for(lambda: status_of(live.url))
            yield f"{live.url}/mcp"


def statuses_of(url: str, scenario: str, revision: str) -> dict[str, str]:
    """The worst status of each check of a scenario."""
    with tempfile.TemporaryDirectory() as folder:
        command = [BIN / "node", BIN / "conformance", "server", "--url", url, "--scenario", scenario]
        command += ["--spec-version", revision, "--output-dir", folder]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=os.environ)
        files = list(Path(folder).rglob("checks.json"))
        if not files:
            return {"not run": (done.stdout + done.stderr).strip()[-300:]}
        checks = json.loads(files[0].read_text())
    statuses: dict[str, str] = {}
    for check in checks:
        if check["status"] != "INFO":
            statuses[check["id"]] = max(check["status"], statuses.get(check["id"], "SUCCESS"), key=WORST.index)
    return statuses


@pytest.mark.parametrize("name", EXPECTED)
def test_the_protocols_own_suite_finds_what_is_expected(url, name):
    scenario, revision = name.split()
    assert statuses_of(url, scenario, revision) == EXPECTED[name]
