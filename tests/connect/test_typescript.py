"""The official clients in TypeScript connect by signing in, over a real port: of both generations, each registered or
by its document."""

import asyncio
import json
import os
import subprocess

import pytest

from apikeys.models import Connection
from brands.models import Competitor
from mcp_bridge.tools import ALL_TOOLS
from tests.conformance.test_conformance import BIN, HERE, suite
from tests.connect.test_live import BACK, DOCUMENT, signed_in, world

__all__ = ["suite", "world"]

pytestmark = pytest.mark.proof


@pytest.mark.parametrize("document", [None, DOCUMENT], ids=["registered", "document"])
@pytest.mark.parametrize(
    ("package", "asks_for_more"), [("@modelcontextprotocol/sdk", False), ("@modelcontextprotocol/client", True)]
)
def test_a_client_connects_lists_calls_and_renews(suite, world, package, asks_for_more, document):
    """The older one speaks a revision in which a call that needs more fails in words, for the model to read."""
    person, rival = signed_in(world), f"{package.rpartition('/')[2]}-{'document' if document else 'registered'}"
    command = [BIN / "node", HERE / "signin.mjs", package, f"{world.url}/mcp", BACK, *filter(None, [document])]
    environment = {**os.environ, "NO_PROXY": "127.0.0.1", "SITE": str(world.brand.pk), "RIVAL": rival}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "env": environment}
    got = {}
    with subprocess.Popen(command, **pipes) as running:
        for line in running.stdout:
            got |= (said := json.loads(line))
            if "open" in said:
                asyncio.run(person.open(said["open"]))
                running.stdin.write(f"{person.location}\n")
                running.stdin.flush()
    assert running.returncode == 0
    assert len(got["tools"]) == len(ALL_TOOLS)
    assert (got["sites"][0]["id"], got["renewed"]) == (str(world.brand.pk), True)
    assert Connection.objects.first().app.source == ("document" if document else "registered")
    assert (len(person.pages), got["added"] == "insufficient_scope") == ((2, False) if asks_for_more else (1, True))
    assert Competitor.objects.filter(brand=world.brand, name=rival).exists() is asks_for_more
