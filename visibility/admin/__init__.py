"""Staff pages of prompts, runs, answers and recommendations."""

from visibility.admin.prompts import PromptAdmin
from visibility.admin.recommendations import RecommendationAdmin
from visibility.admin.runs import AnswerAdmin, RunAdmin

__all__ = ["AnswerAdmin", "PromptAdmin", "RecommendationAdmin", "RunAdmin"]
