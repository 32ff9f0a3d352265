"""The grid over which intervals are simulated, as a table in Markdown."""

from tests.simulate.coverage import FIGURES, Drawn, simulate
from tests.simulate.wording import Line, cells, mean, percent

SEED = 20261122
DAYS = 2_000
CLOSER = 20_000
"""Days where so few seem to show something that must not be: the Monte Carlo error is 0.5 points of 2,000 days."""
TOPICS = (3, 4, 5, 10, 20, 50, 100)
MANY = 50
"""From so many topics on fewer populations are simulated."""
WORDINGS = {"1": (1,), "4": (4,), "1–5": (1, 2, 3, 4, 5)}
SAMPLES = {"1": (1,), "2": (2,), "3": (3,), "10": (10,), "1–7": (1, 7, 3, 2)}
FEW_POPULATIONS = (
    {"rate": 0.02, "correlation": 0.66},
    {"rate": 0.1, "correlation": 0.0},
    {"rate": 0.5, "correlation": 0.66},
    {"rate": 0.9, "correlation": 0.9},
    {"rate": 0.1, "correlation": 0.66, "engines": "failing"},
    {"rate": 0.02, "correlation": 0.66, "alone": True},
)
POPULATIONS = (
    *FEW_POPULATIONS,
    {"rate": 0.02, "correlation": 0.0},
    {"rate": 0.02, "correlation": 0.9},
    {"rate": 0.1, "correlation": 0.9},
    {"rate": 0.9, "correlation": 0.0},
    {"rate": 0.02, "correlation": 0.66, "engines": "failing"},
    {"rate": 0.9, "correlation": 0.66, "alone": True},
)
LEAST = 0.93
"""Coverage of every cell."""
MOST = 0.985
"""The average over all lines."""


class IntervalTable:
    """Coverage of every 95 % interval that is published: the mean over a line's populations, and the worst."""

    header = (
        f"| Topics | Wordings | Samples | {' | '.join(map(str.capitalize, FIGURES))} | Pooled answers |\n"
        f"|{'---|' * (len(FIGURES) + 4)}"
    )

    def rows(self):
        """What the lines of the table stand for."""
        return [(topics, wordings, samples) for topics in TOPICS for wordings in WORDINGS for samples in SAMPLES]

    def line(self, row):
        """One line, and what in it is outside the bands."""
        return line_of(row, self.outcomes(row))

    def outcomes(self, row):
        """The coverage in each population of a line."""
        topics, wordings, samples = row
        return [
            _simulate(
                [SEED, self.rows().index(row), place],
                Drawn(topics=topics, wordings=WORDINGS[wordings], samples=SAMPLES[samples], **population),
            )
            for place, population in enumerate(populations(topics))
        ]

    def total(self, lines):
        """The last line: the averages over all, and which of them are too high."""
        averages = [
            mean([part for part in parts if part is not None])
            for parts in zip(*(line.averages for line in lines), strict=True)
        ]
        problems = [
            f"{figure} {percent(value)} on average"
            for figure, value in zip(FIGURES, averages, strict=True)
            if value > MOST
        ]
        return Line(cells("all", "", "", *map(percent, averages), ""), tuple(problems))


def populations(topics):
    """What a line with so many topics is simulated for."""
    return FEW_POPULATIONS if topics >= MANY else POPULATIONS


def line_of(row, outcomes):
    """The line of these outcomes, one for each population."""
    problems = [
        f"{figure} {percent(value)} in {row}, {population}"
        for population, outcome in zip(populations(row[0]), outcomes, strict=True)
        for figure, value in _outside(outcome).items()
    ]
    columns = [[outcome[figure] for outcome in outcomes if outcome.get(figure) is not None] for figure in FIGURES]
    pooled = percent(mean([outcome["pooled"] for outcome in outcomes]))
    return Line(cells(*row, *map(_both, columns), pooled), tuple(problems), tuple(mean(values) for values in columns))


def _both(values):
    """The mean and the worst."""
    return f"{percent(mean(values))}, {percent(min(values))}" if values else "–"


def _simulate(seed, drawn):
    first = simulate(seed, drawn, DAYS)
    return simulate([*seed, 1], drawn, CLOSER) if _outside(first) else first


def _outside(outcome):
    return {
        figure: outcome[figure] for figure in FIGURES if outcome.get(figure) is not None and outcome[figure] < LEAST
    }
