"""Calls that may be repeated: one effect, however many arrive at once and whoever dies in between."""

import os
import signal
import subprocess
import sys
import textwrap
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.utils import timezone

from apikeys.accounts.idempotency import Finished, Reserved, Running, execute_once, forget, renew, reserve
from apikeys.errors import ServiceError
from apikeys.models import IdempotentCall, User
from tests.factories import UserFactory
from tests.threads import at_once

ROOT = Path(__file__).parent.parent.parent
pytestmark = pytest.mark.django_db(transaction=True, serialized_rollback=True)


def request_of(user, key="k", arguments=b"{}", subject=None) -> dict[str, Any]:
    call = {"user": user, "tool": "add_competitor", "key": key}
    return {**call, "arguments": arguments, "subject": subject or uuid4()}


def make_account() -> str:
    """An effect that can be counted."""
    UserFactory(email=f"effect-{uuid4().hex}@example.com")
    return '{"made": 1}'


def effects() -> int:
    return User.objects.filter(email__startswith="effect-").count()


def call(request: dict[str, Any]) -> str:
    """As a door makes it."""
    state = reserve(**request)
    if isinstance(state, Reserved):
        return execute_once(state, make_account)
    if isinstance(state, Finished):
        return state.result
    raise state.refusal()


def test_a_repeat_gets_the_original_result_and_has_no_second_effect():
    request = request_of(UserFactory())
    assert call(request) == call(request) == '{"made": 1}'
    assert effects() == 1


def test_other_arguments_under_the_same_key_are_refused():
    user = UserFactory()
    call(request_of(user))
    with pytest.raises(ServiceError) as refusal:
        call(request_of(user, arguments=b'{"name":"other"}'))
    assert refusal.value.code == "idempotency_conflict"


def test_a_hundred_equal_calls_have_one_effect():
    request = request_of(UserFactory())
    results = at_once([lambda: call(request)] * 100)
    refusals = [result for result in results if isinstance(result, Exception)]
    assert all(isinstance(refusal, ServiceError) for refusal in refusals), refusals
    assert {refusal.code for refusal in refusals} <= {"idempotency_in_progress"}
    assert effects() == 1
    assert call(request) == '{"made": 1}'


def test_a_failure_that_changed_nothing_leaves_the_key_free():
    request = request_of(UserFactory())

    def refuse() -> str:
        make_account()
        raise ValueError("no")

    with pytest.raises(ValueError):
        execute_once(reserve(**request), refuse)
    assert effects() == 0 and not IdempotentCall.objects.exists()
    assert call(request) == '{"made": 1}'


def test_who_lost_the_call_to_another_has_no_effect():
    request = request_of(UserFactory())
    slow = reserve(**request)
    IdempotentCall.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    quick = reserve(**request)
    assert isinstance(quick, Reserved)
    with pytest.raises(ServiceError) as refusal:
        execute_once(slow, make_account)
    assert refusal.value.code == "idempotency_in_progress"
    execute_once(quick, make_account)
    assert effects() == 1


def test_a_slow_call_stays_its_holders_as_long_as_it_renews():
    request = request_of(UserFactory())
    slow = reserve(**request)
    IdempotentCall.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    renew(slow)
    waiting = reserve(**request)
    assert isinstance(waiting, Running)
    assert 1 <= waiting.refusal().details["retryAfterSeconds"] <= 30


def test_a_deleted_brand_takes_its_calls_along():
    subject = uuid4()
    call(request_of(UserFactory(), subject=subject))
    forget(subject)
    assert not IdempotentCall.objects.exists()


VICTIM = """
    import os, signal, sys
    import django
    django.setup()
    from uuid import UUID
    from django.db import connection, transaction
    from apikeys.accounts import idempotency
    from apikeys.models import User
    from tests.apikeys import test_idempotency as test

    def die(here):
        if here == sys.argv[1]:
            os.kill(os.getpid(), signal.SIGKILL)

    def effect():
        result = test.make_account()
        die("after the effect")
        transaction.on_commit(lambda: die("after the commit"))
        return result

    def watch(execute, sql, *rest):
        done = execute(sql, *rest)
        if sql.startswith("UPDATE") and "finished_at" in sql:
            die("after the record")
        return done

    request = test.request_of(User.objects.get(email="caller@example.com"), subject=UUID(int=7))
    reserved = idempotency.reserve(**request)
    die("after the reservation")
    with connection.execute_wrapper(watch):
        idempotency.execute_once(reserved, effect)
"""


@pytest.mark.parametrize(
    ("point", "survives"),
    [
        pytest.param("after the reservation", 0, marks=pytest.mark.proof),
        ("after the effect", 0),
        pytest.param("after the record", 0, marks=pytest.mark.proof),
        ("after the commit", 1),
    ],
)
def test_a_caller_killed_at_any_point_leaves_one_effect_after_the_repeat(point, survives):
    user = UserFactory(email="caller@example.com")
    url = f"postgresql://postgres@/{connection.settings_dict['NAME']}?{os.environ['DATABASE_URL'].partition('?')[2]}"
    environment = {**os.environ, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, "-c", textwrap.dedent(VICTIM), point]
    victim = subprocess.run(command, cwd=ROOT, env=environment, timeout=60)
    assert victim.returncode == -signal.SIGKILL
    assert effects() == survives
    IdempotentCall.objects.filter(finished_at=None).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert call(request_of(user, subject=uuid4())) == '{"made": 1}'
    assert effects() == 1
