"""The grid over which records of change are simulated, as a table in Markdown."""

import numpy as np

from tests.simulate.records import Answers, any_topic_confirmed, shares_of, topic_fall_confirmed
from tests.simulate.wording import Line, cells, percent

SEED = 20261123
REPETITIONS = 40
TOPICS = (10, 50)
KINDS = ((4, 1, 3), (4, 3, 3))
"""Wordings, engines, samples."""
WANDERS = (0.0, 0.3)
TOPIC_FALL, FALL = 0.6, 0.3
ALLOWED = 0.05
GRANTED = ALLOWED + 3 * (ALLOWED * (1 - ALLOWED) / REPETITIONS) ** 0.5


class Records:
    """What is confirmed of single topics within 30 looks where nothing changed, and what becomes of a change."""

    header = (
        "| Topics | Wordings | Engines | Samples | Wander | Any topic confirmed | Topic's fall confirmed "
        "| Held: recovered | Held: went on | Taken back: recovered |\n|---|---|---|---|---|---|---|---|---|---|"
    )

    def rows(self):
        """What the lines of the table stand for."""
        return [(topics, *kind, wander) for topics in TOPICS for kind in KINDS for wander in WANDERS]

    def line(self, row):
        """One line, and what in it breaks a promise."""
        topics, wordings, engines, samples, wander = row
        plan = Answers(topics, wordings, engines, samples, wander=wander)
        rng = np.random.default_rng([SEED, self.rows().index(row)])
        alarms = np.mean([any_topic_confirmed(rng, plan) for _ in range(REPETITIONS)])
        seen = np.mean(
            [
                topic_fall_confirmed(rng, Answers(topics, wordings, engines, samples, 0.9), TOPIC_FALL)
                for _ in range(REPETITIONS)
            ]
        )
        recovered, went_on, back = shares_of(rng, plan, FALL, REPETITIONS)
        told = (("a topic confirmed", alarms), ("recovered", recovered), ("went on", went_on))
        problems = [f"{name} in {percent(value)} of {row}" for name, value in told if value > GRANTED]
        return Line(cells(*row, *map(percent, (alarms, seen, recovered, went_on, back))), tuple(problems))
