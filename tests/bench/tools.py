"""What each reading tool costs, against a bare server of the same SDK that serves the same rows: `make bench`.

Both run as the service does, on one PostgreSQL, and are asked in turns over one connection each. The bare server
makes the queries that the tool made and sends the result that it gave. What every call pays at the door (rate
counter, key, call log, snapshot) is what an empty tool behind it costs more than a bare empty one; the ratio is that
of the rest, of `ask` over all that it can be asked about. Also: the scores of the last 30 days cost the same however
long the history is. Exits with 1 when a limit is missed; a machine that is busy with other work misses them.
"""

import io
import json
import os
import pickle
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from datetime import timedelta
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import urlsplit

import tests.postgres  # noqa: F401 - starts a server before the settings are read, unless DATABASE_URL names one

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from django.conf import settings  # noqa: E402 - needs the settings, as the models do
from django.db import connection  # noqa: E402
from django.db.models.sql.compiler import SQLCompiler  # noqa: E402
from django.utils import timezone  # noqa: E402

from apikeys.accounts.caller import Caller  # noqa: E402
from apikeys.accounts.operators import system_caller  # noqa: E402
from apikeys.models import User  # noqa: E402
from brands.models import Brand  # noqa: E402
from mcp_bridge.arguments import parse  # noqa: E402
from mcp_bridge.registry import Registry  # noqa: E402
from mcp_bridge.results import written  # noqa: E402
from mcp_bridge.tools import ALL_TOOLS  # noqa: E402
from tests.bench.bare_agent import Replay  # noqa: E402
from tests.factories import (  # noqa: E402
    BrandFactory,
    DailyScoreFactory,
    RecommendationFactory,
    RunFactory,
    UserFactory,
    make_key,
)
from tests.live import WEB, live_process, own_database  # noqa: E402
from visibility.ask.subjects import SUBJECTS  # noqa: E402
from visibility.imports.services import NewBrand, import_answers  # noqa: E402
from visibility.models import Cell, DailyScore, Run, RunEngine  # noqa: E402

LIMIT = 2.0
"""What a tool may cost without the door, in times of the bare server."""
FLAT = 1.25
"""The most that the scores may cost over a long history, in times of a short one."""
LONG, SHORT = 1_800, 60
BRANDS, RECOMMENDATIONS, TOPICS, WORDINGS = 20, 40, 12, 2
NAMES = ("Kryton", "Zentra", "Avola", "Merida", "Lumen", "Oreno")
CALLS = 20
SYSTEM = system_caller("command:bench")


class Tool:
    """A tool at an address, called over one connection that stays open."""

    def __init__(self, url: str, path: str, name: str, arguments: Mapping[str, Any], key: str = "") -> None:
        parts = urlsplit(url)
        self.connection = HTTPConnection(str(parts.hostname), parts.port)
        self.path = path
        call = {"name": name, "arguments": arguments}
        self.body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call})
        self.headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        self.headers |= {"Authorization": f"Bearer {key}"}

    def call(self) -> None:
        self.connection.request("POST", self.path, self.body, self.headers)
        response = self.connection.getresponse()
        body = response.read()
        assert response.status == 200 and b'"isError":true' not in body.replace(b" ", b""), (self.body, body[:500])
        assert b'"structuredContent"' in body, (self.body, body[:500])


def in_turns(*works: Callable[[], Any]) -> list[float]:
    """Milliseconds that each of these takes: the best of calls that take turns."""
    taken: list[list[float]] = [[] for _ in works]
    for turn in range(CALLS + 2):
        for work, times in zip(works, taken, strict=True):
            began = time.perf_counter()
            work()
            if turn > 1:  # the first calls load and connect
                times.append((time.perf_counter() - began) * 1_000)
    return [min(times) for times in taken]


def measured_brand(owner: User, name: str, days: int) -> Brand:
    """A brand with today's answers, and copies of their counts on so many days before."""
    today = timezone.now()
    text = "1. **{}** is a fine bike.\n2. **{}** – lighter, and dearer.\n\n" + "Much more could be said of it. " * 60

    def line(number: int, engine: str) -> str:
        answer = {
            "prompt": f"Which bike for wish {number}?",
            "topic": f"topic {number % TOPICS}",
            "engine": engine,
            "time": f"{today.date()}T00:00:00Z",
            "text": text.format(NAMES[number % len(NAMES)].replace("Kryton", name), NAMES[1 + number % 5]),
            "citations": [f"https://reviews{number % place}.example/{number}" for place in range(2, 8)],
        }
        return json.dumps(answer)

    lines = [line(number, engine) for number in range(TOPICS * WORDINGS) for engine in ("chatgpt", "gemini")]
    competitors = [(rival, f"{rival.lower()}.example") for rival in NAMES[1:]]
    new = NewBrand(owner, name, f"{name.lower()}.example", competitors=competitors)
    brand = import_answers(SYSTEM, brand=new, file=io.StringIO("\n".join(lines))).brand
    back = [today.date() - timedelta(number) for number in range(1, days)]
    asked = list(RunEngine.objects.filter(run__brand=brand).values("engine_id", "surface", "total", "done"))
    runs = Run.objects.bulk_create(RunFactory.build(brand=brand, day=day, status="succeeded") for day in back)
    RunEngine.objects.bulk_create(RunEngine(run=run, **each) for run in runs for each in asked)
    DailyScore.objects.bulk_create(DailyScoreFactory.build(brand=brand, date=day) for day in back)
    columns = [field.column for field in Cell._meta.concrete_fields if not field.primary_key]
    values = [{"run_id": "run.id", "day": "run.day"}.get(column, f"old.{column}") for column in columns]
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO visibility_cell ({', '.join(columns)}) SELECT {', '.join(values)}"
            " FROM visibility_cell AS old JOIN visibility_run AS run ON run.brand_id = old.brand_id"
            " WHERE old.brand_id = %s AND run.id <> old.run_id",
            [brand.pk],
        )
    return brand


