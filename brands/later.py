"""What must happen later: jobs by their names, enqueued in the transaction of their cause.

What enqueues a job knows only its name; `visibility/jobs.py` alone imports what a job runs.
"""

from datetime import timedelta
from uuid import UUID

from django.db import connection, transaction
from procrastinate.contrib.django import app
from procrastinate.contrib.django.models import ProcrastinateJob
from procrastinate.exceptions import AlreadyEnqueued
from procrastinate.jobs import Status
from procrastinate.types import JSONValue

from brands.models import Brand

WORKER_SILENT_SECONDS = 30
LONGEST_WAIT = timedelta(minutes=5)
"""Jobs of one brand wait for each other; this is more than that takes."""
_WAITING = """
SELECT count(*), extract(epoch FROM now() - min(coalesce(job.scheduled_at, event.at)))
FROM procrastinate_jobs AS job
LEFT JOIN procrastinate_events AS event ON event.job_id = job.id AND event.type = 'deferred'
WHERE job.status = 'todo' AND (job.scheduled_at IS NULL OR job.scheduled_at <= now())
"""
_LIVING = [Status.TODO.value, Status.DOING.value]


def defer_for_brand(name: str, brand_id: UUID) -> None:
    """Enqueue `recount` or `rescore` of a brand, unless it waits already. Jobs of one brand never run together."""
    _defer(name, _lock(brand_id), brand_id, {"brand_id": str(brand_id)})


def defer_measure(run_id: UUID, brand_id: UUID, kind: str) -> None:
    """Enqueue the measuring of a run, unless one of its brand and kind waits already: it measures all that wait."""
    _defer("measure", _lock(brand_id), f"{kind}:{brand_id}", {"run_id": str(run_id)})


def defer_for_run(name: str, run_id: UUID, *, after: timedelta | None = None) -> None:
    """Enqueue `ask` or `audit` of a run, unless it waits already. One process at a time works on a run: a command
    that carries one out itself enqueues the job for `after` it should have ended, and no worker takes the run up."""
    _defer(name, f"run:{run_id}", run_id, {"run_id": str(run_id)}, after)


def defer_advise(brand_id: UUID) -> None:
    """Enqueue the advice on a brand from its scans and audits, unless it waits already. Other jobs do not wait for
    it, as it reads pages of others."""
    _defer("advise", f"advise:{brand_id}", brand_id, {"brand_id": str(brand_id)})


def defer_read(brand_id: UUID, actor: str) -> None:
    """Enqueue the reading of a brand's answers by hand, unless it waits already. It never runs beside advice,
    which reads, too."""
    _defer("read", f"advise:{brand_id}", brand_id, {"brand_id": str(brand_id), "actor": actor})


def is_counted_again(brand: Brand) -> bool:
    """Whether figures do not know yet what has changed in a brand's names, prompts or topics."""
    rescore = ProcrastinateJob.objects.filter(task_name=_task("rescore"), lock=_lock(brand.pk))
    return brand.is_recounting or rescore.filter(status__in=_LIVING).exists()


def has_worker() -> bool:
    """Whether a worker has shown a sign of life lately."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM procrastinate_workers WHERE last_heartbeat > now() - make_interval(secs => %s)",
            [WORKER_SILENT_SECONDS],
        )
        (alive,) = cursor.fetchone()
    return bool(alive)


def waiting_jobs() -> tuple[int, timedelta]:
    """How many jobs could begin, and for how long the oldest of them has waited."""
    with connection.cursor() as cursor:
        cursor.execute(_WAITING)
        number, seconds = cursor.fetchone()
    return number, timedelta(seconds=float(seconds or 0) if number else 0)


def _lock(brand_id: UUID) -> str:
    return f"brand:{brand_id}"


def _task(name: str) -> str:
    return f"visibility.jobs.{name}"


def _defer(
    name: str, lock: str, subject: UUID | str, arguments: dict[str, JSONValue], after: timedelta | None = None
) -> None:
    """Jobs with one lock run one after the other."""
    delay = None if after is None else {"seconds": int(after.total_seconds())}
    job = app.configure_task(_task(name), lock=lock, queueing_lock=f"{name}:{subject}", schedule_in=delay)
    try:
        with transaction.atomic():  # a savepoint: the refusal of a second one must not break the transaction
            job.defer(**arguments)
    except AlreadyEnqueued:
        return
