"""Jobs are enqueued once while they wait, under the lock of what they must not run beside."""

from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest
from django.db import connection
from procrastinate.contrib.django.models import ProcrastinateJob

from brands.later import defer_advise, defer_for_brand, defer_for_run, defer_measure, defer_read, has_worker

pytestmark = pytest.mark.django_db
BRAND, RUN, OTHER = uuid4(), uuid4(), uuid4()


def jobs():
    """The names of the tasks that wait, with their locks."""
    rows = ProcrastinateJob.objects.order_by("id").values_list("task_name", "lock")
    return [(name.removeprefix("visibility.jobs."), lock) for name, lock in rows]


DEFERRED = {
    "recount": (partial(defer_for_brand, "recount", BRAND), f"brand:{BRAND}", {"brand_id": str(BRAND)}),
    "rescore": (partial(defer_for_brand, "rescore", BRAND), f"brand:{BRAND}", {"brand_id": str(BRAND)}),
    "measure": (partial(defer_measure, RUN, BRAND, "visibility"), f"brand:{BRAND}", {"run_id": str(RUN)}),
    "ask": (partial(defer_for_run, "ask", RUN), f"run:{RUN}", {"run_id": str(RUN)}),
    "advise": (partial(defer_advise, BRAND), f"advise:{BRAND}", {"brand_id": str(BRAND)}),
    "read": (partial(defer_read, BRAND, "user:1"), f"advise:{BRAND}", {"brand_id": str(BRAND), "actor": "user:1"}),
}


@pytest.mark.parametrize("name", DEFERRED)
def test_a_job_waits_once_under_the_lock_of_its_subject(name):
    defer, lock, arguments = DEFERRED[name]
    defer()
    defer()
    assert jobs() == [(name, lock)]
    job = ProcrastinateJob.objects.get()
    assert (job.args, job.scheduled_at) == (arguments, None)


def test_jobs_of_different_names_or_subjects_wait_at_the_same_time():
    for defer, _, _ in DEFERRED.values():
        defer()
    defer_for_brand("recount", OTHER)
    defer_for_run("ask", OTHER)
    defer_advise(OTHER)
    assert len(jobs()) == len(DEFERRED) + 3


def test_one_measuring_waits_for_all_runs_of_a_brand_and_kind():
    for run, brand, kind in ((RUN, BRAND, "visibility"), (OTHER, BRAND, "visibility")):
        defer_measure(run, brand, kind)
    assert len(jobs()) == 1
    defer_measure(RUN, BRAND, "market")
    defer_measure(RUN, OTHER, "visibility")
    assert len(jobs()) == 3


def test_a_job_may_be_put_off():
    defer_for_run("ask", RUN, after=timedelta(days=2))
    job = ProcrastinateJob.objects.get()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT scheduled_at - now() BETWEEN interval '47 hours' AND interval '49 hours' FROM procrastinate_jobs"
        )
        assert cursor.fetchone() == (True,)
    assert job.lock == f"run:{RUN}"


@pytest.mark.parametrize(("seconds", "alive"), [(None, False), (10, True), (60, False)])
def test_a_worker_is_there_while_it_shows_signs_of_life(seconds, alive):
    if seconds is not None:
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now() - make_interval(secs => %s))",
                [seconds],
            )
    assert has_worker() is alive
