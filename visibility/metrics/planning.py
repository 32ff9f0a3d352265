"""How many topics, wordings and samples a figure needs, reckoned as its interval and its test of change are. Pure."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import ceil

import numpy as np

from visibility.metrics.detectable import noncentrality
from visibility.metrics.distributions import gammainc
from visibility.metrics.intervals import MAX_TELLING, Values, student_size, wilson_of_effective_size
from visibility.metrics.table import Floats
from visibility.metrics.verdicts import ALPHA, MIN_PROMPTS

MARGIN, DETECTABLE = 5.0, 10.0
"""What is fine enough where nobody says otherwise, in points: the half width of the score's interval, and the
smallest change that is seen."""
MIN_TOPICS, MAX_TOPICS = 4, 10_000
MIN_SAMPLES, MAX_SAMPLES = 2, 10
"""One sample hides how far answers differ by chance."""
WORDINGS = range(1, 5)
"""Of each topic."""
HARDLY_DEARER = 1.25
"""A design with at most so many times the fewest answers is taken where it needs fewer prompts: they are written."""
NEARLY_AS_FINE = 1.03
MIN_RATE = 0.05
"""A brand that is named nowhere is planned for as one that is named in so many answers, or else a first mention would
break the plan."""


class Source(StrEnum):
    """Where what a plan reckons with is known from."""

    OWN = "own"
    PANEL = "panel"
    ASSUMED = "assumed"


@dataclass(frozen=True, slots=True)
class Design:
    """What a scan asks: so many `topics`, `wordings` of each, each asked so often (`samples`) of each of `engines`.
    Wordings and samples are means where they differ."""

    topics: int
    wordings: float
    samples: float
    engines: int = 1

    @property
    def prompts(self) -> int:
        """The wordings of all topics."""
        return round(self.topics * self.wordings)

    @property
    def answers(self) -> int:
        """The answers of all engines to all of them; each costs one credit."""
        return round(self.topics * self.wordings * self.samples * self.engines)


@dataclass(frozen=True, slots=True)
class Designs:
    """Several designs: each field has the numbers of all, in one order."""

    topics: Floats
    wordings: Floats
    samples: Floats
    engines: int


@dataclass(frozen=True, slots=True)
class Spread:
    """What an interval of the score depends on: the rate, and the correlations within a prompt and within a topic
    that the topic interval reckons with, all 0–1; `subjects` are so many as tell of these, the brand among them."""

    rate: float
    prompt_correlation: float
    topic_correlation: float
    source: Source = Source.OWN
    subjects: int = 1


@dataclass(frozen=True, slots=True)
class Wander:
    """What a test of change depends on: `run`, the variance of what a topic's rate moves by between two days of its
    own accord, `sample`, that of one answer about its prompt's rate, and `day`, that of what all topics of an engine
    move by together. Rates are 0–1."""

    run: float
    sample: float
    source: Source = Source.OWN
    day: float = 0.0


ASSUMED_SPREAD = Spread(0.5, 0.7, 0.7, Source.ASSUMED)
"""Where nothing is measured: the widest rate, and how alike mentions of 45 brands are in 408 published answers of two
engines to 68 wordings on 17 topics: wordings of one topic are as alike there as answers to one of them."""
ASSUMED_RUN = 0.01
"""Where no two days are measured: topics that move by 10 points between two days (their standard deviation)."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What may be asked: unbranded prompts, samples of each, and answers a scan. None is no limit."""

    prompts: int | None = None
    samples: int = MAX_SAMPLES
    answers: int | None = None

    def allow(self, design: Design) -> bool:
        """Whether the design is within all of them."""
        return (
            (self.prompts is None or design.prompts <= self.prompts)
            and design.samples <= self.samples
            and (self.answers is None or design.answers <= self.answers)
        )


