"""mcp-remote, by which clients without signing in of their own connect: a program for Node, fetched by npm."""

import asyncio
import os
import re
import shutil
import subprocess

import httpx2
import pytest

from tests.connect.test_live import signed_in, world

__all__ = ["world"]

pytestmark = pytest.mark.proof
PACKAGE = "mcp-remote@0.15"
PATIENCE = 120


@pytest.fixture
def environment(tmp_path):
    """Where no browser opens, and nothing of another run is remembered."""
    opener = tmp_path / "bin" / "xdg-open"
    opener.parent.mkdir()
    opener.write_text("#!/bin/sh\nexit 0\n")
    opener.chmod(0o755)
    path = f"{opener.parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "MCP_REMOTE_CONFIG_DIR": str(tmp_path / "auth")}


@pytest.fixture
def client(environment, tmp_path):
    """The program that connects and lists tools."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("mcp-remote is a program for Node, and npm is not installed.")
    install = [npm, "install", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", tmp_path, PACKAGE]
    fetched = subprocess.run(install, capture_output=True, text=True, timeout=PATIENCE, check=False)
    if fetched.returncode:
        pytest.skip(f"mcp-remote cannot be fetched here: {fetched.stderr[-300:]}")
    return tmp_path / "node_modules" / ".bin" / "mcp-remote-client"


async def found_in(log, pattern, running) -> str:
    """The first match in what the program prints."""
    while running.poll() is None or re.search(pattern, log.read_text(), re.MULTILINE):
        if match := re.search(pattern, log.read_text(), re.MULTILINE):
            return match[0]
        await asyncio.sleep(0.1)
    raise AssertionError(log.read_text()[-2000:])


def test_mcp_remote_connects_and_lists_tools(world, client, environment, tmp_path):
    log = tmp_path / "log"
    command = [client, f"{world.url}/mcp", "--allow-http"]
    pipes = {"stdin": subprocess.PIPE, "env": environment}  # it ends with its input
    with log.open("w") as output, subprocess.Popen(command, stdout=output, stderr=output, **pipes) as running:
        try:
            address = asyncio.run(asyncio.wait_for(found_in(log, r"https?://\S+/authorize\?\S+", running), PATIENCE))
            person = signed_in(world)
            asyncio.run(person.open(address))
            assert httpx2.get(person.location, trust_env=False).status_code == 200
            asyncio.run(asyncio.wait_for(found_in(log, "svc_list_sites", running), PATIENCE))
        finally:
            running.kill()
