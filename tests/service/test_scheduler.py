"""The scheduler while the queue is away."""

import sys
import time

import psutil
import pytest

from tests.live import ROOT, environment, wait_for
from tests.servers import valkey

pytestmark = pytest.mark.server
TICK = 0.2


def test_a_queue_that_is_away_is_told_in_a_line_and_not_at_each_tick(db, tmp_path):
    log = tmp_path / "log"
    with valkey() as url, log.open("w") as output:
        env = environment(BROKER_URL=f"{url}/0", VAR_DIR=str(tmp_path), SCHEDULER_TICK_SECONDS=str(TICK))
        command = [sys.executable, "-m", "celery", "--quiet", "-A", "config", "beat", "--loglevel", "INFO"]
        beat = psutil.Popen(command, cwd=ROOT, env=env, stdout=output, stderr=output)
        try:
            wait_for(lambda: "Sending due task" in log.read_text(), what="a tick")
            [server] = [each for each in psutil.process_iter(["cmdline"]) if is_server(each, url)]
            server.suspend()
            server.kill()
            wait_for(lambda: "The queue is unavailable" in log.read_text(), what="the line")
            sent = log.read_text().count("Sending due task")
            wait_for(lambda: log.read_text().count("Sending due task") > sent + 3, what="further ticks")
        finally:
            beat.terminate()
            beat.wait(30)
    told = log.read_text()
    assert told.count("The queue is unavailable") == 1
    assert "Traceback" not in told and "Message Error" not in told


def is_server(process, url):
    port = url.rsplit(":", 1)[1].partition("/")[0]
    return any("valkey-server" in part for part in process.info["cmdline"] or ()) and any(
        port in part for part in process.info["cmdline"]
    )
