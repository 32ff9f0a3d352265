"""How often a verdict is a false alarm, and how often a fall is seen, on days drawn from the tree of `panels_beta`.

`python -m tests.measurement.power [PANELS]` prints both tables, in some fifteen minutes of one core, and exits with 1
where false alarms are too many. Only the drawing is done here; the library judges, many panels at once.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from tests.measurement.panels_beta import World, draw_panel, draw_series
from tests.measurement.simulate import score_contrast
from visibility.metrics.change import own_test
from visibility.metrics.contrasts import family_contrast
from visibility.metrics.luck import LATEST, PRIOR_PAIRS, Neighbours, estimate_luck, neighbours
from visibility.metrics.moves import is_raised, signs
from visibility.metrics.series import UNKNOWN_LUCK, Series, Side, arrange
from visibility.metrics.verdicts import Verdict, judge

SEED = 20261129
FALSE = 0.05
HISTORY, LOOKS = 8, 30
BEFORE, SINCE = 15, 15
WEEKS_BEFORE, WEEKS_SINCE = 4, 4
HERE = (35, 90)
"""Falls are drawn on panels whose score here lies between these."""


@dataclass(frozen=True)
class Reports:
    """The parts (0–1) of the drawn months in which a change of the brand's score was confirmed, the monitor was
    raised, and either."""

    confirmed: float
    raised: float
    either: float


def draw(rng, world, panels, days, fall=0.0, since=0) -> Series:
    """Days of so many panels at once, arrays shaped [panel, ...]."""
    drawn = []
    for _ in range(panels):
        panel = draw_panel(rng, world)
        while fall and not HERE[0] <= panel.here <= HERE[1]:
            panel = draw_panel(rng, world)
        drawn.append(arrange(draw_series(rng, panel, days, fall, since)))
    sides = zip(*(series.days for series in drawn), strict=True)
    return replace(drawn[0], days=tuple(_stacked(side) for side in sides))


def _stacked(sides: Sequence[Side]) -> Side:
    answers, mentioned, cited, sourced = (
        np.stack([getattr(side, name) for side in sides]) for name in ("answers", "mentioned", "cited", "sourced")
    )
    return Side(answers, mentioned, cited, 1.0, sourced)


def false_moves(seed, world, panels) -> list[float]:
    """The part of pairs of quiet days whose own score is called moved, and of those where anything else is."""
    series = draw(np.random.default_rng(seed), world, panels, 2)
    pair = series.pair(*series.days)
    own = own_test(pair)
    moved = judge(family_contrast(pair), own).verdict == Verdict.MOVED.value
    return [float(part.any(axis=(1, 2, 3)).mean()) for part in (moved & own, moved & ~own)]


def reports(seed, world, panels, before, since, fall=0.0) -> Reports:
    """What is reported of the brand's score on the days since a fall, looked at on each; without one, falsely."""
    series = draw(np.random.default_rng(seed), world, panels, before + since, fall, before)
    own = own_test(series.pair(*series.days[:2]))[:1, :1]
    series = replace(series, subjects=series.subjects[:1], named=series.named[:1], days=tuple(map(_own, series.days)))
    nearby = neighbours(series, score_contrast)
    confirmed = raised = np.zeros(panels, dtype=bool)
    for day in range(before, before + since):
        so_far = series.until(day + 1, _luck(nearby, day))
        raised = raised | is_raised(so_far, own, score_contrast)[..., 0, 0, 0]
        moves = [signs(so_far, place, day - 1, own, score_contrast)[..., 0, 0, 0] for place in (day - 1, day)]
        confirmed = confirmed | ((moves[0] != 0) & (moves[0] == moves[1]))
    return Reports(*(float(part.mean()) for part in (confirmed, raised, confirmed | raised)))


def _own(side: Side) -> Side:
    return replace(side, mentioned=side.mentioned[:, :1], cited=side.cited[:, :1])


def _luck(nearby, day):
    """What is known of the luck of days after so many pairs of them."""
    if day < PRIOR_PAIRS:
        return UNKNOWN_LUCK
    latest = slice(max(0, day - LATEST), day)
    return estimate_luck(Neighbours(nearby.squares[latest], nearby.explained[latest]))


QUIET = [
    World(topics, engines, wordings, (samples,), rate, luck=luck)
    for (topics, wordings), (engines, samples), rate, luck in product(
        ((1, (3,)), (3, (1,)), (2, (3,)), (4, (4,)), (6, (1,)), (9, (1,)), (12, (1,)), (24, (1,))),
        ((1, 3), (3, 2)),
        (0.1, 0.5),
        (0.0, 0.035, 0.05),
    )
]
"""Worlds without a change: few prompts and many, with as much luck as is taken for granted, less, and more."""
FALLEN = [
    World(topics, 2, wordings, (3,), 0.55)
    for topics, wordings in ((6, (1,)), (9, (1,)), (12, (1,)), (24, (1,)), (3, (2,)), (4, (6,)))
]


def words(world: World) -> str:
    """What a world is."""
    prompts = len(world.topic)
    return (
        f"{prompts} prompts on {world.topics} topics, {world.engines} engines × {world.samples[0]}, "
        f"rate {world.rate}, luck {world.luck}"
    )


def run(quiet: Sequence[World], fallen: Sequence[World], panels: int) -> list[str]:
    """Print both tables and return what is wrong: false alarms in more than 5 % of all quiet pairs or months."""
    print("\n| nothing changed | own score moved | anything else | confirmed | monitor | either |\n|" + "---|" * 6)
    rows = []
    for place, world in enumerate(quiet):
        seen = reports([SEED, place], world, panels, HISTORY, LOOKS)
        rows.append([*false_moves([SEED, place], world, 4 * panels), seen.confirmed, seen.raised, seen.either])
        _line(words(world), rows[-1])
    means = np.mean(rows, axis=0).tolist()
    _line("on average", means)
    print("\n| a fall | daily, -20 | daily, -30 | weekly, -20 | weekly, -30 |\n|" + "---|" * 5)
    for place, world in enumerate(fallen):
        _line(
            words(world),
            [
                reports([SEED, place, fall], world, panels, before, since, fall).either
                for (before, since), fall in product(((BEFORE, SINCE), (WEEKS_BEFORE, WEEKS_SINCE)), (20, 30))
            ],
        )
    return [f"{mean:.3f} false alarms" for mean in means if mean > FALSE]


def _line(name: str, parts: Sequence[float]) -> None:
    print(f"| {name} | {' | '.join(f'{100 * part:.1f} %' for part in parts)} |", flush=True)


if __name__ == "__main__":
    sys.exit(bool(run(QUIET, FALLEN, int(sys.argv[1]) if sys.argv[1:] else 200)))
