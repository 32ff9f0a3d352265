"""The protocol's own test suite, a program for Node, against the service as an authorization server."""

import asyncio
import json
import os
import re
import subprocess
from pathlib import Path

import httpx2
import pytest

from apikeys.connect.apps import register_app
from tests.conformance.test_conformance import BIN, suite
from tests.connect.test_live import signed_in, world
from tests.live import free_port

__all__ = ["suite", "world"]

pytestmark = pytest.mark.proof
PATIENCE = 120


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_the_suite_finds_a_sound_authorization_server(suite, world, tmp_path, revision):
    port = free_port()
    app = register_app({"redirect_uris": [f"http://127.0.0.1:{port}/callback"]})
    command = [BIN / "node", BIN / "conformance", "authorization", "--url", world.url, "--client-id", app.client_id]
    command += ["--resource", f"{world.url}/mcp", "--port", str(port)]
    command += ["--spec-version", revision, "--output-dir", tmp_path]
    log = tmp_path / "log"
    with log.open("w") as output, subprocess.Popen(command, stdout=output, stderr=output, env=os.environ) as running:
        try:
            address = asyncio.run(asyncio.wait_for(address_in(log, running), PATIENCE))
            person = signed_in(world)
            asyncio.run(person.open(address))
            assert httpx2.get(person.location, trust_env=False).status_code == 200
            running.wait(PATIENCE)
        finally:
            running.kill()
    statuses = [
        check["status"] for file in Path(tmp_path).rglob("checks.json") for check in json.loads(file.read_text())
    ]
    assert (len(statuses), set(statuses)) == (3, {"SUCCESS"}), log.read_text()[-2000:]


async def address_in(log, running) -> str:
    """The address that the suite asks a person to open."""
    while running.poll() is None:
        if match := re.search(r"^https?://\S+/authorize\?\S+$", log.read_text(), re.MULTILINE):
            return match[0]
        await asyncio.sleep(0.1)
    raise AssertionError(log.read_text()[-2000:])
