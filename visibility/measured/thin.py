"""Figures of which most prompts are archived: they stay, without topic intervals. Pure.

Who archives most of what was asked has chosen by something that may go with the score: what is left is no sample of
"prompts like these". The panel interval, of exactly these questions, stays.
"""

from collections.abc import Collection
from typing import Any

from visibility.metrics.intervals import Kind
from visibility.models import DailyScore

FEW_PROMPTS_LEFT = "few_prompts_left"
_METRICS = ("score", "share_of_voice", "prominence", "citation_rate")
_PREFIXES = ("", *(f"{name}_" for name in _METRICS[1:]))
"""Of the names of ends and kind of an interval, such as `share_of_voice_low`."""


def drop_intervals(row: DailyScore, thin: Collection[str | None]) -> None:
    """Take the topic intervals from a score that is not stored: of these engines, and with None over engines."""
    if None in thin:
        for prefix in _PREFIXES:
            if getattr(row, f"{prefix}interval") != Kind.QUESTIONS:
                for part in ("low", "high", "interval"):
                    setattr(row, f"{prefix}{part}", None)
        row.by_locale, row.budget = _bare(row.by_locale), {"score": None}
        row.details["overall"] = _bare(row.details["overall"])
        row.details["no_interval"] = {
            name: FEW_PROMPTS_LEFT
            for name, prefix in zip(_METRICS, _PREFIXES, strict=True)
            if getattr(row, f"{prefix}low") is None
        }
    row.engines = [_bare(item) if item["engine"] in thin else item for item in row.engines]
    row.details["engines"] = {
        engine: _bare(figures) if engine in thin else figures for engine, figures in row.details["engines"].items()
    }


def _bare(stored: Any) -> Any:
    """Figures as they are stored, without their topic intervals."""
    if isinstance(stored, list):
        return [_bare(item) for item in stored]
    if not isinstance(stored, dict):
        return stored
    bare = {name: _bare(value) for name, value in stored.items()}
    for prefix in _PREFIXES:
        if bare.get(f"{prefix}interval") != Kind.QUESTIONS:
            bare |= {name: None for part in ("low", "high", "interval") if (name := f"{prefix}{part}") in bare}
    is_figure = "no_interval" in bare and bare.get("value", bare.get("score")) is not None
    return bare | ({"no_interval": FEW_PROMPTS_LEFT} if is_figure and bare.get("low") is None else {})
