"""What to do about visibility, derived from what was measured.

Stages: facts of the latest measured day → gaps → evidence and wording → the stored queue.
"""

from visibility.recommendations.storing import refresh_recommendations

__all__ = ["refresh_recommendations"]
