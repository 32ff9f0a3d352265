"""Where an answer ends and the interface that it was copied from begins.

Search and chat pages print lines of their own below an answer: a warning that holds for every answer, requests for
feedback, the credits of a map. They name companies, yet are nobody's answer. What they say stands in a data file for
each language, and only what was seen below real answers.
"""

import re
from functools import cache
from pathlib import Path

from pydantic.dataclasses import dataclass

from apikeys.text.language_files import STRICT, Languages, Pattern

_TAIL = 1_000
"""Closing lines are looked for in so many characters at the end of a text."""


@dataclass(frozen=True, slots=True, config=STRICT)
class _Interface:
    """`closing` is what it prints behind an answer, `seen` where that was found."""

    name: str
    seen: str
    closing: Pattern


@dataclass(frozen=True, slots=True, config=STRICT)
class _Language:
    interfaces: tuple[_Interface, ...]


def end_of_answer(text: str) -> int:
    """The offset at which the answer ends: its length where nothing follows. Takes any string."""
    closing = _closing().search(text, max(0, len(text) - _TAIL))
    return closing.start() if closing else len(text)


@cache
def _closing() -> re.Pattern[str]:
    languages = Languages(Path(__file__).with_name("interfaces"), _Language)
    told = languages.any_of(lambda language: [each.closing for each in language.interfaces])
    return re.compile(rf"\s*+(?:{told})\Z")
