"""Which is mentioned more often in the same answers, beyond chance: the brand or a rival."""

from dataclasses import dataclass, fields

import numpy as np

from visibility.metrics.contrasts import Contrast, rate_contrast
from visibility.metrics.counts import Counts, Floats, Key, numbers, optional
from visibility.metrics.exact import chance_of_lead
from visibility.metrics.intervals import MIN_TOPICS
from visibility.metrics.series import Pair, Side
from visibility.metrics.verdicts import ALPHA, Verdict, holm, judgement, p_values


@dataclass(frozen=True, slots=True)
class Lead:
    """How many points more often the brand is mentioned than a rival, negative where the rival is, with the 95 %
    interval. `moved` where that is beyond chance; the rest as in `Change`. All None where no prompt is free of both.

    Below four topics the test is one of exactly these answers, and there is no interval. `alone` and `rival_alone`
    are the answers that name only the one or only the other; where that was not counted, the most that can."""

    verdict: Verdict
    delta: float | None
    low: float | None
    high: float | None
    minimum_detectable: float | None
    adjusted_p: float | None
    alone: int
    rival_alone: int


def find_leads(counts: Counts) -> dict[Key, Lead]:
    """The lead of the first subject over each other one, over the averaged engines of one day.

    Paired by answer, tested over topics, or below four topics by the sign test over answers. The rivals share 5 % by
    Holm: where nobody leads, that is the chance that a lead over anybody is claimed. Empty without rivals or answers.
    """
    pair = _pair(counts)
    if len(pair.subjects) == 0 or not pair.averaged.any() or not pair.after.answers.any():
        return {}
    whole = rate_contrast(pair)
    contrast = Contrast(*(getattr(whole, field.name)[:, :1] for field in fields(Contrast)))  # the line over engines
    mine, theirs = _alone(pair, counts.without_brand[1:])
    by_answer = _topics(pair, counts) < MIN_TOPICS
    p = np.minimum(2 * chance_of_lead(np.maximum(mine, theirs), np.minimum(mine, theirs)), 1.0)
    p = np.where(np.isnan(contrast.delta[:, 0]), np.nan, p) if by_answer else p_values(contrast)[:, 0]
    adjusted = np.where(np.isnan(p), np.nan, holm(np.where(np.isnan(p), 1.0, p)))
    level = ALPHA / np.maximum(np.count_nonzero(adjusted > ALPHA), 1)
    judged = judgement(contrast, p[:, None], adjusted[:, None], np.full((len(p), 1), level))
    leads = {}
    for place, rival in enumerate(pair.subjects):
        columns = (contrast.delta, judged.low, judged.high, judged.minimum)
        delta, low, high, minimum = (optional(float(column[place, 0]), 100) for column in columns)
        verdict = Verdict(str(judged.verdict[place, 0]))
        if by_answer and delta is not None:
            same_way = delta * float(mine[place] - theirs[place]) > 0
            verdict = Verdict.MOVED if adjusted[place] <= ALPHA and same_way else Verdict.CANNOT_DETECT
            low = high = minimum = None
        number = int(mine[place]), int(theirs[place])
        leads[rival] = Lead(verdict, delta, low, high, minimum, optional(float(adjusted[place])), *number)
    return leads


def _pair(counts: Counts) -> Pair:
    """The same answers twice: with the mentions of each rival, and with those of the brand."""
    rivals = counts.subjects[1:]
    averaged = np.array([engine in counts.averaged for engine in counts.engines], dtype=bool)
    answers = counts.answers * averaged[:, None]
    theirs = counts.mentioned[1:]
    mine = np.broadcast_to(counts.mentioned[:1], theirs.shape)
    return Pair(
        rivals,
        counts.engines,
        averaged,
        numbers(counts.topics),
        counts.named[1:] | counts.named[:1],
        Side(answers, theirs, theirs),
        Side(answers, mine, mine),
        luck=None,
    )


def _topics(pair: Pair, counts: Counts) -> int:
    """How many topics have answers to prompts that do not name the brand."""
    return len(np.unique(pair.units[pair.after.answers.any(axis=0) & ~counts.named[0]]))


def _alone(pair: Pair, without_brand: Floats) -> tuple[Floats, Floats]:
    """The answers that name only the brand, and only each rival. Where it is not known how many name both, the least
    possible makes the test more cautious, never less: it adds as many to either side."""
    least = np.maximum(pair.before.mentioned + pair.after.mentioned - pair.after.answers, 0.0)
    both = np.where(np.isnan(without_brand), least, pair.before.mentioned - without_brand)
    usable = ~pair.named[:, None, :] & (pair.after.answers > 0)
    mine, theirs = (
        ((side.mentioned - both) * usable).sum(axis=(-2, -1)).round() for side in (pair.after, pair.before)
    )
    return mine, theirs
