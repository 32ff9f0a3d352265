"""Every address of the service as pages that people open in a browser, in several worlds.

The addresses are not listed: what is new in the URL configuration is looked at by itself. An argument that is new
gets an example in `tests/browser/worlds/making.py`.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from urllib.parse import quote

from tests.pages.isolation.addresses import Address
from tests.pages.isolation.rules import Door

WORLDS_OF = {
    Door.PUBLIC: ("nobody",),
    Door.OWN: ("demo", "newcomer", "hostile"),
    Door.BRAND: ("demo", "bare", "hostile"),
}
"""Where an address of a kind looks different: signed out, with nothing, with much, and with hostile texts."""
NOT_PAGES = {
    "api/": "answers in JSON, but for its own page, which test_api_page opens",
    "openapi.json": "a description for programs",
    "healthz": "for load balancers",
    "readyz": "for load balancers",
    "admin/": "the pages of staff have a sweep of their own",
}
"""Starts of addresses that are not opened here, with the reason."""
QUERIES: Mapping[str, Sequence[str]] = {
    "brand-list": ("?q=nobody", "?sort=name"),
    "prompts-page": ("?text=bike", "?state=archived", "?text=no-such-word"),
    "prompt-page": ("?engine=local-search",),
    "recommendations-page": ("?state=done", "?state=dismissed"),
    "runs-page": ("?kind=audit", "?kind=comparison"),
    "trend-page": ("?days=30&engine=local-search",),
    "evidence-page": ("?all=on",),
    "sources-page": ("?cls=news",),
    "answer-page": ("?raw",),
    "plan-page": ("?effect=1",),
    "start-page": ("?next=topics",),
    "compare-runs": ("?before={before}&now={now}",),
}
"""Further looks of a page, by the name of its address."""
MAKE_WORLDS = "from tests.browser.worlds.making import print_worlds; print_worlds()"
"""What makes the worlds, in a process of the service."""
Rows = Mapping[str, Sequence[str]]


def is_page(address: Address) -> bool:
    """Whether the address is one that people may open in the browser, as far as its route tells."""
    return not address.route.startswith(tuple(NOT_PAGES))


def paths(address: Address, rows: Rows) -> Iterator[str]:
    """The address with each example of its arguments, then with each of its queries; none without an example."""
    examples = [_examples(address, argument, rows) for argument in address.arguments]
    first = ""
    for values in product(*examples):
        path = address.path(dict(zip(address.arguments, map(quote, values), strict=True)))
        first = first or path
        yield path
    if not first:
        return
    named = {name: values[0] for name, values in rows.items() if values}
    for query in QUERIES.get(address.name, ()):
        yield first + query.format_map({"before": "", "now": "", **named})


def _examples(address: Address, argument: str, rows: Rows) -> Sequence[str]:
    table = "answers" if "brand_id" in address.route else "usage"
    known = {"format": ["markdown"], "extension": ["svg"], "table": [table], **rows}
    return known.get(f"{address.name}.{argument}", known.get(argument, ()))


def refusals(faults: Sequence[str], status: int) -> list[str]:
    """The faults without what a browser notes when a page answers with this status."""
    noted = (f"{status} for ", f"console: Failed to load resource: the server responded with a status of {status} ")
    return [fault for fault in faults if not fault.startswith(noted)]