Reach = Callable[[Design | Designs], Values]
"""What a design shows, or each of several, in points, smaller being finer."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What it takes to reach `target` points. `needed` is None where no design does. Where it is not within the
    limits `allowed` is the finest design there, None where there is room for none, and `allowed_reach` what it shows.
    `present` is what is asked today and `reach` what that shows; None where there is nothing to tell. `by_wordings`
    is what else reaches the target: for each number of wordings a topic with which one does, the design of fewest
    answers, within the limits or not."""

    target: float
    needed: Design | None
    is_within_limits: bool
    allowed: Design | None
    allowed_reach: float | None
    present: Design | None
    reach: float | None
    by_wordings: Sequence[Design] = ()

    @property
    def is_enough(self) -> bool:
        """Whether what is asked today reaches the target."""
        return self.reach is not None and self.reach <= self.target

    @property
    def adds_samples_only(self) -> bool:
        """Whether the prompts of today, asked more often, are what is needed."""
        return self.needed is not None and self.present is not None and _same_prompts(self.needed, self.present)


def half_width(design: Design | Designs, spread: Spread) -> Values:
    """What half the topic interval of the score is expected to be, in points.

    Kish's design effect as `intervals.design_size` has it, for topics, wordings and samples of equal number. The
    interval takes the larger of two variances, the second of which is estimated with T - 1 degrees of freedom: that
    makes it wider by a known factor on average.
    """
    rate = min(max(spread.rate, MIN_RATE), 1 - MIN_RATE)
    prompts = design.topics * design.wordings
    inverse = (
        spread.topic_correlation / design.topics
        + (spread.prompt_correlation - spread.topic_correlation) / prompts
        + (1 - spread.prompt_correlation) / (prompts * design.samples * design.engines)
    )
    freedom = design.topics - 1
    telling = freedom * min(spread.subjects, MAX_TELLING)
    size = student_size(1 / (inverse * _mean_of_larger(freedom)), telling)
    low, high = wilson_of_effective_size(rate, size)
    return 50 * (high - low)


def least_change(design: Design | Designs, wander: Wander) -> Values:
    """The smallest change of the score that a test between two days calls moved with 80 % power, in points.

    Prompts and topics cancel, being the same on both days: the variance is `run` over the topics, that of the
    answers of both days over their number, and that of the days' luck over the engines.
    """
    of_answers = 2 * wander.sample / (design.topics * design.wordings * design.samples * design.engines)
    return (
        100
        * noncentrality(design.topics - 1, ALPHA)
        * np.sqrt(wander.run / design.topics + of_answers + wander.day / design.engines)
    )


def assumed_wander(spread: Spread) -> Wander:
    """What to reckon with before two days are measured: the chance that the spread leaves to single answers."""
    chance = spread.rate * (1 - spread.rate) * (1 - spread.prompt_correlation)
    return Wander(ASSUMED_RUN, chance, Source.ASSUMED)


def plan_for(
    reach: Reach, target: float, *, limits: Limits, engines: int = 1, present: Design | None = None,
    measured_reach: float | None = None,
) -> Plan:  # fmt: skip
    """What reaches `target` points with the fewest answers, or nearly so with fewer prompts to write: within the
    limits where anything there does, else beyond them.

    The prompts of today asked more often are preferred where they need hardly more answers. `measured_reach` is what
    the design of today really showed; without it what it is expected to.
    """
    engines = present.engines if present else engines
    designs = _reaching(reach, target, engines=engines, samples=limits.samples)
    needed = _fewest([design for design in designs if limits.allow(design)]) or _fewest(designs)
    if needed and present and (oftener := _asked_oftener(reach, target, present, limits)):
        needed = oftener if oftener.answers <= HARDLY_DEARER * needed.answers else needed
    is_within = needed is not None and limits.allow(needed)
    allowed = None if is_within else finest(reach, limits=limits, engines=engines)
    present_reach = measured_reach
    if present_reach is None and present is not None and present.topics >= MIN_TOPICS:
        present_reach = float(reach(present))
    allowed_reach = float(reach(allowed)) if allowed else None
    by_wordings = (_fewest([design for design in designs if design.wordings == number]) for number in WORDINGS)
    return Plan(
        target, needed, is_within, allowed, allowed_reach, present, present_reach, [*filter(None, by_wordings)]
    )


