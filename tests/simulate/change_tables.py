"""The grid over which verdicts on changes are simulated, as tables in Markdown."""

from dataclasses import dataclass, replace

from tests.simulate.changes import Design, oracle, simulate, size
from tests.simulate.wording import Line, cells, mean, percent

SEED = 20260310
REPETITIONS = 1000
FAMILIES = 500
"""Repetitions where all figures of all brands are drawn."""
RATES = (0.02, 0.1, 0.3, 0.5, 0.9)
ENGINES = 2
PANELS = {
    "10 topics": Design(10),
    "20 topics": Design(20),
    "50 topics": Design(50),
    "100 topics": Design(100),
    "200 topics": Design(200),
    "5 topics × 4 wordings": Design(5, (4,)),
    "17 topics × 4 wordings": Design(17, (4,)),
    "6 topics × 1–5 wordings": Design(6, (1, 2, 3, 4, 5)),
    "4 topics × 1 or 8 wordings": Design(4, (1, 8)),
}
SAMPLES = (1, 2, 3, 5)
SLOWEST = "200 topics"
"""Drawn with one number of samples only where all figures of all brands are."""
SIZES = ("10 topics", "20 topics", "50 topics", "100 topics", "200 topics", "17 topics × 4 wordings")
SIZE_RATES = (0.1, 0.3, 0.5, 0.9)
SIZE_SAMPLES = (1, 3)
SIZE_ENGINES = (1, 3)
SHIFT = 0.1
ALLOWED = 0.05
MEANT = (0.75, 0.85)
SIZE_ERROR = 2 * (0.8 * 0.2 / REPETITIONS) ** 0.5


def granted(repetitions):
    """What a single cell of so many may show of what is at most allowed: three standard errors more."""
    return ALLOWED + 3 * (ALLOWED * (1 - ALLOWED) / repetitions) ** 0.5


class FalseAlarms:
    """Pairs of days on which nothing changed: in how many of them the brand's score, and anything else, is called
    moved."""

    header = (
        "| Panel | Samples | Score, still | worst | restless | worst | Rest, still | worst | restless | worst "
        "| z-tests, still | restless |\n|---|---|---|---|---|---|---|---|---|---|---|---|"
    )

    def rows(self):
        """What the lines of the table stand for."""
        return [(name, samples) for name in PANELS for samples in SAMPLES if name != SLOWEST or samples == 3]

    def line(self, row):
        """One line, and what in it is more than allowed, three standard errors granted."""
        name, samples = row
        alarms, naive, problems = {"score": [], "rest": []}, [], []
        for restless in (False, True):
            outcomes = self._outcomes(name, samples, restless, [SEED, self.rows().index(row), restless])
            for part, figures in alarms.items():
                values = [getattr(outcome, part) for outcome in outcomes]
                figures += [mean(values), max(values)]
                if mean(values) > granted(len(values) * FAMILIES) or max(values) > granted(FAMILIES):
                    problems.append(f"{part}: {percent(mean(values))}, {percent(max(values))} at worst in {row}")
            naive.append(mean([outcome.naive_family for outcome in outcomes]))
        parts = map(percent, [*alarms["score"], *alarms["rest"], *naive])
        return Line(cells(*row, *parts), tuple(problems))

    def _outcomes(self, name, samples, restless, seed):
        designs = [
            replace(PANELS[name], samples=samples, rate=rate, engines=ENGINES, restless=restless) for rate in RATES
        ]
        return [simulate([*seed, cell], design, FAMILIES) for cell, design in enumerate(designs)]


@dataclass
class Sizes:
    """The smallest visible change of the brand's score, and how often a change of that size is seen. `luck` is that
    of a day, in points."""

    luck: float = 0.0

    header = (
        "| Panel | Samples | Engines | Rate | Nothing changed: moved | z-test | Smallest visible | At it: moved "
        "| oracle | z-test | 10 points: moved | oracle |\n|---|---|---|---|---|---|---|---|---|---|---|---|"
    )

    def rows(self):
        """What the lines of the table stand for."""
        return [
            (name, samples, engines, rate)
            for name in SIZES
            for samples in SIZE_SAMPLES
            for engines in SIZE_ENGINES
            for rate in SIZE_RATES
        ]

    def line(self, row):
        """One line, and whether a change of the size is seen too often or too rarely, two standard errors granted."""
        name, samples, engines, rate = row
        design = replace(PANELS[name], samples=samples, rate=rate, engines=engines, luck=self.luck)
        towards = 1 if rate <= 1 / 2 else -1
        seed = [SEED, self.rows().index(row)]
        still = size(seed, design, REPETITIONS)
        tenth = size([*seed, 1], replace(design, shift=towards * SHIFT), REPETITIONS)
        problems = [f"{percent(still.moved)} moved in {row}"] if still.moved > granted(REPETITIONS) else []
        figures, smallest = [None] * 3, "none"
        if still.minimum <= max(rate, 1 - rate):
            seen = size([*seed, 2], replace(design, shift=towards * still.minimum), REPETITIONS)
            figures = [seen.moved, oracle(still.deltas, seen.deltas), seen.naive]
            smallest = f"{100 * still.minimum:.1f} points"
            if not MEANT[0] - SIZE_ERROR <= seen.moved <= MEANT[1] + SIZE_ERROR:
                problems.append(f"{percent(seen.moved)} moved at the size that is told in {row}")
        first = map(percent, (still.moved, still.naive))
        last = map(percent, [*figures, tenth.moved, oracle(still.deltas, tenth.deltas)])
        return Line(cells(name, samples, engines, f"{rate:.0%}", *first, smallest, *last), tuple(problems))
