"""Ranks in nineteen kinds of lists and six scripts."""

import tomllib
from pathlib import Path

import pytest

from tests.detection.finding import ranks

LISTS = tomllib.loads(Path(__file__).with_name("lists.toml").read_text(encoding="utf-8"))["list"]


@pytest.mark.parametrize("row", LISTS, ids=[row["kind"] for row in LISTS])
def test_ranks_are_those_that_a_reader_gives(row: dict[str, object]) -> None:
    text, expected = row["text"], row["ranks"]
    assert isinstance(text, str) and isinstance(expected, dict)
    found = ranks(text, *expected, prompt="")
    assert dict(zip(expected, (rank or 0 for rank in found), strict=True)) == expected
