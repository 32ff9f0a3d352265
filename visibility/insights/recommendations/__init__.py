"""What to do about visibility, derived from what was measured.

Stages: what is measured (`Material`) → observations of each kind → priority, budget, thresholds → words → the stored
queue; after a scan, when evidence was made, after an audit.
"""

from visibility.insights.recommendations.refreshing import (
    recommend_from_audit,
    refresh_from_evidence,
    refresh_recommendations,
)

__all__ = ["recommend_from_audit", "refresh_from_evidence", "refresh_recommendations"]
