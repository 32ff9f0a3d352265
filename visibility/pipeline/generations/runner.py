"""Carries out one turn of work on a generation: short, so that scans and other brands are not kept waiting."""

import time
from functools import partial
from uuid import UUID

from django.utils import timezone

from visibility.jobs.heartbeat import Heartbeat
from visibility.jobs.kinds import GENERATION
from visibility.jobs.lease import LeaseLost, due, fenced
from visibility.jobs.turns import take_turn
from visibility.models import Generation
from visibility.pipeline.detect.clearing import clear_steps
from visibility.pipeline.detect.detecting import Superseded
from visibility.pipeline.generations.building import build_steps

TURN_SECONDS = 10.0


def work_on(generation_id: UUID, worker: str) -> None:
    """Build or clear away the generation for one turn; returns at once when it is not due or another holds it.

    `worker` is unique for each call. What is left is announced anew, behind what waits already; a failure puts the
    generation off, with its reason. What is left of the turn goes to others that are to be cleared away: each edit of
    names can leave one, most of them hold little, and to announce each would take longer than to clear it.
    """
    end = time.monotonic() + TURN_SECONDS
    work = partial(_carry_out, end)
    take_turn(GENERATION, generation_id, worker, work)
    while time.monotonic() <= end and (key := _to_clear()):
        take_turn(GENERATION, key, worker, work)


def _to_clear() -> UUID | None:
    retired = Generation.objects.filter(due(GENERATION, timezone.now()), state=Generation.State.RETIRED)
    first: UUID | None = retired.order_by("not_before", "pk").values_list("pk", flat=True).first()
    return first


def _carry_out(end: float, generation: Generation, worker: str, heartbeat: Heartbeat) -> bool:
    """Work until then (of the monotonic clock); whether the work has come to its end."""
    steps = build_steps if generation.state == Generation.State.BUILDING else clear_steps
    guard = partial(fenced, GENERATION, generation.pk, worker)
    try:
        return all(time.monotonic() <= end for _ in steps(generation, guard))
    except Superseded as given_up:
        raise LeaseLost(str(generation.pk)) from given_up
