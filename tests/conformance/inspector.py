"""The inspector's command line as a client: it lists the tools, and calls each one."""

import json
import subprocess
from pathlib import Path
from typing import Any

REFUSED = {"run_audit_scan": "conflict"}
"""Tools that this set-up has to refuse, and how."""


def inspect(programs: Path, url: str, key: str) -> int:
    """Call every tool that is listed; returns how many did not answer as they should, and says which."""
    inspector = Inspector(programs, url, key)
    listed = inspector.run("tools/list", "--strict")
    names = [tool["name"].removeprefix("svc_") for tool in listed["tools"] if tool["name"].startswith("svc_")]
    arguments = arguments_of(inspector)
    wrong = [f"{name}: no arguments are known for it" for name in names if name not in arguments]
    for name in names:
        if name in arguments and (problem := problem_of(name, inspector.call(name, arguments[name]))):
            wrong.append(f"{name}: {problem}")
    print(f"inspector: {len(names)} tools listed and called, {len(wrong)} wrong")
    print("\n".join(wrong))
    return len(wrong)


class Inspector:
    """One endpoint, one key."""

    def __init__(self, programs: Path, url: str, key: str) -> None:
        self._command = [str(programs / "node"), str(programs / "mcp-inspector"), "--cli", url, "--transport", "http"]
        self._command += ["--header", f"Authorization: Bearer {key}"]

    def run(self, method: str, *options: str) -> dict[str, Any]:
        """What the program prints; ends everything when it fails."""
        done = subprocess.run([*self._command, "--method", method, *options], capture_output=True, text=True)
        if not done.stdout.startswith("{"):
            raise SystemExit(f"The inspector failed at {method} {options}:\n{done.stdout}{done.stderr}")
        result: dict[str, Any] = json.loads(done.stdout)
        return result

    def call(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """The result of a tool."""
        pairs = [
            f"{key}={value if isinstance(value, str) else json.dumps(value)}" for key, value in arguments.items()
        ]
        return self.run("tools/call", "--tool-name", f"svc_{name}", *(["--tool-arg", *pairs] if pairs else []))


def problem_of(name: str, result: dict[str, Any]) -> str:
    """What is wrong with the result of a tool; empty when nothing is."""
    if name in REFUSED:
        code = json.loads(result["content"][0]["text"]).get("error", {}).get("code")
        return "" if result["isError"] and code == REFUSED[name] else f"should be refused with {REFUSED[name]}"
    if result["isError"]:
        return str(result["content"][0]["text"])
    same = json.loads(result["content"][0]["text"]) == result["structuredContent"]
    return "" if same else "text and structured content differ"


def arguments_of(inspector: Inspector) -> dict[str, dict[str, Any]]:
    """What each tool is called with: things that the demo brand has."""
    site = inspector.call("list_sites", {})["structuredContent"]["sites"][0]["id"]
    of_site = {"siteId": site}
    of_prompt = {"promptId": inspector.call("list_prompts", of_site)["structuredContent"]["prompts"][0]["id"]}
    run = {**of_site, "runId": inspector.call("get_latest_scan", of_site)["structuredContent"]["run"]["id"]}
    plain = (
        "get_site_brief get_latest_scan run_visibility_scan run_audit_scan get_audit_scores get_audit_findings "
        "get_visibility_scores list_prompts list_competitors get_competitor_gaps run_competitor_comparison "
        "get_recommendations get_content_opportunities get_voice_profile get_review_themes get_buyer_criteria "
        "get_positioning_claims"
    )
    return {
        **dict.fromkeys(plain.split(), of_site),
        "list_sites": {},
        "get_portfolio_summary": {},
        "get_scan_status": run,
        "get_prompt_detail": of_prompt,
        "get_prompt_competitor_results": of_prompt,
        "generate_prompts": {**of_site, "count": 2, "topic": "cargo bikes", "idempotencyKey": "inspector"},
        "refine_prompt": {
            **of_prompt,
            "instruction": "for families with two children",
            "idempotencyKey": "inspector",
        },
        "add_competitor": {**of_site, "name": "Inspector Cycles", "domain": "inspector.example"},
        "generate_content_draft": {**of_site, "topic": "How to choose a cargo bike", "format": "faq"},
        "ask": {**of_site, "question": "How visible is the brand now?"},
    }
