"""Answer engines: each asks one system one question once. No database, no Django. See README.md."""

from visibility.engines.asking import account_digest, open_engine
from visibility.engines.local_search import LocalSearch, Passage, search_terms
from visibility.engines.presets import PRESETS
from visibility.engines.pricing import Usage, make_bill, price_ratio
from visibility.engines.types import (
    LOST_SOURCES,
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
    "LOST_SOURCES",
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
    "Source",
    "Usage",
    "account_digest",
    "make_bill",
    "open_engine",
    "price_ratio",
    "search_terms",
]
