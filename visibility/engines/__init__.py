"""Answer engines: each asks one system one question once. No database, no Django. See README.md."""

from visibility.engines.asking import account_digest, open_engine
from visibility.engines.local_search import LocalSearch, Passage, search_terms
from visibility.engines.presets import PRESETS
from visibility.engines.types import Bill, Engine, EngineError, EngineSettings, Prices, Question, Reply

__all__ = [
    "PRESETS",
    "Bill",
    "Engine",
    "EngineError",
    "EngineSettings",
    "LocalSearch",
    "Passage",
    "Prices",
    "Question",
    "Reply",
    "account_digest",
    "open_engine",
    "search_terms",
]
