"""The grid over which intervals are simulated, as a table in Markdown."""

from tests.simulate.coverage import population, simulate
from tests.simulate.wording import Line, cells, mean, percent

SEED = 20260311
REPETITIONS = 200
CLOSER = 2000
"""Repetitions where so few seem to show something that must not be."""
TOPICS = (5, 10, 20, 50, 100)
WORDINGS = {"1": (1,), "4": (4,), "1–5": (1, 2, 3, 4, 5)}
SAMPLES = {"1": (1,), "3": (3,), "10": (10,), "2–7": (2, 7, 3)}
RATES = (0.02, 0.1, 0.5, 0.9)
CORRELATIONS = (0.0, 0.66, 0.9)
LEAST = {"topic": 0.93, "panel": 0.92, "share_of_voice": 0.89}
"""Coverage of every cell, and at most this on average over all lines."""
MOST = {"topic": 0.98, "panel": 1.0, "share_of_voice": 0.97}


class IntervalTable:
    """Coverage of the 95 % intervals of the brand's score and share of voice."""

    header = (
        "| Topics | Wordings | Samples | Topic interval | lowest | Panel interval | lowest | Share of voice | lowest "
        "| Pooled answers |\n|---|---|---|---|---|---|---|---|---|---|"
    )

    def rows(self):
        """What the lines of the table stand for."""
        return [(topics, wordings, samples) for topics in TOPICS for wordings in WORDINGS for samples in SAMPLES]

    def line(self, row):
        """One line, and what in it is outside the bands."""
        topics, wordings, samples = row
        seed, outcomes = [SEED, self.rows().index(row)], []
        for rate in RATES:
            for correlation in CORRELATIONS:
                drawn_from = population(topics, WORDINGS[wordings], SAMPLES[samples], rate, correlation)
                outcomes.append(_simulate([*seed, len(outcomes)], drawn_from))
        problems = [
            f"{name} {percent(value)} in {row}, cell {place}"
            for place, outcome in enumerate(outcomes)
            for name, value in _outside(outcome).items()
        ]
        topic, panel, share, pooled = (
            [value for outcome in outcomes if (value := getattr(outcome, name)) is not None]
            for name in ("topic", "panel", "share_of_voice", "pooled")
        )
        figures = [mean(topic), min(topic), mean(panel), min(panel, default=None)]
        figures += [mean(share), min(share), mean(pooled)]
        return Line(cells(*row, *map(percent, figures)), tuple(problems), (mean(topic), mean(panel), mean(share)))

    def total(self, lines):
        """The last line: the averages over all, and which of them are too high."""
        averages = [
            mean([part for part in parts if part is not None])
            for parts in zip(*(line.averages for line in lines), strict=True)
        ]
        problems = [
            f"{name} {percent(value)} on average"
            for (name, most), value in zip(MOST.items(), averages, strict=True)
            if value > most
        ]
        topic, panel, share = map(percent, averages)
        return Line(cells("all", "", "", topic, "", panel, "", share, "", ""), tuple(problems))


def _simulate(seed, drawn_from):
    first = simulate(seed, drawn_from, REPETITIONS)
    return simulate([*seed, 1], drawn_from, CLOSER) if _outside(first) else first


def _outside(outcome):
    values = {name: getattr(outcome, name) for name in LEAST}
    return {name: value for name, value in values.items() if value is not None and value < LEAST[name]}
