"""Answer engines: each asks one system one question once. No database, no Django. See README.md."""

from visibility.engines.asking import account_digest, open_engine
from visibility.engines.local_search import RANKINGS, LocalSearch, Passage, is_local, search_terms
from visibility.engines.presets import PRESETS, Preset
from visibility.engines.types import (
    Bill,
    Engine,
    EngineError,
    EngineSettings,
    Prices,
    Question,
    Reply,
    Source,
)

__all__ = [
    "PRESETS",
    "RANKINGS",
    "Bill",
    "Engine",
    "EngineError",
    "EngineSettings",
    "LocalSearch",
    "Passage",
    "Preset",
    "Prices",
    "Question",
    "Reply",
    "Source",
    "account_digest",
    "is_local",
    "open_engine",
    "search_terms",
]
