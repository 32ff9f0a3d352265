"""Where the uncertainty of a figure comes from, and what a plan that would lessen it has to reckon with."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import isnan

import numpy as np

from visibility.metrics.cells import Cells, gather
from visibility.metrics.change import Change, Metric
from visibility.metrics.components import components
from visibility.metrics.contrasts import rate_contrast
from visibility.metrics.correlation import correlation, known_alike, pooled, sums_of_squares
from visibility.metrics.intervals import rate_interval
from visibility.metrics.pairs import Counts, Pair, count, mention_counts_by_prompt
from visibility.metrics.planning import ASSUMED_SPREAD, DETECTABLE, MARGIN, Source, Spread, Wander
from visibility.metrics.table import Floats, tabulate
from visibility.metrics.types import AnswerOutcome


@dataclass(frozen=True, slots=True)
class Budget:
    """The variance of a figure by its sources, and what a plan for it reckons with.

    `parts` are the variance by source, empty where nothing is known of it. `reach` is, in points, half the score's
    topic interval or the smallest change that can be detected, None where there is none; `target` what would be fine
    enough. `samples` is the mean number of answers of an engine to a prompt, `branded` the prompts that were asked
    and name the brand. The score's has a `spread`, that of a change a `wander` where its samples can be told apart.
    """

    parts: Mapping[str, float]
    reach: float | None
    target: float
    prompts: int
    topics: int
    samples: float
    engines: int
    branded: int = 0
    spread: Spread | None = None
    wander: Wander | None = None

    @property
    def shares(self) -> dict[str, float]:
        """Percent of the variance by source."""
        variance = sum(self.parts.values())
        return {source: 100 * part / variance for source, part in self.parts.items()} if variance > 0 else {}


def score_budget(outcomes: Sequence[AnswerOutcome], subjects: Sequence[str]) -> Budget | None:
    """The budget of the first subject's score over the engines of `outcomes`; None without answers to unbranded
    prompts. The other subjects of the panel lend their correlations, as they do to its interval.

    Sources: topic, prompt within its topic, engine (which prompts it favours; its own level is no uncertainty) and
    sample, the same engine asked the same again.
    """
    table = tabulate(outcomes, subjects)
    counts, unbranded = count(table), ~mention_counts_by_prompt(table)[:, 0]
    answers = counts.answers * unbranded
    estimate = components(answers, counts.mentioned[..., 0] * unbranded, table.topic)
    if estimate is None:
        return None
    cells = gather(table, table.mentioned, ~table.named)
    interval = rate_interval(cells)
    half = 50 * float(interval.high[0] - interval.low[0])
    has_reach = not (isnan(half) or interval.on_questions[0])
    return Budget(
        parts={name: part for name, part in asdict(estimate).items() if part is not None},
        reach=half if has_reach else None,
        target=MARGIN,
        prompts=int(cells.prompts[0]),
        topics=int(cells.topics[0]),
        samples=float(answers[answers > 0].mean()),
        engines=int(answers.any(axis=1).sum()),
        branded=int((~unbranded).sum()),
        spread=_spread(cells),
    )


def _spread(cells: Cells) -> Spread:
    """What the interval of the first subject reckons with, and whose correlations they are; without the doubt that
    few answers leave of them: a plan is for more."""
    sums = sums_of_squares(cells)
    prompt, topic = (float(correlations[0]) for correlations in known_alike(cells))
    spread = Spread(float(cells.value[0]), prompt, topic, Source.OWN, subjects=len(cells.value))
    if not isnan(correlation(sums).prompt[0]):
        return spread
    if not isnan(correlation(pooled(sums)).prompt[0]):
        return replace(spread, source=Source.PANEL)
    return replace(ASSUMED_SPREAD, rate=spread.rate, subjects=spread.subjects)


def change_budget(pair: Pair, change: Change) -> Budget | None:
    """The budget of the change of a subject's all-engine score; None where that is not measured on both days.

    Prompts and topics cancel as far as they are the same on both days. Sources: run, what moved differently from
    topic to topic between the days, sample, and day, the luck that all topics of an engine share on each of the days.
    """
    if change.delta is None or change.engine is not None or change.metric != Metric.SCORE:
        return None
    place = pair.subjects.index(change.subject)
    contrast = rate_contrast(pair, pair.before.mentioned, pair.now.mentioned)
    both = (pair.before.answers > 0) & (pair.now.answers > 0)
    usable = both & ~pair.named[:, place] & pair.averaged[:, None]
    weight = usable / np.maximum(usable.sum(axis=1, keepdims=True), 1) / np.count_nonzero(usable.any(axis=1))
    variance, of_samples = float(contrast.variance[0, place]), _of_samples(pair, weight, place)
    parts, wander = {}, None
    topics = len(np.unique(pair.topic[usable.any(axis=0)]))
    engines = int(np.count_nonzero(usable.any(axis=1)))
    if not isnan(variance):
        known = {} if of_samples is None else {"sample": min(of_samples.part, variance)}
        parts = {"run": variance - sum(known.values()), **known}
        parts |= {"day": change.day_variance} if change.day_variance else {}
    if of_samples is not None and not isnan(variance):
        units = len(np.unique(pair.units[usable.any(axis=0)]))
        wander = Wander(parts["run"] * units, of_samples.variance, day=change.day_variance * engines)
    return Budget(
        parts=parts,
        reach=change.minimum_detectable,
        target=DETECTABLE,
        prompts=int(contrast.prompts[0, place]),
        topics=topics,
        samples=float(((pair.before.answers[usable] + pair.now.answers[usable]) / 2).mean()),
        engines=engines,
        branded=int(np.count_nonzero(pair.named[:, place])),
        wander=wander,
    )


@dataclass(frozen=True, slots=True)
class _OfSamples:
    """The `variance` of one answer about its prompt's rate, and its `part` in that of the change."""

    variance: float
    part: float


def _of_samples(pair: Pair, weight: Floats, place: int) -> _OfSamples | None:
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
    variance = within / freedom
    return _OfSamples(variance, variance * float((weight[chosen] ** 2 * (1 / answers[0] + 1 / answers[1])).sum()))
