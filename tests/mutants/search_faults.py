"""Faults in own pages that answer, in searches, and in the recommendations and opportunities that rest on both."""

from tests.mutants.harness import Fault

_PASSAGES, _OWN, _SEARCHES = (
    "visibility/writers/passages.py",
    "visibility/measured/own_pages.py",
    "visibility/measured/searches.py",
)
_KINDS = "visibility/insights/recommendations/kinds"
_READING = "visibility/insights/content/reading.py"
_PAGES_TESTS = ("tests/searching/test_own_pages.py",)
_SEARCH_TESTS = ("tests/searching/test_searches.py",)
_KIND_TESTS = ("tests/recommendations/test_searches.py::TestSearches",)
_COMPARISON_TESTS = ("tests/recommendations/test_searches.py::TestComparisons",)
_SHOWN_TESTS = ("tests/searching/test_shown.py",)

SEARCHED = (
    Fault(
        "a title over nothing answers",
        _PASSAGES,
        "return self.share >= MIN_SHARE and self.said >= MIN_SAID",
        "return self.share >= 0.3",
        _PAGES_TESTS,
    ),
    Fault(
        "rare words weigh no more than others",
        _PASSAGES,
        "return 1.0 + log((len(self._pages) + 1) / (self._spread[term] + 1))",
        "return 1.0",
        _PAGES_TESTS,
    ),
    Fault(
        "stored pages of others are own pages",
        _OWN,
        "if part == _STORED and is_own(row[0], domains):",
        "if part == _STORED:",
        _PAGES_TESTS,
    ),
    Fault(
        "searches behind questions that name the brand count",
        _SEARCHES,
        "if prompt is None or prompt.branded:",
        "if prompt is None:",
        _SEARCH_TESTS,
    ),
    Fault(
        "looking up stored pages is a search",
        _SEARCHES,
        "if not is_local(engine_day.engine)",
        "if engine_day.engine",
        _SEARCH_TESTS,
    ),
    Fault(
        "a page is missing where none was read",
        f"{_KINDS}/search.py",
        "if not material.basis.engines or not material.own_pages.pages:",
        "if not material.basis.engines:",
        _KIND_TESTS,
    ),
    Fault(
        "one answer's search is enough",
        f"{_KINDS}/search.py",
        "if is_missing and is_enough(showing)",
        "if is_missing",
        _KIND_TESTS,
    ),
    Fault(
        "what names a competitor is the brand's to answer",
        f"{_KINDS}/search.py",
        "if named_by(row.query, names) <= {BRAND}",
        "if row.query",
        _KIND_TESTS,
    ),
    Fault(
        "an own page that compares closes nothing",
        f"{_KINDS}/comparison_page.py",
        "if has_page or (share",
        "if (share",
        _COMPARISON_TESTS,
    ),
    Fault(
        "two names on two lines are compared",
        "visibility/writers/comparing.py",
        "and not _BREAK.search(between) ",
        "",
        _COMPARISON_TESTS,
    ),
    Fault(
        "a topic that its owner refused is worth writing about",
        _READING,
        "material.concerns.keys() - _not_own(material)",
        "material.concerns.keys()",
        _SHOWN_TESTS,
    ),
    Fault(
        "an own page that answers is written again",
        _READING,
        "[replace(row, page=_existing(row, material.own_pages)) for row in rows]",
        "rows",
        _SHOWN_TESTS,
    ),
)
