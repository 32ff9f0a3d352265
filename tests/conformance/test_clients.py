"""Frameworks through which models call the tools: each converts all of them, and a call through it works.

They are other programs with packages of their own, fetched by uv (clients.txt) and npm (package.json); a client that
cannot be had here is skipped.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mcp_bridge.tools import ALL_TOOLS
from tests.conformance.test_conformance import BIN, suite
from tests.factories import BrandFactory, make_key
from tests.live import WEB, live_process, own_database

__all__ = ["suite"]

pytestmark = pytest.mark.proof
HERE = Path(__file__).resolve().parent
TOOLS = [f"svc_{tool.name}" for tool in ALL_TOOLS]


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """An interpreter that has the clients in Python."""
    folder = tmp_path_factory.mktemp("clients")
    uv = Path(sys.executable).with_name("uv")
    if not uv.exists():
        pytest.skip("The clients in Python are fetched by uv, which is not installed.")
    interpreter = folder / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True, timeout=120)
    install = [uv, "--system-certs", "pip", "install", "--quiet", "--python", interpreter]
    fetched = subprocess.run([*install, "-r", HERE / "clients.txt"], capture_output=True, text=True, timeout=600)
    if fetched.returncode:
        pytest.skip(f"The clients in Python cannot be fetched here: {fetched.stderr[-500:]}")
    return interpreter


@pytest.fixture(scope="module")
def service(django_db_setup, django_db_blocker):
    """The service over a database with one site: its address, and a key."""
    with django_db_blocker.unblock(), own_database() as database:
        key = make_key(owner=BrandFactory(name="Acme").owner)[1]
        with live_process(*WEB, database=database) as live:
            yield f"{live.url}/mcp", key


def made_of_the_tools(*command):
    """What a client printed; its own words where it failed."""
    environment = {**os.environ, "NO_PROXY": "127.0.0.1"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("client", ["google_genai", "openai_agents", "langchain"])
def test_a_client_in_python_takes_every_tool_and_calls_one(python, service, client):
    found = made_of_the_tools(python, HERE / "clients.py", client, *service)
    assert (found["refused"], sorted(found["tools"])) == ({}, sorted(TOOLS))
    assert "sites" in found["result"] or "now" in found["result"], found["result"]


def test_vercels_ai_sdk_takes_every_tool_and_calls_one(suite, service):
    found = made_of_the_tools(BIN / "node", HERE / "clients.mjs", *service)
    assert (found["refused"], sorted(found["tools"])) == ({}, sorted(TOOLS))
    assert found["result"]["sites"]
