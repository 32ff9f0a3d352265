"""The faults that audits of whole sites found: what is not judged, and what is blamed that should not be."""

from tests.mutants.harness import Fault

SITEMAPS = "visibility/audit/checks/discovery/sitemaps.py"

WHOLE_SITES = (
    Fault(
        "addresses of a sitemap are compared letter by letter with those of the crawl",
        SITEMAPS,
        "known.update((page_key(page.fetched.url), page) for page in site.pages)",
        "known.update((page.fetched.url, page) for page in site.pages)",
        ("tests/audit/checks/test_sitemaps.py",),
    ),
    Fault(
        "only the beginning of a sitemap is looked at",
        SITEMAPS,
        "for url in spread((u for u in listed if page_key(u) in known), SAMPLE)]",
        "for url in [u for u in listed if page_key(u) in known][:SAMPLE]]",
        ("tests/audit/checks/test_sitemaps.py",),
    ),
    Fault(
        "content is old though its text names a later month",
        "visibility/audit/checks/freshness.py",
        "    if later := _later_month(site, newest):\n",
        '    if later := "":\n',
        ("tests/audit/checks/test_freshness.py",),
    ),
    Fault(
        "a month to come shows that content is new",
        "visibility/audit/checks/freshness.py",
        "if first < month.day <= _latest(site):",
        "if first < month.day:",
        ("tests/audit/checks/test_freshness.py",),
    ),
    Fault(
        "what is updated as of a date makes it the date of the page",
        "visibility/audit/parse/day_words.py",
        'rf"\\b(?:updated|{_NOUN}"',
        'rf"\\b(?:updated?"',
        ("tests/audit/parse/test_fields.py",),
    ),
    Fault(
        "every directive keeps a page out of search",
        "visibility/audit/checks/directives.py",
        'if mark.word in ("noindex", "none")]',
        "]",
        ("tests/audit/runs/test_whole_sites.py", "tests/audit/checks/test_access_directives.py"),
    ),
)
