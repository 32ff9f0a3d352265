"""Processor time of work in this process."""

import time
from collections.abc import Callable

ROUNDS = 3
GROWTH = 8.0
"""What four times the text may take: four times, and as much again for a machine that does other things."""


def seconds(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Processor time of the quickest round."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best
