"""The codes that tools raise are those that they declare, and those that the documentation lists: one list."""

import inspect
import re
import types
from collections.abc import Iterator

import pytest

from apikeys.errors import ErrorCode
from mcp_bridge.tools import ALL_TOOLS
from tests.architecture.sources import FLOORS, ROOT
from tests.mcp.codes import EVERY_CALL, known_errors

TO_AN_ENGINE = "what an engine reads is refused to it as text"
NOT_RAISED = {
    ("get_latest_scan", ErrorCode.QUOTA_EXCEEDED): "compared with the code of a run",
    ("ask", ErrorCode.BAD_REQUEST): TO_AN_ENGINE,
    ("ask", ErrorCode.NOT_ACCEPTABLE): TO_AN_ENGINE,
    ("ask", ErrorCode.METHOD_NOT_ALLOWED): TO_AN_ENGINE,
}
AGENTS = (ROOT / "docs" / "agents.md").read_text()


def raised_by(*functions) -> dict[ErrorCode, str]:
    """The codes that are named in what these functions call, directly or not, each with the function that names it.

    Functions and classes are followed by the names in their code; what is called as a method is not, unless its
    class is named.
    """
    found: dict[ErrorCode, str] = {}
    seen: set[object] = set()
    waiting = [each for each in functions if each]
    while waiting:
        function = inspect.unwrap(waiting.pop())
        if function in seen or function.__module__.partition(".")[0] not in FLOORS:
            continue
        seen.add(function)
        if isinstance(function, type):
            waiting += [method for _, method in inspect.getmembers(function, inspect.isfunction)]
            continue
        for code in codes_within(function.__code__):
            if "ErrorCode" in code.co_names:
                found |= {each: function.__qualname__ for each in ErrorCode if each.name in code.co_names}
            called = [function.__globals__.get(name) for name in code.co_names]
            waiting += [each for each in called if isinstance(each, types.FunctionType | type)]
        held = [cell.cell_contents for cell in function.__closure__ or ()]
        waiting += [each for each in held if isinstance(each, types.FunctionType)]
    return found


def codes_within(code: types.CodeType) -> Iterator[types.CodeType]:
    """The code and that of the functions within it."""
    yield code
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from codes_within(inner)


@pytest.mark.parametrize("tool", ALL_TOOLS, ids=lambda tool: tool.name)
def test_a_tool_declares_each_code_that_it_raises(tool):
    found = raised_by(tool.handler, tool.writer, tool.brand_of)
    declared = known_errors(tool) | EVERY_CALL
    unknown = {code: place for code, place in found.items() if code not in declared}
    assert {code for code in unknown if (tool.name, code) not in NOT_RAISED} == set(), unknown


def test_the_walk_finds_what_is_raised_far_away():
    [tool] = [tool for tool in ALL_TOOLS if tool.name == "add_competitor"]
    assert {ErrorCode.CONFLICT, ErrorCode.QUOTA_EXCEEDED, ErrorCode.NOT_FOUND} <= set(raised_by(tool.handler))


def test_every_code_that_a_tool_can_return_is_in_the_one_list_and_no_other():
    listed = set(re.findall(r"^\| – \| `(\w+)`", AGENTS, re.MULTILINE))
    assert listed == {str(code) for tool in ALL_TOOLS for code in known_errors(tool)} | set(map(str, EVERY_CALL))


def test_the_reference_names_the_codes_of_every_call():
    head = (ROOT / "docs" / "tools.md").read_text().split("## ")[0]
    assert set(re.findall(r"`(\w+)`", head.split("can be refused with")[1])) == set(map(str, EVERY_CALL))
