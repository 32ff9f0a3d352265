"""`python -m tests.conformance`: the protocol's own test suite and inspector against the agent endpoint.

Needs npm; what it fetches goes to tests/conformance/node_modules. Each scenario that a server with nothing but tools
can pass is run for each revision of the protocol that has it, and its checks are compared with `expected.json`.
The inspector's command line then lists the tools and calls each one that reads. `--write` keeps the results.
"""

import argparse
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.conformance.inspector import inspect
from tests.live import free_port, wait_for

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
EXPECTED = HERE / "expected.json"
BIN = HERE / "node_modules" / ".bin"
MODERN, LEGACY = "2026-07-28", "2025-11-25"
TOOLS = [
    "tools-list",
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-error",
    "json-schema-2020-12",
    "dns-rebinding-protection",
]
SCENARIOS = {
    MODERN: [
        "server-stateless",
        *TOOLS,
        "server-sse-multiple-streams",
        "http-header-validation",
        "http-custom-header-server-validation",
    ],
    LEGACY: ["server-initialize", "ping", *TOOLS],
}


def main() -> int:
    """Run everything; 0 when all is as expected and the inspector is content."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="keep the results as the expected ones")
    write = parser.parse_args().write
    install()
    with serving() as (url, key):
        found = {
            f"{name} {version}": run(url, name, version) for version, names in SCENARIOS.items() for name in names
        }
        inspected = inspect(BIN, url, key)
    if write:
        EXPECTED.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
    return report(found, json.loads(EXPECTED.read_text())) + inspected


def install() -> None:
    """Fetch the two programs, and the Node that they need, as locked."""
    npm = shutil.which("npm")
    if npm is None:
        sys.exit(
            "The conformance suite is a program for Node: install npm (Debian: apt-get install npm), then repeat."
        )
    subprocess.run([npm, "ci", "--no-audit", "--no-fund", "--loglevel=error"], cwd=HERE, check=True)


@contextmanager
def serving() -> Iterator[tuple[str, str]]:
    """A measured demo brand behind the endpoint on a free port; gives its URL and a key with all scopes."""
    with tempfile.TemporaryDirectory(prefix="conformance-", ignore_cleanup_errors=True) as folder:
        env = {
            **os.environ,
            "VAR_DIR": folder,
            "DJANGO_SETTINGS_MODULE": "config.settings.local",
            "RATE_LIMIT": "100000/m",
        }
        manage(env, "migrate", "--verbosity", "0")
        manage(env, "seed_demo", "--no-scan")
        brand = manage(env, "shell", "--verbosity", "0", "-c", FIRST_BRAND).strip()
        manage(env, "scan", brand, "--inline")
        key = manage(env, "issue_key", "--owner", "demo@example.com", "--name", "conformance", "--all-scopes").strip()
        port = free_port()
        command = [sys.executable, "-m", "uvicorn", "tests.conformance.server:application", "--port", str(port)]
        command += ["--log-level", "warning", "--lifespan", "on", "--no-proxy-headers"]
        process = subprocess.Popen(command, cwd=ROOT, env={**env, "CONFORMANCE_KEY": key})
        try:
            wait_for(lambda: process.poll() is not None or listens(port), what="the endpoint to listen")
            yield f"http://127.0.0.1:{port}/mcp", key
        finally:
            process.terminate()
            process.wait()


FIRST_BRAND = "from brands.models import Brand; print(Brand.objects.get().pk)"


def manage(env: dict[str, str], *arguments: str) -> str:
    """What a command of manage.py prints on standard output; ends the program when it fails."""
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments], cwd=ROOT, env=env, capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(f"manage.py {arguments[0]} failed:\n{done.stderr}")
    return done.stdout


def listens(port: int) -> bool:
    """Whether something answers on the port."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def run(url: str, scenario: str, version: str) -> dict[str, str]:
    """The status of each check of a scenario, the worst where a check is made several times."""
    with tempfile.TemporaryDirectory() as folder:
        command = [str(BIN / "node"), str(BIN / "conformance"), "server", "--url", url, "--scenario", scenario]
        command += ["--spec-version", version, "--output-dir", folder]
        done = subprocess.run(command, capture_output=True, text=True)
        files = list(Path(folder).rglob("checks.json"))
        if not files:
            return {"not run": (done.stdout + done.stderr).strip()[-300:]}
        checks: list[dict[str, Any]] = json.loads(files[0].read_text())
    return {check["id"]: worst(checks, check["id"]) for check in checks if check["status"] != "INFO"}


WORST = ["SUCCESS", "SKIPPED", "WARNING", "FAILURE"]


def worst(checks: list[dict[str, Any]], name: str) -> str:
    """The worst status among the checks of this name."""
    return max((check["status"] for check in checks if check["id"] == name), key=WORST.index)


def report(found: dict[str, dict[str, str]], expected: dict[str, dict[str, str]]) -> int:
    """Print each scenario, and how it differs from what is expected; returns how many do."""
    different = 0
    for name in sorted({*found, *expected}):
        statuses = found.get(name, {})
        passed = sum(status == "SUCCESS" for status in statuses.values())
        print(f"{name}: {passed} of {len(statuses)} checks passed")
        changed = {check: status for check, status in statuses.items() if expected.get(name, {}).get(check) != status}
        lost = expected.get(name, {}).keys() - statuses.keys()
        different += bool(changed or lost)
        for check, status in changed.items():
            print(f"  {check}: {status}, expected {expected.get(name, {}).get(check, 'nothing')}")
        for check in lost:
            print(f"  {check}: not made")
    print(f"conformance: {len(found)} scenarios, {different} not as expected")
    return different


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
