"""Who of two is named more often in the same answers, beyond chance: the brand beside each rival."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from visibility.metrics.contrasts import Contrast, rate_contrast
from visibility.metrics.leads import chance_of_lead
from visibility.metrics.pairs import Counts, DayCounts, Pair, has_few_topics, numbers_of_topics
from visibility.metrics.table import Floats
from visibility.metrics.verdicts import ALPHA, Verdict, judge_together


@dataclass(frozen=True, slots=True)
class Lead:
    """How many points more often the brand is named than a rival, with the 95 % interval of the difference; negative
    where the rival is. All None where no prompt names neither of them.

    `verdict`: `moved` where the difference is beyond chance, `within_noise` where one of ten points or more would
    have shown, `cannot_detect` where not. `least` is the smallest that would have shown in four cases of five, None
    where that is not known.
    """

    verdict: Verdict
    delta: float | None
    low: float | None
    high: float | None
    least: float | None = None

    @property
    def is_ahead(self) -> bool:
        """Whether the brand is named more often, beyond chance."""
        return self.verdict is Verdict.MOVED and (self.delta or 0.0) > 0

    @property
    def is_behind(self) -> bool:
        """Whether the rival is."""
        return self.verdict is Verdict.MOVED and (self.delta or 0.0) < 0


@dataclass(frozen=True, slots=True)
class Places:
    """The places among `count` that the brand may have: from `best` to `worst`, 1 being the first."""

    best: int
    worst: int
    count: int


def find_leads(counts: DayCounts, own: str) -> Mapping[str, Lead]:
    """The brand `own` beside each other subject, by subject: the figure over engines, paired by prompt, the variance
    between topics, as the change between two days is tested (`visibility.metrics.change`). Below four topics it is
    a test of exactly these questions, over their answers. The rivals share 5 % by Holm: where nobody is ahead of
    anybody, the chance that anything else is said of any of them.
    Prompts that name one of two are left out for both. Empty where no engine counts or there is nobody else."""
    day = counts.narrowed(counts.averaged, counts.subjects)
    rivals = tuple(subject for subject in day.subjects if subject != own)
    if own not in day.subjects or not rivals or not day.answers.any():
        return {}
    pair = _pair(day, own, rivals)
    contrast = rate_contrast(pair, pair.before.mentioned, pair.now.mentioned)
    tests = [_of_rival(contrast, place) for place in range(len(rivals))]
    judgements = judge_together(tests, np.ones((1, 1, 1), dtype=bool))  # the comparisons of one line share its level
    leads = {
        rival: Lead(
            Verdict(judgement.verdict.item()),
            *map(_points, (test.delta, judgement.low, judgement.high, judgement.minimum)),
        )
        for rival, test, judgement in zip(rivals, tests, judgements, strict=True)
    }
    return _on_questions(pair, leads) if pair.on_questions else leads


def _on_questions(pair: Pair, leads: Mapping[str, Lead]) -> dict[str, Lead]:
    """The leads as the answers to exactly these questions tell them: by the sign test over those that name one of the
    two. How many name both is not kept; the least that is possible makes the test more cautious, never less."""
    both = np.maximum(pair.before.mentioned + pair.now.mentioned - pair.now.answers[..., None], 0.0)
    counted = ~pair.named
    mine, theirs = (((part.mentioned - both) * counted).sum(axis=(0, 1)) for part in (pair.now, pair.before))
    chances = [
        min(1.0, 2 * chance_of_lead(max(alone, other), min(alone, other)))
        for alone, other in zip(map(round, mine), map(round, theirs), strict=True)
    ]
    is_told = dict(zip(leads, _holm(chances), strict=True))
    return {
        rival: _lead_on_questions(lead, is_told=is_told[rival], is_ahead=ahead)
        for (rival, lead), ahead in zip(leads.items(), mine > theirs, strict=True)
    }


def _lead_on_questions(lead: Lead, *, is_told: bool, is_ahead: bool) -> Lead:
    """The interval stays where it says the same: it is one between questions, of which there are few."""
    if lead.delta is None:
        return lead
    if not is_told or (lead.delta > 0) != is_ahead:
        return replace(lead, verdict=Verdict.CANNOT_DETECT) if lead.verdict is Verdict.MOVED else lead
    holds = lead.low is not None and lead.high is not None and lead.low * lead.high > 0
    span = (lead.low, lead.high) if holds else (None, None)
    return Lead(Verdict.MOVED, lead.delta, *span)


def _holm(chances: Sequence[float]) -> list[bool]:
    """Which of these are beyond chance, all of them sharing 5 % (Holm 1979)."""
    told = [False] * len(chances)
    for place, number in enumerate(sorted(range(len(chances)), key=chances.__getitem__)):
        if chances[number] > ALPHA / (len(chances) - place):
            break
        told[number] = True
    return told


def places_of(leads: Iterable[Lead]) -> Places:
    """The 95 % interval of the brand's place among these rivals: behind all that are ahead of it beyond chance, and
    ahead of all that are behind it. As all of that is true at once in 95 % of cases, so is the interval (Mogstad,
    Romano, Shaikh and Wilhelm 2024, Inference for Ranks). A rival that cannot be compared may be either."""
    rows = list(leads)
    behind, ahead = sum(lead.is_behind for lead in rows), sum(lead.is_ahead for lead in rows)
    return Places(1 + behind, 1 + len(rows) - ahead, 1 + len(rows))


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
        on_questions=has_few_topics(day, day.answers > 0),
    )


def _of_rival(contrast: Contrast, place: int) -> Contrast:
    """The figure over engines against the rival at this place alone."""
    return Contrast(*(getattr(contrast, field.name)[None, :1, place, None] for field in fields(Contrast)))


def _points(part: Floats) -> float | None:
    value = float(part.item())
    return None if np.isnan(value) else round(value * 100, 1)
