"""Faults in the pages that people look at first: one brand, all brands, the account."""

from tests.mutants.harness import Fault

_BRAND = ("tests/pages/test_brand_pages.py",)
_LIST = ("tests/pages/test_portfolio.py",)

OVERVIEW = (
    Fault(
        "what is to be done first is all of one kind",
        "visibility/services/recommendations/listing.py",
        'queue.order_by("place", *URGENCY)',
        "queue.order_by(*URGENCY)",
        ("tests/pages/test_recommendation_pages.py",),
    ),
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
        "a fall that was confirmed is told as part of a later one",
        "visibility/metrics/development.py",
        "return moved_on >= raised_since and",
        "return",
        _BRAND,
    ),
    Fault(
        "a rise that the monitor raises is told as the fall before it",
        "visibility/metrics/development.py",
        " and (moved_by < 0) == (raised_by < 0)",
        "",
        _BRAND,
    ),
    Fault(
        "a brand that rose needs attention as one that fell",
        "visibility/services/overview/attention.py",
        "(is_confirmed & Q(confirmed_delta__lt=0))",
        "is_confirmed",
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
