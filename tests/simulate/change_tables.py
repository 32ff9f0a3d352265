"""The grid over which verdicts on changes are simulated, as tables in Markdown."""

from dataclasses import replace

from tests.simulate.changes import Design, oracle, simulate
from tests.simulate.wording import Line, cells, mean, percent

SEED = 20260310
REPETITIONS = 1000
RATES = (0.02, 0.1, 0.3, 0.5, 0.9)
ENGINES = (1, 2)
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
GRANTED = ALLOWED + 3 * (ALLOWED * (1 - ALLOWED) / REPETITIONS) ** 0.5
MEANT = (0.75, 0.85)
SIZE_ERROR = 2 * (0.8 * 0.2 / REPETITIONS) ** 0.5


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
        """One line, and what in it is more than allowed, three standard errors granted to a single cell."""
        name, samples = row
        alarms, naive, problems = {"score": [], "rest": []}, [], []
        for restless in (False, True):
            outcomes = self._outcomes(name, samples, restless, [SEED, self.rows().index(row), restless])
            for part, figures in alarms.items():
                values = [getattr(outcome, part) for outcome in outcomes]
                figures += [mean(values), max(values)]
                if mean(values) > ALLOWED or max(values) > GRANTED:
                    problems.append(f"{part}: {percent(mean(values))}, {percent(max(values))} at worst in {row}")
            naive.append(mean([outcome.naive_family for outcome in outcomes]))
        parts = map(percent, [*alarms["score"], *alarms["rest"], *naive])
        return Line(cells(*row, *parts), tuple(problems))

    def _outcomes(self, name, samples, restless, seed):
        designs = [
            replace(PANELS[name], samples=samples, rate=rate, engines=engines, restless=restless)
            for rate in RATES
            for engines in ENGINES
        ]
        return [simulate([*seed, cell], design, REPETITIONS) for cell, design in enumerate(designs)]


class Sizes:
    """The smallest visible change of the brand's score, and how often a change of that size is seen."""

    header = (
        "| Panel | Samples | Engines | Rate | Smallest visible | Moved at it | Oracle at it | z-test at it "
        "| 10 points moved | z-test, held |\n|---|---|---|---|---|---|---|---|---|---|"
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
        design = replace(PANELS[name], samples=samples, rate=rate, engines=engines)
        towards = 1 if rate <= 1 / 2 else -1
        seed = [SEED, self.rows().index(row)]
        still = simulate(seed, design, REPETITIONS)
        tenth = simulate([*seed, 1], replace(design, shift=towards * SHIFT), REPETITIONS)
        figures, problems, smallest = [None] * 3, (), "none"
        if still.minimum <= max(rate, 1 - rate):
            seen = simulate([*seed, 2], replace(design, shift=towards * still.minimum), REPETITIONS)
            figures = [seen.score, oracle(still.deltas, seen.deltas), seen.naive_score]
            smallest = f"{100 * still.minimum:.1f} points"
            if not MEANT[0] - SIZE_ERROR <= seen.score <= MEANT[1] + SIZE_ERROR:
                problems = (f"{percent(seen.score)} moved at the size that is told in {row}",)
        parts = map(percent, [*figures, tenth.score, tenth.naive_controlled])
        first, *rest = parts
        return Line(cells(name, samples, engines, f"{rate:.0%}", smallest, first, *rest), problems)
