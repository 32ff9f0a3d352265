"""The faults of how answers, quotes and sources are shown to people."""

from tests.mutants.harness import Fault

MARKDOWN = ("tests/pages/test_markdown.py",)
HOSTILE = ("tests/pages/test_hostile_texts.py",)
QUOTES = ("tests/pages/test_quotes.py",)
ANSWERS = ("tests/pages/test_answers_page.py",)
CITED = ("tests/pages/test_sources_page.py",)
FOUND = ("tests/pages/test_evidence_page.py",)

SHOWN_ANSWERS = (
    Fault(
        "words of answers are written as HTML",
        "visibility/pages/present/markdown.py",
        "        self._html.append(escape(clean(text)))\n",
        "        self._html.append(clean(text))\n",
        HOSTILE,
    ),
    Fault(
        "links lead where an answer says, whatever the scheme",
        "visibility/pages/present/markdown.py",
        "    if link is None or not link.href:\n        return",
        "    if link is None:\n        return",
        MARKDOWN,
    ),
    Fault(
        "links of answers tell whence one comes",
        "visibility/pages/present/markdown.py",
        ' rel="nofollow noreferrer">',
        ">",
        MARKDOWN,
    ),
    Fault(
        "nesting has no bound",
        "visibility/pages/present/markdown.py",
        "if tag in _NESTING and self._nesting > MAX_DEPTH:",
        "if False:",
        MARKDOWN,
    ),
    Fault(
        "a name across other markup is two marks",
        "visibility/pages/present/markdown.py",
        "        if mark is self._entered:\n",
        "        if False:\n",
        MARKDOWN,
    ),
    Fault(
        "notes stand inside of links",
        "visibility/pages/present/markdown.py",
        "        while not self._closed_to_notes and self._next_note",
        "        while self._next_note",
        MARKDOWN,
    ),
    Fault(
        "notes that find no sentence are lost",
        "visibility/pages/present/markdown.py",
        "        self._html.extend(note.html for note in self._notes[self._next_note :])\n",
        "",
        MARKDOWN,
    ),
    Fault(
        "characters that reorder text are shown",
        "visibility/pages/present/markdown.py",
        "        self._html.append(escape(clean(text)))\n",
        "        self._html.append(escape(text))\n",
        MARKDOWN,
    ),
    Fault(
        "names that overlap are marked twice",
        "visibility/pages/present/answers.py",
        "        if together and mention.start >= end:\n",
        "        if together:\n",
        MARKDOWN,
    ),
    Fault(
        "emphasis that a quote leaves open is shown as signs",
        "visibility/pages/present/quotes.py",
        " and not _is_left_open(source, start, end):",
        ":",
        QUOTES,
    ),
    Fault(
        "quotes have no end",
        "visibility/pages/present/quotes.py",
        "escape(shortened(words, max(room, 1)))",
        "escape(words)",
        QUOTES,
    ),
    Fault(
        "the run of the address is not heeded",
        "visibility/services/prompts/browsing.py",
        "        answers = answers.filter(run=choice.run)\n",
        "        pass\n",
        ANSWERS,
    ),
    Fault(
        "an answer is shown below any brand",
        "visibility/services/prompts/browsing.py",
        ".filter(brand=brand_id, state=Answer.State.ANSWERED)",
        ".filter(state=Answer.State.ANSWERED)",
        ANSWERS,
    ),
    Fault(
        "anybody reads an answer by its id",
        "visibility/services/prompts/browsing.py",
        'answers = Answer.objects.restrict(caller, "view").filter(brand',
        "answers = Answer.objects.filter(brand",
        ANSWERS,
    ),
    Fault(
        "sources of every kind are listed as the chosen one",
        "visibility/services/reading/sources.py",
        "if cls in (None, source.cls)]",
        "]",
        CITED,
    ),
    Fault(
        "a source lists answers that do not cite it",
        "visibility/measured/sources.py",
        "answers.filter(pk__in=citing).order_by(",
        "answers.order_by(",
        CITED,
    ),
    Fault(
        "people are told which tool to call",
        "visibility/pages/evidence.py",
        " if settings.TOOL_PREFIX not in part)",
        ")",
        FOUND,
    ),
)
