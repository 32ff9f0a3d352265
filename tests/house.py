"""How large the house is and how long its ways are: `python -m tests.house`.

Lines and modules of each room (without migrations), then the files of ours through which a call goes: every module
that runs a line for it, counted while the service does it in this process.
"""

import asyncio
import os
import sys
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import tests.postgres  # noqa: F401 - starts a server before the settings are read, unless DATABASE_URL names one

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

import httpx2  # noqa: E402
from asgiref.testing import ApplicationCommunicator  # noqa: E402

from apikeys.accounts.operators import system_caller  # noqa: E402
from apikeys.scopes import Scope  # noqa: E402
from brands.models import Brand  # noqa: E402
from tests.factories import BrandFactory, DailyScoreFactory, make_key  # noqa: E402
from tests.live import own_database  # noqa: E402
from visibility import jobs  # noqa: E402
from visibility.models import Page, Run  # noqa: E402
from visibility.prompts.services import PromptDraft, add_prompts  # noqa: E402
from visibility.runs.services import start_scan  # noqa: E402

ROOT = Path(__file__).parent.parent
FLOORS = ("config", "apikeys", "brands", "mcp_bridge", "visibility")
_walked: set[str] = set()


def rooms() -> list[tuple[str, int, int]]:
    """Each room with its modules and lines, those of apps and of visibility's folders."""
    modules, lines = Counter[str](), Counter[str]()
    for floor in FLOORS:
        for path in sorted((ROOT / floor).rglob("*.py")):
            parts = path.relative_to(ROOT).parts
            if "migrations" not in parts:
                room = "/".join(parts[:2]) if floor == "visibility" and len(parts) > 2 else floor
                modules[room] += 1
                lines[room] += len(path.read_text().splitlines())
    return [(room, modules[room], lines[room]) for room in modules]


def notice(frame: Any, event: str, _: Any) -> None:
    """Note the module of every function of ours that is called, in whichever thread."""
    if event == "call" and frame.f_code.co_filename.startswith(str(ROOT)):
        name = os.path.relpath(frame.f_code.co_filename, ROOT)
        if name.startswith(FLOORS) and frame.f_code.co_name != "<module>":
            _walked.add(name)


def show(name: str) -> None:
    """Print the files that were walked since the last look."""
    files = sorted(_walked)
    print(f"\n{name}: {len(files)} files\n  " + ", ".join(files))


async def call_twice(key: str, calls: Mapping[str, Callable[[int], tuple[str, str, Any]]]) -> None:
    """Send each request to the service in this process, and show the way of its second time: the first one warms."""
    from config.asgi import application  # noqa: PLC0415 - connects to the database that there is only now

    lifespan = ApplicationCommunicator(application, {"type": "lifespan"})
    await lifespan.send_input({"type": "lifespan.startup"})
    await lifespan.receive_output()
    headers = {"Authorization": f"Bearer {key}", "Accept": "application/json", "Host": "localhost"}
    transport = httpx2.ASGITransport(application)
    async with httpx2.AsyncClient(transport=transport, base_url="http://localhost", headers=headers) as client:
        for name, request in calls.items():
            for time in range(2):
                method, path, body = request(time)
                _walked.clear()
                response = await client.request(method, path, json=body)
                assert response.status_code == 200 and '"isError":true' not in response.text, response.text
            show(name)
    await lifespan.send_input({"type": "lifespan.shutdown"})
    await lifespan.receive_output()


def brand_with_pages() -> Brand:
    """A brand with a prompt and a stored page that answers it."""
    brand = BrandFactory(name="Acme", domain="acme.example")
    add_prompts(system_caller("command:house"), brand_id=brand.pk, drafts=[PromptDraft("Which shoes are good?")])
    Page.objects.create(brand=brand, url="https://acme.example/", title="Shoes", text="Acme makes good shoes.")
    return brand


def main() -> None:
    """Print rooms and walks."""
    table = rooms()
    for room, modules, lines in table:
        print(f"{room:28}{modules:5} modules{lines:8,} lines")
    print(f"{'all':28}{sum(row[1] for row in table):5} modules{sum(row[2] for row in table):8,} lines")
    threading.setprofile(notice)
    sys.setprofile(notice)
    with own_database():
        brand = brand_with_pages()
        DailyScoreFactory(brand=brand)
        _, key = make_key(owner=brand.owner, scopes=[str(scope) for scope in Scope])
        site = str(brand.pk)

        def adding(time: int) -> tuple[str, str, Any]:
            arguments = {"siteId": site, "name": f"Zenith {time}", "domain": f"zenith{time}.example"}
            params = {"name": "svc_add_competitor", "arguments": arguments}
            return "POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}

        requests = {
            "GET visibility": lambda _: ("GET", f"/api/v1/brands/{site}/visibility", None),
            "tools/call add_competitor": adding,
        }
        asyncio.run(call_twice(key, requests))
        run = start_scan(system_caller("command:house"), brand_id=brand.pk, trigger=Run.Trigger.WEB).run
        _walked.clear()
        asyncio.run(jobs.ask.func(str(run.pk)))
        jobs.measure.func(str(run.pk))
        show("one answer")
    sys.setprofile(None)


if __name__ == "__main__":
    main()
