"""The tables of what is measured."""

from visibility.models.recommendations import Recommendation
from visibility.models.runs import Engine, Run, RunEngine
from visibility.models.scores import DailyScore

__all__ = ["DailyScore", "Engine", "Recommendation", "Run", "RunEngine"]
