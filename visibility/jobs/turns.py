"""One turn of a worker on a job, from the claim to what becomes of the job after it."""

import logging
from collections.abc import Callable, Sequence
from enum import Enum, auto
from functools import partial
from uuid import UUID

from brands.models import Brand
from visibility.jobs.heartbeat import Heartbeat, log_break
from visibility.jobs.kinds import Job, JobKind
from visibility.jobs.lease import LeaseLost, claim, hand_over, put_back, release, renew
from visibility.jobs.patience import DamagedDatabase
from visibility.jobs.queue import enqueue
from visibility.jobs.stopping import Stopping

logger = logging.getLogger(__name__)


class Turn(Enum):
    """How a turn ended."""

    NOT_DUE = auto()
    """Nothing was to be done, or another worker holds the job."""
    DONE = auto()
    LEFT = auto()
    """The job is due again: the rest is for a later turn, or for another worker."""
    LOST = auto()
    """The job was cancelled, removed or taken over."""
    BROKEN_OFF = auto()


def take_turn(kind: JobKind[Job], key: UUID, worker: str, work: Callable[[Job, str, Heartbeat], bool]) -> Turn:
    """Claim the job and do `work`, which says whether the job has come to its end; a heartbeat renews the lease.

    `worker` is unique for each call. What is left is announced anew, behind what waits already. A failure has the job
    tried again later, with its reason.
    """
    job = claim(kind, key, worker)
    if job is None:
        return Turn.NOT_DUE
    try:
        with Heartbeat(partial(renew, kind, key, worker)) as heartbeat:
            done = work(job, worker, heartbeat)
    except (LeaseLost, Brand.DoesNotExist):
        logger.info("The %s %s was cancelled, removed or taken over", kind, key)
        return Turn.LOST
    except Stopping:
        logger.info("The %s %s is left to another worker: this one is asked to end", kind, key)
        hand_over(kind, job, worker)
        return Turn.LEFT
    except DamagedDatabase:
        raise
    except Exception as error:
        log_break(error, f"The {kind} {key} broke off in attempt {job.attempt}")
        release(kind, job, worker, reason=f"The last attempt failed with {type(error).__name__}.")
        return Turn.BROKEN_OFF
    if done:
        return Turn.DONE
    put_back(kind, job, worker)
    enqueue(kind, key)
    return Turn.LEFT


def take_turns(
    kind: JobKind[Job], keys: Sequence[UUID], worker: str, work: Callable[[Sequence[Job], str], None]
) -> None:
    """Claim those of the jobs that are due and do `work`, which brings all of them to their end together.

    Where it cannot, each that is still held is due again at once, or, after a failure, later and with its reason, so
    that it is then worked on alone.
    """
    jobs = [job for key in keys if (job := claim(kind, key, worker))]
    if not jobs:
        return

    def renew_all() -> bool:
        return sum(renew(kind, job.pk, worker) for job in jobs) > 0

    try:
        with Heartbeat(renew_all):
            work(jobs, worker)
    except (LeaseLost, Brand.DoesNotExist, Stopping):
        logger.info("%s jobs are left: one was cancelled, removed or taken over, or this worker ends", len(jobs))
        for job in jobs:
            hand_over(kind, job, worker)
    except DamagedDatabase:
        raise
    except Exception as error:
        log_break(error, f"The work on {len(jobs)} jobs together broke off")
        for job in jobs:
            release(kind, job, worker, reason=f"The last attempt failed with {type(error).__name__}.")
