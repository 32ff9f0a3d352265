"""The page of the kinds, made from the kinds themselves: `python -m tests.recommendations.reference --write`."""

import os
import sys
from importlib import import_module
from pathlib import Path

import django

FILE = Path(__file__).resolve().parent.parent.parent / "docs" / "recommendations.md"
HEAD = """\
# The kinds of recommendations

Written by `python -m tests.recommendations.reference --write` from the kinds themselves; a test keeps it equal to
them.

A gap opens a recommendation at one threshold and closes it at another: between them what is open stays open and
what is closed stays closed. Nothing is recommended on a topic that the brand does not sell, as its owner or an
editor said; what nobody has decided counts. What is closed becomes `resolved` by
measurement, also where people were at it or had done it; what they dismissed stays so. Of each kind so many are
open at most, the most urgent:

    priority = 100 · (0.35 · √reach + 0.25 · k/(n+1) + 0.15 · engines + 0.15 · effect + 0.10 · ease)

*reach* is the share of all answers that it concerns, k of n answers that could show it do, *engines* is the share
of the engines that show it, *effect* is 1 where it was measured, 0.6 where it is plausible and 0.3 where nothing is
known, *ease* is 1, 0.5 or 0 for low, medium and high effort. Where priorities are equal, what more answers show
comes first, then what more engines show.
"""
FOUND_IN = {"answers": "answers, after each scan", "evidence": "evidence, when it was made", "audit": "each audit"}
PROVEN_BY = {
    "score": "the score on its topic",
    "citation_rate": "the citation rate on its topic",
    "audit": "the next audit",
    "nothing": "nothing that is measured",
}


def reference(kinds) -> str:
    """The whole page."""
    return "\n".join([HEAD, *(section(kind) for kind in sorted(kinds, key=lambda kind: kind.id))])


def section(kind) -> str:
    """One kind: why it matters, when it opens and closes as its module says it, and what it is held to."""
    text = (sys.modules[type(kind).__module__].__doc__ or "").strip()
    return (
        f"## `{kind.id}`\n\n{kind.reason}\n\n{text}\n\n"
        f"Found in {FOUND_IN[kind.basis]}; at most {kind.max_open} open; proven by {PROVEN_BY[kind.proven_by]}.\n"
    )


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    django.setup()
    page = reference(import_module("visibility.insights.recommendations.kinds").KINDS)
    if "--write" in sys.argv:
        FILE.write_text(page)
    else:
        sys.stdout.write(page)
