"""What each kind of question is read with: the scope that it takes, the tool that tells more, and the reader."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from apikeys.scopes import Scope
from visibility.services.ask.fact import QuestionContext, Told
from visibility.services.ask.kinds.account import told_of_account
from visibility.services.ask.kinds.audits import told_of_audit
from visibility.services.ask.kinds.changes import told_of_change
from visibility.services.ask.kinds.definitions import told_of_definitions
from visibility.services.ask.kinds.evidence import told_of_claims, told_of_criteria, told_of_themes, told_of_voice
from visibility.services.ask.kinds.figures import told_of_engines, told_of_score
from visibility.services.ask.kinds.gaps import told_of_gaps
from visibility.services.ask.kinds.progress import told_of_progress, told_of_proofs
from visibility.services.ask.kinds.rivals import told_of_rivals
from visibility.services.ask.kinds.scans import told_of_cost, told_of_next_scan, told_of_runs
from visibility.services.ask.kinds.sites import told_of_site
from visibility.services.ask.kinds.sources import told_of_absent_sources, told_of_sources
from visibility.services.ask.kinds.sure import told_of_certainty
from visibility.services.ask.kinds.topics import told_of_topics
from visibility.services.ask.kinds.work import told_of_content, told_of_prompts, told_of_recommendations
from visibility.services.ask.types import Kind


@dataclass(frozen=True, slots=True)
class Reader:
    """How a kind is read."""

    scope: Scope
    tool: str
    read: Callable[[QuestionContext], Told]


READERS: Mapping[Kind, Reader] = {
    Kind.SCORE: Reader(Scope.READ_VISIBILITY, "get_visibility_scores", told_of_score),
    Kind.ENGINES: Reader(Scope.READ_VISIBILITY, "get_visibility_scores", told_of_engines),
    Kind.CHANGE: Reader(Scope.READ_VISIBILITY, "get_visibility_scores", told_of_change),
    Kind.TOPICS: Reader(Scope.READ_VISIBILITY, "get_visibility_scores", told_of_topics),
    Kind.SURE: Reader(Scope.READ_VISIBILITY, "get_visibility_scores", told_of_certainty),
    Kind.DEFINITIONS: Reader(Scope.READ_VISIBILITY, "get_visibility_scores", told_of_definitions),
    Kind.COMPETITORS: Reader(Scope.READ_COMPETITORS, "list_competitors", told_of_rivals),
    Kind.GAPS: Reader(Scope.READ_COMPETITORS, "get_competitor_gaps", told_of_gaps),
    Kind.SOURCES: Reader(Scope.READ_PROMPTS, "get_site_brief", told_of_sources),
    Kind.ABSENT_SOURCES: Reader(Scope.READ_PROMPTS, "get_competitor_gaps", told_of_absent_sources),
    Kind.CRITERIA: Reader(Scope.READ_VOICE, "get_buyer_criteria", told_of_criteria),
    Kind.CLAIMS: Reader(Scope.READ_VOICE, "get_positioning_claims", told_of_claims),
    Kind.THEMES: Reader(Scope.READ_VOICE, "get_review_themes", told_of_themes),
    Kind.VOICE: Reader(Scope.READ_VOICE, "get_voice_profile", told_of_voice),
    Kind.RECOMMENDATIONS: Reader(Scope.READ_RECOMMENDATIONS, "get_recommendations", told_of_recommendations),
    Kind.PROGRESS: Reader(Scope.READ_RECOMMENDATIONS, "get_recommendations", told_of_progress),
    Kind.PROOFS: Reader(Scope.READ_RECOMMENDATIONS, "get_recommendations", told_of_proofs),
    Kind.CONTENT: Reader(Scope.READ_CONTENT, "get_content_opportunities", told_of_content),
    Kind.PROMPTS: Reader(Scope.READ_PROMPTS, "list_prompts", told_of_prompts),
    Kind.RUNS: Reader(Scope.READ_VISIBILITY, "get_latest_scan", told_of_runs),
    Kind.NEXT_SCAN: Reader(Scope.READ_SITES, "get_portfolio_summary", told_of_next_scan),
    Kind.COST: Reader(Scope.READ_SITES, "get_portfolio_summary", told_of_cost),
    Kind.QUOTAS: Reader(
        Scope.READ_SITES,
        "get_portfolio_summary",
        lambda context: told_of_account(context.caller, [context.brand]),
    ),
    Kind.AUDIT: Reader(Scope.READ_AUDITS, "get_audit_scores", told_of_audit),
    Kind.SITES: Reader(Scope.READ_SITES, "list_sites", told_of_site),
}
"""Every kind."""
