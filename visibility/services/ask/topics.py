"""The kinds of question as the services see them: which scope reads what answers each, which tool tells more."""

from collections.abc import Mapping
from dataclasses import dataclass

from apikeys.scopes import Scope
from visibility.services.ask.types import Kind


@dataclass(frozen=True, slots=True)
class Topic:
    """One thing to ask about: the scope that reads it, the tool that tells more. A `kind` is called as its name."""

    name: str
    scope: Scope
    tool: str


SCORE = Topic(Kind.SCORE, Scope.READ_VISIBILITY, "get_visibility_scores")
CHANGE = Topic(Kind.CHANGE, Scope.READ_VISIBILITY, "get_visibility_scores")
ENGINES = Topic(Kind.ENGINES, Scope.READ_VISIBILITY, "get_visibility_scores")
BY_TOPIC = Topic(Kind.TOPICS, Scope.READ_VISIBILITY, "get_visibility_scores")
COMPETITORS = Topic(Kind.COMPETITORS, Scope.READ_COMPETITORS, "list_competitors")
GAPS = Topic(Kind.GAPS, Scope.READ_COMPETITORS, "get_competitor_gaps")
SOURCES = Topic(Kind.SOURCES, Scope.READ_PROMPTS, "get_prompt_detail")
ABSENT_SOURCES = Topic(Kind.ABSENT_SOURCES, Scope.READ_PROMPTS, "get_competitor_gaps")
CRITERIA = Topic(Kind.CRITERIA, Scope.READ_VOICE, "get_buyer_criteria")
CLAIMS = Topic(Kind.CLAIMS, Scope.READ_VOICE, "get_positioning_claims")
THEMES = Topic(Kind.THEMES, Scope.READ_VOICE, "get_review_themes")
VOICE = Topic(Kind.VOICE, Scope.READ_VOICE, "get_voice_profile")
RECOMMENDATIONS = Topic(Kind.RECOMMENDATIONS, Scope.READ_RECOMMENDATIONS, "get_recommendations")
CONTENT = Topic(Kind.CONTENT, Scope.READ_CONTENT, "get_content_opportunities")
PROMPTS = Topic(Kind.PROMPTS, Scope.READ_PROMPTS, "list_prompts")
SURE = Topic(Kind.SURE, Scope.READ_VISIBILITY, "get_visibility_scores")
RUNS = Topic(Kind.RUNS, Scope.READ_VISIBILITY, "get_latest_scan")
NEXT_SCAN = Topic(Kind.NEXT_SCAN, Scope.READ_VISIBILITY, "get_latest_scan")
COST = Topic(Kind.COST, Scope.READ_SITES, "get_portfolio_summary")
QUOTAS = Topic(Kind.QUOTAS, Scope.READ_SITES, "get_portfolio_summary")
AUDIT = Topic(Kind.AUDIT, Scope.READ_AUDITS, "get_audit_scores")
OTHER_TOOLS = Topic(Kind.DEFINITIONS, Scope.READ_VISIBILITY, "get_visibility_scores")
SITES = Topic(Kind.SITES, Scope.READ_SITES, "list_sites")
PORTFOLIO = Topic("portfolio", Scope.READ_SITES, "get_portfolio_summary")
"""What a question about several sites is answered with."""
NOTICE = Topic("notice", Scope.READ_SITES, "list_sites")
"""What is said of the answer itself."""
BY_KIND: Mapping[Kind, Topic] = {
    Kind(topic.name): topic
    for topic in (
        *(SCORE, CHANGE, ENGINES, BY_TOPIC, COMPETITORS, GAPS, SOURCES, ABSENT_SOURCES, CRITERIA, CLAIMS, THEMES),
        *(VOICE, RECOMMENDATIONS, CONTENT, PROMPTS, SURE, RUNS, NEXT_SCAN, COST, QUOTAS, AUDIT, OTHER_TOOLS, SITES),
    )
}
TOPICS = (
    *(ENGINES, SCORE, CHANGE, COMPETITORS, GAPS, RECOMMENDATIONS, CONTENT, PROMPTS, SOURCES, RUNS, AUDIT, QUOTAS),
    OTHER_TOOLS,
)
"""Those that facts are read for."""
OVERVIEW = (SCORE, CHANGE, RECOMMENDATIONS)
"""What an open question is answered with."""
TOLD_OF_SITES = frozenset({SCORE, CHANGE, RUNS})
"""What is told of several sites at once."""
