"""How often the same answers name a brand, as other tools define it: why two tools show two numbers. Pure."""

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean

LEADING = 3


class Definition(StrEnum):
    """Ours, and five that are common."""

    OURS = "ours"
    POOLED = "pooled"
    ANY_SAMPLE = "any_sample"
    FIRST_THREE = "first_three"
    CITATIONS = "citations"
    LETTERS = "letters"


@dataclass(frozen=True, slots=True)
class TrackedAnswer:
    """What an answer to a prompt that does not name the brand has of it. `rank` is None where it is not named, or has
    no rank that can be told; `holds_letters`: a name of the brand stands anywhere in the raw text, as letters."""

    engine: str
    prompt: str
    is_named: bool
    rank: int | None
    is_cited: bool
    holds_letters: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """What a definition makes of the answers. `value` is 0–100, None without answers and where no mention has a place
    that it asks for; `counted` of `total` is what it counts: prompts for ANY_SAMPLE, else answers. `added` are the
    answers that it counts and ours does not, `dropped` those that ours counts and it does not; for ANY_SAMPLE `added`
    are the prompts that only some of their answers name."""

    definition: Definition
    value: float | None
    counted: int
    total: int
    added: int
    dropped: int


Rule = Callable[[TrackedAnswer], bool | None]
"""Whether an answer counts; None where it names the brand and says nothing of it."""


def _is_named(answer: TrackedAnswer) -> bool:
    return answer.is_named


def _leads(answer: TrackedAnswer) -> bool | None:
    if answer.is_named and answer.rank is None:
        return None
    return answer.rank is not None and answer.rank <= LEADING


def _is_named_or_cited(answer: TrackedAnswer) -> bool:
    return answer.is_named or answer.is_cited


def _holds_letters(answer: TrackedAnswer) -> bool:
    return answer.holds_letters


_EVENLY: dict[Definition, Rule] = {
    Definition.OURS: _is_named,
    Definition.FIRST_THREE: _leads,
    Definition.CITATIONS: _is_named_or_cited,
    Definition.LETTERS: _holds_letters,
}
"""What counts in the definitions that give each prompt of an engine, and each engine, the same weight, as ours."""


def read_by_all(answers: Sequence[TrackedAnswer]) -> dict[Definition, Reading]:
    """The reading of each definition, ours first."""
    readings = [_evenly(answers, definition, rule) for definition, rule in _EVENLY.items()]
    readings += [_pooled(answers), _any_sample(answers)]
    by_definition = {reading.definition: reading for reading in readings}
    return {definition: by_definition[definition] for definition in Definition}


def holds_letters(text: str, names: Collection[str]) -> bool:
    """Whether the letters of any name stand anywhere in the text, in whatever case, as plain matching looks."""
    folded = text.casefold()
    return any(name.casefold() in folded for name in names)


def _evenly(answers: Sequence[TrackedAnswer], definition: Definition, rule: Rule) -> Reading:
    """100 × the mean over engines of the mean over prompts of the mean over answers.

    An answer that names the brand and says nothing of the rule counts as those do on average that name it and say
    something; where none of them does, there is no value."""
    cells: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    counted = total = added = dropped = 0
    told = [counts for answer in answers if answer.is_named and (counts := rule(answer)) is not None]
    share = fmean(told) if told else None
    is_told = True
    for answer in answers:
        counts = rule(answer)
        if counts is not None:
            dropped += answer.is_named and not counts
            counted, total, added = counted + counts, total + 1, added + (counts and not answer.is_named)
        is_told = is_told and (counts is not None or share is not None)
        cells[answer.engine][answer.prompt].append(float(share or 0.0) if counts is None else counts)
    means = [fmean(fmean(prompt) for prompt in prompts.values()) for prompts in cells.values()]
    value = 100 * fmean(means) if means and is_told else None
    return Reading(definition, value, counted, total, added, dropped)


def _pooled(answers: Sequence[TrackedAnswer]) -> Reading:
    """All answers that name the brand ÷ all answers."""
    named = sum(answer.is_named for answer in answers)
    value = 100 * named / len(answers) if answers else None
    return Reading(Definition.POOLED, value, named, len(answers), 0, 0)


def _any_sample(answers: Sequence[TrackedAnswer]) -> Reading:
    """Prompts that any answer names the brand to ÷ all prompts."""
    by_prompt: dict[str, list[bool]] = defaultdict(list)
    for answer in answers:
        by_prompt[answer.prompt].append(answer.is_named)
    named = sum(any(prompt) for prompt in by_prompt.values())
    in_part = sum(any(prompt) and not all(prompt) for prompt in by_prompt.values())
    value = 100 * named / len(by_prompt) if by_prompt else None
    return Reading(Definition.ANY_SAMPLE, value, named, len(by_prompt), in_part, 0)