def calls_of(brand: Brand) -> dict[str, dict[str, Any]]:
    """Every reading tool with its arguments; a tool that is new is called about the site. `ask` is called about each
    subject that counts answers, under a name of its own."""
    site, prompt = {"siteId": str(brand.pk)}, {"promptId": str(brand.prompts.earliest("created_at").pk)}
    special = {
        "list_sites": {},
        "get_portfolio_summary": {},
        "get_scan_status": {**site, "runId": str(brand.runs.earliest("created_at").pk)},
        "get_prompt_detail": prompt,
        "get_prompt_competitor_results": prompt,
    }
    calls = {tool.name: special.get(tool.name, site) for tool in ALL_TOOLS if not tool.creates and tool.name != "ask"}
    subjects = [about for about, subject in SUBJECTS.items() if subject.counts_answers]
    return calls | {f"ask {about}": {**site, "question": "How are we?", "about": about} for about in subjects}


def recorded(caller: Caller, calls: Mapping[str, dict[str, Any]]) -> dict[str, Replay]:
    """What each tool reads and gives, for the bare server."""
    registry = Registry(ALL_TOOLS, prefix=settings.TOOL_PREFIX)
    replays = {"empty": Replay([], {})}
    execute = SQLCompiler.execute_sql
    for name, raw in calls.items():
        tool = registry.tools[settings.TOOL_PREFIX + name.split()[0]]
        queries: list[Any] = []

        def record(compiler: Any, *how: Any, queries: list[Any] = queries, **more: Any) -> Any:
            queries.append(compiler.query.clone())
            return execute(compiler, *how, **more)

        arguments = parse(tool.arguments, raw)
        with patch.object(SQLCompiler, "execute_sql", record):
            result = written(registry, tool, caller, arguments, tool.function(caller, arguments))
        replays[name] = Replay(queries, json.loads(result))
    return replays


def main() -> int:
    """Make the rows, serve both, measure, print; 1 when a limit is missed."""
    with ExitStack() as stack:
        database = stack.enter_context(own_database())
        owner = UserFactory()
        api_key, key = make_key(owner=owner)
        for other in BrandFactory.create_batch(BRANDS, owner=owner):
            RunFactory(brand=other)
        young, old = measured_brand(owner, "Kryton", SHORT), measured_brand(owner, "Velo", LONG)
        RecommendationFactory.create_batch(RECOMMENDATIONS, brand=young)
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")
        calls = calls_of(young)
        replay = Path(stack.enter_context(tempfile.TemporaryDirectory()), "replay")
        replay.write_bytes(pickle.dumps(recorded(Caller.from_key(api_key), calls)))
        same = {"database": database, "RATE_LIMIT": "100000000/m", "REPLAY": str(replay)}
        ours = stack.enter_context(live_process(*WEB, **same)).url
        bare = stack.enter_context(live_process(*WEB, "tests.bench.bare_agent:application", **same)).url
        print(f"{'tool':<32}{'whole ms':>10}{'door ms':>10}{'rest ms':>10}{'bare ms':>10}{'ratio':>8}")
        taken: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
        for name, arguments in calls.items():
            whole, guarded, bare_ms, empty = in_turns(
                Tool(ours, "/mcp", settings.TOOL_PREFIX + name.split()[0], arguments, key).call,
                Tool(bare, "/door", "empty", {}, key).call,
                Tool(bare, "/mcp", name, arguments).call,
                Tool(bare, "/mcp", "empty", {}).call,
            )
            door = guarded - empty
            ratio = (whole - door) / bare_ms
            print(f"{name:<32}{whole:>10.2f}{door:>10.2f}{whole - door:>10.2f}{bare_ms:>10.2f}{ratio:>8.2f}")
            for place, milliseconds in enumerate((whole - door, bare_ms)):
                taken[name.split()[0]][place] += milliseconds
        ratios = {name: rest / of_bare for name, (rest, of_bare) in taken.items()}
        missed = [name for name, ratio in ratios.items() if ratio > LIMIT]
        print(f"ask about all of these: {ratios['ask']:.2f}")
        scores = f"{settings.TOOL_PREFIX}get_visibility_scores"
        short, long = in_turns(
            *(Tool(ours, "/mcp", scores, {"siteId": str(each.pk)}, key).call for each in (young, old))
        )
        print(f"\nScores of 30 days, of a history of {SHORT}: {short:.2f} ms; of {LONG:,}: {long:.2f} ms")
        if long / short > FLAT:
            missed.append("history")
        print(f"Limits: ratio {LIMIT}, history {FLAT}. Missed: {', '.join(missed) or 'none'}.")
        return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
