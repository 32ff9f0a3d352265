"""The operators' desk for what is measured."""

from visibility.admin import engines, measured, prompts, runs

__all__ = ["engines", "measured", "prompts", "runs"]
