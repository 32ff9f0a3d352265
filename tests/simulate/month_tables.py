"""The grid of months over which the monitor and confirmed moves are simulated, as a table in Markdown."""

from dataclasses import replace

import numpy as np

from tests.simulate.months import Month, drift, quiet, stepped
from tests.simulate.wording import Line, cells, percent

SEED = 20261122
REPETITIONS = 500
TOPICS = (20, 50, 100, 200)
WANDERS = {
    "none": (0.0, 0.0),
    "0.3, 0": (0.3, 0.0),
    "0.3, 0.5": (0.3, 0.5),
    "0.3, 0.9": (0.3, 0.9),
    "0.6, 0.8": (0.6, 0.8),
}
KINDS = ((1, 0.5, 1), (3, 0.1, 1), (3, 0.5, 1), (3, 0.3, 2), (5, 0.9, 1))
"""Samples, rate, engines."""
CHANGE = 30.0
DAYS, HISTORY = 30, 10
ALLOWED = 0.05
GRANTED = ALLOWED + 3 * (ALLOWED * (1 - ALLOWED) / REPETITIONS) ** 0.5
RAISED, CONFIRMED = 0.9, 0.95
PROMISED_TOPICS, PROMISED_SAMPLES = 50, 3


class Months:
    """What is said of the brand's score within 30 looks where nothing changed, where it changes evenly by 30 points
    within 30 days, and on two days after a step of 30 points."""

    header = (
        "| Topics | Wander | Samples | Rate | Engines | False alarms | False confirmations | Any day moved | z-test "
        "| Change raised | on day | Oracle | Days moved | Step confirmed |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
    )

    def rows(self):
        """What the lines of the table stand for."""
        return [(topics, wander, *kind) for topics in TOPICS for wander in WANDERS for kind in KINDS]

    def line(self, row):
        """One line, and what in it breaks a promise: of errors in each, of what is seen with enough topics and samples."""
        topics, wander, samples, rate, engines = row
        part, memory = WANDERS[wander]
        month = Month(topics, samples=samples, rate=rate, engines=engines, wander=part, memory=memory)
        towards = CHANGE if rate < CHANGE / 100 + 0.1 else -CHANGE
        seed = [SEED, self.rows().index(row)]
        calm = quiet(seed, month, REPETITIONS)
        even = tuple(np.linspace(0, towards, DAYS))
        moving = drift([*seed, 1], replace(month, days=DAYS, path=even), REPETITIONS)
        path = (0.0,) * HISTORY + (towards,) * 2
        confirmed = stepped([*seed, 2], replace(month, days=len(path), path=path), REPETITIONS)
        problems = [
            f"{name} in {percent(value)} of {row}"
            for name, value in (("false alarms", calm.monitor), ("false confirmations", calm.confirmed))
            if value > GRANTED
        ]
        is_promised = topics >= PROMISED_TOPICS and samples >= PROMISED_SAMPLES
        if is_promised and moving.raised < RAISED:
            problems.append(f"an even change is raised in {percent(moving.raised)} of {row}")
        if is_promised and confirmed < CONFIRMED:
            problems.append(f"a step is confirmed in {percent(confirmed)} of {row}")
        figures = map(percent, (calm.monitor, calm.confirmed, calm.moved, calm.naive))
        day = f"{moving.day:.0f}" if np.isfinite(moving.day) else "–"
        seen = (percent(moving.raised), day, *map(percent, (moving.oracle, moving.moved, confirmed)))
        return Line(cells(topics, wander, samples, f"{rate:.0%}", engines, *figures, *seen), tuple(problems))
