"""Faults in what people read on their way through a task."""

from tests.mutants.harness import Fault

TASKS = (
    Fault(
        "a finding of an audit is told as if answers showed it",
        "visibility/pages/present/work.py",
        'on_pages = row.kind == "audit_finding" and not factors.get("engines")',
        "on_pages = False",
        ("tests/pages/test_recommendation_pages.py",),
    ),
)
