"""What results of reading tools cost a model, and how long they take, on a service that runs:
`python -m tests.mcp.tokens ADDRESS KEY`.

Tokens are those of the text content by o200k. `--save FILE` keeps the measurements, `--before FILE` puts earlier ones
beside these, `--write` puts the table into docs/tokens.md.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import quantiles
from typing import Any

import bpe_openai
import httpx2

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "tokens.md"
SITES = ("Sony", "Samsung", "Garmin")
QUESTION = "Why are we behind our competitors?"
MAX_TOKENS = 2000
LIMITS = {"get_site_brief": 1500, "get_prompt_detail": 2500, "ask": 2500}
"""Those of other tools than `MAX_TOKENS`."""
TOO_MANY = 429
_ENCODING = bpe_openai.get_encoding("o200k_base")


def tokens(text: str) -> int:
    """How many tokens a model reads."""
    return len(_ENCODING.encode(text))


def limit(tool: str) -> int:
    """How many tokens a result of the tool may have in short; `tool` is without its prefix."""
    return LIMITS.get(tool, MAX_TOKENS)


class Door:
    """The agent endpoint of a service that runs."""

    def __init__(self, address: str, key: str) -> None:
        headers = {"Authorization": f"Bearer {key}", "Accept": "application/json, text/event-stream"}
        self._http = httpx2.Client(base_url=address, headers=headers, timeout=120, trust_env=False)
        self.milliseconds = 0.0
        """What the latest call took."""

    def call(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The result of a tool, whose name is given with its prefix."""
        params = {"name": tool, "arguments": dict(arguments)}
        return self.ask("tools/call", params)

    def ask(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """What a method answers."""
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": dict(params)}
        response = self._http.post("/mcp", json=body)
        while response.status_code == TOO_MANY:
            time.sleep(int(response.headers["Retry-After"]))
            response = self._http.post("/mcp", json=body)
        self.milliseconds = response.elapsed.total_seconds() * 1000
        result: dict[str, Any] = response.json()["result"]
        return result

    def text(self, tool: str, arguments: Mapping[str, Any]) -> str:
        """The text of a result that is no error."""
        result = self.call(tool, arguments)
        [block] = result["content"]
        if result["isError"]:
            raise RuntimeError(f"{tool}: {block['text']}")
        return str(block["text"])


def reading_calls(door: Door, prefix: str, site: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every reading tool that has something to say of a site, with arguments; names are without the prefix."""
    definitions = door.ask("tools/list", {})["tools"]
    about = {"siteId": site}
    prompts = json.loads(door.text(f"{prefix}list_prompts", about))["prompts"]
    run = json.loads(door.text(f"{prefix}get_latest_scan", about))["run"]
    values = {
        "siteId": site, "promptId": prompts and prompts[0]["id"], "runId": run and run["id"], "question": QUESTION,
    }  # fmt: skip
    for definition in definitions:
        if not definition["annotations"]["readOnlyHint"]:
            continue
        schema = definition["inputSchema"]
        names = {*schema.get("required", ()), *({"siteId"} & schema["properties"].keys())}
        arguments = {name: values[name] for name in names}
        if all(arguments.values()):
            yield definition["name"].removeprefix(prefix), arguments


def measured(door: Door, prefix: str, rounds: int) -> dict[str, dict[str, dict[str, float]]]:
    """By site and tool: tokens of the text, and the 95th percentile of the time of a call in milliseconds."""
    sites = {site["name"]: site["id"] for site in json.loads(door.text(f"{prefix}list_sites", {}))["sites"]}
    table: dict[str, dict[str, dict[str, float]]] = {}
    for name in SITES:
        for tool, arguments in reading_calls(door, prefix, sites[name]):
            text, times = "", []
            for _ in range(rounds):
                text = door.text(prefix + tool, arguments)
                times.append(door.milliseconds)
            table.setdefault(name, {})[tool] = {"tokens": tokens(text), "p95": quantiles(times, n=20)[-1]}
    return table


def table_of(after: Mapping[str, Any], before: Mapping[str, Any]) -> str:
    """The measurements as Markdown, a row a tool."""
    lines = ["| Tool | Limit | " + " | ".join(f"{name} | p95" for name in SITES) + " |"]
    lines.append("|---|--:" + "|--:|--:" * len(SITES) + "|")
    for tool in after[SITES[0]]:
        cells = [f"`{tool}`", f"{limit(tool):,}"]
        for name in SITES:
            new, old = after[name][tool], before.get(name, {}).get(tool)
            cells.append(f"{old['tokens']:,} → {new['tokens']:,}" if old else f"{new['tokens']:,}")
            cells.append(f"{old['p95']:.0f} → {new['p95']:.0f} ms" if old else f"{new['p95']:.0f} ms")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main(argv: list[str]) -> int:
    """Measure, print, and keep what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("address")
    parser.add_argument("key")
    parser.add_argument("--prefix", default="svc_")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--save", type=Path)
    parser.add_argument("--before", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(argv)
    after = measured(Door(options.address, options.key), options.prefix, options.rounds)
    before = json.loads(options.before.read_text()) if options.before else {}
    table = table_of(after, before)
    sys.stdout.write(table + "\n")
    if options.save:
        options.save.write_text(json.dumps(after))
    if options.write:
        PAGE.write_text(f"{HEAD}\n{table}\n")
    return 0


HEAD = """\
# What results cost

Tokens of the text of each reading tool in short (o200k), and the 95th percentile of the time of a call, over the
real answers of three brands; before the arrow what they were when every result was given in full. Written by
`python -m tests.mcp.tokens ADDRESS KEY --before FILE --write` against a service that runs; what `short` and `full`
are is in [agents.md](agents.md).
"""

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
