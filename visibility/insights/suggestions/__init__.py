"""Who else answers recommend: names at the heads of their entries, gathered over a brand's newest runs.

Stages: untracked names of each answer → names that lead several answers → the stored suggestions.
"""

from visibility.insights.suggestions.gathering import ids_of_newest, newest_runs, untracked_names
from visibility.insights.suggestions.storing import refresh_suggestions

__all__ = ["ids_of_newest", "newest_runs", "refresh_suggestions", "untracked_names"]
