"""The grid over which verdicts on changes are simulated, as tables in Markdown."""

from dataclasses import replace

from tests.simulate.changes import Design, simulate
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
    "5 topics × 4 wordings": Design(5, (4,)),
    "17 topics × 4 wordings": Design(17, (4,)),
    "6 topics × 1–5 wordings": Design(6, (1, 2, 3, 4, 5)),
    "4 topics × 1 or 8 wordings": Design(4, (1, 8)),
}
SAMPLES = (1, 2, 3, 5)
POWER_PANELS = ("20 topics", "50 topics", "100 topics", "17 topics × 4 wordings")
POWER_RATES = (0.1, 0.3, 0.5)
SHIFT = 0.1
ALLOWED = 0.05
GRANTED = ALLOWED + 2 * (ALLOWED * (1 - ALLOWED) / REPETITIONS) ** 0.5


class FalseAlarms:
    """Pairs of days on which nothing changed: in how many of them anything at all is called moved."""

    header = (
        "| Panel | Samples | Still days | worst | Restless days | worst | z-tests, still | z-tests, restless |\n"
        "|---|---|---|---|---|---|---|---|"
    )

    def rows(self):
        """What the lines of the table stand for."""
        return [(name, samples) for name in PANELS for samples in SAMPLES]

    def line(self, row):
        """One line, and what in it is more than allowed, two standard errors granted to a single cell."""
        name, samples = row
        figures, naive, problems = [], [], []
        for restless in (False, True):
            designs = [
                replace(PANELS[name], samples=samples, rate=rate, engines=engines, restless=restless)
                for rate in RATES
                for engines in ENGINES
            ]
            seed = [SEED, self.rows().index(row), restless]
            outcomes = [simulate([*seed, cell], design, REPETITIONS) for cell, design in enumerate(designs)]
            alarms = [outcome.rest for outcome in outcomes]
            if mean(alarms) > ALLOWED or max(alarms) > GRANTED:
                problems.append(f"{percent(mean(alarms))} alarms, {percent(max(alarms))} at worst in {row}")
            figures += [mean(alarms), max(alarms)]
            naive.append(mean([outcome.naive_family for outcome in outcomes]))
        return Line(cells(*row, *map(percent, [*figures, *naive])), tuple(problems))


class Power:
    """The brand's score over three engines rises by 10 points: how often that is seen."""

    header = (
        "| Panel | Samples | Rate before | Moved | z-test alone | z-test, held | Smallest visible | Moved at it |\n"
        "|---|---|---|---|---|---|---|---|"
    )

    def rows(self):
        """What the lines of the table stand for."""
        return [(name, samples, rate) for name in POWER_PANELS for samples in (1, 3, 5) for rate in POWER_RATES]

    def line(self, row):
        """One line; nothing is promised of power."""
        name, samples, rate = row
        design = replace(PANELS[name], samples=samples, rate=rate, engines=3, shift=SHIFT)
        seed = [SEED, self.rows().index(row)]
        seen, at_smallest = simulate(seed, design, REPETITIONS), None
        if seen.minimum < 1 - rate:
            at_smallest = simulate([*seed, 1], replace(design, shift=seen.minimum), REPETITIONS).score
        smallest = f"{100 * seen.minimum:.1f} points" if seen.minimum < 1 else "none"
        parts = map(percent, (seen.score, seen.naive_score, seen.naive_controlled))
        return Line(cells(name, samples, f"{rate:.0%}", *parts, smallest, percent(at_smallest)))
