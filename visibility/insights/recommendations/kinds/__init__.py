"""The kinds of recommendations, one module for each; those that are found in answers, in evidence, in audits."""

from collections.abc import Sequence

from visibility.insights.recommendations.kind import Kind

KINDS: Sequence[Kind] = ()
"""Every kind, each once. The order says nothing: priorities are comparable."""
