"""All tools, in the order of tools/list."""

from mcp_bridge.tools import ask, audits, competitors, evidence, prompts, recommendations, scans, sites, visibility

ALL_TOOLS = (
    sites.list_sites,
    sites.get_portfolio_summary,
    sites.get_site_brief,
    scans.get_latest_scan,
    scans.get_scan_status,
    scans.run_visibility_scan,
    audits.run_audit_scan,
    audits.get_audit_scores,
    audits.get_audit_findings,
    visibility.get_visibility_scores,
    prompts.list_prompts,
    prompts.get_prompt_detail,
    prompts.refine_prompt,
    prompts.get_prompt_competitor_results,
    competitors.list_competitors,
    competitors.add_competitor,
    competitors.get_competitor_gaps,
    scans.run_competitor_comparison,
    recommendations.get_recommendations,
    evidence.get_voice_profile,
    evidence.get_review_themes,
    evidence.get_buyer_criteria,
    evidence.get_positioning_claims,
    ask.ask,
)
