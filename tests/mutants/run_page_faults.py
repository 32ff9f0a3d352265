"""Faults in the pages of runs and days: who sees them, what is held against what, what comes first."""

from tests.mutants.harness import Fault

_RUNS = ("tests/pages/test_run_pages.py",)
_RESULTS = "visibility/services/runs/results.py"
_REPORTS = "visibility/services/runs/reports.py"

RUN_PAGES = (
    Fault(
        "run page: a run of another brand is shown",
        _REPORTS,
        'Run.objects.restrict(caller, "view").filter(brand=brand_id))',
        'Run.objects.restrict(caller, "view"))',
        _RUNS,
    ),
    Fault(
        "run page: rises come before falls",
        _RESULTS,
        'GROUPS = ("fell", "mixed", "rose", "same", "alone")',
        'GROUPS = ("rose", "mixed", "fell", "same", "alone")',
        _RUNS,
    ),
    Fault(
        "run page: names that are not counted yet are told as falls",
        "visibility/pages/runs.py",
        "if report.counted:",
        "if report:",
        _RUNS,
    ),
    Fault(
        "run page: another engine's answers are held against these",
        _RESULTS,
        "before.get(question))",
        "next((tally for key, tally in before.items() if key.prompt == question.prompt), None))",
        _RUNS,
    ),
    Fault(
        "day page: only one of a day's runs counts",
        _RESULTS,
        "together[question] + tally if question in together else tally",
        "tally",
        _RUNS,
    ),
    Fault(
        "day page: a day that was not measured shows the one before it",
        _REPORTS,
        "if not days or days[0].date != day:",
        "if not days:",
        _RUNS,
    ),
)