def _reaching(reach: Reach, target: float, *, engines: int, samples: int) -> list[Design]:
    """For each number of wordings and of samples the fewest topics that reach the target, where `MAX_TOPICS` do.

    More topics never show less: the room is halved until one number is left, in all designs at once.
    """
    numbers = range(min(MIN_SAMPLES, samples), samples + 1)
    shapes = [(of_topic, of_wording) for of_topic in WORDINGS for of_wording in numbers]
    of_topic, of_wording = np.array(shapes, dtype=np.float64).T
    low, high = np.maximum(MIN_TOPICS, np.ceil(MIN_PROMPTS / of_topic)), np.full(len(shapes), float(MAX_TOPICS))
    is_reached = reach(Designs(high, of_topic, of_wording, engines)) <= target
    while (low < high).any():
        middle = (low + high) // 2
        is_enough = reach(Designs(middle, of_topic, of_wording, engines)) <= target
        low, high = np.where(is_enough, low, middle + 1), np.where(is_enough, middle, high)
    return [
        Design(int(topics), *shape, engines)
        for topics, shape, is_possible in zip(low, shapes, np.atleast_1d(is_reached), strict=True)
        if is_possible
    ]


def finest(reach: Reach, *, limits: Limits, engines: int) -> Design | None:
    """The design within the limits that shows most, without samples that hardly help; None where none is."""
    designs = list(_at_the_limit(limits, engines))
    if not designs:
        return None
    widths = [float(reach(design)) for design in designs]
    fine = NEARLY_AS_FINE * min(widths)
    near = [design for design, width in zip(designs, widths, strict=True) if width <= fine]
    return min(near, key=lambda design: design.answers)


def _at_the_limit(limits: Limits, engines: int) -> Iterator[Design]:
    for samples in range(min(MIN_SAMPLES, limits.samples), limits.samples + 1):
        prompts = MAX_TOPICS if limits.prompts is None else limits.prompts
        if limits.answers is not None:
            prompts = min(prompts, limits.answers // (samples * engines))
        if prompts >= MIN_PROMPTS:
            yield Design(prompts, 1, samples, engines)


def _fewest(designs: Sequence[Design]) -> Design | None:
    """The one with the fewest answers, or of those that need hardly more the one with the fewest prompts to write."""
    if not designs:
        return None
    fewest = min(design.answers for design in designs)
    near = [design for design in designs if design.answers <= HARDLY_DEARER * fewest]
    return min(near, key=lambda design: (design.prompts, design.answers, design.wordings))


def _asked_oftener(reach: Reach, target: float, present: Design, limits: Limits) -> Design | None:
    """The prompts of today with as few samples as reach the target; None where no number that is allowed does."""
    if present.topics < MIN_TOPICS or present.prompts < MIN_PROMPTS:
        return None
    numbers = range(max(MIN_SAMPLES, ceil(present.samples)), limits.samples + 1)
    designs = (replace(present, samples=number) for number in numbers)
    return next((design for design in designs if reach(design) <= target and limits.allow(design)), None)


def _same_prompts(design: Design, present: Design) -> bool:
    return (design.topics, design.prompts) == (present.topics, present.prompts)


def _mean_of_larger(freedom: Values) -> Values:
    """The mean of max(1, χ²/n), n being the degrees of freedom: by how much the larger of a variance and an estimate
    of it is too large on average.

    With F_n the distribution function of χ², it is F_n(n) + 1 - F_n+2(n).
    """
    half = freedom / 2
    return np.asarray(gammainc(half, half) + 1 - gammainc(half + 1, half))
