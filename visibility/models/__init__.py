"""The tables of what is measured."""

from visibility.models.answers import Answer, Citation, Mention, Preference, RawBody, UntrackedName, WatchedName
from visibility.models.audits import Audit, AuditFinding, AuditPage
from visibility.models.changes import ChangeRecord
from visibility.models.content import Draft
from visibility.models.engines import BrandEngine, Engine, EngineAccount, Page, ProviderCall, Surface
from visibility.models.evidence import CitedPage, EvidenceItem, Review
from visibility.models.instrument import EngineChange, OutsideEvent
from visibility.models.notes import DayNote
from visibility.models.prompts import Prompt, PromptVersion, Topic
from visibility.models.reading import Reading, Statement
from visibility.models.recommendations import Diagnosis, Recommendation
from visibility.models.runs import Run, RunEngine
from visibility.models.scores import Cell, DailyScore

__all__ = [
    "Answer",
    "Audit",
    "AuditFinding",
    "AuditPage",
    "BrandEngine",
    "Cell",
    "ChangeRecord",
    "Citation",
    "CitedPage",
    "DailyScore",
    "DayNote",
    "Diagnosis",
    "Draft",
    "Engine",
    "EngineAccount",
    "EngineChange",
    "EvidenceItem",
    "Mention",
    "OutsideEvent",
    "Page",
    "Preference",
    "Prompt",
    "PromptVersion",
    "ProviderCall",
    "RawBody",
    "Reading",
    "Recommendation",
    "Review",
    "Run",
    "RunEngine",
    "Statement",
    "Surface",
    "Topic",
    "UntrackedName",
    "WatchedName",
]
