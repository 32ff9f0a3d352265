"""The clauses of an answer, each with its subject: the brand that it names, else the one whose entry it is in."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from visibility.evidence.reading import AnswerText

LONGEST = 400
_END = re.compile(
    r"""[.!?…]["”’)]{0,3}(?:\s+|(?=[A-Z]|\Z)) | [\n\0\xa0;]\s* | \)(?=[A-Z]) | \s[–—]\s
      | ,?\s(?:but|however|although|though|while|whereas|despite|yet|except|aber|jedoch|mais|pero|aunque)\s""",
    re.VERBOSE,
)


class Clause(NamedTuple):
    """A clause at `start:end` of the visible text. `subject`: the only one that it speaks of, None for nobody or
    several; `names_it`: by name."""

    start: int
    end: int
    subject: str | None
    names_it: bool


class Clauses:
    """The clauses of one answer, in time linear in it."""

    def __init__(self, answer: AnswerText) -> None:
        self._answer = answer
        lines = (line.start for line in answer.seen.lines)
        stops = (stop.end() for stop in _END.finditer(answer.seen.text))
        self._starts = sorted({0, *lines, *stops})

    def __iter__(self) -> Iterator[Clause]:
        return filter(None, map(self.around, self._starts))

    def around(self, place: int) -> Clause | None:
        """The clause at a place; None where it is empty, or too long to be one."""
        answer, index = self._answer, bisect_right(self._starts, place)
        end = self._starts[index] if index < len(self._starts) else len(answer.seen.text)
        text = answer.seen.text[self._starts[index - 1] : end]
        start = end - len(text.lstrip(" \0\xa0\n*•-"))
        end -= len(text) - len(text.rstrip(" \0\xa0\n;"))
        if not 0 < end - start <= LONGEST:
            return None
        named = {name.subject for name in answer.named_in(start, end)}
        subjects: set[str | None] = {*named} or {answer.subject_of(answer.seen.index_at(start))}
        return Clause(start, end, subjects.pop() if len(subjects) == 1 else None, bool(named))
