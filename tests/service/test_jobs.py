"""The jobs of the worker."""

from datetime import timedelta

import pytest
from asgiref.sync import async_to_sync
from django.db import connection
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from apikeys.models import CallLog, Counter, IdempotentCall, User
from brands.models import Invitation
from tests.apikeys.test_idempotency import call, request_of
from tests.factories import BrandFactory, UserFactory, make_key
from visibility import jobs

pytestmark = pytest.mark.django_db


def test_the_call_log_keeps_four_hundred_days():
    key, _ = make_key()
    for days in (399, 401):
        moment = timezone.now() - timedelta(days=days)
        CallLog.objects.create(key=key, door="rest", name="x", success=True, duration_ms=1, created_at=moment)
    jobs.purge(0)
    assert CallLog.objects.get().created_at > timezone.now() - timedelta(days=400)


def test_a_repeatable_call_is_kept_for_ninety_days():
    user = UserFactory()
    for days in (89, 91):
        call(request_of(user, key=str(days)))
        IdempotentCall.objects.filter(key=str(days)).update(created_at=timezone.now() - timedelta(days=days))
    jobs.purge(0)
    assert [row.key for row in IdempotentCall.objects.all()] == ["89"]


def test_more_rows_than_a_batch_are_purged(monkeypatch):
    monkeypatch.setattr(jobs, "BATCH", 2)
    past = timezone.now() - timedelta(seconds=1)
    Counter.objects.bulk_create(Counter(key=str(number), value=1, expires_at=past) for number in range(5))
    jobs.purge(0)
    assert not Counter.objects.filter(expires_at=past).exists()  # others count outside of transactions


def test_the_job_of_a_dead_worker_is_dropped():
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO procrastinate_workers (last_heartbeat) "
            "VALUES (now() - interval '1 minute'), (now()) RETURNING id"
        )
        workers = [row[0] for row in cursor.fetchall()]
        for worker in workers:
            cursor.execute(
                "INSERT INTO procrastinate_jobs (queue_name, task_name, status, worker_id) "
                "VALUES ('default', 'visibility.jobs.purge', 'doing', %s)",
                [worker],
            )
    async_to_sync(jobs.sweep.func)(0)
    assert [job.worker_id for job in ProcrastinateJob.objects.all()] == [workers[1]]


def test_an_invitation_does_not_return_with_the_account_that_sent_it():
    invitation = Invitation.objects.create(brand=BrandFactory(), email="anna@example.com", invited_by=UserFactory())
    User.objects.filter(pk=invitation.invited_by.pk).update(is_active=False)
    async_to_sync(jobs.sweep.func)(0)
    assert not Invitation.objects.exists()
