"""The reference of the tools says what the tools are."""

from tests.mcp.reference import FILE, current


def test_the_reference_is_what_the_tools_are():
    assert FILE.read_text() == current(), "Run: python -m tests.mcp.reference --write"
