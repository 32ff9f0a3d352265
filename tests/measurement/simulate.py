"""Days drawn from known populations: whether intervals cover the truth and alarms are true.

`python -m tests.measurement.simulate` prints a table of a reduced grid in under four minutes, with `--full` of the
large one, and exits with 1 where a promise is broken. The first part is of the population of `panels_beta`, the rest
of this module's. The library judges, many days at once. A cell near its limit is drawn again, larger, so that a
failure is no accident of the draw.
"""

import sys
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import product

import numpy as np
from scipy.special import betaincinv, ndtr

from tests.measurement.panels_beta import World
from tests.measurement.worlds import WORLDS, Coverage, cover
from visibility.metrics.change import own_test
from visibility.metrics.contrasts import Contrast, family_contrast, rate_contrast
from visibility.metrics.intervals import Estimate, estimate_mean, estimate_rate
from visibility.metrics.luck import LATEST, PRIOR_PAIRS, Neighbours, estimate_luck, neighbours
from visibility.metrics.moves import confirm, is_raised, signs
from visibility.metrics.prominence import Placed, prominence
from visibility.metrics.proof import differ
from visibility.metrics.samples import sample
from visibility.metrics.series import LEAST_UNITS, UNKNOWN_LUCK, Pair, Series, Side
from visibility.metrics.verdicts import ALPHA, Verdict, judge
from visibility.metrics.voice import share_of_voice

SEED = 20261124
COVERAGE, AVERAGE, FALSE, SEEN = 0.93, 0.99, 0.05, 0.95
NEARLY = 0.06
"""In a single cell: a t-test over five topics that are drawn again every day keeps its level only nearly."""
ENOUGH_TOPICS = 8
"""From so many topics on the topic interval must not be too wide on average."""
RIVALS = (0.3, 0.15)
TOPIC_PART = 0.6
"""The correlation of two prompts of one topic ÷ that of two answers to one prompt, about as on real answers."""
RANKS = np.array([1, 2, 3, 6])
GAINS = 1 / np.log2(1 + RANKS)
CORRELATION = 0.66
HISTORY, LOOKS, STEP = 8, 30, 0.3
BATCH = 250


def beta(rng, mean, correlation, shape):
    """Chances with this mean, and this correlation of what is drawn from them."""
    mean = np.broadcast_to(np.clip(mean, 1e-9, 1 - 1e-9), shape)
    if correlation <= 0:
        return mean.copy()
    scale = 1 / correlation - 1
    return rng.beta(np.maximum(mean * scale, 1e-12), np.maximum((1 - mean) * scale, 1e-12))


def topics_of(topics, wordings):
    """The topic of each prompt: so many wordings a topic, in turn."""
    return np.repeat(np.arange(topics), [wordings[number % len(wordings)] for number in range(topics)])


def chances(rng, topic, rates, correlation, repetitions):
    """The chance of a mention, [repetition, subject, prompt]: prompts of one topic are alike."""
    shape = (repetitions, len(rates), topic.max() + 1)
    of_topic = beta(rng, np.array(rates)[:, None], TOPIC_PART * correlation, shape)[..., topic]
    inner = (1 - TOPIC_PART) * correlation / (1 - TOPIC_PART * correlation)
    return beta(rng, of_topic, inner, of_topic.shape)


# Intervals


@dataclass(frozen=True)
class Population:
    """Days with so many topics, `wordings` a topic and `samples` a prompt in turn, the brand's rate and ρ; `alone`:
    no rivals are tracked; `placeless` is the part of the mentions that have no rank."""

    topics: int
    wordings: tuple[int, ...]
    samples: tuple[int, ...]
    rate: float
    correlation: float
    alone: bool = False
    placeless: float = 0.0


