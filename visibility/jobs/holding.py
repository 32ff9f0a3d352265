"""What a worker knows of its lease: what the heartbeat knows, what the worker was told, what the row says."""

from typing import Any
from uuid import UUID

from visibility.jobs.heartbeat import Heartbeat
from visibility.jobs.kinds import JobKind
from visibility.jobs.lease import LeaseState, lease_state
from visibility.jobs.stopping import stopping


def lease_state_now(kind: JobKind[Any], key: UUID, worker: str, heartbeat: Heartbeat) -> LeaseState:
    """What the worker has to do about the job, asked while it works on it."""
    if heartbeat.lost.is_set():
        return LeaseState.LOST
    return LeaseState.STOPPING if stopping.is_set() else lease_state(kind, key, worker)
