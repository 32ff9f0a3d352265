"""Carries out one turn of work on a generation: short, so that scans and other brands are not kept waiting."""

import time
from functools import partial
from uuid import UUID

from visibility.jobs.heartbeat import Heartbeat
from visibility.jobs.kinds import GENERATION
from visibility.jobs.lease import LeaseLost, fenced
from visibility.jobs.turns import take_turn
from visibility.models import Generation
from visibility.pipeline.detect.clearing import clear_steps
from visibility.pipeline.detect.detecting import Superseded
from visibility.pipeline.generations.building import build_steps

TURN_SECONDS = 10.0


def work_on(generation_id: UUID, worker: str) -> None:
    """Build or clear away the generation for one turn; returns at once when it is not due or another holds it.

    `worker` is unique for each call. What is left is announced anew, behind what waits already; a failure puts the
    generation off, with its reason.
    """
    take_turn(GENERATION, generation_id, worker, _carry_out)


def _carry_out(generation: Generation, worker: str, heartbeat: Heartbeat) -> bool:
    """Whether the work has come to its end."""
    steps = build_steps if generation.state == Generation.State.BUILDING else clear_steps
    guard = partial(fenced, GENERATION, generation.pk, worker)
    end = time.monotonic() + TURN_SECONDS
    try:
        return all(time.monotonic() <= end for _ in steps(generation, guard))
    except Superseded as given_up:
        raise LeaseLost(str(generation.pk)) from given_up
