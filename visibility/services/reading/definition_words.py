"""The definitions that other tools use, in words: what they count, why that differs, whom it flatters."""

from collections.abc import Mapping
from dataclasses import dataclass

from apikeys.text.sentences import counted
from visibility.metrics.definitions import Definition, Reading
from visibility.metrics.intervals import wilson
from visibility.metrics.shown import shown


@dataclass(frozen=True, slots=True)
class Explanation:
    """A definition in one sentence, why its number differs from ours, and whom it flatters."""

    title: str
    definition: str
    why: str
    flatters: str


EXPLANATIONS: Mapping[Definition, Explanation] = {
    Definition.POOLED: Explanation(
        "All answers in one pot",
        "Answers that name the brand ÷ all answers, whatever was asked of whom.",
        "An engine, or a prompt, with more answers weighs more. Ours gives each prompt of an engine, and each "
        "engine, the same weight. Treated as so many independent answers, the pot also looks far surer than it is.",
        "whoever the engine with the most answers likes",
    ),
    Definition.ANY_SAMPLE: Explanation(
        "Named at least once",
        "Prompts to which any answer, of any engine, names the brand ÷ all prompts.",
        "One lucky answer makes a whole prompt count, so the number grows with every further sample and engine while "
        "nothing about the brand changes.",
        "everybody, and most of all brands that are named now and then",
    ),
    Definition.FIRST_THREE: Explanation(
        "Among the first three",
        "As ours, but an answer counts only where the brand is among the first three that it names.",
        "Places further down are dropped, so being named late looks like not being named.",
        "market leaders, at the cost of brands that close the list",
    ),
    Definition.CITATIONS: Explanation(
        "Cited counts as named",
        "As ours, but an answer that cites the brand's own site counts as well, whether it names the brand or not.",
        "A source below an answer that recommends somebody else becomes a mention. We tell the two apart: being "
        "cited is a figure of its own.",
        "brands whose sites are much quoted",
    ),
    Definition.LETTERS: Explanation(
        "The letters anywhere",
        "As ours, but an answer counts wherever the letters of the name or an alias stand in its raw text, in any "
        "case.",
        "Letters also stand inside other words, in links and names of sources, in the question repeated, in other "
        "companies' products, and in “I found nothing about …”.",
        "brands whose name is short, or a common word",
    ),
}


def _naively(reading: Reading) -> str:
    """The interval that a pot of answers gets where they are taken for independent; empty without answers."""
    if not reading.total:
        return ""
    low, high = wilson(reading.counted, reading.total)
    return f"; taken for independent they would be said to lie within {shown(100 * low)} to {shown(100 * high)} %"


def evidence(reading: Reading, ours: Reading) -> str:
    """What makes the difference in these answers, as k of n."""
    if reading.definition is Definition.POOLED:
        return f"{reading.counted:,} of {counted(reading.total, 'answer')} name the brand{_naively(reading)}."
    if reading.definition is Definition.ANY_SAMPLE:
        return (
            f"{reading.counted:,} of {counted(reading.total, 'prompt')} count; to {reading.added:,} of them some "
            "answers name the brand and others do not."
        )
    if reading.definition is Definition.FIRST_THREE:
        return f"{reading.dropped:,} of the {counted(ours.counted, 'answer')} that name the brand do not count."
    if reading.definition is Definition.CITATIONS:
        return f"{reading.added:,} of {counted(reading.total, 'answer')} cite its site without naming it."
    missed = f", and {counted(reading.dropped, 'answer')} name it in other letters" if reading.dropped else ""
    return (
        f"{reading.added:,} of {counted(reading.total, 'answer')} hold the letters without naming the brand{missed}."
    )
