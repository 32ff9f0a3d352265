"""The faults of what a run of the tests looks at: samples, long proofs, worlds."""

from tests.mutants.harness import Fault

RUNNER = ("tests/architecture/test_run.py",)
BETWEEN = ("tests/service/test_between_tests.py",)

PROOFS = (
    Fault(
        "proofs take samples",
        "tests/run.py",
        "    if chosen.everything or chosen.proofs:\n",
        "    if chosen.everything:\n",
        RUNNER,
    ),
    Fault("what is for proofs is a sample", "tests/amounts.py", "1 if PROOFS else every", "every", RUNNER),
    Fault(
        "`make test` runs the long proofs",
        "tests/selection.py",
        "(*paths, *THROUGH_A_BROWSER, *LONG)",
        "(*paths, *THROUGH_A_BROWSER)",
        ("tests/service/test_build.py",),
    ),
    Fault(
        "proofs of both variants run on none",
        "tests/selection.py",
        "if not path.startswith(ONCE[variant])]",
        'if path.startswith(ONCE[variant]) and variant == "embedded"]',
        (*RUNNER, "tests/service/test_build.py"),
    ),
    Fault(
        "a world is made again for each test",
        "tests/worlds.py",
        "        _made[name] = rows, numbers\n",
        "",
        BETWEEN,
    ),
    Fault(
        "factories count from the beginning behind a world",
        "tests/worlds.py",
        "factory.reset_sequence(number, force=True)",
        "factory.reset_sequence(force=True)",
        BETWEEN,
    ),
    Fault(
        "a chance of a lead counts one answer too few",
        "visibility/metrics/leads.py",
        "bdtrc(alone - 1, trials, 0.5)",
        "bdtrc(alone, trials, 0.5)",
        ("tests/recommendations/test_core_kinds.py::test_a_lead_is_tested_by_the_answers_that_name_one_of_the_two",),
    ),
)
