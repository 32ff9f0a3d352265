"""Answer engines: each asks one system one question once. No database, no Django. See README.md."""

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
    "Bill",
    "Engine",
    "EngineError",
    "EngineSettings",
    "Prices",
    "Question",
    "Reply",
    "Source",
]
