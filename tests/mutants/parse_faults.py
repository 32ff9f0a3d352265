"""The faults of the parser of site audits: pages, robots.txt, sitemaps and the process that reads them."""

from tests.mutants.harness import Fault

PARSE = "visibility/audit/parse"
FIELDS = ("tests/audit/parse/test_fields.py",)
HOSTILE = ("tests/audit/parse/test_hostile.py",)
MARKUP = ("tests/audit/parse/test_markup.py",)
PRICES = ("tests/audit/parse/test_products.py::test_which_price_is_the_offers",)
AMOUNTS = ("tests/audit/parse/test_products.py::test_amounts_are_read_as_people_write_them",)
ROBOTS = ("tests/audit/parse/test_robots.py",)
SITEMAPS = ("tests/audit/parse/test_sitemaps.py",)
CHILD = "tests/audit/parse/test_child.py"
TEXT = ("tests/audit/parse/test_main_text.py",)

PARSING = (
    Fault(
        "a date that moves makes new content",
        f"{PARSE}/dates.py",
        'day.quote.replace(match.quote, "")',
        "day.quote",
        TEXT,
    ),
    Fault(
        "a bracket in quotes ends a tag before its length is known",
        f"{PARSE}/limits.py",
        "        written = tag[0] if position - tag.start() > MAX_TAG_BYTES",
        '        written = tag[0].partition(b">")[0] if position - tag.start() > MAX_TAG_BYTES',
        HOSTILE,
    ),
    Fault(
        "a picture written into the page counts as a tag too large",
        f"{PARSE}/limits.py",
        'len(_LONG_VALUE.sub(b"", written))',
        "len(written)",
        HOSTILE,
    ),
    Fault(
        "a page that is nested too deep is cut instead of told",
        f"{PARSE}/limits.py",
        "MAX_DEPTH = 1_000",
        "MAX_DEPTH = 100_000",
        HOSTILE,
    ),
    Fault(
        "any codec of Python is an encoding of pages",
        f"{PARSE}/decoding.py",
        'return name if name in _KNOWN else ""',
        "return name",
        HOSTILE,
    ),
    Fault(
        "Latin-1 is read as Latin-1, not as browsers do",
        f"{PARSE}/decoding.py",
        '"iso8859-1": "cp1252"',
        '"iso8859-1": "iso8859-2"',
        FIELDS,
    ),
    Fault(
        "what keeps the back of a card invisible hides a page",
        f"{PARSE}/document.py",
        r'r"(?<![\w-])(?:display',
        r'r"(?:display',
        FIELDS,
    ),
    Fault(
        "a page that waits to be shown is invisible",
        f"{PARSE}/document.py",
        'if element.tag in ("html", "body", "main") or element.find(".//h1") is not None:',
        'if element.tag in ("html", "body", "main"):',
        FIELDS,
    ),
    Fault(
        "raised cents are more euros",
        f"{PARSE}/document.py",
        '            self.parts.append(".")',
        '            self.parts.append("")',
        PRICES,
    ),
    Fault(
        "a price that is struck out is the offer's",
        f"{PARSE}/prices.py",
        "    worth -= 3.0 * bool(_struck(line.element) or _STRUCK.search(names))\n",
        "    worth += 3.0 * bool(_struck(line.element) or _STRUCK.search(names))\n",
        PRICES,
    ),
    Fault(
        "what is saved is the price",
        f"{PARSE}/prices.py",
        "    worth -= 3.0 * bool(_OTHER_BEFORE",
        "    worth -= 0.0 * bool(_OTHER_BEFORE",
        PRICES,
    ),
    Fault(
        "three digits behind a comma are a fraction",
        f"{PARSE}/money.py",
        "    if len(rest) == 3 and (several",
        "    if len(rest) == 4 and (several",
        AMOUNTS,
    ),
    Fault(
        "letters inside a word are a currency",
        f"{PARSE}/money.py",
        r"(?P<after_sign>{_NUMBER})(?![^\W\d_])",
        r"(?P<after_sign>{_NUMBER})",
        AMOUNTS,
    ),
    Fault(
        "3/4/2026 is the third of April",
        f"{PARSE}/day_words.py",
        "            if one <= 12 and two <= 12 and one != two:\n                return None\n",
        "",
        FIELDS,
    ),
    Fault(
        "a comment's date is the page's",
        f"{PARSE}/dates.py",
        "in _OF_OFFERS or of_another(element):",
        "in _OF_OFFERS:",
        FIELDS,
    ),
    Fault(
        "who wrote a review has written the page",
        f"{PARSE}/bylines.py",
        "and not of_another(element) and (name",
        "and (name",
        FIELDS,
    ),
    Fault(
        "one broken block of JSON-LD says nothing of why",
        f"{PARSE}/jsonld.py",
        "        said, at = str(error), line + error.line - 1",
        '        said, at = "", line + error.line - 1',
        MARKUP,
    ),
    Fault(
        "JSON-LD is stored however deep it is",
        f"{PARSE}/jsonld.py",
        "    if _nesting(value) > MAX_NESTING:\n",
        "    if _nesting(value) > 500:\n",
        HOSTILE,
    ),
    Fault(
        "NaN is a price",
        f"{PARSE}/jsonld.py",
        '    raise _Broken(f"{name} is no value of JSON")',
        "    return name",
        MARKUP,
    ),
    Fault(
        "flags of England are orders to machines",
        f"{PARSE}/hidden.py",
        '    source = _FLAG.sub("", page.source)',
        "    source = page.source",
        FIELDS,
    ),
    Fault(
        "a block begins somewhere else than it says",
        f"{PARSE}/maintext.py",
        "        self.offset += len(text) + 1",
        "        self.offset += len(text)",
        TEXT,
    ),
    Fault(
        "a page whose text the extractor misses has none",
        f"{PARSE}/maintext.py",
        "    if kept_words < MIN_WORDS and missed",
        "    if kept_words < 0 and missed",
        TEXT,
    ),
    Fault(
        "a line that is no rule ends a group",
        f"{PARSE}/robots.py",
        "        if name not in _AGENT and name not in _RULES and not ruled:\n            group.parted.append(line)",
        "        if name not in _AGENT and name not in _RULES and not ruled:\n            ruled = True",
        ROBOTS,
    ),
    Fault(
        "a byte order mark hides the first line of robots.txt",
        f"{PARSE}/robots.py",
        '.removeprefix("\\ufeff")',
        "",
        ROBOTS,
    ),
    Fault(
        "the shortest rule decides",
        f"{PARSE}/robots.py",
        "key=lambda rule: -len(rule.path)",
        "key=lambda rule: len(rule.path)",
        ROBOTS,
    ),
    Fault(
        "entities of a sitemap are followed",
        f"{PARSE}/sitemaps.py",
        r'    if re.search(rb"<!(?:ENTITY|DOCTYPE[^>]*\[)"',
        r'    if re.search(rb"<!(?:NOTHING)"',
        SITEMAPS,
    ),
    Fault(
        "all entries of a sitemap are kept",
        f"{PARSE}/sitemaps.py",
        "        if len(self.entries) < MAX_ENTRIES:",
        "        if len(self.entries) < MAX_TOTAL * 2:",
        SITEMAPS,
    ),
    Fault(
        "the process that parses has the worker's environment",
        f"{PARSE}/child.py",
        "            env=_ENVIRONMENT,\n",
        "",
        (f"{CHILD}::test_the_process_has_no_secret_no_connection_and_tight_limits",),
    ),
    Fault(
        "processor time is granted once, not page by page",
        f"{PARSE}/worker.py",
        "    soft = int(used.ru_utime + used.ru_stime) + seconds",
        "    soft = seconds + 0 * int(used.ru_utime)",
        (f"{CHILD}::test_processor_time_is_granted_page_by_page",),
    ),
    Fault(
        "a page may take the whole memory",
        f"{PARSE}/worker.py",
        "(resource.RLIMIT_AS, memory)",
        "(resource.RLIMIT_AS, resource.RLIM_INFINITY)",
        (f"{CHILD}::test_the_process_has_no_secret_no_connection_and_tight_limits",),
    ),
    Fault(
        "a process that was killed is not replaced",
        f"{PARSE}/child.py",
        "        if process is None or process.poll() is not None:",
        "        if process is None:",
        (f"{CHILD}::test_a_process_killed_between_pages_costs_none",),
    ),
)
