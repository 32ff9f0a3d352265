"""Processes that are replaced: a web process says that it leaves before it does, and a worker ends what it began."""

import signal

import pytest

from tests.live import live_web, status_of
from tests.service.test_database_away import answer_of
from tests.service.test_serve import wait_until


@pytest.fixture
def leaving(django_db_blocker):
    with django_db_blocker.unblock(), live_web(DRAIN_SECONDS="4") as live:
        live.process.send_signal(signal.SIGTERM)
        wait_until(lambda: status_of(f"{live.url}/readyz") == 503, 3)
        yield live


def test_a_web_process_that_leaves_still_answers_until_load_balancers_have_noticed(leaving):
    status, _, body = answer_of(f"{leaving.url}/readyz", "")
    assert (status, body) == (503, {"status": "leaving"})
    assert status_of(f"{leaving.url}/api/v1/brands") == 401
    assert leaving.process.wait(timeout=15) == 0


def test_a_second_kind_of_signal_ends_a_leaving_web_process_at_once(leaving):
    leaving.process.send_signal(signal.SIGINT)
    assert leaving.process.wait(timeout=3) == 0
