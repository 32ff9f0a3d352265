"""Faults in the pages that people look at first: one brand, all brands, the account."""

from tests.mutants.harness import Fault

_BRAND = ("tests/pages/test_brand_pages.py",)
_LIST = ("tests/pages/test_portfolio.py",)

OVERVIEW = (
    Fault(
        "a brand behind others is said to be one place further ahead",
        "visibility/services/overview/standing.py",
        "place=len(leaders) + 1,",
        "place=max(len(leaders), 1),",
        _BRAND,
    ),
    Fault(
        "intervals that lie apart are said to overlap",
        "visibility/services/overview/standing.py",
        "if mine.low <= theirs.high and theirs.low <= mine.high:",
        "if mine.low <= theirs.high or theirs.low <= mine.high:",
        _BRAND,
    ),
    Fault(
        "a brand that rose needs attention as one that fell",
        "visibility/services/overview/listing.py",
        "return (confirmation.delta or 0.0) < 0",
        "return True",
        _LIST,
    ),
    Fault(
        "the search of brands reads all that there are",
        "visibility/services/overview/listing.py",
        'Brand.objects.restrict(caller, "view").order_by()',
        "Brand.objects.order_by()",
        _LIST,
    ),
    Fault(
        "an expired key is called active",
        "apikeys/services/keys.py",
        'return "expired" if key.expires_at and key.expires_at <= now else "active"',
        'return "active"',
        ("tests/pages/test_account_page.py",),
    ),
)
