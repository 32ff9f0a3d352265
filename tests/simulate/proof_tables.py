"""The grid over which proofs are simulated, as tables in Markdown."""

from dataclasses import replace

import numpy as np

from tests.simulate.proofs import History, Tide, Wander, alarms, found, kinds
from tests.simulate.wording import Line, cells, mean, percent
from visibility.metrics.proof.planning import MAX_SCANS

SEED = 20260405
NUMBER = 500
"""Histories of a cell."""
PLANNED = 40
"""Histories of a cell that are planned, scanned and judged one by one."""
PANELS = {
    "5 topics × 4 wordings, 3 samples": History(5, (4,), 3, 1),
    "6 topics × 1 wording, 3 samples, 2 engines": History(6, (1,), 3, 2),
    "8 topics × 4 wordings, 1 sample, 3 engines": History(8, (4,), 1, 3, alike=0.9),
    "10 topics × 2 wordings, 3 samples": History(10, (2,), 3, 1),
    "12 topics × 3 wordings, 2 samples, 3 engines": History(12, (3,), 2, 3, alike=0.3),
    "20 topics × 1 wording, 3 samples": History(20, (1,), 3, 1),
    "20 topics × 1–4 wordings, 2 samples, 2 engines": History(20, (1, 2, 3, 4), 2, 2),
}
WANDERS = {
    "still": Wander(),
    "0.1, 0.5": Wander(0.1, 0.5),
    "0.3, 0": Wander(0.3),
    "0.2, 0.8": Wander(0.2, 0.8),
    "0.6, 0.8": Wander(0.6, 0.8),
}
TIDES = {
    "none": Tide(),
    "points": Tide("points", 20),
    "room": Tide("room", 20),
    "part": Tide("part", 15),
    "odds up": Tide("odds", 20),
    "odds down": Tide("odds", -20),
}
RATES = (0.1, 0.3, 0.5, 0.9)
PLANNED_RATES = (0.1, 0.3, 0.5, 0.7)
BASELINES = (1, 3, 7)
TARGET = 15.0
ALLOWED, MEANT = 0.06, 0.78
SLOW = ("0.2, 0.8", "0.6, 0.8")
"""Where topics wander slowly a low one returns within weeks, by itself: shown, and not promised of single cells or of
sizes."""
MIN_TOLD = 50
"""Fewer plans that tell a size are too few to judge it by."""
PAUSES = (0, 3, 7, 14)


def error(part, number):
    """The Monte Carlo error of a part."""
    return (part * (1 - part) / number) ** 0.5


class ProofAlarms:
    """Histories in which nobody did anything: in how many of them the topic is said to have moved."""

    header = (
        "| Panel | Wander | No tide | Points | Room | Part | Odds up | Odds down | Worst | Gap's day as baseline "
        "| Too large by | Plain t-test | z-test, no control |\n|" + "---|" * 13
    )

    def rows(self):
        """What the lines of the table stand for."""
        return [(panel, wander) for panel in PANELS for wander in WANDERS]

    def line(self, row):
        """One line, and what in it is more than allowed: on average, and three standard errors more in a cell."""
        panel, wander = row
        base = replace(PANELS[panel], wander=WANDERS[wander])
        outcomes = {
            name: self._outcomes(replace(base, tide=tide), [SEED, self.rows().index(row), place])
            for place, (name, tide) in enumerate(TIDES.items())
        }
        parts = {name: mean([outcome.moved for outcome in group]) for name, group in outcomes.items()}
        every = [outcome for group in outcomes.values() for outcome in group]
        worst = max(outcome.moved for outcome in every)
        quiet = outcomes["none"]
        problems = [f"{percent(part)} moved in {row}, {name}" for name, part in parts.items() if part > ALLOWED]
        if wander not in SLOW and worst > ALLOWED + 3 * error(ALLOWED, NUMBER):
            problems.append(f"{percent(worst)} moved in a cell of {row}")
        naive = mean([outcome.naive for outcome in quiet])
        points = mean([outcome.naive_points for outcome in quiet])
        ours = mean([outcome.points for outcome in quiet])
        figures = [*map(percent, [*parts.values(), worst, naive]), f"{points:+.1f} ({ours:+.1f})"]
        blind = (mean([outcome.plain for outcome in every]), mean([outcome.alone for outcome in every]))
        return Line(cells(*row, *figures, *map(percent, blind)), tuple(problems))

    def _outcomes(self, history, seed):
        grid = kinds(history, rate=RATES, opens=("lead", "fall"), baseline=BASELINES[::2])
        return [alarms([*seed, cell], kind, NUMBER) for cell, kind in enumerate(grid)]


