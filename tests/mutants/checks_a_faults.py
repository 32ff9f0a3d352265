"""Faults in the checks of access, rendering, discovery and agents, in the score and in the words of findings."""

from tests.mutants.harness import Fault

RULES = "visibility/audit/checks/access/rules.py"
SERVING = "visibility/audit/checks/access/serving.py"
RENDERING = "visibility/audit/checks/rendering.py"
LINKS = "visibility/audit/checks/discovery/links.py"
SITEMAPS = "visibility/audit/checks/discovery/sitemaps.py"
ALL = "tests/audit/checks/test_all.py"

CHECKS_A = (
    Fault(
        "a check that does not apply lowers the score",
        "visibility/audit/score.py",
        'outcome.verdict in ("passed", "failed")',
        'outcome.verdict in ("passed", "failed", "not_applicable")',
        ("tests/audit/test_score.py",),
    ),
    Fault(
        "a cap raises a lower score",
        "visibility/audit/score.py",
        "min([mean, *(cap.cap for cap in caps)])",
        "min([cap.cap for cap in caps] or [mean])",
        ("tests/audit/test_score.py",),
    ),
    Fault(
        "a finding that is not critical caps the score",
        "visibility/audit/score.py",
        "if outcome.critical and entry.cap is not None",
        'if outcome.verdict == "failed" and entry.cap is not None',
        ("tests/audit/test_score.py",),
    ),
    Fault(
        "a site without pages is judged by checks that need pages",
        "visibility/audit/checks/registry.py",
        "if site.home is None and name not in WITHOUT_PAGES",
        "if False",
        (ALL,),
    ),
    Fault(
        "one crawler kept out is a critical defect",
        RULES,
        "all_out = all((bot, urls[0]) in barred for bot in bots) and share < 0.5",
        "all_out = any((bot, urls[0]) in barred for bot in bots)",
        ("tests/audit/checks/test_access_rules.py",),
    ),
    Fault(
        "rules of one host are put on another",
        RULES,
        "others = [url for url in listed if host_of(url) == host_of(home) and url not in known]",
        "others = [url for url in listed if url not in known]",
        ("tests/audit/checks/test_access_rules.py",),
    ),
    Fault(
        "closing everything to a training crawler is a fault of its group",
        RULES,
        "    if not rules.allowed(agent, _home(site)):\n        return []\n",
        "    if not rules.allowed(agent, _home(site)):\n        return list(closed)\n",
        ("tests/audit/checks/test_access_rules.py",),
    ),
    Fault(
        "a robots.txt that is not there counts as one that cannot be had",
        SERVING,
        "return robots.fetched.status >= 500 or",
        "return robots.fetched.status >= 400 or",
        ("tests/audit/checks/test_access_serving.py", ALL),
    ),
    Fault(
        "a web page at robots.txt has rules",
        SERVING,
        "    if rules.is_html:\n",
        "    if False:\n",
        ("tests/audit/checks/test_access_serving.py",),
    ),
    Fault(
        "noindex on a login page is a finding",
        "visibility/audit/checks/pages.py",
        "    if parsed.kind in PRIVATE_KINDS or _PRIVATE.search(parts.path):\n        return False\n",
        "",
        ("tests/audit/checks/test_access_directives.py",),
    ),
    Fault(
        "noindex for one crawler is critical",
        "visibility/audit/checks/access/directives.py",
        "if page is site.home and not mark.bot]",
        "if page is site.home]",
        ("tests/audit/checks/test_access_directives.py",),
    ),
    Fault(
        "a directive for any crawler holds for search",
        "visibility/audit/checks/directives.py",
        "if not bot or bot in SEARCH_BOTS:",
        "if True:",
        ("tests/audit/checks/test_access_directives.py",),
    ),
    Fault(
        "a short page that the server wrote is called written by scripts",
        RENDERING,
        "if page.client_rendered and page.words < MIN_WORDS]",
        "if page.words < MIN_WORDS]",
        ("tests/audit/checks/test_rendering.py",),
    ),
    Fault(
        "a way to the home page passes for an answer of 404",
        RENDERING,
        "    if 400 <= answer.status < 500:\n",
        "    if 400 <= answer.status < 500 or answer.hops:\n",
        ("tests/audit/checks/test_rendering.py",),
    ),
    Fault(
        "a page that was cut is not told",
        RENDERING,
        "if page.cut or _is_heavy(page)]",
        "if _is_heavy(page)]",
        ("tests/audit/checks/test_rendering.py",),
    ),
    Fault(
        "a throttled link is broken",
        LINKS,
        "frozenset({401, 402, 403, 405, 407, 429, 451})",
        "frozenset({401, 402, 403, 405, 407, 451})",
        ("tests/audit/checks/test_links.py",),
    ),
    Fault(
        "a page that links were not followed to is called lost",
        LINKS,
        "    if complete or expected:\n",
        "    if True:\n",
        ("tests/audit/checks/test_links.py",),
    ),
    Fault(
        "a slash at the end makes another page",
        "visibility/audit/checks/addresses.py",
        'path = _INDEX.sub("/", parts.path).rstrip("/")',
        'path = _INDEX.sub("/", parts.path)',
        ("tests/audit/checks/test_links.py", "tests/audit/checks/test_sitemaps.py"),
    ),
    Fault(
        "a sitemap on another host is a fault",
        SITEMAPS,
        "if not sitemap.kind or (sitemap.problem and not moot):",
        "if not sitemap.kind or sitemap.problem:",
        ("tests/audit/checks/test_sitemaps.py",),
    ),
    Fault(
        "versions in other languages may not share a title",
        "visibility/audit/checks/discovery/texts.py",
        "if len(group) > 1 and not _versions(group)",
        "if len(group) > 1",
        ("tests/audit/checks/test_texts.py",),
    ),
    Fault(
        "a soft 404 is taken for an llms.txt",
        "visibility/audit/checks/agent_surfaces.py",
        "        if missing and missing.fetched.answered:\n",
        "        if False:\n",
        ("tests/audit/checks/test_agent_surfaces.py",),
    ),
    Fault(
        "what a site wrote stands in a prompt as an order",
        "visibility/audit/wording.py",
        "return text if name in OWN_WORDS else quoted(text)",
        "return text",
        ("tests/audit/test_wording.py", ALL),
    ),
    Fault(
        "the places of a finding stand in a prompt without marks",
        "visibility/audit/wording.py",
        'f"- {quoted(_place(piece))}"',
        'f"- {_place(piece)}"',
        ("tests/audit/test_wording.py", ALL),
    ),
    Fault(
        "a word of a site is read as a template",
        "visibility/audit/wording.py",
        "return _PLACEHOLDER.sub(lambda match: show(match[1], words.get(match[1], _LOST)), template)",
        "filled = _PLACEHOLDER.sub(lambda match: show(match[1], words.get(match[1], _LOST)), template)\n"
        "    return _PLACEHOLDER.sub(lambda match: show(match[1], words.get(match[1], _LOST)), filled)",
        ("tests/audit/test_wording.py",),
    ),
)
