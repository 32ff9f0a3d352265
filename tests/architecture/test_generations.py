"""Readers see the current generation of figures: only the pipeline, which makes them, reaches for others."""

import ast

from tests.architecture.sources import sources

MAKERS = ("visibility/pipeline/", "visibility/measured/sample_rows.py", "visibility/insights/suggestions/storing.py")
DERIVED = ("mentions__", "citations__", "daily_scores__", "untracked_names__")
BY_KEY = "daily_scores__pk"
"""A join to the one row that a manager found sees no other generation."""


def test_only_the_pipeline_reaches_for_other_generations():
    found = [
        f"{source.path}:{node.lineno}"
        for source in sources()
        if not source.path.startswith((*MAKERS, "visibility/models/"))
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Attribute) and node.attr == "of_all_generations"
    ]
    assert not found, f"use `objects`, which is the current generation: {', '.join(found)}"


def test_nobody_joins_to_derived_rows():
    """A join goes round the managers and sees every generation."""
    found = [
        f"{source.path}:{node.lineno}"
        for source in sources()
        for node in ast.walk(source.tree)
        for name in _lookups(node)
        if name != BY_KEY and (name.startswith(DERIVED) or any(f"__{each}" in name for each in DERIVED))
    ]
    assert not found, f"ask the derived model itself instead: {', '.join(found)}"


def _lookups(node):
    """What may be a lookup: names of keyword arguments, and strings."""
    if isinstance(node, ast.keyword):
        return [node.arg or ""]
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []
