"""What is measured: prompts, runs, answers, what was found in them, scores and recommendations."""

from visibility.models.answers import Answer, Citation, Mention, RawBody
from visibility.models.audits import Audit, AuditPage, CheckResult, PageContent
from visibility.models.changes import ChangeRecord
from visibility.models.corpus import Page
from visibility.models.drafts import ContentDraft
from visibility.models.engines import BrandEngine, EngineConfig
from visibility.models.evidence import BrandEvidence, Evidence, Review, ReviewImport
from visibility.models.generations import Generation, RunScore
from visibility.models.judgements import NameJudgement
from visibility.models.preferences import Preference
from visibility.models.prompts import Intent, Prompt, PromptVersion, Purpose, Stage
from visibility.models.proofs import Proof
from visibility.models.provider_calls import COUNTED, ProviderCall
from visibility.models.recommendations import QUEUE_ORDER, Recommendation, StatusChange
from visibility.models.runs import Run
from visibility.models.scores import DailyScore, DayCount, Panel
from visibility.models.sources import DomainClass, SourceSighting
from visibility.models.suggestions import CompetitorSuggestion, UntrackedName
from visibility.models.topics import LeftOutTopic, TopicChoice

__all__ = [
    "COUNTED",
    "QUEUE_ORDER",
    "Answer",
    "Audit",
    "AuditPage",
    "BrandEngine",
    "BrandEvidence",
    "ChangeRecord",
    "CheckResult",
    "Citation",
    "CompetitorSuggestion",
    "ContentDraft",
    "DailyScore",
    "DayCount",
    "DomainClass",
    "EngineConfig",
    "Evidence",
    "Generation",
    "Intent",
    "LeftOutTopic",
    "Mention",
    "NameJudgement",
    "Page",
    "PageContent",
    "Panel",
    "Preference",
    "Prompt",
    "PromptVersion",
    "Proof",
    "ProviderCall",
    "Purpose",
    "RawBody",
    "Recommendation",
    "Review",
    "ReviewImport",
    "Run",
    "RunScore",
    "SourceSighting",
    "Stage",
    "StatusChange",
    "TopicChoice",
    "UntrackedName",
]
