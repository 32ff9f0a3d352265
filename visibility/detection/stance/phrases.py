"""Turns of phrase that show what a sentence says of a name in it, by language.

Nothing is weighed and no mood is read from single words: each pattern is one way of knowing nothing, of advising
against or of warning. All are for text in small letters with straight apostrophes.
NUL stands for the name in `unknown`; patterns `_before` end at the name, the others begin behind it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, fields
from functools import cache
from pathlib import Path

from pydantic.dataclasses import dataclass

from apikeys.text.language_files import DEFAULT_LANGUAGE, STRICT, Languages, Patterns

_PART = re.compile(r"<(\w+)>")


@dataclass(frozen=True, config=STRICT)
class _Words:
    """`against_title` is for cells of tables and titles of lists; `parts` stand in for `<name>` in patterns."""

    unknown: Patterns = ()
    against_before: Patterns = ()
    against_head: Patterns = ()
    against_after: Patterns = ()
    against_title: Patterns = ()
    warning: Patterns = ()
    warning_before: Patterns = ()
    parts: dict[str, str] = field(default_factory=dict)

    def patterns(self, kind: str) -> Iterator[str]:
        """Those of one kind, with the parts that they name in angle brackets."""
        for pattern in getattr(self, kind):
            yield _PART.sub(lambda part: self.parts[part[1]], pattern)


_KINDS = tuple(each.name for each in fields(_Words) if each.name != "parts")
_LANGUAGES = Languages(Path(__file__).parent / "words", _Words)


class Phrases:
    """The patterns of some languages."""

    def __init__(self, languages: Sequence[_Words]) -> None:
        self._patterns = {
            kind: _any(pattern for words in languages for pattern in words.patterns(kind)) for kind in _KINDS
        }

    def find(self, kind: str, text: str) -> bool:
        """Whether a pattern of this kind, a key of the data files, is found in a text."""
        return bool(text) and self._patterns[kind].search(text) is not None


def _any(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns) or r"(?!)")


@cache
def phrases(*, abroad: bool) -> Phrases:
    """Those of English, and of all languages for text that may be in another."""
    return Phrases([_LANGUAGES[DEFAULT_LANGUAGE]] if not abroad else list(_LANGUAGES.values()))
