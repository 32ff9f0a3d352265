"""The faults of drafts: what needs no source, what passes as said, what is overwritten, what is charged."""

from tests.mutants.harness import Fault

CONTENT = ("tests/writing/test_content.py",)
EDITS = ("tests/writing/test_draft_edits.py",)
HOSTILE = ("tests/writing/test_hostile_sources.py",)
MARKUP = ("tests/writing/test_markup.py",)

DRAFTS = (
    Fault(
        "a sentence needs no source",
        "visibility/writers/statements.py",
        "return None if linked else Fault.BARE",
        "return None",
        MARKUP,
    ),
    Fault(
        "a mark of a source that there is not will do",
        "visibility/writers/statements.py",
        "if len(sources) < len(statement.marks):",
        "if False:",
        MARKUP,
    ),
    Fault(
        "any source backs any sentence",
        "visibility/writers/statements.py",
        "if not self._is_supported(statement, sources):",
        "if False:",
        MARKUP,
    ),
    Fault(
        "figures may be other than the source's",
        "visibility/writers/statements.py",
        "figures <= set(FIGURE.findall(said))",
        "True",
        MARKUP,
    ),
    Fault(
        "words of others pass as the brand's own",
        "visibility/writers/statements.py",
        "if not any(source.own for source in sources) and not self._is_attributed(statement, sources):",
        "if False:",
        MARKUP,
    ),
    Fault(
        "code and HTML are no text that needs a source",
        "visibility/writers/markup.py",
        '_LITERAL = ("fence", "code_block", "html_block")',
        "_LITERAL = ()",
        MARKUP,
    ),
    Fault(
        "whatever stands below the sources is theirs",
        "visibility/writers/markup.py",
        "if line.strip() and line.strip() not in known]",
        "if False]",
        MARKUP,
    ),
    Fault(
        "orders can be quoted",
        "visibility/writers/quotable.py",
        "        and not is_order(text)\n",
        "",
        HOSTILE,
    ),
    Fault(
        "markup can be quoted",
        "visibility/writers/quotable.py",
        "        and not _DEBRIS.search(text)\n",
        "",
        HOSTILE,
    ),
    Fault(
        "an engine chooses the title",
        "visibility/writers/grounding.py",
        "return content_words(title) <= known",
        "return True",
        HOSTILE,
    ),
    Fault(
        "an engine chooses the headings",
        "visibility/writers/grounding.py",
        "if heading is None or not wording_key(text):",
        "if False:",
        HOSTILE,
    ),
    Fault(
        "what an engine writes is kept without a source",
        "visibility/writers/grounding.py",
        "if said and any(self._judge.fault(statement) for statement in said):",
        "if False:",
        HOSTILE,
    ),
    Fault(
        "a gap may ask for anything",
        "visibility/writers/grounding.py",
        "and 0 < len(gap_words) * MIN_GAP_SHARE <= len(gap_words & self._wanted)",
        "",
        HOSTILE,
    ),
    Fault(
        "a draft without sources is written and charged",
        "visibility/services/content/drafts.py",
        "    _require_sources(task)\n",
        "",
        CONTENT,
    ),
    Fault(
        "an edit overwrites one that was not read",
        "visibility/services/content/editing.py",
        "if draft.version != version:",
        "if False:",
        EDITS,
    ),
    Fault(
        "viewers edit drafts",
        "visibility/services/content/editing.py",
        "    editable_brand(caller, draft.brand_id, lock=True)\n",
        "",
        EDITS,
    ),
    Fault(
        "the checks of an edited draft are the old ones",
        "visibility/services/content/editing.py",
        "    judged(draft)\n",
        "",
        EDITS,
    ),
    Fault(
        "exported links lead anywhere",
        "visibility/writers/publishing.py",
        'lambda url: url.casefold().startswith(("https://", "http://"))',
        "lambda url: True",
        EDITS,
    ),
    Fault(
        "HTML of a draft is HTML of its page",
        "visibility/writers/publishing.py",
        '{"html": False}',
        '{"html": True}',
        EDITS,
    ),
    Fault(
        "structured data ends its element",
        "visibility/writers/structured.py",
        'return text.replace("<", "\\\\u003c")',
        "return text",
        EDITS,
    ),
    Fault(
        "a file is called what the title says",
        "visibility/services/content/editing.py",
        "f\"{file_stem(title) or 'draft'}.{ending}\"",
        'f"{title}.{ending}"',
        EDITS,
    ),
)
