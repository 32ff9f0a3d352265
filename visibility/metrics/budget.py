"""Where the uncertainty of a figure comes from, and so whether more prompts or more samples would lessen it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from math import ceil, isnan, sqrt

import numpy as np

from visibility.metrics.change import Change, Metric
from visibility.metrics.components import components
from visibility.metrics.contrasts import rate_contrast
from visibility.metrics.intervals import student_quantile
from visibility.metrics.pairs import Counts, Pair, count, mention_counts_by_prompt
from visibility.metrics.shown import shown
from visibility.metrics.table import Floats, tabulate
from visibility.metrics.types import AnswerOutcome
from visibility.metrics.verdicts import DETECTABLE, MIN_PROMPTS

MARGIN = 5.0
"""The half width of the score's interval that is fine enough, in points."""
MAX_SAMPLES = 100
HARDLY_DEARER = 1.25
"""Samples are advised where they need at most so many times the answers that prompts would: they need no writing."""


class Advice(StrEnum):
    """What would make a figure surer."""

    ENOUGH = "enough"
    PROMPTS = "prompts"
    SAMPLES = "samples"


@dataclass(frozen=True, slots=True)
class Budget:
    """The variance of a figure by its sources, and what it would take to reach the target.

    `parts` are the variance by source, empty where nothing is known of it. `reach` is, in points, the half width of
    the score's 95 % interval or the smallest change that can be detected, None where there is none; `target` what
    would be fine enough. `samples` is the mean number of answers of an engine to a prompt.
    """

    parts: Mapping[str, float]
    reach: float | None
    target: float
    prompts: int
    topics: int
    samples: float

    @property
    def shares(self) -> dict[str, float]:
        """Percent of the variance by source."""
        variance = sum(self.parts.values())
        return {source: 100 * part / variance for source, part in self.parts.items()} if variance > 0 else {}

    @property
    def prompts_needed(self) -> int | None:
        """Prompts, on topics in proportion and with as many samples, that would reach the target."""
        factor = self._factor
        return None if factor is None else max(MIN_PROMPTS, ceil(self.prompts * factor))

    @property
    def samples_needed(self) -> int | None:
        """Samples of each of these prompts that would reach the target: their part shrinks in proportion, the rest
        stays. None where no number would, or where one sample of each hides how much is theirs."""
        factor, share = self._factor, self.shares.get("sample")
        if factor is None or share is None:
            return None
        room = 100 / factor - (100 - share)
        needed = self.samples * share / room if room > 0 else MAX_SAMPLES + 1
        return None if needed > MAX_SAMPLES else max(1, ceil(needed))

    @property
    def _factor(self) -> float | None:
        """By how much the variance is too large, at least 1."""
        return None if self.reach is None else max(1.0, (self.reach / self.target) ** 2)

    @property
    def advice(self) -> Advice:
        """What would lessen the uncertainty with the fewest answers, or nearly so."""
        return self._verdict[0]

    @property
    def reason(self) -> str:
        """The advice in a sentence, with its numbers."""
        return self._verdict[1]

    @property
    def _verdict(self) -> tuple[Advice, str]:
        if self.topics < 2:
            return (
                Advice.PROMPTS,
                "All prompts are on one topic, which says nothing about others: add prompts on others.",
            )
        if self.prompts < MIN_PROMPTS:
            return Advice.PROMPTS, f"{self.prompts} prompts are too few for a verdict: use {MIN_PROMPTS} or more."
        if not self.shares:
            return Advice.PROMPTS, "No answers differ, which does not show how far others would: add other prompts."
        if self.reach is not None and self.reach <= self.target:
            return (
                Advice.ENOUGH,
                f"Precise enough: {shown(self.reach)} points, with a target of {shown(self.target, 0)}.",
            )
        if "sample" not in self.shares:
            return (
                Advice.SAMPLES,
                "Each prompt was asked once, which hides how far answers differ by chance: use more samples.",
            )
        return self._choice()

    def _choice(self) -> tuple[Advice, str]:
        prompts, samples = self.prompts_needed, self.samples_needed
        blur = f"{shown(self.shares['sample'], 0)} % of the uncertainty is chance from one answer to the next"
        if prompts is None:
            return Advice.PROMPTS, f"{blur}, and no change at all could be detected: add prompts on new topics."
        goal = f"would reach {shown(self.target, 0)} points"
        instead = f"about {prompts} prompts instead of {self.prompts}, on new topics,"
        if samples is None:
            return Advice.PROMPTS, f"{blur}. No number of samples {goal}; {instead} would."
        if self.prompts * samples <= HARDLY_DEARER * prompts * self.samples:
            return Advice.SAMPLES, f"{blur}: about {samples} samples of each prompt {goal}."
        return Advice.PROMPTS, f"{blur}: {instead} {goal} with the fewest answers."


