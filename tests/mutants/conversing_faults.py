"""The faults of answers by an engine that reads: what it may read, how often, and numbers of its own."""

from tests.mutants.harness import Fault

CONVERSING = ("tests/writing/test_conversing.py",)
NUMBERS = ("tests/writing/test_numbers.py",)

READING = (
    Fault(
        "an engine is offered tools that the key may not read",
        "mcp_bridge/toolbox.py",
        " if tool.only_reads and tool.scope in caller.scopes",
        " if tool.only_reads",
        CONVERSING,
    ),
    Fault(
        "an engine reads as often as it likes",
        "visibility/services/ask/conversing.py",
        "calls_left=task.calls_left - 1",
        "calls_left=task.calls_left",
        CONVERSING,
    ),
    Fault(
        "a tool that was not offered is read",
        "visibility/writers/engine.py",
        "if task.calls_left and step.call.tool in names:",
        "if task.calls_left:",
        CONVERSING,
    ),
    Fault(
        "numbers of its own are shown",
        "visibility/services/ask/conversing.py",
        "if not wrong:",
        "if True:",
        CONVERSING,
    ),
    Fault(
        "an answer that keeps its own numbers is shown",
        "visibility/services/ask/conversing.py",
        "return Conversation(None, task.replies)",
        "return Conversation(step, task.replies)",
        CONVERSING,
    ),
    Fault(
        "a failure after readings costs no call of the day",
        "visibility/services/ask/conversing.py",
        "error.billed or bool(task.replies or task.problem)",
        "error.billed",
        CONVERSING,
    ),
    Fault(
        "a number need only begin alike",
        "visibility/writers/numbers.py",
        "return value in known or value in rounded or any(",
        "return any(abs(value - other) < 1 for other in known) or any(",
        NUMBERS,
    ),
)
