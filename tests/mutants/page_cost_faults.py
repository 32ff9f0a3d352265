"""Faults in what is kept of now, in the order of the list of brands, and in what pages ask of the database."""

from tests.mutants.harness import Fault

_KEPT = ("tests/reading/test_kept_now.py",)
_LIST = ("tests/pages/test_portfolio.py",)
_COSTS = ("tests/pages/test_page_costs.py",)

PAGE_COSTS = (
    Fault(
        "what was counted is kept although other prompts are asked now",
        "visibility/measured/kept.py",
        "basis.brand, engines, questions.stamp, scores]",
        "basis.brand, engines, scores]",
        _KEPT,
    ),
    Fault(
        "what was counted is kept although an answer of the day came since",
        "visibility/measured/kept.py",
        "basis.brand, engines, questions.stamp, scores]",
        "basis.brand, questions.stamp]",
        _KEPT,
    ),
    Fault(
        "a silent cache breaks the pages",
        "visibility/measured/kept.py",
        "        return {}\n    return counted",
        "        raise\n    return found",
        _KEPT,
    ),
    Fault(
        "a rise needs attention as a fall does",
        "visibility/services/overview/attention.py",
        "is_confirmed & Q(confirmed_delta__lt=0)",
        "is_confirmed",
        _LIST,
    ),
    Fault(
        "a page beyond the last is empty",
        "visibility/services/overview/attention.py",
        "if not keys and page > 1:",
        "if False:",
        _LIST,
    ),
    Fault(
        "a brand that a page has read is read again",
        "brands/services/access.py",
        "        remember(readable_brand, brand, caller, brand_id)\n",
        "",
        _COSTS,
    ),
)
