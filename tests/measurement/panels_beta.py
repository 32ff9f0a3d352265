"""A second population to draw days from: a tree of beta distributions that shares no code with `simulate`.

`draw_panel(rng, world) -> Panel` draws the chances of a brand and its rivals once. From these,
`draw_day(rng, panel, fall=0) -> Counts` draws the answers of a day, `draw_window(rng, panel, days) -> Counts` those
of so many days added up, and `draw_series(rng, panel, days, fall=0, since=0) -> list[Counts]` day after day.
`panel.here` and `panel.general` are the two truths about the brand's score, 0–100.
"""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from scipy.special import betaincinv, ndtr

from visibility.metrics import Counts, Row, count
from visibility.metrics.counts import Floats

BRAND = "brand"
LEAST = 1e-9
"""No chance that others are drawn around is closer to 0 or 1."""


@dataclass(frozen=True)
class World:
    """How panels come about.

    `rate` is the market's, of the brand; `rivals` are those of its competitors. `wordings` a topic and `samples` a
    prompt and day are taken in turn. `by_engine`, `by_topic`, `by_wording` and `by_cell` say how far each level
    spreads around the level above: the variance of its beta distribution ÷ the largest that it could have (0–1).
    `shared` is the correlation of a topic's normal scores between engines, `luck` the standard deviation at a rate of
    one half of what all topics of an engine share on a day (0–1), which becomes 4 r (1 - r) of it at a rate r.
    """

    topics: int = 12
    engines: int = 3
    wordings: tuple[int, ...] = (3,)
    samples: tuple[int, ...] = (3,)
    rate: float = 0.35
    rivals: tuple[float, ...] = (0.3, 0.15)
    by_engine: float = 0.03
    by_topic: float = 0.35
    by_wording: float = 0.2
    by_cell: float = 0.15
    shared: float = 0.6
    luck: float = 0.035

    @property
    def topic(self) -> list[int]:
        """The number of each prompt's topic."""
        return [topic for topic in range(self.topics) for _ in range(self.wordings[topic % len(self.wordings)])]


@dataclass(frozen=True)
class Panel:
    """Prompts with their chances of a mention, 0–1: `cells` by [subject, engine, prompt], and `engines`, what is
    expected over topics and wordings, by [subject, engine]."""

    world: World
    engines: Floats
    cells: Floats

    @property
    def here(self) -> float:
        """The brand's score on exactly these prompts, 0–100, the luck of days averaged out."""
        return 100 * float(self.cells[0].mean())

    @property
    def general(self) -> float:
        """The brand's score expected over topics and wordings, 0–100, of these engines."""
        return 100 * float(self.engines[0].mean())


def draw_panel(rng: Generator, world: World) -> Panel:
    """Chances of a market, level by level: engines, topics, wordings, and cells of engine and wording."""
    market = np.array([world.rate, *world.rivals])[:, None]
    engines = _around(rng, np.repeat(market, world.engines, axis=1), world.by_engine)
    shape = len(market), world.engines, world.topics
    common, own = rng.standard_normal((shape[0], 1, shape[2])), rng.standard_normal(shape)
    score = world.shared**0.5 * common + (1 - world.shared) ** 0.5 * own
    topics = betaincinv(*_shape(np.broadcast_to(engines[..., None], shape), world.by_topic), ndtr(score))
    place = world.topic
    # a wording is the same for all engines: it moves each engine's chance by the same normal score
    scores = rng.standard_normal((shape[0], 1, len(place)))
    wordings = betaincinv(*_shape(topics[..., place], world.by_wording), ndtr(scores))
    return Panel(world, engines, _around(rng, wordings, world.by_cell))


def draw_day(rng: Generator, panel: Panel, fall: float = 0) -> Counts:
    """The answers of one day, on which the brand's score here is `fall` points lower (0–100, at most to 0)."""
    return _counted(panel, _rows(rng, panel, fall))


def draw_window(rng: Generator, panel: Panel, days: int) -> Counts:
    """The answers of so many days added up, each day with its own luck."""
    return _counted(panel, [row for _ in range(days) for row in _rows(rng, panel, 0)])


def draw_series(rng: Generator, panel: Panel, days: int, fall: float = 0, since: int = 0) -> list[Counts]:
    """So many days on the same prompts; from day number `since` (from 0) on the brand's score is `fall` points lower.

    The fall takes the same part of each cell's chance; every day has its own luck.
    """
    return [draw_day(rng, panel, fall if day >= since else 0) for day in range(days)]


def _around(rng: Generator, mean: Floats, spread: float) -> Floats:
    drawn: Floats = rng.beta(*_shape(mean, spread)) if spread else mean
    return drawn


def _shape(mean: Floats, spread: float) -> tuple[Floats, Floats]:
    """The parameters of the beta distribution with this mean and spread × mean × (1 - mean) as its variance."""
    mean, size = np.clip(mean, LEAST, 1 - LEAST), 1 / max(spread, LEAST) - 1
    return mean * size, (1 - mean) * size


def _rows(rng: Generator, panel: Panel, fall: float) -> list[Row]:
    world, (subjects, engines, prompts) = panel.world, panel.cells.shape
    cells = panel.cells.copy()
    cells[0] *= max(0.0, 1 - fall / max(panel.here, LEAST))
    luck = world.luck * rng.standard_normal((subjects, engines, 1))
    chances = np.clip(cells + luck * 4 * cells * (1 - cells), 0, 1)
    topic, rows = world.topic, []
    for place in range(prompts):
        samples = world.samples[place % len(world.samples)]
        named = rng.random((samples, subjects, engines)) < chances[..., place]
        mentioned, together = named.sum(axis=0), (named * named.sum(axis=1, keepdims=True)).sum(axis=0)
        rows += [
            Row(
                f"e{engine}",
                f"t{topic[place]}.{place}",
                f"t{topic[place]}",
                subject,
                samples,
                mentioned[number, engine],
                comentions=together[number, engine],
            )
            for number, subject in enumerate(_subjects(panel))
            for engine in range(engines)
        ]
    return rows


def _counted(panel: Panel, rows: list[Row]) -> Counts:
    return count(rows, _subjects(panel))


def _subjects(panel: Panel) -> list[str]:
    return [BRAND, *(f"rival {number}" for number in range(1, len(panel.world.rivals) + 1))]
