"""The grid over which figures of ranks are simulated where mentions have no place, as a table in Markdown."""

from tests.simulate.coverage import RANKED, Drawn, simulate
from tests.simulate.wording import Line, cells, mean, percent

SEED = 20261123
DAYS = 2_000
LEAST = 0.93
PANELS = {"3 × 4": (3, (4,)), "4 × 1": (4, (1,)), "12 × 1": (12, (1,)), "50 × 1": (50, (1,))}
"""Topics, and wordings a topic."""
SAMPLES = 3
MISSING = {
    "none": (0.0, 0.0),
    "30 %": (0.3, 0.3),
    "60 %": (0.6, 0.6),
    "100 %": (1.0, 1.0),
    "late: 15 and 45 %": (0.15, 0.45),
    "late: 30 and 90 %": (0.3, 0.9),
    "early: 90 and 30 %": (0.9, 0.3),
}
"""The parts without a place of the mentions that are first, and of the others."""
POPULATIONS = (
    {"rate": 0.02, "correlation": 0.66},
    {"rate": 0.1, "correlation": 0.66},
    {"rate": 0.5, "correlation": 0.66},
    {"rate": 0.9, "correlation": 0.9},
    {"rate": 0.1, "correlation": 0.66, "engines": "failing"},
)


class Places:
    """Coverage of the intervals of the figures of ranks, and of their bounds: the mean over the populations, and the
    worst. Without any place only days without a mention have an interval, and they are not told."""

    header = (
        f"| Topics × wordings | Without a place | {' | '.join(map(str.capitalize, RANKED))} | Bounds of prominence "
        "| of reciprocal rank | of first three |\n|---|---|---|---|---|---|---|---|"
    )

    def rows(self):
        """What the lines of the table stand for."""
        return [(panel, missing) for panel in PANELS for missing in MISSING]

    def line(self, row):
        """One line, and what in it is below what is meant: intervals where places are missing by chance, bounds."""
        panel, missing = row
        topics, wordings = PANELS[panel]
        outcomes = [
            simulate(
                [SEED, self.rows().index(row), place],
                Drawn(topics, wordings, (SAMPLES,), placeless=MISSING[missing], **population),
                DAYS,
                ranks_only=True,
            )
            for place, population in enumerate(POPULATIONS)
        ]
        names = (*RANKED, *(f"{name}, bounds" for name in RANKED))
        first, others = MISSING[missing]
        told = [name for name in names if name not in RANKED or first < 1]
        values = {name: [outcome[name] for outcome in outcomes if outcome[name] is not None] for name in told}
        meant = [name for name in told if name not in RANKED or first == others]
        problems = [f"{name}: {percent(min(values[name]))} in {row}" for name in meant if min(values[name]) < LEAST]
        columns = [
            f"{percent(mean(values[name]))}, {percent(min(values[name]))}" if name in told else "–" for name in names
        ]
        return Line(cells(*row, *columns), tuple(problems))