def score_budget(outcomes: Sequence[AnswerOutcome], subject: str) -> Budget | None:
    """The budget of a subject's score over the engines of `outcomes`; None without answers to unbranded prompts.

    Sources: topic, prompt within its topic, engine (which prompts it favours; its own level is no uncertainty) and
    sample, the same engine asked the same again.
    """
    table = tabulate(outcomes, [subject])
    counts, unbranded = count(table), ~mention_counts_by_prompt(table)[:, 0]
    answers = counts.answers * unbranded
    estimate = components(answers, counts.mentioned[..., 0] * unbranded, table.topic)
    if estimate is None:
        return None
    parts = {source: part for source, part in asdict(estimate).items() if part is not None}
    is_asked = answers.any(axis=0)
    topics, variance = len(np.unique(table.topic[is_asked])), sum(parts.values())
    reach = 100 * student_quantile(topics - 1) * sqrt(variance) if topics > 1 and variance > 0 else None
    return Budget(parts, reach, MARGIN, int(is_asked.sum()), topics, float(answers[answers > 0].mean()))


def change_budget(pair: Pair, change: Change) -> Budget | None:
    """The budget of the change of a subject's all-engine score; None where that is not measured on both days.

    Prompts and topics cancel as far as they are the same on both days. Sources: run, what moved differently from
    topic to topic between the days, and sample.
    """
    if change.delta is None or change.engine is not None or change.metric != Metric.SCORE:
        return None
    place = pair.subjects.index(change.subject)
    contrast = rate_contrast(pair, pair.before.mentioned, pair.now.mentioned)
    both = (pair.before.answers > 0) & (pair.now.answers > 0)
    usable = both & ~pair.named[:, place] & pair.averaged[:, None]
    weight = usable / np.maximum(usable.sum(axis=1, keepdims=True), 1) / np.count_nonzero(usable.any(axis=1))
    variance, of_samples = float(contrast.variance[0, place]), _of_samples(pair, weight, place)
    parts = {}
    if not isnan(variance):
        known = {} if of_samples is None else {"sample": min(of_samples, variance)}
        parts = {"run": variance - sum(known.values()), **known}
    answers = (pair.before.answers[usable] + pair.now.answers[usable]) / 2
    topics = len(np.unique(pair.topic[usable.any(axis=0)]))
    prompts = int(contrast.prompts[0, place])
    return Budget(parts, change.minimum_detectable, 100 * DETECTABLE, prompts, topics, float(answers.mean()))


def _of_samples(pair: Pair, weight: Floats, place: int) -> float | None:
    """What differences between samples add to the variance of a change: σ² Σ w²(1/R + 1/R'), σ² pooled over the
    prompts that were asked more than once. None where none was."""
    days: tuple[Counts, Counts] = (pair.before, pair.now)
    chosen = weight > 0
    answers = [day.answers[chosen] for day in days]
    hits = [day.mentioned[..., place][chosen] for day in days]
    freedom = sum(float((size - 1).sum()) for size in answers)
    if freedom <= 0:
        return None
    within = sum(float((hit - hit**2 / size).sum()) for hit, size in zip(hits, answers, strict=True))
    return within / freedom * float((weight[chosen] ** 2 * (1 / answers[0] + 1 / answers[1])).sum())
