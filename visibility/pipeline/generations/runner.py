"""Carries out one turn of work on a generation: short, so that scans and other brands are not kept waiting."""

import logging
import time
from functools import partial
from uuid import UUID

from visibility.jobs.claim import LeaseLost
from visibility.jobs.generations import claim_generation, fenced_generation, put_back, put_off, renew_generation
from visibility.jobs.heartbeat import Heartbeat, log_break
from visibility.jobs.queue import enqueue_generation
from visibility.models import Generation
from visibility.pipeline.detect.clearing import clear_steps
from visibility.pipeline.detect.detecting import Superseded
from visibility.pipeline.generations.building import build_steps

logger = logging.getLogger(__name__)

TURN_SECONDS = 10.0


def work_on(generation_id: UUID, worker: str) -> None:
    """Build or clear away the generation for one turn; returns at once when it is not due or another holds it.

    `worker` is unique for each call. What is left is announced anew, behind what waits already; a failure puts the
    generation off, with its reason.
    """
    generation = claim_generation(generation_id, worker)
    if generation is None:
        return
    try:
        with Heartbeat(partial(renew_generation, generation.pk, worker)):
            ended = _take_turn(generation, worker)
    except (LeaseLost, Superseded):
        logger.info("Generation %s was given up, removed or taken over", generation_id)
    except Exception as error:
        log_break(error, f"Generation {generation_id} broke off in attempt {generation.attempt}")
        put_off(generation, worker, reason=f"The last attempt broke off with {type(error).__name__}.")
    else:
        if not ended:
            put_back(generation, worker)
            enqueue_generation(generation.pk)


def _take_turn(generation: Generation, worker: str) -> bool:
    """Whether the work has come to its end."""
    steps = build_steps if generation.state == Generation.State.BUILDING else clear_steps
    end = time.monotonic() + TURN_SECONDS
    return all(time.monotonic() <= end for _ in steps(generation, partial(fenced_generation, generation.pk, worker)))
