"""The kinds of recommendations, one module for each; those that are found in answers, in evidence, in audits."""

from collections.abc import Sequence

from visibility.insights.recommendations.kind import Kind
from visibility.insights.recommendations.kinds.audit_finding import AuditFindings
from visibility.insights.recommendations.kinds.cited_page import CitedPages
from visibility.insights.recommendations.kinds.claim import Claims
from visibility.insights.recommendations.kinds.comparison_page import ComparisonPages
from visibility.insights.recommendations.kinds.confirmed_fall import ConfirmedFalls
from visibility.insights.recommendations.kinds.criterion import CriteriaThatRivalsWin
from visibility.insights.recommendations.kinds.engine_gap import EngineGaps
from visibility.insights.recommendations.kinds.own_page_lost import OwnPagesLost
from visibility.insights.recommendations.kinds.own_page_unnamed import OwnPagesUnnamed
from visibility.insights.recommendations.kinds.review_theme import ReviewThemes
from visibility.insights.recommendations.kinds.search import Searches
from visibility.insights.recommendations.kinds.statement import Statements
from visibility.insights.recommendations.kinds.topic_gap import TopicGap

KINDS: Sequence[Kind] = (
    AuditFindings(),
    CitedPages(),
    Claims(),
    ComparisonPages(),
    OwnPagesLost(),
    ConfirmedFalls(),
    CriteriaThatRivalsWin(),
    EngineGaps(),
    OwnPagesUnnamed(),
    ReviewThemes(),
    Searches(),
    Statements(),
    TopicGap(),
)
"""Every kind, each once. The order says nothing: priorities are comparable."""
