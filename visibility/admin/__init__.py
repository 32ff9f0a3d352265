"""Staff pages of prompts, runs, answers, generations of figures and recommendations."""

from visibility.admin.brands import MeasuredBrandAdmin
from visibility.admin.engines import EngineConfigAdmin
from visibility.admin.generations import GenerationAdmin
from visibility.admin.prompts import PromptAdmin
from visibility.admin.recommendations import RecommendationAdmin
from visibility.admin.runs import AnswerAdmin, RunAdmin

__all__ = [
    "AnswerAdmin",
    "EngineConfigAdmin",
    "GenerationAdmin",
    "MeasuredBrandAdmin",
    "PromptAdmin",
    "RecommendationAdmin",
    "RunAdmin",
]
