"""What every door answers of a database, as JSON: to see that a change or a migration leaves every number as it was.

    python -m tests.bench.doors walk ANSWERS.json --key KEY    with DATABASE_URL and DJANGO_SETTINGS_MODULE as usual
    python -m tests.bench.doors compare BEFORE.json AFTER.json

`walk` asks the application in this process with the key: all REST endpoints for each brand, all tools that only read
for each site, and the tools of prompts and runs for each of them. It stores nothing but the calls in the call log.
What depends on the moment of the call is left out. Both walks have to be of the same day: ages of figures are told.
"""

import argparse
import json
import os
import sys
from pathlib import Path

import django

MS = 1_000
STATUSES = ("open", "in_progress", "done", "dismissed", "resolved")
QUESTIONS = (
    "What is the score?", "What changed?", "What is our share of voice by engine?", "Which competitors are ahead?",
    "Which prompts miss us?", "What should we do?", "Which sources are cited?",
)  # fmt: skip
VOLATILE = frozenset({"requestId", "nextAllowedAt", "etaSeconds", "pollAfterSeconds"})
"""Fields that depend on the moment of the call."""


def plain(value):
    """The answer without what depends on the moment."""
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items() if name not in VOLATILE}
    return [plain(part) for part in value] if isinstance(value, list) else value


class Doors:
    """REST and the agent endpoint of the application in this process, as the key sees them."""

    def __init__(self, key):
        from django.test import Client  # noqa: PLC0415 -- needs django.setup() first

        from tests.mcp.conftest import Agent, endpoint  # noqa: PLC0415

        self.raw = key
        self._client, self._agent = Client(), Agent(endpoint())

    def get(self, path):
        """Status and body of a REST call."""
        response = self._client.get(path, headers={"Authorization": f"Bearer {self.raw}", "Host": "localhost"})
        return [response.status_code, plain(json.loads(response.content))]

    def call(self, tool, arguments):
        """The result of a tool: what it says and whether it failed."""
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                   "params": {"name": f"svc_{tool}", "arguments": arguments}}  # fmt: skip
        result = self._agent.post(message, self).json()["result"]
        return [result["isError"], plain(json.loads(result["content"][0]["text"]))]


def walk(doors):
    """Every answer by what was asked."""
    answers = {"GET /api/v1/brands": doors.get("/api/v1/brands")}
    for brand in answers["GET /api/v1/brands"][1]["brands"]:
        for path in paths(brand["id"]):
            answers[f"GET {path}"] = doors.get(path)
    for tool in ("list_sites", "get_portfolio_summary"):
        answers[tool] = doors.call(tool, {})
    for site in answers["list_sites"][1]["sites"]:
        of_site(doors, site["id"], answers)
    return answers


def paths(brand):
    """The REST endpoints of a brand."""
    base = f"/api/v1/brands/{brand}"
    return [
        base, f"{base}/visibility", f"{base}/visibility?from=0", f"{base}/runs", f"{base}/recommendations",
        *(f"{base}/recommendations?status={status}" for status in STATUSES),
    ]  # fmt: skip


def of_site(doors, site, answers):
    """The tools that only read, with all that a site has to name."""
    from mcp_bridge.tools import ALL_TOOLS  # noqa: PLC0415 -- needs django.setup() first

    by_name = {tool.name: tool for tool in ALL_TOOLS}

    def ask(tool, **arguments):
        if "detail" in by_name[tool].arguments.model_fields:
            arguments["detail"] = "full"
        answers[f"{tool} {json.dumps(arguments)}"] = answer = doors.call(tool, arguments)
        return answer[1]

    for tool in ALL_TOOLS:
        if tool.only_reads and not set(tool.definition("")["inputSchema"].get("required", ())) - {"siteId"}:
            ask(tool.name, **({"siteId": site} if "site_id" in tool.arguments.model_fields else {}))
    scores = ask("get_visibility_scores", siteId=site, **{"from": 0})
    for engine in sorted({each["engine"] for item in scores["trend"] for each in item["engines"]}):
        ask("get_visibility_scores", siteId=site, engine=engine, **{"from": 0})
    for prompt in ask("list_prompts", siteId=site)["prompts"]:
        ask("get_prompt_detail", promptId=prompt["id"])
        ask("get_prompt_competitor_results", promptId=prompt["id"])
    for rival in ask("list_competitors", siteId=site)["competitors"]:
        ask("get_competitor_gaps", siteId=site, competitorId=rival["id"])
    for run in doors.get(f"/api/v1/brands/{site}/runs")[1]["runs"]:
        ask("get_scan_status", siteId=site, runId=run["id"])
    for question in QUESTIONS:
        ask("ask", siteId=site, question=question)


def compare(before, after):
    """A line for each answer that differs."""
    asked = sorted(before.keys() | after.keys())
    return [f"differs: {each}" for each in asked if before.get(each) != after.get(each)]


def main(arguments):
    """Walk or compare. Exit status 1 where answers differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    acts = parser.add_subparsers(dest="act", required=True)
    walking = acts.add_parser("walk")
    walking.add_argument("file", type=Path)
    walking.add_argument("--key", required=True, help="an API key with all scopes")
    comparing = acts.add_parser("compare")
    comparing.add_argument("files", type=Path, nargs=2)
    options = parser.parse_args(arguments)
    if options.act == "compare":
        lines = compare(*(json.loads(file.read_text()) for file in options.files))
        print("\n".join(lines) or "Every answer is the same.")
        return 1 if lines else 0
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.local")
    os.environ["RATE_LIMIT"] = "100000000/m"
    django.setup()
    answers = walk(Doors(options.key))
    options.file.write_text(json.dumps(answers, indent=1, sort_keys=True, ensure_ascii=False))
    print(f"{len(answers)} answers in {options.file}.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
