"""Faults in who works on a job: claims, writes under a lease, what becomes of a job after a failure."""

from tests.mutants.harness import Fault

JOBS = (
    Fault(
        "a claim takes a job that another worker holds",
        "visibility/jobs/lease.py",
        "lease_until__lt=now)",
        "lease_until__gt=now)",
        ("tests/scans/test_lease.py",),
    ),
    Fault(
        "the fence lets any worker write",
        "visibility/jobs/lease.py",
        "filter(pk=key, worker=worker, **",
        "filter(pk=key, **",
        ("tests/scans/test_lease.py",),
    ),
    Fault(
        "a job that broke off is tried again at once",
        "visibility/jobs/lease.py",
        "later = timezone.now() + backoff(job.attempt)",
        "later = timezone.now()",
        ("tests/scans/test_lease.py",),
    ),
    Fault(
        "a job that is handed over has lost an attempt",
        "visibility/jobs/lease.py",
        'not_before=timezone.now(), attempt=F("attempt") - 1)',
        "not_before=timezone.now())",
        ("tests/scans/test_lease.py",),
    ),
    Fault(
        "a cancelled run is worked on",
        "visibility/jobs/lease.py",
        "kind.working if states is None else states):",
        "kind.drained if states is None else states):",
        ("tests/scans/test_claim.py",),
    ),
    Fault(
        "the attempts of a generation are counted without end",
        "visibility/jobs/lease.py",
        "attempt if kind.max_attempts is None else Least(attempt, kind.max_attempts)",
        "attempt",
        ("tests/scans/test_lease.py",),
    ),
    Fault(
        "a message to a busy worker counts as delivered",
        "visibility/jobs/queue.py",
        ".filter(waiting(kind), pk=key).update(dispatched_at=None)",
        ".filter(waiting(kind), pk=key).update()",
        ("tests/scans/test_lease.py", "tests/scans/test_tasks.py"),
    ),
)
