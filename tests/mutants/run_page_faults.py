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
        "next((tally for key, tally in before.items() if key.version == question.version), None))",
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
    Fault(
        "run page: a page that is open goes on asking when the run has ended",
        "visibility/pages/runs.py",
        "status = 200 if run.status in Run.ACTIVE else ENDED",
        "status = 200",
        _RUNS,
    ),
    Fault(
        "run page: not the last error of an engine is shown, but its first",
        "visibility/services/runs/failures.py",
        'F("answered_at").desc(nulls_last=True)',
        'F("answered_at").asc(nulls_last=True)',
        _RUNS,
    ),
    Fault(
        "scan page: the cooldown of another brand is in the way",
        "visibility/services/scans/starting.py",
        'Run.objects.restrict(caller, "view").filter(brand=brand_id, kind=kind)',
        "Run.objects.filter(kind=kind)",
        ("tests/pages/test_scan_page.py",),
    ),
    Fault(
        "comparing runs: engines that were not asked alike are compared",
        "visibility/services/runs/comparing.py",
        "averaged: frozenset[str] = frozenset() if self._causes else counts[1].averaged",
        "averaged: frozenset[str] = counts[1].averaged",
        _RUNS,
    ),
    Fault(
        "comparing runs: the later one is taken for the earlier",
        "visibility/services/runs/comparing.py",
        "before, now = sorted(chosen[:2], key=lambda run: (run.created_at, run.pk))",
        "now, before = sorted(chosen[:2], key=lambda run: (run.created_at, run.pk))",
        _RUNS,
    ),
    Fault(
        "comparing runs: those of another brand can be chosen",
        "visibility/services/runs/comparing.py",
        "filter(brand=brand, kind=Run.Kind.VISIBILITY)",
        "filter(kind=Run.Kind.VISIBILITY)",
        _RUNS,
    ),
)
