"""Who of two is named more often in the same answers, beyond chance: the brand beside each rival."""

from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np

from visibility.metrics.contrasts import Contrast, rate_contrast
from visibility.metrics.pairs import Counts, DayCounts, Pair, numbers_of_topics
from visibility.metrics.verdicts import Verdict, judge


@dataclass(frozen=True, slots=True)
class Lead:
    """How many points more often the brand is named than a rival, with the 95 % interval of the difference; negative
    where the rival is. All None where no prompt names neither of them.

    `verdict`: `moved` where the difference is beyond chance, `within_noise` where one of ten points or more would
    have shown, `cannot_detect` where not.
    """

    verdict: Verdict
    delta: float | None
    low: float | None
    high: float | None

    @property
    def is_ahead(self) -> bool:
        """Whether the brand is named more often, beyond chance."""
        return self.verdict is Verdict.MOVED and (self.delta or 0.0) > 0

    @property
    def is_behind(self) -> bool:
        """Whether the rival is."""
        return self.verdict is Verdict.MOVED and (self.delta or 0.0) < 0


def find_leads(counts: DayCounts, own: str) -> Mapping[str, Lead]:
    """The brand `own` beside each other subject, by subject: the figure over engines, paired by prompt, the variance
    between topics, as the change between two days is tested (`visibility.metrics.change`). The rivals are one family.
    Prompts that name one of two are left out for both. Empty where no engine counts or there is nobody else."""
    day = counts.narrowed(counts.averaged, counts.subjects)
    rivals = tuple(subject for subject in day.subjects if subject != own)
    if own not in day.subjects or not rivals or not day.answers.any():
        return {}
    pair = _pair(day, own, rivals)
    contrast = _first_line(rate_contrast(pair, pair.before.mentioned, pair.now.mentioned))
    judgement = judge(contrast, np.zeros(contrast.delta.shape, dtype=bool))
    return {
        rival: Lead(
            Verdict(judgement.verdict[0, 0, place]),
            *(_points(values[0, 0, place]) for values in (contrast.delta, judgement.low, judgement.high)),
        )
        for place, rival in enumerate(rivals)
    }


def _pair(day: DayCounts, own: str, rivals: tuple[str, ...]) -> Pair:
    """The same answers twice: with the rivals' mentions, and with the brand's beside each of them."""
    mine = day.subjects.index(own)
    theirs = [day.subjects.index(rival) for rival in rivals]
    nothing = np.zeros((*day.answers.shape, len(rivals)))
    return Pair(
        subjects=rivals,
        engines=day.engines,
        averaged=np.ones(len(day.engines), dtype=bool),
        topic=numbers_of_topics(day.topics),
        named=day.named[:, theirs] | day.named[:, [mine]],
        before=Counts(day.answers, day.mentioned[..., theirs], nothing),
        now=Counts(day.answers, day.mentioned[..., [mine] * len(rivals)], nothing),
    )


def _first_line(contrast: Contrast) -> Contrast:
    """The figure over engines alone, as a family of one metric and one line."""
    return Contrast(*(getattr(contrast, field.name)[None, :1] for field in fields(Contrast)))


def _points(part: float) -> float | None:
    return None if np.isnan(part) else round(float(part) * 100, 1)