class ProofSizes:
    """What plans tell, and how often a rise of the size that they tell is found."""

    header = (
        "| Panel | Wander | Baseline | Plans that tell a size | Size | Scans | Found | ± | Fall |\n|" + "---|" * 9
    )

    def rows(self):
        """What the lines of the table stand for."""
        return [(panel, wander, days) for panel in PANELS for wander in WANDERS for days in BASELINES]

    def line(self, row):
        """One line, and whether a rise of the size is found too rarely, two standard errors granted."""
        panel, wander, days = row
        base = replace(PANELS[panel], wander=WANDERS[wander], baseline=days, scans=MAX_SCANS)
        seed = [SEED, 1, self.rows().index(row)]
        grid = kinds(base, rate=PLANNED_RATES)
        outcomes = [found([*seed, cell], kind, PLANNED, TARGET) for cell, kind in enumerate(grid)]
        told = sum(outcome.number for outcome in outcomes)
        if not told:
            return Line(cells(*row, percent(0.0), *["–"] * 5), averages=(0, 0))
        size, scans, seen, fallen = (
            sum(getattr(outcome, name) * outcome.number for outcome in outcomes if outcome.number) / told
            for name in ("least", "scans", "found", "other")
        )
        doubt = error(max(seen, 0.5), told)
        is_promised = wander not in SLOW and told >= MIN_TOLD
        problems = [f"{percent(seen)} found in {row}"] if is_promised and seen < MEANT - 2 * doubt else []
        shown = (percent(told / (len(grid) * PLANNED)), f"{size:.0f}", f"{scans:.0f}")
        figures = (*shown, percent(seen), f"{100 * doubt:.1f}", percent(fallen))
        return Line(cells(*row, *figures), tuple(problems), (told, round(seen * told)))

    def total(self, lines):
        """All plans that tell a size."""
        told, seen = (sum(line.averages[place] for line in lines) for place in range(2))
        found_of_all = seen / told
        problems = (f"{percent(found_of_all)} found of all",) if found_of_all < MEANT else ()
        text = (
            "All",
            "",
            "",
            f"{told} plans",
            "",
            "",
            percent(found_of_all),
            f"{100 * error(found_of_all, told):.1f}",
            "",
        )
        return Line(cells(*text), problems)


class ProofPauses:
    """What a pause between the gap and the baseline does where topics wander slowly."""

    header = "| Panel | Wander | Pause | Moved | Worst | Up | Too large by |\n|" + "---|" * 7

    def rows(self):
        """What the lines of the table stand for."""
        panels = list(PANELS)[3::3]
        return [(panel, wander, days) for panel in panels for wander in SLOW for days in PAUSES]

    def line(self, row):
        """One line; nothing is promised of it."""
        panel, wander, days = row
        base = replace(PANELS[panel], wander=WANDERS[wander], pause=days)
        grid = kinds(base, rate=RATES, opens=("lead", "fall"), baseline=BASELINES[::2])
        seed = [SEED, 2, self.rows().index(row)]
        outcomes = [alarms([*seed, cell], kind, NUMBER) for cell, kind in enumerate(grid)]
        moved, up = (mean([getattr(outcome, name) for outcome in outcomes]) for name in ("moved", "up"))
        worst, points = max(outcome.moved for outcome in outcomes), np.mean([outcome.points for outcome in outcomes])
        return Line(cells(*row, *map(percent, (moved, worst, up)), f"{points:+.1f}"))
