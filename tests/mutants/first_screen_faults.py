"""Faults in the first screen of a brand, its charts and the names of engines."""

from tests.mutants.harness import Fault

_SCREEN = ("tests/pages/test_first_screen.py",)
_RIVALS = ("tests/measurement/test_rivalry.py",)
_CHARTS = ("tests/pages/test_charts.py",)

FIRST_SCREEN = (
    Fault(
        "an engine is shown as it is stored",
        "visibility/engines/display.py",
        'return _CALLED.get(_BETWEEN_WORDS.sub("_", name.casefold()), name) + where',
        "return name + where",
        ("tests/engines/test_display.py",),
    ),
    Fault(
        "a domain is taken for an engine",
        "visibility/engines/display.py",
        r"(?![\w@/-]|\.\w)",
        r"(?![\w@/-])",
        ("tests/engines/test_display.py",),
    ),
    Fault(
        "prompts that name the brand count for its lead",
        "visibility/metrics/rivalry.py",
        "named=day.named[:, theirs] | day.named[:, [mine]],",
        "named=np.zeros_like(day.named[:, theirs]),",
        _RIVALS,
    ),
    Fault(
        "a rival that leads is said to be behind",
        "visibility/metrics/rivalry.py",
        "return self.verdict is Verdict.MOVED and (self.delta or 0.0) < 0",
        "return False",
        _RIVALS,
    ),
    Fault(
        "each rival is judged as if it were the only one",
        "visibility/metrics/rivalry.py",
        "judgements = judge_together(tests, np.ones((1, 1, 1), dtype=bool))",
        "judgements = [judge_together([test], np.ones((1, 1, 1), dtype=bool))[0] for test in tests]",
        _RIVALS,
    ),
    Fault(
        "the place is told as if all were known",
        "visibility/metrics/rivalry.py",
        "return Places(1 + behind, 1 + len(rows) - ahead, 1 + len(rows))",
        "return Places(1 + behind, 1 + behind, 1 + len(rows))",
        _RIVALS,
    ),
    Fault(
        "what could not have shown is called level",
        "visibility/services/overview/verdict.py",
        "if all(row.lead.verdict is Verdict.WITHIN_NOISE for row in even):",
        "if even:",
        _SCREEN,
    ),
    Fault(
        "an engine is called the worst though intervals overlap",
        "visibility/pages/present/first_screen.py",
        "first.high < min(lows):",
        "first.high < max(lows) + 100:",
        _SCREEN,
    ),
    Fault(
        "topics that are not sold are the weakest",
        "visibility/pages/present/first_screen.py",
        "rows = [row for row in topics if row.is_own] or list(topics)",
        "rows = list(topics)",
        _SCREEN,
    ),
    Fault(
        "nothing is said of a scan that is late",
        "visibility/pages/present/first_screen.py",
        "elif brand.next_run_at and brand.next_run_at + LATE < at:",
        "elif False:",
        _SCREEN,
    ),
    Fault(
        "words of marks lie upon each other",
        "visibility/pages/present/charts/marks.py",
        "            free = middle - text_width(text, FONT) / 2 - SPACE\n",
        "            pass\n",
        _CHARTS,
    ),
    Fault(
        "the table of the trend ends with its first page",
        "visibility/pages/present/charts/figure.py",
        "Paginator(own.days[::-1], MAX_ROWS).get_page(page)",
        "Paginator(own.days[::-1], MAX_ROWS).get_page(1)",
        _CHARTS,
    ),
    Fault(
        "sites are counted with the questions that name the brand",
        "visibility/services/overview/cited.py",
        ".exclude(prompt__in=branded)",
        "",
        ("tests/reading/test_overview_facts.py",),
    ),
)
