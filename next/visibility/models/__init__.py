"""The tables of what is measured."""

from visibility.models.answers import Answer, Citation, Mention, UntrackedName
from visibility.models.changes import ChangeRecord
from visibility.models.prompts import Prompt, PromptVersion, Topic
from visibility.models.recommendations import Recommendation
from visibility.models.runs import Engine, Run, RunEngine, Surface
from visibility.models.scores import Cell, DailyScore

__all__ = [
    "Answer",
    "Cell",
    "ChangeRecord",
    "Citation",
    "DailyScore",
    "Engine",
    "Mention",
    "Prompt",
    "PromptVersion",
    "Recommendation",
    "Run",
    "RunEngine",
    "Surface",
    "Topic",
    "UntrackedName",
]
