"""The faults of what doors say of recommendations: their proofs, factors and topics, their fix prompts, and `ask`."""

from tests.mutants.harness import Fault

_REST = ("tests/rest/test_recommendations.py",)
_PROMPTS = ("tests/recommendations/test_fix_prompts.py",)
_ASK = ("tests/writing/test_ask_work.py",)
_AGENTS = ("tests/mcp/test_recommendations.py",)
_COMPOSER = "visibility/insights/recommendations/fix_prompts.py"
_ROWS = "visibility/services/reading/recommended.py"

RECOMMENDATION_DOORS = (
    Fault(
        "a judged proof shows the power of its plan",
        _ROWS,
        'said = result if stored["verdict"] else plan',
        "said = plan",
        _REST,
    ),
    Fault(
        "a judged proof waits for a scan",
        _ROWS,
        'None if stored["verdict"] else row["brand__next_run_at"]',
        'row["brand__next_run_at"]',
        _REST,
    ),
    Fault(
        "the id of a prompt is shown as a topic",
        _ROWS,
        'return None if _is_id(row["topic"]) else row["topic"] or None',
        'return row["topic"] or None',
        _REST,
    ),
    Fault(
        "the topic is shown as it is stored",
        _ROWS,
        'if name := row["payload"].get("topic_name"):',
        "if name := None:",
        _REST,
    ),
    Fault("the prompt of a fix has evidence without bounds", _COMPOSER, "if cost <= room:", "if True:", _PROMPTS),
    Fault(
        "what a kind quotes stands in a fix prompt without marks",
        _COMPOSER,
        "return sentence if bare != sentence else marked_inside(sentence)",
        "return sentence",
        _PROMPTS,
    ),
    Fault("a name forges a mark in a fix prompt", _COMPOSER, "if holds_marks(bare):", "if False:", _PROMPTS),
    Fault(
        "what is done leads nowhere",
        "mcp_bridge/following.py",
        "    if not proofs:",
        "    if proofs:",
        _AGENTS,
    ),
    Fault(
        "a change that was not seen is told without what could have been",
        "visibility/services/ask/kinds/progress.py",
        "least=proof.least, day=day, **figures",
        "least=None, day=day, **figures",
        _ASK,
    ),
    Fault(
        "what became of one topic is told of all",
        "visibility/services/ask/kinds/work.py",
        "(narrowing is None or not prompts.isdisjoint(narrowing.prompts))",
        "True",
        _ASK,
    ),
    Fault(
        "proofs are told without the scope of recommendations",
        "visibility/services/ask/kinds/readers.py",
        "Kind.PROOFS: Reader(Scope.READ_RECOMMENDATIONS,",
        "Kind.PROOFS: Reader(Scope.READ_SITES,",
        _ASK,
    ),
)
