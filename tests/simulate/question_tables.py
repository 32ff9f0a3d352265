"""The grid over which verdicts of few topics, which speak of exactly the questions asked, are simulated."""

from dataclasses import replace

import numpy as np

from tests.simulate.change_tables import RATES, SHIFT, granted
from tests.simulate.changes import Design, simulate, size
from tests.simulate.month_tables import CHANGE, DAYS, HISTORY
from tests.simulate.months import Month, drift, quiet, stepped
from tests.simulate.wording import Line, cells, mean, percent

SEED = 20261123
PAIRS, MONTHS = 2_000, 500
ENGINES = 2
PANELS = ((1, 10), (1, 30), (2, 12), (2, 40), (3, 12), (3, 60))
"""Topics, and prompts of all of them together."""
SAMPLES = (1, 3)
WANDERS = ((0.0, 0.0), (0.6, 0.8))


class Questions:
    """Pairs of days, and months, of one to three topics: how often a change is called where nothing changed (each
    prompt stays as it is, or moves by itself), and how often where there is one."""

    header = (
        "| Topics | Prompts | Samples | Score, still | worst | restless | worst | Rest, still | worst | restless "
        "| worst | Months: monitor | worst | confirmed | worst | 10 points: moved "
        "| Even change raised | Step confirmed |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
    )

    def rows(self):
        """What the lines of the table stand for."""
        return [(*panel, samples) for panel in PANELS for samples in SAMPLES]

    def line(self, row):
        """One line, and what in it is more than allowed, three standard errors granted."""
        topics, prompts, samples = row
        seed = [SEED, self.rows().index(row)]
        design = Design(topics, (prompts // topics,), samples, engines=ENGINES)
        alarms = {"score": [], "rest": []}
        for restless in (False, True):
            outcomes = [
                simulate([*seed, restless, place], replace(design, rate=rate, restless=restless), PAIRS)
                for place, rate in enumerate(RATES)
            ]
            for part, values in alarms.items():
                values.append([getattr(outcome, part) for outcome in outcomes])
        month = Month(topics, design.wordings, samples)
        calm = [
            quiet([*seed, 2, place], replace(month, wander=part, memory=memory), MONTHS)
            for place, (part, memory) in enumerate(WANDERS)
        ]
        alarms |= {name: [[getattr(one, name) for one in calm]] for name in ("monitor", "confirmed")}
        problems = [
            f"{name}: {percent(max(values))} in {row}"
            for name, groups in alarms.items()
            for values in groups
            if max(values) > granted(PAIRS if name in ("score", "rest") else MONTHS)
        ]
        tenth = size([*seed, 3], replace(design, rate=0.5, shift=SHIFT), PAIRS).moved
        path = tuple(np.linspace(0, -CHANGE, DAYS))
        raised = drift([*seed, 4], replace(month, days=DAYS, path=path), MONTHS).raised
        steps = (0.0,) * HISTORY + (-CHANGE,) * 2
        step = stepped([*seed, 5], replace(month, days=len(steps), path=steps), MONTHS)
        figures = [part for groups in alarms.values() for values in groups for part in (mean(values), max(values))]
        return Line(cells(*row, *map(percent, (*figures, tenth, raised, step))), tuple(problems))
