"""How far a call goes through the house: own files and functions that it passes, and its SQL statements.

`python -m tests.bench.distance` makes a database in memory, calls REST endpoints, two reading tools and a writing
one, each of which was called once before, and prints a line for each. "Own" is what lies in the apps of the
service; a function counts once.
"""

import os
import sys
import threading
from pathlib import Path

import django
from django.core.management import call_command
from django.test import Client
from django.test.utils import CaptureQueriesContext

ROOT = Path(__file__).resolve().parent.parent.parent
APPS = tuple(f"{ROOT / app}{os.sep}" for app in ("apikeys", "brands", "visibility", "mcp_bridge", "config"))


class Passed:
    """The code of the service that runs within the block, in every thread."""

    def __init__(self):
        self.functions = set()

    def __enter__(self):
        threading.setprofile(self._note)
        sys.setprofile(self._note)
        return self

    def __exit__(self, *error):
        sys.setprofile(None)
        threading.setprofile(None)

    def _note(self, frame, event, argument):
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(APPS) and not code.co_name.startswith("<"):
            self.functions.add((code.co_filename, code.co_qualname))

    @property
    def files(self):
        return {file for file, _ in self.functions}


def measure(name, call):
    """Print how far the call goes; it is made once before."""
    from django.db import connection  # noqa: PLC0415 -- needs django.setup() first

    call()
    with Passed() as passed:
        call()
    with CaptureQueriesContext(connection) as captured:
        call()
    print(f"{name:<28}{len(passed.files):>6}{len(passed.functions):>11}{len(captured.captured_queries):>12}")


def main():
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings.test"
    os.environ["DATABASE_URL"] = "sqlite://:memory:"
    os.environ["RATE_LIMIT"] = "100000000/m"
    django.setup()
    from tests.bench.agent_data import Key, endpoint  # noqa: PLC0415 -- models need django.setup() first
    from tests.bench.data import account, fill_history  # noqa: PLC0415
    from tests.mcp.conftest import PREFIX, Agent  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    brands, key = account(3)
    fill_history(brands[0])
    site, client, agent = str(brands[0].pk), Client(), Agent(endpoint())
    names = iter(range(100))

    def tool(tool_name, **arguments):
        of_site = {} if tool_name == "list_sites" else {"siteId": site}
        params = {"name": PREFIX + tool_name, "arguments": {**of_site, **arguments}}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        assert not agent.post(message, Key(key)).json()["result"]["isError"]

    def add():
        number = next(names)
        tool("add_competitor", name=f"Rival {number}", domain=f"rival{number}.example")

    print(f"{'call':<28}{'files':>6}{'functions':>11}{'statements':>12}")
    read = {"Authorization": f"Bearer {key}"}
    measure("GET /api/v1/brands", lambda: client.get("/api/v1/brands", headers=read))
    measure("GET …/visibility", lambda: client.get(f"/api/v1/brands/{site}/visibility", headers=read))
    measure("tool list_sites", lambda: tool("list_sites"))
    measure("tool get_visibility_scores", lambda: tool("get_visibility_scores"))
    measure("tool add_competitor", add)


if __name__ == "__main__":
    main()
