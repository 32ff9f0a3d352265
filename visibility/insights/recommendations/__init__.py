"""What to do about visibility, derived from what was measured.

Stages: what is measured (`Material`) → observations of each kind → priority, budget, thresholds → words → the stored
queue; and from an audit: findings → the stored queue.
"""

from visibility.insights.recommendations.from_audits import recommend_from_audit
from visibility.insights.recommendations.refreshing import refresh_from_evidence, refresh_recommendations

__all__ = ["recommend_from_audit", "refresh_from_evidence", "refresh_recommendations"]
