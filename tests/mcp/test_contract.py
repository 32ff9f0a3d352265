"""The tools and scopes of the contract, and that each of its sentences has a test."""

import re
import tomllib
from pathlib import Path

from apikeys.scopes import ALL_SCOPES
from mcp_bridge.tools import ALL_TOOLS

TESTS = Path(__file__).parent.parent
TOOLS = """
list_sites get_portfolio_summary get_site_brief get_latest_scan get_scan_status run_visibility_scan run_audit_scan
get_audit_scores get_audit_findings get_visibility_scores list_prompts get_prompt_detail generate_prompts
refine_prompt get_prompt_competitor_results list_competitors add_competitor get_competitor_gaps
run_competitor_comparison get_recommendations get_content_opportunities generate_content_draft get_voice_profile
get_review_themes get_buyer_criteria get_positioning_claims ask
"""
SCOPES = """
read:sites read:visibility read:audits read:prompts read:competitors read:recommendations read:content read:voice
write:prompts write:competitors write:content run:visibility run:audits
"""


def test_the_27_tools_of_the_contract_are_there():
    assert {tool.name for tool in ALL_TOOLS} == set(TOOLS.split()) and len(ALL_TOOLS) == 27


def test_scopes_grant_what_the_contract_says():
    assert set(ALL_SCOPES) == set(SCOPES.split())
    scopes = {tool.name: tool.scope for tool in ALL_TOOLS}
    for kind in ("run", "write"):
        of_kind = {name for name, scope in scopes.items() if scope.startswith(f"{kind}:")}
        assert of_kind <= {tool.name for tool in ALL_TOOLS if tool.creates}
    assert not any(tool.creates for tool in ALL_TOOLS if tool.scope.startswith("read:"))


def test_every_tool_that_creates_takes_an_idempotency_key():
    for tool in ALL_TOOLS:
        assert ("idempotencyKey" in tool.definition("svc_")["inputSchema"]["properties"]) is tool.creates, tool.name


def test_no_result_tells_usage_per_key():
    for tool in ALL_TOOLS:
        names = re.findall(
            r'"([a-zA-Z]*[kK]ey[a-zA-Z]*)"', str(tool.definition("")["outputSchema"]).replace("'", '"')
        )
        assert names == [], tool.name


def test_each_sentence_of_the_contract_has_tests_that_exist():
    sentences = tomllib.loads((TESTS / "contract.toml").read_text(encoding="utf-8"))["sentence"]
    assert len(sentences) >= 35
    for sentence in sentences:
        for test in sentence["tests"]:
            name, _, function = test.partition("::")
            source = (TESTS / name).read_text(encoding="utf-8")
            assert f"def {function}(" in source if function else "def test_" in source, test
