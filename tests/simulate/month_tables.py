"""The grid of months over which the monitor and confirmed moves are simulated, as a table in Markdown."""

from dataclasses import dataclass, replace

import numpy as np

from tests.simulate.months import Month, drift, quiet, raised_at_last, stepped
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
LUCKS = (0.0, 2.0, 3.5, 5.0)
LUCKY_TOPICS = (5, 10, 20, 50, 100)
FALLS = (5.0, 10.0, 15.0, 20.0, 30.0)
BEFORE, AFTER = 30, 22
USUAL_LUCK = 3.5


@dataclass
class Months:
    """What is said of the brand's score within 30 looks where nothing changed, where it changes evenly by 30 points
    within 30 days, and on two days after a step of 30 points. `luck` is that of a day, in points."""

    luck: float = 0.0

    header = (
        "| Topics | Wander | Samples | Rate | Engines | False alarms | False confirmations | Any day moved | z-test "
        "| Change raised | on day | Oracle | Days moved | Step confirmed |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
    )

    def rows(self):
        """What the lines of the table stand for."""
        return [(topics, wander, *kind) for topics in TOPICS for wander in WANDERS for kind in KINDS]

    def line(self, row):
        """One line, and what in it breaks a promise: of errors in each, of what is seen in those that suffice."""
        topics, wander, samples, rate, engines = row
        part, memory = WANDERS[wander]
        month = Month(topics, samples=samples, rate=rate, engines=engines, wander=part, memory=memory, luck=self.luck)
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
        is_promised = topics >= PROMISED_TOPICS and samples >= PROMISED_SAMPLES and not self.luck
        if is_promised and moving.raised < RAISED:
            problems.append(f"an even change is raised in {percent(moving.raised)} of {row}")
        if is_promised and confirmed < CONFIRMED:
            problems.append(f"a step is confirmed in {percent(confirmed)} of {row}")
        figures = map(percent, (calm.monitor, calm.confirmed, calm.moved, calm.naive))
        day = f"{moving.day:.0f}" if np.isfinite(moving.day) else "–"
        seen = (percent(moving.raised), day, *map(percent, (moving.oracle, moving.moved, confirmed)))
        return Line(cells(topics, wander, samples, f"{rate:.0%}", engines, *figures, *seen), tuple(problems))


@dataclass
class Luck:
    """How often something is said within 30 looks of a rate that does not change, where all topics of an engine share
    the luck of a day: by the service, and were that luck not reckoned with."""

    header = (
        "| Topics | Engines | Luck of a day | False alarms | False confirmations | Any day moved "
        "| Not reckoned with: false alarms | false confirmations |\n|---|---|---|---|---|---|---|---|"
    )

    def rows(self):
        """What the lines of the table stand for."""
        return [(topics, engines, luck) for topics in LUCKY_TOPICS for engines in (1, 2, 3) for luck in LUCKS]

    def line(self, row):
        """One line, and whether anything in it is said too often."""
        topics, engines, luck = row
        month, seed = Month(topics, engines=engines, luck=luck), [SEED, 1, self.rows().index(row)]
        calm, naive = (quiet(seed, replace(month, is_reckoned=each), REPETITIONS) for each in (True, False))
        said = {"false alarms": calm.monitor, "false confirmations": calm.confirmed}
        problems = [f"{name} in {percent(value)} of {row}" for name, value in said.items() if value > GRANTED]
        figures = map(percent, (calm.monitor, calm.confirmed, calm.moved, naive.monitor, naive.confirmed))
        return Line(cells(topics, engines, f"{luck:g} points", *figures), tuple(problems))


@dataclass
class Power:
    """What reckoning with the luck of days costs: how often a fall that lasts is seen after 30 days, by the monitor
    within the 22 days from it on, and confirmed on its second day."""

    header = (
        "| Topics | Fall | No luck, not reckoned with: raised | confirmed | No luck: raised | confirmed "
        "| 3.5 points of luck: raised | confirmed |\n|---|---|---|---|---|---|---|---|"
    )

    def rows(self):
        """What the lines of the table stand for."""
        return [(topics, fall) for topics in LUCKY_TOPICS[1:] for fall in FALLS]

    def line(self, row):
        """One line; it promises nothing."""
        topics, fall = row
        seed, figures = [SEED, 2, self.rows().index(row)], []
        for luck, is_reckoned in ((0.0, False), (0.0, True), (USUAL_LUCK, True)):
            month = Month(topics, engines=2, luck=luck, is_reckoned=is_reckoned)
            raised, confirmed = (
                replace(month, days=BEFORE + days, path=(0.0,) * BEFORE + (-fall,) * days) for days in (AFTER, 2)
            )
            figures += [raised_at_last(seed, raised, REPETITIONS), stepped(seed, confirmed, REPETITIONS)]
        return Line(cells(topics, f"{fall:g} points", *map(percent, figures)))
