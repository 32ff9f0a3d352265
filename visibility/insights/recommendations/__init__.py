"""What to do about visibility, derived from what was measured.

Stages: facts of now → gaps → evidence and wording → the stored queue; and from an audit: findings → the stored queue.
"""

from visibility.insights.recommendations.from_audits import recommend_from_audit
from visibility.insights.recommendations.storing import refresh_recommendations

__all__ = ["recommend_from_audit", "refresh_recommendations"]
