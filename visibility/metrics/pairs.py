"""The answers of two days to the same prompts of the same engines, counted side by side."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from visibility.metrics.table import Flags, Floats, Integers, Table, tabulate
from visibility.metrics.types import AnswerOutcome


@dataclass(frozen=True, slots=True)
class Counts:
    """Of one day: the answers by engine and prompt, and how many of them mention and cite each subject.

    `answers` is shaped [engine, prompt], the others [engine, prompt, subject]. Further axes may stand before these:
    they hold repetitions that are reckoned at once, as simulations do.
    """

    answers: Floats
    mentioned: Floats
    cited: Floats


@dataclass(frozen=True, slots=True)
class Pair:
    """Two days. `subjects` and `engines` name the axes, `averaged` flags the engines of the all-engine figure,
    `topic` numbers each prompt's topic from 0, `named` flags by prompt and subject whether the prompt names it.
    A prompt counts for an engine with answers on both days."""

    subjects: tuple[str, ...]
    engines: tuple[str, ...]
    averaged: Flags
    topic: Integers
    named: Flags
    before: Counts
    now: Counts

    @property
    def lone(self) -> str | None:
        """The engine whose figure the all-engine figure is, where it is a single one's."""
        return self.engines[int(self.averaged.argmax())] if self.averaged.sum() == 1 else None

    @property
    def lines(self) -> list[tuple[str | None, Flags]]:
        """What is compared: the all-engine figure (None), and each engine that is not already that figure."""
        masks = np.eye(len(self.engines), dtype=bool)
        singles = [(name, mask) for name, mask in zip(self.engines, masks, strict=True) if name != self.lone]
        return [(None, self.averaged), *singles] if self.averaged.any() else [*singles]


def pair_days(
    before: Sequence[AnswerOutcome],
    now: Sequence[AnswerOutcome],
    subjects: Sequence[str],
    averaged: Collection[str],
) -> Pair | None:
    """The answers of engine and prompt that both days have; None where they share none.

    `averaged` names the engines of the all-engine figure. A prompt has the topic that it has in `now`. The order of
    outcomes does not matter. Raises ValueError where a subject is given twice.
    """
    if len(set(subjects)) != len(subjects):
        raise ValueError("subjects must differ")
    shared = {(outcome.engine, outcome.prompt) for outcome in before} & {
        (outcome.engine, outcome.prompt) for outcome in now
    }
    if not shared:
        return None
    # With the same engines and prompts on both days, both tables number them alike.
    earlier, later = (
        tabulate([outcome for outcome in day if (outcome.engine, outcome.prompt) in shared], subjects)
        for day in (before, now)
    )
    return Pair(
        subjects=tuple(subjects),
        engines=later.engines,
        averaged=np.array([name in averaged for name in later.engines], dtype=bool),
        topic=later.topic,
        named=mention_counts_by_prompt(earlier) | mention_counts_by_prompt(later),
        before=count(earlier),
        now=count(later),
    )


def count(table: Table) -> Counts:
    """The rows of the table by engine and prompt."""
    answers = np.zeros((len(table.engines), len(table.topic)))
    mentioned = np.zeros((*answers.shape, table.named.shape[1]))
    cited = np.zeros_like(mentioned)
    cell = (table.engine, table.prompt)
    np.add.at(answers, cell, 1.0)
    np.add.at(mentioned, cell, table.mentioned)
    np.add.at(cited, cell, table.cited)
    return Counts(answers, mentioned, cited)


def mention_counts_by_prompt(table: Table) -> Flags:
    """Whether each prompt names each subject."""
    named = np.zeros((len(table.topic), table.named.shape[1]), dtype=bool)
    np.logical_or.at(named, table.prompt, table.named)
    return named
