"""What to do about visibility, derived from what was measured.

Stages: facts of now → gaps → evidence and wording → the stored queue.
"""

from visibility.insights.recommendations.storing import refresh_recommendations

__all__ = ["refresh_recommendations"]