def coverage(seed, population, repetitions):
    """By figure, the part of the days whose interval covers the truth: from four topics on that of the population,
    below that of exactly these prompts. Figures without an interval are left out."""
    rng = np.random.default_rng(seed)
    at_once = max(20, 60_000 // (population.topics * max(population.wordings)))
    parts = [_covered(rng, population, min(at_once, repetitions)) for _ in range(-(-repetitions // at_once))]
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return {name: float(np.nanmean(column)) for name, column in columns.items() if not np.isnan(column).all()}


def _covered(rng, population, repetitions):
    rates = (population.rate,) if population.alone else (population.rate, *RIVALS)
    topic = topics_of(population.topics, population.wordings)
    samples = np.array([population.samples[place % len(population.samples)] for place in range(len(topic))])
    chance = chances(rng, topic, rates, population.correlation, repetitions)
    mentioned, ranked, gain, squares, comentions = _answers(rng, chance, samples, population.placeless)
    answers = np.broadcast_to(samples.astype(float), mentioned.shape)
    score = sample(topic, answers, mentioned)
    early = chance * (chance + (1 - chance) * GAINS[1:].mean())  # often is early, too
    first = population.correlation * population.rate * (1 - population.rate) + population.rate**2
    of_early = first + (population.rate - first) * GAINS[1:].mean()
    talk = (chance * samples).sum(axis=-1)
    truths = {
        "score": (population.rate, _weighted(score, chance)),
        "panel": (None, _weighted(score, chance)),
        "prominence": (of_early, _weighted(sample(topic, answers, mentioned, by_answers=True), early)),
        "share of voice": (population.rate / sum(rates), talk[:, 0] / np.maximum(talk.sum(axis=1), 1e-300)),
    }
    rate = estimate_rate(score)
    found = {
        "score": rate,
        "panel": replace(rate, low=np.full_like(rate.low, np.nan)),
        "prominence": estimate_mean(prominence(Placed(topic, answers, mentioned, ranked, gain, squares))),
    }
    if not population.alone:
        found["share of voice"] = share_of_voice(topic, answers, mentioned, comentions)
    return {name: _holds(estimate, *truths[name]) for name, estimate in found.items()}


def _answers(rng, chance, samples, placeless):
    """Sums over the answers to each prompt, [repetition, subject, 1 engine, prompt]."""
    sums = np.zeros((5, *chance.shape))
    for number in range(samples.max()):
        is_named = (rng.random(chance.shape) < chance) & (number < samples)
        place = np.where(rng.random(chance.shape) < chance, 0, rng.integers(1, len(RANKS), chance.shape))
        is_ranked = is_named & (rng.random(chance.shape) >= placeless)
        gain = GAINS[place] * is_ranked
        sums += np.stack([is_named, is_ranked, gain, gain**2, is_named * is_named.sum(axis=1, keepdims=True)])
    return sums[..., None, :]


def _weighted(figure, expected):
    return (figure.weight[..., 0, :] * expected).sum(axis=-1)[:, 0]


def _holds(estimate: Estimate, of_population, of_prompts):
    """Whether the brand's interval covers the truth that it speaks of; NaN without an interval."""
    low, high, panel_low, panel_high = (
        part[:, 0] for part in (estimate.low, estimate.high, estimate.panel_low, estimate.panel_high)
    )
    of_topics = ~np.isnan(low)
    truth = of_prompts if of_population is None else np.where(of_topics, of_population, of_prompts)
    low, high = np.where(of_topics, low, panel_low), np.where(of_topics, high, panel_high)
    return np.where(np.isnan(low), np.nan, (low <= truth + 1e-9) & (truth - 1e-9 <= high))


# Changes


@dataclass(frozen=True)
class Design:
    """Pairs of days of a brand and its rivals: `restless`, each day's chances are drawn again, so that every topic
    moves and nothing changes on average. `luck` is what all topics of an engine share on a day (0–1)."""

    topics: int
    wordings: tuple[int, ...] = (1,)
    samples: int = 3
    rate: float = 0.3
    engines: int = 2
    restless: bool = False
    luck: float = 0.0


def false_changes(seed, design, repetitions):
    """The part of null pairs whose score is called moved, and of those where anything else is."""
    rng, found = np.random.default_rng(seed), []
    for size in _batches(repetitions):
        pair = _pair(rng, design, size)
        own = own_test(pair)
        moved = judge(family_contrast(pair), own).verdict == Verdict.MOVED.value
        found.append(np.stack([(moved & own).any(axis=(1, 2, 3)), (moved & ~own).any(axis=(1, 2, 3))]))
    return np.concatenate(found, axis=1).mean(axis=1).tolist()


def false_proofs(seed, design, repetitions):
    """The part of null pairs where a topic like the others is called moved."""
    rng, found = np.random.default_rng(seed), []
    for size in _batches(repetitions):
        pair = _pair(rng, design, size)
        found.append(differ(pair.before, pair.after, topics_of(design.topics, design.wordings)).p <= ALPHA)
    return [float(np.concatenate(found).mean())]


def _pair(rng, design, repetitions):
    topic, rates = topics_of(design.topics, design.wordings), (design.rate, *RIVALS)
    before = chances(rng, topic, rates, CORRELATION, repetitions)
    if not design.restless:
        after = before
    elif design.topics >= LEAST_UNITS:
        after = chances(rng, topic, rates, CORRELATION, repetitions)
    else:  # the test speaks of exactly these prompts: they move, each by itself, around where they are
        after = beta(rng, before, 0.1, before.shape)
    answers = np.full((1, design.engines, len(topic)), float(design.samples))
    sides = []
    for chance in (before, after):
        shape = (repetitions, len(rates), design.engines, len(topic))
        luck = design.luck * rng.standard_normal((*shape[:3], 1))
        lucky = _lucky(chance[:, :, None], luck)
        mentioned, cited = (rng.binomial(design.samples, np.broadcast_to(part, shape)) for part in (lucky, lucky / 2))
        sides.append(Side(answers, mentioned.astype(float), cited.astype(float)))
    return Pair(
        subjects=("brand", *map(str, RIVALS)),
        engines=tuple(map(str, range(design.engines))),
        averaged=np.ones(design.engines, dtype=bool),
        units=topic,
        named=np.zeros((len(rates), len(topic)), dtype=bool),
        before=sides[0],
        after=sides[1],
        luck=UNKNOWN_LUCK,
    )


def _lucky(chance, luck):
    """Chances, by prompt on the last axis, on a day with so much luck: at a mean of one half it moves the mean by
    just that, at other means r by 2√(r(1 - r)) of it; each chance c takes a part in that as c(1 - c) is."""
    rate, room = chance.mean(axis=-1, keepdims=True), chance * (1 - chance)
    part = 2 * np.sqrt(rate * (1 - rate)) / np.maximum(room.mean(axis=-1, keepdims=True), 1e-12)
    return np.clip(chance + luck * part * room, 0, 1)


# Months


@dataclass(frozen=True)
class Month:
    """Daily answers about a brand. `wander` is the part of each topic's chance that wanders by itself, with `memory`
    the correlation of one day with the next; `luck` as in `Design`; from the day `step_on` on its rate is 30 points
    further."""

    topics: int
    samples: int = 3
    rate: float = 0.5
    engines: int = 1
    wander: float = 0.0
    memory: float = 0.0
    luck: float = 0.0
    days: int = HISTORY + LOOKS
    step_on: int | None = None


def false_reports(seed, month, repetitions):
    """The part of null months in which something is reported within thirty looks, confirmed, and by the monitor."""
    rng, found = np.random.default_rng(seed), []
    for size in _batches(repetitions):
        series = _months(rng, month, size)
        own = own_test(series.pair(*series.days[:2]))[:1]
        nearby = neighbours(series, score_contrast)
        confirmed = raised = np.zeros(size, dtype=bool)
        for day in range(HISTORY, month.days):
            so_far = series.until(day + 1, _luck(nearby, day))
            raised = raised | is_raised(so_far, own, score_contrast)[:, 0, 0, 0]
            both = [signs(so_far, place, day - 1, own, score_contrast)[:, 0, 0, 0] for place in (day - 1, day)]
            confirmed = confirmed | ((both[0] != 0) & (both[0] == both[1]))
        found.append(np.stack([confirmed | raised, confirmed, raised]))
    return np.concatenate(found, axis=1).mean(axis=1).tolist()


def confirmed_steps(seed, month, repetitions):
    """The part of months whose step is confirmed on its second day."""
    rng, found = np.random.default_rng(seed), []
    for size in _batches(repetitions):
        series = _months(rng, replace(month, days=month.step_on + 2), size)
        own = own_test(series.pair(*series.days[:2]))[:1]
        so_far = series.until(series.size, _luck(neighbours(series, score_contrast), series.size - 1))
        found.append(confirm(so_far, own, score_contrast)[:, 0, 0, 0] == month.step_on)
    return float(np.concatenate(found).mean())


def score_contrast(pair):
    """The scores alone, as a family of one metric."""
    contrast = rate_contrast(pair)
    return Contrast(*(np.expand_dims(getattr(contrast, part.name), -3) for part in fields(Contrast)))


def _latest(nearby, day):
    """The latest of so many pairs of days."""
    return Neighbours(*(getattr(nearby, part.name)[max(0, day - LATEST) : day] for part in fields(Neighbours)))


def _luck(nearby, day):
    """What is known of the luck of days after so many pairs of them."""
    return UNKNOWN_LUCK if day < PRIOR_PAIRS else estimate_luck(_latest(nearby, day))


GRID = np.linspace(-6, 6, 1201)


def _months(rng, month, repetitions):
    of_normal = _quantiles(month.rate)
    level, own, state = rng.standard_normal((3, repetitions, month.topics))
    answers = np.full((1, month.engines, month.topics), float(month.samples))
    days = []
    for day in range(month.days):
        state = month.memory * state + (1 - month.memory**2) ** 0.5 * rng.standard_normal(state.shape)
        of_topic = (1 - month.wander) ** 0.5 * level + month.wander**0.5 * state
        chance = np.interp(TOPIC_PART**0.5 * of_topic + (1 - TOPIC_PART) ** 0.5 * own, GRID, of_normal)
        if month.step_on is not None and day >= month.step_on:  # towards the middle
            falls = month.rate >= 1 / 2
            chance = chance * (1 - STEP / month.rate) if falls else chance + STEP * (1 - chance) / (1 - month.rate)
        luck = month.luck * rng.standard_normal((repetitions, month.engines, 1))
        drawn = rng.binomial(month.samples, _lucky(chance[:, None], luck))
        days.append(Side(answers, drawn[:, None].astype(float), np.zeros((1, 1, month.engines, month.topics))))
    return Series(
        ("brand",),
        tuple(map(str, range(month.engines))),
        np.ones(month.engines, dtype=bool),
        np.arange(month.topics),
        np.zeros((1, month.topics), dtype=bool),
        tuple(days),
    )


def _quantiles(rate):
    """Chances by normal score, as a beta distribution with this mean and the usual correlation has them."""
    scale = 1 / CORRELATION - 1
    return betaincinv(rate * scale, (1 - rate) * scale, ndtr(GRID))


def _batches(repetitions):
    return [min(BATCH, repetitions - start) for start in range(0, repetitions, BATCH)]


# Tables


@dataclass(frozen=True)
class Size:
    """How much is simulated."""

    draws: int
    worlds: dict[str, tuple[World, int]]
    days: int
    months: int
    populations: list[Population]
    designs: list[Design]
    proofs: list[Design]
    months_null: list[Month]
    months_step: list[Month]


def _grid(topics, wordings, samples, populations):
    return [
        Population(number, wording, sampled, **population)
        for number, wording, sampled, population in product(topics, wordings, samples, populations)
        if number * max(wording) <= 350
    ]


def _populations(rates, correlations):
    return [{"rate": rate, "correlation": correlation} for rate, correlation in product(rates, correlations)]


SPECIAL = [
    {"rate": 0.02, "correlation": 0.66, "alone": True},
    {"rate": 0.5, "correlation": 0.66, "placeless": 0.4},
]
REDUCED = Size(
    draws=400,
    worlds=WORLDS,
    days=1000,
    months=500,
    populations=_grid(
        (3, 4, 10, 30), ((1,), (4,)), ((1,), (3,)), [*_populations((0.02, 0.3, 0.9), (0.0, 0.66)), *SPECIAL]
    ),
    designs=[
        Design(topics, wordings, rate=rate, restless=restless, luck=luck)
        for (topics, wordings), rate, restless, luck in product(
            ((3, (8,)), (10, (1,)), (50, (1,)), (6, (1, 2, 3, 4, 5))), (0.1, 0.5), (False, True), (0.0, 0.035)
        )
    ],
    proofs=[
        Design(topics, (4,), rate=rate, restless=restless)
        for topics, rate, restless in product((5, 12, 30), (0.1, 0.5), (False, True))
    ],
    months_null=[
        Month(topics, wander=wander, memory=0.5, luck=luck)
        for topics, wander, luck in product((10, 50), (0.0, 0.3), (0.0, 0.035, 0.05))
    ],
    months_step=[Month(50, rate=rate, step_on=10) for rate in (0.1, 0.5, 0.9)],
)
FULL = Size(
    draws=4000,
    worlds=WORLDS,
    days=2000,
    months=1000,
    populations=_grid(
        (3, 4, 5, 10, 20, 50, 100),
        ((1,), (4,), (1, 2, 3, 4, 5)),
        ((1,), (2,), (3,), (10,), (1, 7, 3, 2)),
        [*_populations((0.02, 0.1, 0.5, 0.9), (0.0, 0.66, 0.9)), *SPECIAL],
    ),
    designs=[
        Design(topics, wordings, samples, rate, restless=restless, luck=luck)
        for (topics, wordings), samples, rate, restless, luck in product(
            ((3, (8,)), (10, (1,)), (20, (1,)), (50, (1,)), (100, (1,)), (5, (4,)), (17, (4,)), (6, (1, 2, 3, 4, 5))),
            (1, 3),
            (0.02, 0.1, 0.3, 0.5, 0.9),
            (False, True),
            (0.0, 0.035),
        )
    ],
    proofs=[
        Design(topics, wordings, samples, rate, restless=restless)
        for topics, wordings, samples, rate, restless in product(
            (5, 12, 30), ((1,), (4,)), (1, 3, 30), (0.02, 0.1, 0.5, 0.9), (False, True)
        )
    ],
    months_null=[
        Month(topics, samples, rate, engines, wander, memory, luck)
        for topics, (samples, rate, engines), (wander, memory), luck in product(
            (10, 20, 50, 100),
            ((1, 0.5, 1), (3, 0.1, 1), (3, 0.5, 1), (3, 0.3, 2), (5, 0.9, 1)),
            ((0.0, 0.0), (0.3, 0.0), (0.3, 0.5), (0.3, 0.9), (0.6, 0.8)),
            (0.0, 0.035, 0.05),
        )
    ],
    months_step=[
        Month(topics, samples, rate, step_on=10)
        for topics, samples, rate in product((50, 100), (3, 5), (0.1, 0.5, 0.9))
    ],
)


class Report:
    """The lines of a table, printed as they come, and the promises that they break."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def head(self, title: str, *columns: str) -> None:
        """Begin a table."""
        print(f"\n{title}\n\n| | {' | '.join(columns)} |\n|{'---|' * (len(columns) + 1)}", flush=True)

    def line(self, name: str, *parts: float | None) -> None:
        """One line of it."""
        cells = ("–" if part is None else f"{100 * part:.1f} %" for part in parts)
        print(f"| {name} | {' | '.join(cells)} |", flush=True)

    def hold(self, is_so: bool, sentence: str) -> None:
        """Note a promise that is broken."""
        if not is_so:
            self.problems.append(sentence)


def _words(setting) -> str:
    """What a setting is, as far as it differs from the usual one."""
    named = ((part.name, getattr(setting, part.name), part.default) for part in fields(setting))
    parts = (
        (name, "–".join(map(str, value)) if isinstance(value, tuple) else value)
        for name, value, usual in named
        if value != usual
    )
    return ", ".join(name if value is True else f"{name} {value}" for name, value in parts)


def again(simulate, seed, setting, repetitions, is_good):
    """The outcome, drawn again ten times as often where it is not good."""
    outcome = simulate(seed, setting, repetitions)
    return outcome if is_good(outcome) else simulate([*seed, 1], setting, 10 * repetitions)


def run(size: Size) -> list[str]:
    """Simulate, print and return the promises that are broken."""
    report = Report()
    _run_worlds(report, size)
    _run_intervals(report, size)
    tables = (
        ("Nothing changed: called moved", ("own score", "anything else"), false_changes, size.designs, size.days),
        ("No topic changed more than others: called moved", ("topic",), false_proofs, size.proofs, size.days),
        (
            "Nothing changed within thirty looks",
            ("either", "confirmed", "monitor"),
            false_reports,
            size.months_null,
            size.months,
        ),
    )
    for title, columns, simulate, settings, repetitions in tables:
        report.head(title, *columns)
        parts = [
            _false_alarms(report, simulate, [SEED, place], each, repetitions) for place, each in enumerate(settings)
        ]
        means = np.mean(parts, axis=0).tolist()
        report.line("on average", *means)
        report.hold(max(means) <= FALSE, f"{title} in {max(means):.3f} on average")
    report.head("A step of 30 points", "confirmed on its second day")
    for place, month in enumerate(size.months_step):
        part = confirmed_steps([SEED, place], month, size.months)
        report.line(_words(month), part)
        report.hold(part >= SEEN, f"a step is confirmed in {part:.3f} of {_words(month)}")
    print(f"\n{len(report.problems)} promises broken", *report.problems, sep="\n")
    return report.problems


def _run_worlds(report: Report, size: Size) -> None:
    columns = ("here", "in general", "width here", "width in general")
    report.head("95 % intervals of the score cover the truth, in a tree of beta distributions", *columns)
    averages = []
    for place, (name, (world, days)) in enumerate(size.worlds.items()):
        found = again(partial(cover, days=days), [SEED, place], world, size.draws, _is_covered)
        report.line(name, found.here, found.general, found.here_width, found.general_width)
        report.hold(_is_covered(found), f"{name}: {found}")
        averages += [found.general] if world.topics >= ENOUGH_TOPICS else []
    if averages:
        report.line(f"on average, from {ENOUGH_TOPICS} topics on", None, mean := float(np.mean(averages)), None, None)
        report.hold(mean <= AVERAGE, f"the topic interval covers the truth in {mean:.3f} on average: too wide")


def _is_covered(found: Coverage) -> bool:
    return min(part for part in (found.here, found.general) if part is not None) >= COVERAGE


def _run_intervals(report: Report, size: Size) -> None:
    names = ("score", "panel", "share of voice", "prominence")
    report.head("95 % intervals cover the truth", *names)
    averages: dict[str, list[float]] = {name: [] for name in names}
    for place, population in enumerate(size.populations):
        held = again(
            coverage, [SEED, place], population, size.days, lambda found: min(found.values(), default=1) >= COVERAGE
        )
        report.line(_words(population), *(held.get(name) for name in names))
        for name, part in held.items():
            report.hold(part >= COVERAGE, f"{name} covers the truth in {part:.3f} of {_words(population)}")
            averages[name] += [part] if population.topics >= 10 else []
    means = {name: float(np.mean(parts)) for name, parts in averages.items() if parts}
    report.line("on average, from ten topics on", *means.values())
    for name, mean in means.items():
        report.hold(mean <= AVERAGE, f"{name} covers the truth in {mean:.3f} on average: too wide")


def _false_alarms(report: Report, simulate, seed, setting, repetitions) -> list[float]:
    parts = again(simulate, seed, setting, repetitions, lambda found: max(found) <= FALSE)
    report.line(_words(setting), *parts)
    report.hold(max(parts) <= NEARLY, f"{max(parts):.3f} false alarms in {_words(setting)}")
    return parts


if __name__ == "__main__":
    sys.exit(bool(run(FULL if "--full" in sys.argv[1:] else REDUCED)))
