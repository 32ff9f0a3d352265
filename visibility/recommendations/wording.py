"""The words of a recommendation: title, summary and the form of its evidence. Pure.

Words of answers, pages and questions are others': they are cleaned here, and quoted inside prompts.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any
from uuid import UUID

from django.utils.formats import date_format

from apikeys.untrusted import clean
from visibility.recommendations.types import Gap, GapKind, PromptFacts

MAX_QUOTE = 500
MAX_EVIDENCE = 5
MAX_NAMED = 5
MAX_TITLE = 300
_SENTENCE_END = re.compile(r"[.!?…。！？](?=[\s\"'”’)\]]|[A-Z])|\n")  # noqa: RUF001 -- full-width marks end sentences too


@dataclass(frozen=True, slots=True)
class EvidenceText:
    """One piece of evidence, as the resource shows it."""

    kind: str
    text: str
    engine: str
    prompt: UUID
    answer: UUID
    url: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The form that is stored with the recommendation."""
        return {
            "kind": self.kind,
            "text": self.text,
            "url": self.url,
            "engine": self.engine,
            "promptId": str(self.prompt),
            "answerId": str(self.answer),
        }


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom the recommendation is for, and what the wording needs to name things. Names are cleaned here.

    `day` is the latest of the engines' `days`.
    """

    brand: str
    domain: str
    competitors: Mapping[UUID, str]
    prompts: Mapping[UUID, PromptFacts]
    day: date
    days: Mapping[str, date] = field(default_factory=dict)

    def rivals(self, gap: Gap) -> str:
        """The competitors named in the gap, most named first: "Apple, Samsung and 2 others"."""
        names = [one_line(self.competitors[rival]) for rival in gap.rivals]
        if len(names) > MAX_NAMED:
            names[MAX_NAMED - 1 :] = [f"{len(names) - MAX_NAMED + 1} others"]
        return joined(names)

    def counts(self, gap: Gap) -> str:
        """How often each engine's answers show it; those of an earlier day say which."""
        return "; ".join(f"{row.engine}: {row.gaps} of {row.answers}{self._since(row.engine)}" for row in gap.tallies)

    def day_of(self, engine: str) -> date:
        """The engine's own day."""
        return self.days.get(engine, self.day)

    def _since(self, engine: str) -> str:
        day = self.day_of(engine)
        return "" if day == self.day else f" on {date_format(day)}"

    def question(self, prompt: UUID) -> str:
        """The wording of a question on one line."""
        return one_line(self.prompts[prompt].text)


def one_line(text: str) -> str:
    """The text on one line, without characters that hide or reorder."""
    return " ".join(clean(text).split())


def joined(names: Sequence[str]) -> str:
    """At least one name, and as many as there are, as a sentence lists them: "a, b and c"."""
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def shortened(text: str, limit: int) -> str:
    """The text, or its beginning with an ellipsis, in at most `limit` characters."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def sentence_around(text: str, place: int) -> str:
    """The sentence (or line) that holds the character at `place`, word for word, at most MAX_QUOTE characters."""
    first, last = max(0, place - MAX_QUOTE // 2), min(len(text), place + MAX_QUOTE // 2)
    begin, end = first, last
    for match in _SENTENCE_END.finditer(text, first, last):
        if match.end() <= place:
            begin = match.end()
        else:
            end = match.end()
            break
    if begin == first > 0:
        begin = _next_word(text, first, place)
    return clean(text[begin:end]).strip()


def _next_word(text: str, begin: int, place: int) -> int:
    """Where the first whole word begins behind `begin`, or `begin` when `place` comes earlier."""
    space = re.compile(r"\s").search(text, begin, place)
    return space.end() if space else begin


def title(gap: Gap, subject: Subject) -> str:
    """One line that says what is missing where."""
    brand, rivals = one_line(subject.brand), subject.rivals(gap)
    if gap.kind == GapKind.SOURCE:
        return shortened(f"{one_line(gap.subject)} is cited by answers that name {rivals}, not {brand}", MAX_TITLE)
    return shortened(f"Answers name {rivals}, not {brand}: “{subject.question(gap.prompts[0])}”", MAX_TITLE)


def summary(gap: Gap, subject: Subject, source: str = "") -> str:
    """How consistently the gap was measured, engine by engine; `source` is another way to write the cited domain."""
    brand, rivals, day = one_line(subject.brand), subject.rivals(gap), date_format(subject.day)
    counts = subject.counts(gap)
    if gap.kind == GapKind.SOURCE:
        what = f"Answers that cite {source or one_line(gap.subject)} and name {rivals} but not {brand}"
        return f"{what}, of all that cite it ({_questions(gap)}, {day}): {counts}."
    return f"Answers that name {rivals} but not {brand} ({day}): {counts}."


def _questions(gap: Gap) -> str:
    return "1 question" if len(gap.prompts) == 1 else f"{len(gap.prompts)} questions"
