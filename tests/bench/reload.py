"""The web server is reloaded again and again under load: `python -m tests.bench.reload [RELOADS]`.

Fifty requests a second, half of them on connections that are kept open, to a page that reads the database; SIGHUP to
gunicorn's master, each with a change of the code that the next workers have to show. Prints what was sent, answered
and lost, and the longest time without one answer. Fails where one is lost or the gap is half a second or more.
"""

import http.client
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

import psutil

from tests.live import DIRECT, ROOT, free_port, live_process, wait_for

RATE = 50
CLIENTS = 24
MAX_GAP = 0.5
PATIENCE = 400.0
"""Seconds for one reload, on a machine that is busy with other things."""
PAUSE = 1.0
"""Seconds between the end of a reload and the next."""
SETTINGS = "from config.settings.test import *\nAUDIT_CONTACT = '{contact}'\n"


@dataclass
class Stream:
    """Requests at a steady rate, whether earlier ones are answered or not, and what came of each."""

    url: str
    rate: float = RATE
    sent: int = 0
    lost: list[str] = field(default_factory=list)
    answered_at: list[float] = field(default_factory=list)

    @contextmanager
    def running(self):
        """Ask until the block ends, and wait for the last answers."""
        ended, kept = threading.Event(), threading.local()
        with ThreadPoolExecutor(CLIENTS) as pool:

            def ask():
                began = time.monotonic()
                while not ended.is_set():
                    pool.submit(self._ask, self.sent, kept)
                    self.sent += 1
                    time.sleep(max(began + self.sent / self.rate - time.monotonic(), 0.0))

            asking = threading.Thread(target=ask)
            asking.start()
            try:
                yield
            finally:
                ended.set()
                asking.join()

    def _ask(self, number, kept):
        """One request: each second one on this thread's connection, which ends when the server says so."""
        keep = number % 2 == 0
        connection = getattr(kept, "connection", None) if keep else None
        if connection is None or dropped(connection):
            connection = http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=30)
        try:
            connection.request("GET", "/login/", headers={} if keep else {"Connection": "close"})
            response = connection.getresponse()
            response.read()
            if response.status != 200:
                self.lost.append(f"status {response.status}")
            self.answered_at.append(time.monotonic())
            if keep:
                kept.connection = None if response.will_close else connection
        except (OSError, http.client.HTTPException) as error:
            self.lost.append(repr(error))
            if keep:
                kept.connection = None

    def longest_gap(self):
        """The longest time without one answer, in seconds."""
        at = sorted(self.answered_at)
        return max(after - before for before, after in pairwise(at))


def dropped(connection):
    """Whether the server has closed an idle connection, which clients look at before they use it again."""
    return bool(select.select([connection.sock], [], [], 0)[0])


class Reloaded:
    """A web server whose code is changed: what the page about the crawler says whom to ask."""

    def __init__(self, live, folder):
        self.live = live
        self._folder = folder

    def change(self, contact):
        write_code(self._folder, contact)

    def break_code(self):
        Path(self._folder, "changing.py").write_text("this is no Python\n")

    def reload(self):
        """SIGHUP to the server, as an operator sends it."""
        self.live.process.send_signal(signal.SIGHUP)

    def workers(self):
        return {process.pid for process in psutil.Process(self.live.process.pid).children()}

    def shows(self, contact):
        """Whether an answer comes from code that says this."""
        with DIRECT.open(f"{self.live.url}/bot", timeout=30) as response:
            return contact in response.read().decode()


def write_code(folder, contact):
    Path(folder, "changing.py").write_text(SETTINGS.format(contact=contact))


@contextmanager
def reloaded(folder, env, workers=2):
    """gunicorn with settings in a file that changes."""
    write_code(folder, "first@example.com")
    port = free_port()
    changed = {
        **env,
        "BIND": f"127.0.0.1:{port}",
        "WEB_WORKERS": str(workers),
        "DJANGO_SETTINGS_MODULE": "changing",
        "PYTHONPATH": str(folder),
        "PYTHONDONTWRITEBYTECODE": "1",
        "RATE_LIMIT": "1000000/m",
    }
    command = [sys.executable, "-m", "gunicorn", "-c", "python:config.gunicorn"]
    with live_process(command, changed, f"http://127.0.0.1:{port}", "/healthz", 300) as live:
        yield Reloaded(live, folder)


def prepared(folder):
    """The environment of a service in a folder of its own, with its tables and static files."""
    env = {**os.environ, "VAR_DIR": str(Path(folder, "var")), "DJANGO_SETTINGS_MODULE": "config.settings.test"}
    for command in ("migrate", "collectstatic"):
        more = ["--noinput"] if command == "collectstatic" else []
        subprocess.run(
            [sys.executable, "manage.py", command, "--verbosity", "0", *more], cwd=ROOT, env=env, check=True
        )
    return env


def main(reloads):
    with tempfile.TemporaryDirectory(prefix="reload-") as folder, reloaded(folder, prepared(folder)) as server:
        stream = Stream(server.live.url)
        began = time.monotonic()
        with stream.running():
            time.sleep(PAUSE)
            for number in range(reloads):
                before = server.workers()
                server.change(f"code-{number}@example.com")
                server.reload()
                wait_for(
                    lambda old=before: not old & server.workers(), seconds=PATIENCE, what="the end of the old workers"
                )
                assert server.shows(f"code-{number}@example.com"), "the new workers run the new code"
                print(f"{number + 1}: sent {stream.sent}, lost {len(stream.lost)}", file=sys.stderr)
                time.sleep(PAUSE)
        lasted = time.monotonic() - began
        answered, lost, gap = len(stream.answered_at), len(stream.lost), stream.longest_gap()
    print(
        f"{reloads} reloads in {lasted:.0f} s at {RATE} requests a second: sent {stream.sent}, answered {answered}, "
        f"lost {lost}, longest time without an answer {gap:.2f} s"
    )
    print(*sorted(set(stream.lost)), sep="\n", end="")
    return 1 if lost or gap >= MAX_GAP else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 20))
