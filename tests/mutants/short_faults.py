"""The faults of results in short, and of what they cannot tell: what is cut, counted, kept and led on to."""

from tests.mutants.harness import Fault

SHORT = ("tests/mcp/test_short.py",)
RESULTS = ("tests/mcp/test_short_results.py",)
SIZES = ("tests/mcp/test_sizes.py::test_results_are_small_where_there_is_more_than_enough",)

SHORTENING = (
    Fault(
        "a cut text has its dots inside the marks",
        "mcp_bridge/short/texts.py",
        "marked(prefix(words, characters)) + MORE",
        "marked(prefix(words, characters) + MORE)",
        SHORT,
    ),
    Fault(
        "a sentence that quotes others is cut within a quote",
        "mcp_bridge/short/texts.py",
        "len(text) <= characters or QUOTE_OPEN in text",
        "len(text) <= characters",
        SHORT,
    ),
    Fault(
        "what is left out of rows that are not shown is counted",
        "mcp_bridge/short/taking.py",
        "if rows not in rows_left or row in rows_left[rows]:",
        "if True:",
        SHORT,
    ),
    Fault(
        "rows beyond the room stay",
        "mcp_bridge/short/rows.py",
        "if kept and size > room and not rows.all:",
        "if False:",
        SHORT,
    ),
    Fault(
        "a limit is cut to what fits",
        "mcp_bridge/short/rows.py",
        "if kept and size > room and not rows.all:",
        "if kept and size > room:",
        SHORT,
    ),
    Fault(
        "the null of the site itself is left out",
        "mcp_bridge/short/taking.py",
        '_SPOKEN_NULLS = {"competitor", "score"}',
        '_SPOKEN_NULLS = {"score"}',
        SHORT,
    ),
    Fault(
        "places of mentions stay where they were in the whole answer",
        "mcp_bridge/short/answers.py",
        "shift = len(before) + len(QUOTE_OPEN) - first",
        "shift = 0",
        SHORT,
    ),
    Fault(
        "an answer is cut within an escaped character",
        "mcp_bridge/short/answers.py",
        'return escape if escape >= 0 and ";" not in text[escape:place] else place',
        "return place",
        SHORT,
    ),
    Fault(
        "fields that short leaves out are required",
        "mcp_bridge/schemas.py",
        "if name not in left_out]",
        "if True]",
        SIZES,
    ),
    Fault(
        "rows are not cut to the limit of tokens",
        "apikeys/text/size.py",
        "_ID_TOKENS = 24",
        "_ID_TOKENS = 1",
        SIZES,
    ),
    Fault(
        "a recommendation that is asked for by its id is cut",
        "mcp_bridge/tools/recommendations.py",
        "return super().whole or self.ids is not None",
        "return super().whole",
        RESULTS,
    ),
    Fault(
        "a step is named that the key may not take",
        "mcp_bridge/missing.py",
        "if needed is None or needed in self.allowing:",
        "if True:",
        RESULTS,
    ),
    Fault(
        "topics in steps stand outside their marks",
        "visibility/resources/steps.py",
        'model_dump(mode="json", by_alias=True, context=FOR_AGENTS)',
        'model_dump(mode="json", by_alias=True)',
        RESULTS,
    ),
    Fault(
        "a refusal names no step",
        "mcp_bridge/results.py",
        "if (step := step_after(error.code, error.details, raw_arguments)) is None:",
        "if (step := step_after(error.code, error.details, raw_arguments)) is None or step:",
        ("tests/mcp/test_isolation.py::test_each_tool_needs_its_own_scope_and_no_other",),
    ),
)
