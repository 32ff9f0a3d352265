"""The words of a recommendation: title, summary and the form of its evidence. Pure.

Words of answers, pages and questions are others': they are cleaned here, and quoted inside prompts.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.utils.formats import date_format

from apikeys.text.sentences import joined, one_line
from apikeys.text.untrusted import clean
from visibility.engines.display import display_name
from visibility.insights.recommendations.types import Gap, Tally
from visibility.measured.facts import BrandFacts

MAX_QUOTE = 500
MAX_NAMED = 5
MAX_TITLE = 300
_SENTENCE_END = re.compile(r"[.!?…。！？](?=[\s\"'”’)\]]|[A-Z])|\n")  # noqa: RUF001 -- full-width marks end sentences too


@dataclass(frozen=True, slots=True)
class EvidenceText:
    """One piece of evidence, as it is stored with a recommendation: from an answer, or from a page or a review."""

    kind: str
    text: str
    engine: str | None = None
    prompt_id: UUID | None = None
    answer_id: UUID | None = None
    url: str | None = None


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


def rivals_in_words(gap: Gap, facts: BrandFacts) -> str:
    """The competitors named in the gap, most named first: "Apple, Samsung and 2 others"."""
    names = [one_line(facts.competitors[rival]) for rival in gap.rivals]
    if len(names) > MAX_NAMED:
        names[MAX_NAMED - 1 :] = [f"{len(names) - MAX_NAMED + 1} others"]
    return joined(names)


def counts_in_words(gap: Gap, facts: BrandFacts) -> str:
    """How often each engine's answers show the gap; those of an earlier day say which."""
    return "; ".join(f"{_tally_in_words(row)}{_since(row.engine, facts)}" for row in gap.tallies)


def tallies_in_words(tallies: Iterable[Tally]) -> str:
    """How often each engine's answers show something, engines called as people call them."""
    return "; ".join(map(_tally_in_words, tallies))


def _tally_in_words(row: Tally) -> str:
    return f"{display_name(row.engine)}: {row.gaps} of {row.answers}"


def _since(engine: str, facts: BrandFacts) -> str:
    day = facts.day_of(engine)
    return "" if day == facts.day else f" on {date_format(day)}"
