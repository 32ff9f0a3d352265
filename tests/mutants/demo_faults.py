"""Faults in the demo's past, and in the ranking of pages."""

from tests.mutants.harness import Fault

HISTORY = "tests/service/test_demo_history.py"

DEMO = (
    Fault(
        "each simulated day is answered from today's pages",
        "visibility/demo/history.py",
        "        _turn_back(caller, run.brand, number)\n",
        "",
        (HISTORY,),
    ),
    Fault(
        "the pages of a past day stay",
        "visibility/demo/history.py",
        "        transaction.set_rollback(True)\n",
        "",
        (HISTORY,),
    ),
    Fault(
        "the second engine of the demo is asked from the beginning",
        "visibility/demo/history.py",
        "number >= FIRST_OF_SECOND",
        "number >= 1",
        (HISTORY,),
    ),
    Fault(
        "old pages are quoted before new ones",
        "visibility/engines/adapters/local_search.py",
        "0.5 ** (age / HALF_LIFE_DAYS)",
        "2 ** (age / HALF_LIFE_DAYS)",
        ("tests/engines/test_local_search.py",),
    ),
    Fault(
        "an engine over stored pages is mixed with one that is asked",
        "visibility/engines/adapters/local_search.py",
        "return engine == NAME or engine.startswith(PREFIX)",
        "return engine == NAME",
        ("tests/engines/test_local_search.py",),
    ),
    Fault(
        "a brand is asked through another ranking that it did not choose",
        "visibility/pipeline/ask/engines.py",
        "[config for config in usable if config.provider != NAME]",
        "usable",
        ("tests/engines/test_local_search.py",),
    ),
    Fault(
        "the page does not say that days are simulated",
        "visibility/pages/brands.py",
        '"simulated": simulated(brand.pk) if brand.domain == demo.DOMAIN else None',
        '"simulated": None',
        ("tests/pages/test_simulated.py",),
    ),
)
