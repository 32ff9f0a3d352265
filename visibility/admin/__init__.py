"""Staff pages of prompts, drafts, runs, answers, calls to providers, generations of figures, classes of domains,
reviews, evidence, recommendations, what was decided about them, proofs, and choices of topics."""

from visibility.admin.brands import MeasuredBrandAdmin
from visibility.admin.drafts import ContentDraftAdmin
from visibility.admin.engines import EngineConfigAdmin
from visibility.admin.evidence import BrandEvidenceAdmin, ReviewAdmin, ReviewImportAdmin
from visibility.admin.generations import GenerationAdmin
from visibility.admin.prompts import PromptAdmin
from visibility.admin.proofs import ProofAdmin
from visibility.admin.provider_calls import ProviderCallAdmin
from visibility.admin.recommendations import RecommendationAdmin, StatusChangeAdmin
from visibility.admin.runs import AnswerAdmin, RunAdmin
from visibility.admin.sources import DomainClassAdmin
from visibility.admin.topics import TopicChoiceAdmin

__all__ = [
    "AnswerAdmin",
    "BrandEvidenceAdmin",
    "ContentDraftAdmin",
    "DomainClassAdmin",
    "EngineConfigAdmin",
    "GenerationAdmin",
    "MeasuredBrandAdmin",
    "PromptAdmin",
    "ProofAdmin",
    "ProviderCallAdmin",
    "RecommendationAdmin",
    "ReviewAdmin",
    "ReviewImportAdmin",
    "RunAdmin",
    "StatusChangeAdmin",
    "TopicChoiceAdmin",
]
