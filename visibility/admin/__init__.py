"""The operators' desk for what is measured."""

from visibility.admin import engines, instrument, measured, prompts, runs

__all__ = ["engines", "instrument", "measured", "prompts", "runs"]
