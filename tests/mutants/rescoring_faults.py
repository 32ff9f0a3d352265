"""Faults of measuring history again: what is noticed, who may write, when the figures change, who sees what."""

from tests.mutants.harness import Fault

RESCORING = (
    Fault(
        "an edit of names leaves history as it was",
        "brands/services/access.py",
        'update(names_version=F("names_version") + 1)',
        'update(names_version=F("names_version"))',
        ("tests/scans/test_rescore.py::TestFigures",),
    ),
    Fault(
        "the classes of domains are no part of what history was made with",
        "visibility/measured/names.py",
        '"classes": dict(self.classes), **described}',
        '"classes": {}, **described}',
        ("tests/scans/test_domain_classes.py::TestHistory",),
    ),
    Fault(
        "a generation becomes current without a scan that ended meanwhile",
        "visibility/pipeline/generations/building.py",
        "or _missing(generation).exists() or _unscored(generation)",
        "or _unscored(generation)",
        (
            "tests/scans/test_rescore_steps.py::"
            "test_a_scan_that_ends_meanwhile_is_seen_at_once_and_is_in_the_next_generation",
        ),
    ),
    Fault(
        "readers see a generation that is being built",
        "visibility/models/generations.py",
        "super().get_queryset().filter(generation__state=Generation.State.CURRENT)",
        "super().get_queryset()",
        ("tests/scans/test_rescore_steps.py::test_the_switch_happens_whole_or_not_at_all",),
    ),
    Fault(
        "the scores of runs stay those of the generation before",
        "visibility/pipeline/generations/building.py",
        "            _show_run_scores(generation)\n",
        "",
        ("tests/scans/test_rescore.py::TestFigures",),
    ),
    Fault(
        "an older worker takes back the generation of a newer detector",
        "visibility/pipeline/generations/planning.py",
        "generation.detector >= DETECTOR",
        "generation.detector == DETECTOR",
        ("tests/scans/test_rescore.py::TestReleases",),
    ),
    Fault(
        "citations of a generation are taken over though domains changed",
        "visibility/pipeline/detect/reusing.py",
        'for part in ("domains", "classes")',
        'for part in ("classes",)',
        ("tests/scans/test_rescore_steps.py::TestTakingOver",),
    ),
    Fault(
        "an import of many days begins anew in each turn of its generation",
        "visibility/pipeline/generations/building.py",
        "if day == of_run[-1] or str(run.pk) not in pooled.get(day, ()):",
        "if day:",
        ("tests/scans/test_rescore_steps.py::TestTurns",),
    ),
)
